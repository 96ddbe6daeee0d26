#include "cluster/spanning_tree.hpp"

#include <algorithm>
#include <memory>

#include "cluster/disjoint_sets.hpp"
#include "cluster/foreign_search.hpp"
#include "stylobate/errors.hpp"
#include "tile/pairs.hpp"

namespace stylobate::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A row's nearest other rows, and how near any row beyond them may be.
class Lists {
 public:
    Lists(const MatrixView<double>& x, const tile::TreeMetric& metric, const NearestLists& known)
        : shown_(known), n_(x.rows) {
        if (known.k > 0) return;
        constexpr Index few = 8;  // lists that leave few components open, and are found quickly
        shown_.k = std::min(few, n_ - 1);
        const auto size = static_cast<std::size_t>(area(n_, shown_.k));
        values_.resize(size), rows_.resize(size);
        find(x, metric);
        shown_.values = values_.data(), shown_.rows = rows_.data();
    }
    Index k() const { return shown_.k; }
    double value(Index i, Index at) const { return shown_.values[i * shown_.k + at]; }
    std::int64_t row(Index i, Index at) const { return shown_.rows[i * shown_.k + at]; }
    double beyond(Index i) const { return k() == n_ - 1 ? infinity : value(i, k() - 1); }

 private:
    void find(const MatrixView<double>& x, const tile::TreeMetric& metric) {
        // up to so many columns a tree looks at few enough rows to be quicker than tiles
        constexpr Index low_dimension = 6;
        const tile::Nearest wish{shown_.k, true};
        if (x.cols <= low_dimension || !x.rows_contiguous()) {
            tile::kd_tree(x, metric)->nearest(nullptr, wish, values_.data(), rows_.data());
            return;
        }
        const double* const weights = metric.weights.empty() ? nullptr : metric.weights.data();
        tile::Pairs::dense(x, x, {metric.measure, metric.p, weights})
            .nearest(wish, values_.data(), rows_.data());
    }

    NearestLists shown_;
    Index n_;
    std::vector<double> values_;
    std::vector<std::int64_t> rows_;
};

class Growth {
 public:
    Growth(const MatrixView<double>& x, const tile::TreeMetric& metric, const double* core,
           const NearestLists& known)
        : x_(x),
          metric_(metric),
          core_(core),
          lists_(x, metric, known),
          sets_(x.rows),
          component_(static_cast<std::size_t>(x.rows)),
          beyond_(static_cast<std::size_t>(x.rows)),
          next_(static_cast<std::size_t>(x.rows), 0),
          open_(static_cast<std::size_t>(x.rows)) {
        for (Index i = 0; i < x.rows; ++i) beyond_[i] = std::max(lists_.beyond(i), core_of(i));
    }

    SpanningTree grown() {
        while (sets_.sets() > 1) {
            number_components();
            look_at_lists();
            if (!join_certain()) search();
        }
        std::stable_sort(edges_.begin(), edges_.end(),
                         [](const Edge& a, const Edge& b) { return a.length < b.length; });
        SpanningTree tree;
        for (const Edge& edge : edges_) {
            tree.from.push_back(edge.from);
            tree.to.push_back(edge.to);
            tree.lengths.push_back(edge.length);
        }
        return tree;
    }

 private:
    double core_of(Index i) const { return core_ == nullptr ? 0.0 : core_[i]; }

    void number_components() {
        std::vector<Index> number(component_.size(), -1);
        Index count = 0;
        largest_ = 0;
        std::vector<Index> sizes;
        for (Index i = 0; i < x_.rows; ++i) {
            const Index root = sets_.find(i);
            if (number[root] < 0) {
                number[root] = count++;
                sizes.push_back(sets_.size(root));
            }
            component_[i] = number[root];
        }
        for (Index c = 0; c < count; ++c)
            if (sizes[c] > sizes[largest_]) largest_ = c;
        best_.assign(static_cast<std::size_t>(count), Edge{});
        unknown_.assign(static_cast<std::size_t>(count), infinity);
    }

