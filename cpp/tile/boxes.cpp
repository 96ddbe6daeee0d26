#include "tile/boxes.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace stylobate::tile {
namespace {

constexpr Index group = 8;        // points that every kernel takes at once
constexpr Index leaf_rows = 128;  // so that bounds cost little beside the sums of a leaf

Index widest_column(const MatrixView<double>& x, const std::vector<Index>& order, Index begin,
                    Index end) {
    Index widest = 0;
    double width = -1.0;
    for (Index l = 0; l < x.cols; ++l) {
        double low = x(order[begin], l), high = low;
        for (Index k = begin + 1; k < end; ++k) {
            const double value = x(order[k], l);
            low = std::min(low, value), high = std::max(high, value);
        }
        if (high - low > width) width = high - low, widest = l;
    }
    return widest;
}

void halve(const MatrixView<double>& x, std::vector<Index>& order, Index begin, Index end,
           Index smallest, Index unit) {
    if (end - begin <= smallest) return;
    const Index column = widest_column(x, order, begin, end), middle = halved(begin, end, unit);
    const auto first = order.begin();
    std::nth_element(first + begin, first + middle, first + end, [&](Index i, Index j) {
        const double a = x(i, column), b = x(j, column);
        return a < b || (a == b && i < j);
    });
    halve(x, order, begin, middle, smallest, unit);
    halve(x, order, middle, end, smallest, unit);
}

// Points in columns, put in order where they lie.
class Sorter {
 public:
    Sorter(double* columns, double* weights, Index ld, Index depth)
        : columns_(columns), weights_(weights), ld_(ld), depth_(depth) {}

    void halve(Index begin, Index end) {
        if (end - begin <= leaf_rows) return;
        const Index middle = halved(begin, end, group);
        select(column(widest(begin, end)), begin, middle, end);
        halve(begin, middle);
        halve(middle, end);
    }

 private:
    double* column(Index l) { return columns_ + l * ld_; }

    Index widest(Index begin, Index end) {
        Index found = 0;
        double width = -1.0;
        for (Index l = 0; l < depth_; ++l) {
            const auto [low, high] = std::minmax_element(column(l) + begin, column(l) + end);
            if (*high - *low > width) width = *high - *low, found = l;
        }
        return found;
    }

    void swap(Index i, Index j) {
        for (Index l = 0; l < depth_; ++l) std::swap(column(l)[i], column(l)[j]);
        if (weights_ != nullptr) std::swap(weights_[i], weights_[j]);
    }

    // Hoare's selection: nothing before `middle` is above anything from it on. The places of pivots
    // are drawn, so that no table is slow by design; the draws are the same in every run.
    void select(const double* key, Index begin, Index middle, Index end) {
        Index low = begin, high = end - 1;
        while (low < high) {
            const double pivot = pivot_of(key, low, high);
            Index i = low, j = high;
            while (i <= j) {
                while (key[i] < pivot) ++i;
                while (pivot < key[j]) --j;
                if (i <= j) swap(i++, j--);
            }
            if (middle <= j)
                high = j;
            else if (middle >= i)
                low = i;
            else
                return;
        }
    }

    double pivot_of(const double* key, Index low, Index high) {
        const auto draw = [&] {
            state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
            return key[low + static_cast<Index>((state_ >> 33) %
                                                static_cast<std::uint64_t>(high - low + 1))];
        };
        const double a = draw(), b = draw(), c = draw();
        return std::max(std::min(a, b), std::min(std::max(a, b), c));
    }

    double* columns_;
    double* weights_;
    Index ld_, depth_;
    std::uint64_t state_ = 1;
};

}  // namespace

void order_by_halving(const MatrixView<double>& x, std::vector<Index>& order, Index smallest,
                      Index unit) {
    halve(x, order, 0, static_cast<Index>(order.size()), smallest, unit);
}

Distances between(const double* one, const double* other, Index depth) {
    Distances squares{0.0, 0.0};
    for (Index l = 0; l < depth; ++l) {
        const double before = other[l] - one[depth + l], behind = one[l] - other[depth + l];
        const double gap = std::max({before, behind, 0.0}), span = std::max(-before, -behind);
        squares.near += gap * gap, squares.far += span * span;
    }
    constexpr double slack = 1e-14;
    return {squares.near * (1.0 - slack), squares.far * (1.0 + slack)};
}

