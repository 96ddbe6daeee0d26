// Clusters of points in rounds: their centroids, spreads and members.
#pragma once

#include <vector>

#include "cluster/centroid_linkage.hpp"
#include "cluster/linkage_kernels.hpp"
#include "cluster/merges.hpp"
#include "cluster/triangle.hpp"

namespace stylobate::cluster {

// How far apart clusters of points are: squares for ward and complete, the mean distance itself for
// average and weighted; and how far at least, from their centroids.
class PointClusters {
 public:
    struct Cluster {
        Item item;
        double scatter = 0.0;      // mean squared distance of the members to the centroid
        double radius = 0.0;       // no member is farther from the centroid
        Index begin = 0, end = 0;  // places of the members
    };

    PointClusters(const MatrixView<double>& x, Linkage linkage);

    Index count() const { return static_cast<Index>(clusters_.size()); }
    Index depth() const { return depth_; }
    const Cluster& cluster(Index i) const { return clusters_[static_cast<std::size_t>(i)]; }
    const double* centroid(Index i) const { return centroids_.data() + i * depth_; }
    MatrixView<double> centroids() const { return {centroids_.data(), count(), depth_, depth_, 1}; }
    bool squares() const { return linkage_ == Linkage::ward || linkage_ == Linkage::complete; }
    double height(double value) const;

    // No pair whose centroids have at least this squared distance has a smaller value; `size` and
    // `scatter` are the least the other may have.
    double bound(const Cluster& a, double squared, double size, double scatter) const;
    // The squared distance of centroids beyond which bound exceeds a value.
    double reach(const Cluster& a, double value, double size, double scatter) const;
    // Whether a pair may have a smaller value, and its value; the same for (a, b) and (b, a).
    bool promising(const Cluster& a, const Cluster& b, double squared, double value) const;
    double value(Index a, Index b, double squared, std::vector<double>& room) const;

    // Joins pairs of clusters, each in at most one; a union takes the lower of the two places.
    // Returns the new place of every cluster.
    struct Pair {
        Index a, b;  // a < b
        double value;
    };
    std::vector<Index> join(const std::vector<Pair>& pairs, std::vector<Merge>& merges);

    std::vector<Item> items() const;
    CentroidColumns columns() const;
    // Heights of all pairs, upper triangle row by row.
    std::vector<double> triangle() const;

 private:
    void unite(Cluster& kept, double* centre, const Cluster& gone, const double* other,
               double height) const;
    linkage::PointColumns points() const { return {points_.data(), ld_, depth_}; }
    void point(Index place, double* out) const {
        for (Index l = 0; l < depth_; ++l) out[l] = points_[l * ld_ + place];
    }
    double weight(Index place) const { return weights_.empty() ? 1.0 : weights_[place]; }
    // Mean distances from sums of weighted ones.
    double share(const Cluster& a, const Cluster& b) const {
        return linkage_ == Linkage::average ? 1.0 / (a.item.size * b.item.size) : 1.0;
    }
    void fill_row(Index a, const Triangle::Row& row, std::vector<double>& room) const;

    Linkage linkage_;
    Index depth_;
    std::vector<Cluster> clusters_;
    std::vector<double> centroids_;
    std::vector<std::int64_t> members_;  // rows, cluster after cluster
    std::vector<double> weights_;        // of the members, for weighted linkage
    Buffer points_;                      // of the members, column after column
    Index ld_;
};

}  // namespace stylobate::cluster
