#include "tile/boxes.hpp"

#include <algorithm>
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

std::vector<Index> box_order(const MatrixView<double>& x) {
    std::vector<Index> order(static_cast<std::size_t>(x.rows));
    std::iota(order.begin(), order.end(), Index{0});
    order_by_halving(x, order, leaf_rows, group);
    return order;
}

Boxes::Boxes(const MatrixView<double>& x, const double* weights, bool ordered) : depth_(x.cols) {
    std::vector<Index> order;
    order.reserve(static_cast<std::size_t>(x.rows));
    for (Index i = 0; i < x.rows; ++i)
        if (weights == nullptr || weights[i] > 0.0) order.push_back(i);
    if (order.empty()) return;
    if (!ordered) order_by_halving(x, order, leaf_rows, group);
    if (weights != nullptr) largest_ = *std::max_element(weights, weights + x.rows);
    const Index n = static_cast<Index>(order.size());
    ld_ = (n + group - 1) / group * group;
    coordinates_ = Buffer(area(ld_, depth_));
    weights_ = Buffer(ld_);
    for (Index k = 0; k < ld_; ++k) {
        const Index row = order[std::min(k, n - 1)];  // the last group is filled up, with weight 0
        for (Index l = 0; l < depth_; ++l) coordinates_[l * ld_ + k] = x(row, l);
        if (k < n) weights_[k] = weights == nullptr ? 1.0 : weights[row] / largest_;
    }
    add(0, n);
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
        node.weight = std::accumulate(weights_.data() + begin, weights_.data() + end, 0.0);
    }
    for (Index l = 0; l < depth_; ++l) {
        double* const low = boxes_.data() + k * 2 * depth_ + l;
        double* const high = low + depth_;
        if (node.left < 0) {
            const double* const c = coordinates_.data() + l * ld_;
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
    return {coordinates_.data() + node.begin, count, ld_, depth_};
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
    for (Index j = here.begin; j < here.end; ++j) {
        double square = 0.0;
        for (Index l = 0; l < depth_; ++l) {
            const double t = coordinates_[l * ld_ + j] - query[l];
            square += t * t;
        }
        if (square < best.square) best = {square, weights_[j]};
    }
}

}  // namespace stylobate::tile
