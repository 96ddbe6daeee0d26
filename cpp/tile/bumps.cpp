// Queries that lie close together are taken as a block, and walk the tree of boxes together. Three
// things are saved, each within a proved bound:
//
// 1. Between the boxes of a block and of a node the kernel lies in [least, most]. Where
//    ½ (most − least) ≤ ε the node is taken at the middle: its error is at most ε times its weight,
//    hence at most ε W for all nodes. With ε W = relative/2 · (a lower bound of the block's sums) +
//    absolute · W this keeps the half of the relative error allowed. Far nodes have most ≈ 0.
// 2. Of a leaf, −½|q − x|² = −½|x − c|² − ½|a|² − (c − z)·a + a·b in units of h, with the
//    centres c, z of the boxes, q = c + a and x = z + b. Only e^(a·b) belongs to pairs, and
//    |a·b| ≤ r is small: its Taylor polynomial of degree k, whose error is at most
//    rᵏ⁺¹ / (k + 1)! e²ʳ of each pair's value, turns pairs × exponentials into
//    (points + queries) × monomials. Allowed are relative/2 of each value, or ε as for any node,
//    whichever is more: far leaves are cheap.
// 3. Kernels of bounded reach are 0 beyond it: there most = least = 0.
//
// Without an error allowed, both halves are 2⁻⁵⁴, below the rounding of the sum.
#include "tile/bumps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tile/boxes.hpp"
#include "tile/monomials.hpp"

namespace stylobate::tile {
namespace {

constexpr Index block_queries = 32;
constexpr Index blocks_per_chunk = 4;
constexpr double loosest = 1e6;  // ratio of a block's bounds above which it is split

class Shape {
 public:
    explicit Shape(const Bumps& bumps)
        : kind(bumps.kind),
          logs(kind == Map::exponential || kind == Map::root_exponential),
          a(kind == Map::exponential        ? -0.5 / (bumps.width * bumps.width)
            : kind == Map::root_exponential ? -1.0 / bumps.width
                                            : 1.0 / (bumps.width * bumps.width)) {}

    double exponent(double square) const {
        return a * (kind == Map::exponential ? square : std::sqrt(square));
    }

    // K of a squared distance; exponentials are divided by e^shift.
    double height(double square, double shift) const {
        if (logs) return std::exp(exponent(square) - shift);
        const double u = a * square;
        if (!(u < 1.0)) return 0.0;
        if (kind == Map::tophat) return 1.0;
        if (kind == Map::epanechnikov) return 1.0 - u;
        if (kind == Map::linear) return 1.0 - std::sqrt(u);
        return std::cos(0.5 * 3.141592653589793 * std::sqrt(u));
    }

    Map kind;
    bool logs;
    double a;
};

// Sums of one block of queries after the other.
class Walk {
 public:
    Walk(const Boxes& boxes, const Bumps& bumps, const Monomials& monomials)
        : boxes_(boxes),
          bumps_(bumps),
          shape_(bumps),
          monomials_(monomials),
          depth_(boxes.depth()),
          share_(std::max(0.5 * bumps.relative, 0x1p-54)),
          queries_(area(depth_, block_queries)),
          sums_(block_queries),
          moments_(Monomials::most),
          powers_(area(Monomials::most, block_queries)) {
        for (auto* each : {&centre_, &half_, &node_centre_, &distance_, &box_})
            each->resize(static_cast<std::size_t>(2 * depth_));
    }

    // Fills out[order[i]] for begin ≤ i < end.
    void sum(const MatrixView<double>& queries, const std::vector<Index>& order, Index begin,
             Index end, double* out, Checkpoint& checkpoint) {
        checkpoint();
        read(queries, order, begin, end);
        if (count_ > 1 && is_loose()) {
            const Index middle = halved(begin, end, 1);
            sum(queries, order, begin, middle, out, checkpoint);
            sum(queries, order, middle, end, out, checkpoint);
            return;
        }
        base_ = 0.0, powers_known_ = 0;
        std::fill_n(sums_.data(), block_queries, 0.0);
        const double total = boxes_.node(0).weight;
        tolerance_ = share_ * lower_ / total;
        if (bumps_.absolute > 0.0) tolerance_ += bumps_.absolute * std::exp(-shift_);
        visit(0);
        const double shift = shift_ + std::log(boxes_.largest_weight());
        for (Index i = 0; i < count_; ++i)
            out[order[begin + i]] = std::log(sums_[i] + base_) + shift;
    }