template <class T>
ArrangedPoints::ArrangedPoints(const MatrixView<T>& x, const double* given) : depth(x.cols) {
    for (Index i = 0; i < x.rows; ++i) rows += given == nullptr || given[i] > 0.0;
    if (rows == 0) return;
    if (given != nullptr) largest = *std::max_element(given, given + x.rows);
    ld = (rows + group - 1) / group * group;
    columns = Buffer::unset(area(ld, depth));
    if (given != nullptr) weights = Buffer(ld);
    Index k = 0;
    for (Index i = 0; i < x.rows; ++i) {
        if (given != nullptr && !(given[i] > 0.0)) continue;
        for (Index l = 0; l < depth; ++l) columns[l * ld + k] = static_cast<double>(x(i, l));
        if (given != nullptr) weights[k] = given[i] / largest;
        ++k;
    }
    Sorter(columns.data(), given == nullptr ? nullptr : weights.data(), ld, depth).halve(0, rows);
    for (; k < ld; ++k)  // the last group is filled up, with weight 0
        for (Index l = 0; l < depth; ++l) columns[l * ld + k] = columns[l * ld + rows - 1];
}

template ArrangedPoints::ArrangedPoints(const MatrixView<double>&, const double*);
template ArrangedPoints::ArrangedPoints(const MatrixView<float>&, const double*);

BoxPoints ArrangedPoints::view() const {
    return {columns.data(), weights.size() > 0 ? weights.data() : nullptr, rows, ld, depth,
            largest};
}

Boxes::Boxes(const BoxPoints& points) : held_(points), depth_(points.depth) {
    if (held_.rows == 0) return;
    if (held_.weights == nullptr) {
        ones_ = Buffer(leaf_rows), last_ = Buffer(leaf_rows);
        std::fill_n(ones_.data(), leaf_rows, 1.0);
    }
    add(0, held_.rows);
}

Index Boxes::add(Index begin, Index end) {
    const Index k = static_cast<Index>(nodes_.size());
    Node node{begin, end};
    nodes_.push_back(node);
    boxes_.resize(boxes_.size() + static_cast<std::size_t>(2 * depth_));
    if (end - begin > leaf_rows) {
        const Index middle = halved(begin, end, group);
        node.left = add(begin, middle);
        node.right = add(middle, end);
        node.weight = nodes_[node.left].weight + nodes_[node.right].weight;
    } else {
        if (held_.weights == nullptr && end == held_.rows)
            std::fill_n(last_.data(), end - begin, 1.0);
        const double* const own = weights(node);
        node.weight = std::accumulate(own, own + (end - begin), 0.0);
    }
    for (Index l = 0; l < depth_; ++l) {
        double* const low = boxes_.data() + k * 2 * depth_ + l;
        double* const high = low + depth_;
        if (node.left < 0) {
            const double* const c = held_.columns + l * held_.ld;
            const auto [least, most] = std::minmax_element(c + begin, c + end);
            *low = *least, *high = *most;
        } else {
            *low = std::min(box(node.left)[l], box(node.right)[l]);
            *high = std::max(box(node.left)[depth_ + l], box(node.right)[depth_ + l]);
        }
    }
    nodes_[k] = node;
    return k;
}

PointGroups Boxes::points(const Node& node) const {
    const Index count = (node.end - node.begin + group - 1) / group * group;
    return {held_.columns + node.begin, count, held_.ld, depth_};
}

Boxes::Nearest Boxes::nearest(const double* query) const {
    Nearest best{std::numeric_limits<double>::infinity(), 0.0};
    std::vector<double> query_box(query, query + depth_);
    query_box.insert(query_box.end(), query, query + depth_);
    search(0, query, query_box.data(), best);
    return best;
}

void Boxes::search(Index k, const double* query, const double* query_box, Nearest& best) const {
    const Node& here = node(k);
    if (here.left >= 0) {
        const double left = between(query_box, box(here.left), depth_).near;
        const double right = between(query_box, box(here.right), depth_).near;
        const bool swap = right < left;
        if (std::min(left, right) < best.square)
            search(swap ? here.right : here.left, query, query_box, best);
        if (std::max(left, right) < best.square)
            search(swap ? here.left : here.right, query, query_box, best);
        return;
    }
    const double* const own = weights(here);
    for (Index j = here.begin; j < here.end; ++j) {
        double square = 0.0;
        for (Index l = 0; l < depth_; ++l) {
            const double t = held_.columns[l * held_.ld + j] - query[l];
            square += t * t;
        }
        if (square < best.square) best = {square, own[j - here.begin]};
    }
}

}  // namespace stylobate::tile
