#include "cluster/point_clusters.hpp"

#include <algorithm>
#include <cmath>

#include "stylobate/parallel.hpp"

namespace stylobate::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double sure = 1.0 - 1e-12;  // keeps a rounded bound below what it bounds

double ward_factor(double a, double b) {
    return 2.0 * a * b / (a + b);
}

}  // namespace

PointClusters::PointClusters(const MatrixView<double>& x, Linkage linkage)
    : linkage_(linkage),
      depth_(x.cols),
      clusters_(static_cast<std::size_t>(x.rows)),
      centroids_(static_cast<std::size_t>(area(x.rows, x.cols))),
      members_(static_cast<std::size_t>(x.rows)),
      points_(area(x.rows + 16, x.cols)),
      ld_(x.rows + 16) {
    for (Index i = 0; i < x.rows; ++i) {
        clusters_[i] = {{i, 1.0, 0.0}, 0.0, 0.0, i, i + 1};
        members_[i] = i;
        for (Index l = 0; l < depth_; ++l)
            centroids_[i * depth_ + l] = points_[l * ld_ + i] = x(i, l);
    }
    if (linkage == Linkage::weighted) weights_.assign(members_.size(), 1.0);
}

double PointClusters::height(double value) const {
    return squares() ? std::sqrt(value) : value;
}

double PointClusters::bound(const Cluster& a, double squared, double size, double scatter) const {
    switch (linkage_) {
        case Linkage::ward:
            return ward_factor(a.item.size, size) * squared * sure;
        // the largest square is not below the mean one
        case Linkage::complete:
            return (squared + a.scatter + scatter) * sure;
        // Jensen: the mean distance is not below the distance of the means
        default:
            return std::sqrt(squared) * sure;
    }
}

double PointClusters::reach(const Cluster& a, double value, double size, double scatter) const {
    if (value == infinity) return infinity;
    switch (linkage_) {
        case Linkage::ward:
            return value / (ward_factor(a.item.size, size) * sure);
        case Linkage::complete:
            return value / sure - a.scatter - scatter + 1e-12 * value;
        default:
            return value * value / (sure * sure);
    }
}

bool PointClusters::promising(const Cluster& a, const Cluster& b, double squared,
                              double value) const {
    if (bound(a, squared, b.item.size, b.scatter) > value) return false;
    if (squares() || value == infinity) return true;
    // Distances lie in [near, far]; there the root lies above its chord, so the mean of the roots
    // is not below the chord's value at the mean square.
    const double centres = std::sqrt(squared), both = a.radius + b.radius;
    const double near = std::max(centres - both, 0.0), far = centres + both;
    if (far == 0.0) return true;
    return (squared + a.scatter + b.scatter + near * far) / (near + far) * sure <= value;
}

double PointClusters::value(Index i, Index j, double squared, std::vector<double>& room) const {
    const Cluster &a = cluster(std::min(i, j)), &b = cluster(std::max(i, j));
    if (linkage_ == Linkage::ward) return ward_factor(a.item.size, b.item.size) * squared;
    const bool alone = a.item.size == 1.0 && b.item.size == 1.0;
    if (alone) return squares() ? squared : std::sqrt(squared);
    const Index count = b.end - b.begin;
    room.assign(static_cast<std::size_t>(count + 8 + depth_), 0.0);
    double* const query = room.data() + count + 8;
    const auto gather = squares() ? linkage::Gather::most_square : linkage::Gather::sum_of_roots;
    for (Index place = a.begin; place < a.end; ++place) {
        point(place, query);
        linkage::kernels().point_distances(query, points(), b.begin, count,
                                           static_cast<int>(gather), weight(place), room.data());
    }
    if (squares()) return *std::max_element(room.data(), room.data() + count);
    double sum = 0.0;
    for (Index k = 0; k < count; ++k) sum += weight(b.begin + k) * room[k];
    return sum * share(a, b);
}

void PointClusters::unite(Cluster& kept, double* centre, const Cluster& gone, const double* other,
                          double height) const {
    const bool halves = linkage_ == Linkage::weighted;
    const double size = kept.item.size + gone.item.size;
    const double p = halves ? 0.5 : kept.item.size / size, q = halves ? 0.5 : gone.item.size / size;
    double squared = 0.0;
    for (Index l = 0; l < depth_; ++l) {
        const double t = other[l] - centre[l];
        squared += t * t;
        centre[l] += q * t;  // equal rows keep theirs exactly
    }
    const double apart = std::sqrt(squared);
    kept.scatter = p * kept.scatter + q * gone.scatter + p * q * squared;
    kept.radius = std::max(kept.radius + q * apart, gone.radius + p * apart) / sure;
    kept.item.size = size;
    kept.item.height = height;
}