 private:
    void read(const MatrixView<double>& queries, const std::vector<Index>& order, Index begin,
              Index end) {
        count_ = end - begin;
        for (Index l = 0; l < depth_; ++l) {
            double* const q = queries_.data() + l * block_queries;
            for (Index i = 0; i < block_queries; ++i)
                q[i] = queries(order[begin + std::min(i, count_ - 1)], l);
            const auto [low, high] = std::minmax_element(q, q + count_);
            box_[l] = *low, box_[depth_ + l] = *high;
            centre_[l] = 0.5 * *low + 0.5 * *high;
            half_[l] = std::max(*high - centre_[l], centre_[l] - *low) / bumps_.width;
        }
        shift_ = 0.0, lower_ = 0.0, upper_ = 0.0, floor_ = 0.0;
        if (!shape_.logs) return bound(0, between(box_.data(), boxes_.box(0), depth_));
        // the first query's nearest point keeps the sums in range, where the block is narrow
        for (Index l = 0; l < depth_; ++l) node_centre_[l] = queries_[l * block_queries];
        const Boxes::Nearest near = boxes_.nearest(node_centre_.data());
        shift_ = shape_.exponent(near.square);
        if (count_ == 1) floor_ = near.weight;
        lower_ = floor_;
        bound(0, between(box_.data(), boxes_.box(0), depth_));
        lower_ = std::max(lower_ - floor_, floor_);
    }

    bool is_loose() const {
        if (shape_.logs) return !(upper_ <= loosest * lower_ && upper_ <= 1e100);
        return *std::max_element(half_.begin(), half_.begin() + depth_) > 1.0;
    }

    double most(double near) const {
        const double height = shape_.height(near, shift_);
        return shape_.logs && count_ == 1 ? std::min(height, 1.0) : height;
    }

    // Adds to the bounds of the block's sums; nodes that cannot matter are not opened.
    void bound(Index k, const Distances& squares) {
        const Boxes::Node& node = boxes_.node(k);
        const double high = most(squares.near), low = shape_.height(squares.far, shift_);
        if (node.left < 0 || high <= 1.01 * low || high * boxes_.node(0).weight <= 1e-3 * lower_) {
            lower_ += node.weight * std::min(low, high), upper_ += node.weight * high;
            return;
        }
        const Distances left = between(box_.data(), boxes_.box(node.left), depth_);
        const Distances right = between(box_.data(), boxes_.box(node.right), depth_);
        const bool swap = right.near < left.near;
        bound(swap ? node.right : node.left, swap ? right : left);
        bound(swap ? node.left : node.right, swap ? left : right);
    }

    void visit(Index k) {
        const Boxes::Node& node = boxes_.node(k);
        const Distances squares = between(box_.data(), boxes_.box(k), depth_);
        const double high = most(squares.near);
        const double low = std::min(shape_.height(squares.far, shift_), high);
        if (0.5 * (high - low) <= tolerance_) {
            base_ += node.weight * (0.5 * low + 0.5 * high);
        } else if (node.left >= 0) {
            visit(node.left);
            visit(node.right);
        } else if (shape_.kind != Map::exponential || !add_series(k, high)) {
            const PointGroups queries{queries_.data(), count_, block_queries, depth_};
            kernels().bump_sums(static_cast<int>(shape_.kind), shape_.a, -shift_, queries,
                                boxes_.points(node), boxes_.weights(node), sums_.data());
        }
    }

    // Of the polynomial that is near enough to e^t for |t| ≤ reach; −1 where none is.
    Index degree_for(double reach, double allowed) const {
        double error = reach * std::exp(2.0 * reach);
        for (Index k = 0; k <= monomials_.highest_degree(); ++k) {
            if (error <= allowed) return k;
            error *= reach / static_cast<double>(k + 2);
        }
        return -1;
    }

