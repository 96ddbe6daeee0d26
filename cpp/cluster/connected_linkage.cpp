#include "cluster/connected_linkage.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "stylobate/errors.hpp"

namespace stylobate::cluster {
namespace {

using Neighbours = std::unordered_map<std::int64_t, double>;

class Connected {
 public:
    Connected(const ConnectedRows& graph, const MatrixView<double>& x, Linkage linkage,
              Index clusters)
        : linkage_(linkage),
          n_(graph.n),
          nodes_(2 * graph.n - clusters),
          depth_(linkage == Linkage::ward ? x.cols : 0),
          neighbours_(static_cast<std::size_t>(nodes_)),
          sizes_(neighbours_.size(), 1.0),
          sums_(static_cast<std::size_t>(nodes_ * depth_)) {
        tree_.parents.resize(neighbours_.size());
        for (Index i = 0; i < nodes_; ++i) tree_.parents[i] = i;
        for (Index i = 0; i < n_; ++i)
            for (Index l = 0; l < depth_; ++l) sums_[i * depth_ + l] = x(i, l);
        for (Index i = 0; i < n_; ++i)
            for (std::int64_t k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
                const std::int64_t j = graph.indices[k];
                if (j >= i) continue;
                add(i, j, linkage == Linkage::ward ? ward(i, j) : graph.values[k]);
            }
    }

    ConnectedTree grown(Checkpoint& checkpoint) {
        for (Index k = n_; k < nodes_; ++k) {
            checkpoint();
            const Edge edge = shortest();
            const auto [value, i, j] = edge;
            tree_.children.push_back(std::min(i, j));
            tree_.children.push_back(std::max(i, j));
            tree_.heights.push_back(linkage_ == Linkage::ward ? std::sqrt(2.0 * value) : value);
            tree_.parents[i] = tree_.parents[j] = k;
            unite(k, i, j);
        }
        return std::move(tree_);
    }

 private:
    using Edge = std::tuple<double, std::int64_t, std::int64_t>;

    void add(std::int64_t i, std::int64_t j, double value) {
        neighbours_[i][j] = value;
        neighbours_[j][i] = value;
        edges_.emplace(value, i, j);
    }

    Edge shortest() {
        for (;;) {
            if (edges_.empty()) throw InvalidArgument("the graph does not hang together");
            const Edge edge = edges_.top();
            edges_.pop();
            if (root(std::get<1>(edge)) && root(std::get<2>(edge))) return edge;
        }
    }
    bool root(std::int64_t i) const { return tree_.parents[i] == i; }

    // Half the growth of the sum of squares around the means.
    double ward(std::int64_t i, std::int64_t j) const {
        double squared = 0.0;
        for (Index l = 0; l < depth_; ++l) {
            const double t = sums_[i * depth_ + l] / sizes_[i] - sums_[j * depth_ + l] / sizes_[j];
            squared += t * t;
        }
        return squared * sizes_[i] * sizes_[j] / (sizes_[i] + sizes_[j]);
    }

    void unite(std::int64_t k, std::int64_t i, std::int64_t j) {
        for (Index l = 0; l < depth_; ++l)
            sums_[k * depth_ + l] = sums_[i * depth_ + l] + sums_[j * depth_ + l];
        sizes_[k] = sizes_[i] + sizes_[j];
        Neighbours joint = std::move(neighbours_[i]);
        for (const auto& [other, value] : neighbours_[j]) {
            const auto [at, added] = joint.emplace(other, value);
            if (added || linkage_ == Linkage::ward) continue;
            at->second = linkage_ == Linkage::complete
                             ? std::max(at->second, value)
                             : (sizes_[i] * at->second + sizes_[j] * value) / sizes_[k];
        }
        neighbours_[i] = {}, neighbours_[j] = {};
        // in order, so that equal edges come out the same everywhere
        std::vector<std::pair<std::int64_t, double>> others(joint.begin(), joint.end());
        std::sort(others.begin(), others.end());
        for (const auto& [other, value] : others) {
            if (other == i || other == j) continue;
            neighbours_[other].erase(i);
            neighbours_[other].erase(j);
            add(k, other, linkage_ == Linkage::ward ? ward(k, other) : value);
        }
    }

    Linkage linkage_;
    Index n_, nodes_, depth_;
    std::vector<Neighbours> neighbours_;
    std::vector<double> sizes_, sums_;
    std::priority_queue<Edge, std::vector<Edge>, std::greater<>> edges_;
    ConnectedTree tree_;
};

}  // namespace

ConnectedTree connected_linkage(const ConnectedRows& graph, const MatrixView<double>& x,
                                Linkage linkage, Index clusters, Checkpoint& checkpoint) {
    if (linkage != Linkage::ward && linkage != Linkage::complete && linkage != Linkage::average)
        throw InvalidArgument("connected linkage is ward, complete or average");
    return Connected(graph, x, linkage, clusters).grown(checkpoint);
}

}  // namespace stylobate::cluster