std::vector<Index> PointClusters::join(const std::vector<Pair>& pairs, std::vector<Merge>& merges) {
    std::vector<Index> partner(clusters_.size(), -1), place(clusters_.size());
    std::vector<double> heights(clusters_.size());
    for (const Pair& pair : pairs) {
        const Item &a = clusters_[pair.a].item, &b = clusters_[pair.b].item;
        const double high = std::max({height(pair.value), a.height, b.height});
        merges.push_back({a.row, b.row, high});
        partner[pair.a] = pair.b, partner[pair.b] = pair.a;
        heights[pair.a] = high;
    }
    std::vector<std::int64_t> members;
    std::vector<double> weights;
    const auto take = [&](const Cluster& from, double factor) {
        members.insert(members.end(), members_.begin() + from.begin, members_.begin() + from.end);
        for (Index k = from.begin; k < from.end && !weights_.empty(); ++k)
            weights.push_back(factor * weights_[k]);
    };
    std::vector<Index> arranged;  // former places of the members
    Index next = 0;
    for (Index i = 0; i < count(); ++i) {
        const Index other = partner[i];
        if (other >= 0 && other < i) {
            place[i] = place[other];
            continue;
        }
        const auto begin = static_cast<Index>(members.size());
        Cluster now = clusters_[i];
        double* const centre = centroids_.data() + next * depth_;
        std::copy_n(centroid(i), depth_, centre);
        take(clusters_[i], other < 0 ? 1.0 : 0.5);
        for (Index k = clusters_[i].begin; k < clusters_[i].end; ++k) arranged.push_back(k);
        if (other >= 0) {
            take(clusters_[other], 0.5);
            for (Index k = clusters_[other].begin; k < clusters_[other].end; ++k)
                arranged.push_back(k);
            unite(now, centre, clusters_[other], centroid(other), heights[i]);
        }
        now.begin = begin, now.end = static_cast<Index>(members.size());
        place[i] = next;
        clusters_[next++] = now;
    }
    clusters_.resize(static_cast<std::size_t>(next));
    centroids_.resize(static_cast<std::size_t>(next * depth_));
    members_ = std::move(members), weights_ = std::move(weights);
    std::vector<double> column(arranged.size());
    for (Index l = 0; l < depth_; ++l) {
        double* const points = points_.data() + l * ld_;
        for (std::size_t k = 0; k < arranged.size(); ++k) column[k] = points[arranged[k]];
        std::copy(column.begin(), column.end(), points);
    }
    return place;
}

std::vector<Item> PointClusters::items() const {
    std::vector<Item> items;
    for (const Cluster& each : clusters_) items.push_back(each.item);
    return items;
}

CentroidColumns PointClusters::columns() const {
    CentroidColumns columns(count(), depth_);
    for (Index i = 0; i < count(); ++i)
        for (Index l = 0; l < depth_; ++l) columns.at(i, l) = centroid(i)[l];
    return columns;
}

// Heights of a cluster and all later ones: row[b], b > a.
void PointClusters::fill_row(Index a, const Triangle::Row& row, std::vector<double>& room) const {
    constexpr Index step = 1024;  // points whose sums stay in the first cache
    room.resize(static_cast<std::size_t>(step + 8 + depth_));
    double* const query = room.data() + step + 8;
    const auto gather = squares() ? linkage::Gather::most_square : linkage::Gather::sum_of_roots;
    const Cluster& own = cluster(a);
    for (Index b = a + 1; b < count(); ++b) row[b] = 0.0;
    Index b = a + 1;
    const auto n = static_cast<Index>(members_.size());
    for (Index first = own.end; first < n; first += step) {
        const Index points_here = std::min(step, n - first);
        std::fill_n(room.data(), points_here + 7, 0.0);
        for (Index place = own.begin; place < own.end; ++place) {
            point(place, query);
            linkage::kernels().point_distances(query, points(), first, points_here,
                                               static_cast<int>(gather), weight(place),
                                               room.data());
        }
        for (Index k = 0; k < points_here; ++k) {
            while (first + k >= cluster(b).end) ++b;
            row[b] = squares() ? std::max(row[b], room[k]) : row[b] + weight(first + k) * room[k];
        }
    }
    for (b = a + 1; b < count(); ++b)
        row[b] = squares() ? std::sqrt(row[b]) : row[b] * share(own, cluster(b));
}

std::vector<double> PointClusters::triangle() const {
    const Index m = count();
    std::vector<double> values(static_cast<std::size_t>(area(m, m - 1) / 2));
    const Triangle triangle(values.data(), m);
    constexpr Index group = 8;
    parallel_for((m + group - 1) / group, [&](Index g, Checkpoint& checkpoint) {
        std::vector<double> room;
        for (Index a = g * group; a < std::min(m, (g + 1) * group); ++a) {
            fill_row(a, triangle.row(a), room);
            checkpoint();
        }
    });
    return values;
}

}  // namespace stylobate::cluster