    // False where pairs are cheaper.
    bool add_series(Index k, double high) {
        const Boxes::Node& node = boxes_.node(k);
        const double* const box = boxes_.box(k);
        double reach = 0.0, swing = 0.0;
        for (Index l = 0; l < depth_; ++l) {
            node_centre_[l] = 0.5 * box[l] + 0.5 * box[depth_ + l];
            const double half =
                std::max(box[depth_ + l] - node_centre_[l], node_centre_[l] - box[l]);
            reach += half_[l] * (half / bumps_.width);
            distance_[l] = (centre_[l] - node_centre_[l]) / bumps_.width;
            swing += std::fabs(distance_[l]) * half_[l];
        }
        const double allowed = std::max(share_, tolerance_ / high);
        const Index degree = degree_for(reach * (1.0 + 1e-12), allowed);
        if (degree < 0 || swing > 100.0) return false;  // beyond it, factors could leave the range
        const MonomialTerms terms = monomials_.up_to(degree);
        const PointGroups points = boxes_.points(node);
        // instructions for each number, counted in the kernels
        const Index series = terms.count * (3 * points.count + count_ + 20) + 25 * points.count;
        const Index pairs = points.count * count_ * (20 + 2 * depth_);
        if (series >= pairs) return false;
        know_powers(terms);
        kernels().bump_moments(points, boxes_.weights(node), node_centre_.data(), distance_.data(),
                               1.0 / bumps_.width, -shift_, terms, moments_.data());
        const Index whole = (count_ + 7) / 8 * 8;
        kernels().bump_series(moments_.data(), terms.count, distance_.data(),
                              {powers_.data(), whole, block_queries, depth_}, sums_.data());
        return true;
    }

    // The monomials of the block's queries around its centre.
    void know_powers(const MonomialTerms& terms) {
        const auto row = [&](Index t) { return powers_.data() + t * block_queries; };
        for (; powers_known_ < std::max(terms.count, depth_ + 1); ++powers_known_) {
            const Index t = powers_known_;
            if (t == 0) {
                std::fill_n(row(0), block_queries, 1.0);
            } else if (t <= depth_) {  // term t is variable t − 1
                const double* const q = queries_.data() + (t - 1) * block_queries;
                for (Index i = 0; i < block_queries; ++i)
                    row(t)[i] = (q[i] - centre_[t - 1]) / bumps_.width;
            } else {
                const double* const from = row(terms.parent[t]);
                const double* const by = row(1 + terms.axis[t]);
                for (Index i = 0; i < block_queries; ++i) row(t)[i] = from[i] * by[i];
            }
        }
    }

    const Boxes& boxes_;
    const Bumps& bumps_;
    const Shape shape_;
    const Monomials& monomials_;
    const Index depth_;
    const double share_;  // of a sum: half of the error allowed
    Buffer queries_, sums_, moments_, powers_;
    std::vector<double> centre_, half_, node_centre_, distance_, box_;
    Index count_ = 0, powers_known_ = 0;
    double shift_ = 0.0, lower_ = 0.0, upper_ = 0.0, floor_ = 0.0, base_ = 0.0, tolerance_ = 0.0;
};

// Ranges of at most block_queries queries, as the order was halved.
void cut(Index begin, Index end, std::vector<Index>& starts) {
    if (end - begin <= block_queries) {
        starts.push_back(begin);
        return;
    }
    const Index middle = halved(begin, end, 1);
    cut(begin, middle, starts);
    cut(middle, end, starts);
}

}  // namespace

void log_bump_sums(const MatrixView<double>& queries, const MatrixView<double>& points,
                   const double* weights, const Bumps& bumps, double* out) {
    if (points.cols < 1 || points.cols > most_bump_columns)
        throw InvalidArgument("bumps have 1 to 16 columns");
    if (queries.rows == 0) return;
    const ArrangedPoints arranged(points, weights);
    log_bump_sums(queries, arranged.view(), bumps, out);
}

void log_bump_sums(const MatrixView<double>& queries, const BoxPoints& points, const Bumps& bumps,
                   double* out) {
    if (points.depth < 1 || points.depth > most_bump_columns)
        throw InvalidArgument("bumps have 1 to 16 columns");
    if (queries.rows == 0) return;
    const Boxes boxes(points);
    const Monomials monomials(points.depth);
    std::vector<Index> order(static_cast<std::size_t>(queries.rows)), starts;
    std::iota(order.begin(), order.end(), Index{0});
    order_by_halving(queries, order, 1, 1);
    cut(0, queries.rows, starts);
    starts.push_back(queries.rows);
    const Index blocks = static_cast<Index>(starts.size()) - 1;
    parallel_for((blocks + blocks_per_chunk - 1) / blocks_per_chunk,
                 [&](Index chunk, Checkpoint& checkpoint) {
                     Walk walk(boxes, bumps, monomials);
                     const Index first = chunk * blocks_per_chunk;
                     for (Index b = first; b < std::min(first + blocks_per_chunk, blocks); ++b)
                         walk.sum(queries, order, starts[b], starts[b + 1], out, checkpoint);
                 });
}

}  // namespace stylobate::tile