    // The shortest listed edge out of each component, and how short an edge that no list shows
    // might be.
    void look_at_lists() {
        for (Index i = 0; i < x_.rows; ++i) {
            const Index own = component_[i];
            const Edge edge = listed(i);
            if (edge.length < best_[own].length) best_[own] = edge;
            if (!(edge.length <= beyond_[i])) unknown_[own] = std::min(unknown_[own], beyond_[i]);
        }
    }

    Edge listed(Index i) {
        Index& at = next_[i];  // rows before this one are of the own component for good
        while (at < lists_.k() && component_[lists_.row(i, at)] == component_[i]) ++at;
        Edge best;
        for (Index l = at; l < lists_.k(); ++l) {
            const std::int64_t other = lists_.row(i, l);
            if (lists_.value(i, l) >= best.length) break;
            if (component_[other] == component_[i]) continue;
            const double length = std::max({lists_.value(i, l), core_of(i), core_of(other)});
            if (length < best.length) best = {length, i, other};
        }
        return best;
    }

    // Joins along the edges that are surely shortest, unless they are too few to be worth a round.
    bool join_certain() {
        std::vector<Edge> certain;
        for (std::size_t c = 0; c < best_.size(); ++c)
            if (static_cast<Index>(c) != largest_ && best_[c].to >= 0 &&
                best_[c].length <= unknown_[c])
                certain.push_back(best_[c]);
        if (static_cast<Index>(certain.size()) * 8 < static_cast<Index>(best_.size())) return false;
        join(certain);
        return true;
    }

    // The shortest first: of edges of equal length that would close a circle, one is left out.
    void join(std::vector<Edge>& chosen) {
        std::stable_sort(chosen.begin(), chosen.end(),
                         [](const Edge& a, const Edge& b) { return a.length < b.length; });
        for (const Edge& edge : chosen)
            if (sets_.join(edge.from, edge.to)) edges_.push_back(edge);
    }

    void search() {
        if (!tree_) tree_ = std::make_unique<ForeignSearch>(x_, metric_, core_);
        for (Index i = 0; i < x_.rows; ++i)
            open_[i] = component_[i] != largest_ && beyond_[i] < best_[component_[i]].length;
        tree_->shorten(component_, open_, best_);
        std::vector<Edge> chosen;
        for (std::size_t c = 0; c < best_.size(); ++c)
            if (static_cast<Index>(c) != largest_) chosen.push_back(best_[c]);
        for (Index i = 0; i < x_.rows; ++i)
            if (component_[i] != largest_)
                beyond_[i] = std::max(beyond_[i], best_[component_[i]].length);
        for (const Edge& edge : chosen)
            if (edge.to < 0) throw InvalidArgument("a spanning tree needs finite distances");
        join(chosen);
    }

    MatrixView<double> x_;
    tile::TreeMetric metric_;
    const double* core_;
    Lists lists_;
    DisjointSets sets_;
    std::vector<Index> component_;
    std::vector<double> beyond_;  // rows outside that no list shows are at least so far
    std::vector<Index> next_;     // place in the row's list
    std::vector<char> open_;
    std::vector<Edge> best_;       // of each component
    std::vector<double> unknown_;  // of each component
    Index largest_ = 0;
    std::vector<Edge> edges_;
    std::unique_ptr<ForeignSearch> tree_;
};

}  // namespace

SpanningTree spanning_tree(const MatrixView<double>& x, const tile::TreeMetric& metric,
                           const double* core, const NearestLists& known) {
    if (x.rows < 1 || x.cols < 1)
        throw InvalidArgument("a spanning tree needs at least one row and column");
    if (known.k < 0 || known.k >= std::max<Index>(x.rows, 2))
        throw InvalidArgument("lists of the nearest rows show fewer than there are");
    if (x.rows == 1) return {};
    return Growth(x, metric, core, known).grown();
}

}  // namespace stylobate::cluster
