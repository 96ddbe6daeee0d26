#include "descend/subsets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stylobate/parallel.hpp"

namespace stylobate::descend {
namespace {

constexpr std::int64_t nodes_between_checks = 256;

// The free columns behind some fixed ones, and y: a triangle of their own, since what the fixed
// columns explain is the same for all subsets that hold them.
struct Node {
    Index free = 0;
    std::vector<double> r;        // (free + 1)², row by row
    std::vector<Index> variable;  // of each free column
    std::uint64_t fixed = 0;
    Index n_fixed = 0;

    double& at(Index i, Index j) { return r[i * (free + 1) + j]; }
};

// Zero the entries below the diagonal of an upper Hessenberg matrix of `size` columns by rotations
// of neighbouring rows; there is one row more than columns.
void triangularise(double* a, Index size, Index stride) {
    for (Index i = 0; i < size; ++i) {
        double* upper = a + i * stride;
        double* lower = upper + stride;
        const double length = std::hypot(upper[i], lower[i]);
        if (length == 0.0) continue;
        const double c = upper[i] / length, s = lower[i] / length;
        for (Index j = i; j < size; ++j) {
            const double u = upper[j], l = lower[j];
            upper[j] = c * u + s * l;
            lower[j] = c * l - s * u;
        }
    }
}

class Search {
 public:
    Search(Index p, Index most, Checkpoint& checkpoint)
        : p_(p), most_(most), nodes_(p + 1), checkpoint_(checkpoint) {
        found.squares.assign(p + 1, std::numeric_limits<double>::infinity());
        found.columns.assign(p + 1, 0);
    }

    BestSubsets found;

    Node& root() { return nodes_[0]; }

    // Every subset that holds the node's fixed columns and some of its free ones. Sizes below:
    // n_fixed + 1 … n_fixed + free.
    void visit(Index depth) {
        if (found.nodes++ % nodes_between_checks == 0) checkpoint_();
        Node& node = nodes_[depth];
        const std::vector<double> without = order(node);
        offer_leading(node);
        std::uint64_t all = node.fixed;
        for (const Index v : node.variable) all |= bit(v);
        const Index total = node.n_fixed + node.free;
        for (Index i = 0; i < node.free; ++i)
            offer(total - 1, without[i], all & ~bit(node.variable[i]));
        // small families first: what they find cuts the large ones
        for (Index i = node.free - 2; i >= 0; --i) {
            if (!(without[i] < worst(node.n_fixed + i + 1, total - 2))) continue;
            drop(node, i, nodes_[depth + 1]);
            visit(depth + 1);
        }
    }

 private:
    Index p_, most_;
    std::vector<Node> nodes_;
    Checkpoint& checkpoint_;

    static std::uint64_t bit(Index v) { return std::uint64_t{1} << v; }

    void offer(Index size, double squares, std::uint64_t columns) {
        if (squares < found.squares[size]) {
            found.squares[size] = squares;
            found.columns[size] = columns;
        }
    }

    // The largest of the best values of some sizes: a family that cannot fall below it is cut.
    double worst(Index from, Index to) const {
        double value = -1.0;
        for (Index m = from; m <= std::min(to, most_); ++m)
            value = std::max(value, found.squares[m]);
        return value;
    }

    void offer_leading(Node& node) {
        const Index f = node.free;
        double squares = node.at(f, f) * node.at(f, f);
        std::uint64_t columns = node.fixed;
        for (const Index v : node.variable) columns |= bit(v);
        for (Index j = f; j >= 0; --j) {
            offer(node.n_fixed + j, squares, columns);
            if (j == 0) break;
            squares += node.at(j - 1, f) * node.at(j - 1, f);
            columns &= ~bit(node.variable[j - 1]);
        }
    }

    // Residual sums of squares without each free column, RSS + wᵢ² / (RᵀR)⁻¹ᵢᵢ, largest first; the
    // columns are put in that order, so that the largest families have the best bounds.
    std::vector<double> order(Node& node) {
        const Index f = node.free;
        std::vector<double> without(f), inverse(f * f, 0.0);
        const double rest = node.at(f, f) * node.at(f, f);
        for (Index i = f - 1; i >= 0; --i) {
            double* row = inverse.data() + i * f;
            row[i] = 1.0;
            for (Index k = i + 1; k < f; ++k) {
                const double c = node.at(i, k);
                const double* other = inverse.data() + k * f;
                for (Index j = k; j < f; ++j) row[j] -= c * other[j];
            }
            double length = 0.0, w = 0.0;
            for (Index j = i; j < f; ++j) {
                row[j] /= node.at(i, i);
                length += row[j] * row[j];
                w += row[j] * node.at(j, f);
            }
            without[i] = rest + w * w / length;
        }
        std::vector<Index> turn(f);
        std::iota(turn.begin(), turn.end(), Index{0});
        std::stable_sort(turn.begin(), turn.end(),
                         [&](Index a, Index b) { return without[a] > without[b]; });
        permute(node, turn);
        std::vector<double> sorted(f);
        for (Index i = 0; i < f; ++i) sorted[i] = without[turn[i]];
        return sorted;
    }

    void permute(Node& node, const std::vector<Index>& turn) {
        if (std::is_sorted(turn.begin(), turn.end())) return;
        const Index f = node.free, stride = f + 1;
        std::vector<double> a(stride * stride, 0.0);
        std::vector<Index> variable(f);
        for (Index j = 0; j < f; ++j) {
            variable[j] = node.variable[turn[j]];
            for (Index i = 0; i <= turn[j]; ++i) a[i * stride + j] = node.at(i, turn[j]);
        }
        for (Index i = 0; i <= f; ++i) a[i * stride + f] = node.at(i, f);
        for (Index j = 0; j < f; ++j)
            for (Index i = turn_end(turn, j); i > j; --i) rotate(a.data(), stride, i - 1, j);
        node.r.swap(a);
        node.variable.swap(variable);
    }

    // The lowest row that columns up to j can reach.
    static Index turn_end(const std::vector<Index>& turn, Index j) {
        return *std::max_element(turn.begin(), turn.begin() + j + 1);
    }

    // Turn rows i and i + 1 so that entry (i + 1, j) vanishes.
    static void rotate(double* a, Index stride, Index i, Index j) {
        double* upper = a + i * stride;
        double* lower = upper + stride;
        if (lower[j] == 0.0) return;
        const double length = std::sqrt(upper[j] * upper[j] + lower[j] * lower[j]);
        if (length == 0.0) return;
        const double c = upper[j] / length, s = lower[j] / length;
        for (Index k = j; k < stride; ++k) {
            const double u = upper[k], l = lower[k];
            upper[k] = c * u + s * l;
            lower[k] = c * l - s * u;
        }
    }

    // The family without free column i: the columns before it become fixed, those behind stay free.
    void drop(Node& node, Index i, Node& child) {
        const Index f = node.free, left = f - 1 - i;
        child.free = left;
        child.variable.assign(node.variable.begin() + i + 1, node.variable.end());
        child.fixed = node.fixed;
        for (Index k = 0; k < i; ++k) child.fixed |= bit(node.variable[k]);
        child.n_fixed = node.n_fixed + i;
        const Index stride = left + 1;
        child.r.assign((left + 2) * stride, 0.0);  // one row more while it is Hessenberg
        for (Index row = 0; row <= left + 1; ++row)
            for (Index col = std::max<Index>(row - 1, 0); col <= left; ++col)
                child.r[row * stride + col] = node.at(i + row, i + 1 + col);
        triangularise(child.r.data(), stride, stride);
        child.r.resize(stride * stride);
    }
};

}  // namespace

BestSubsets best_subsets(const double* r, Index p, Index most) {
    BestSubsets result;
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {  // for its checkpoint
        Search search(p, most, checkpoint);
        Node& root = search.root();
        root.free = p;
        root.variable.resize(p);
        std::iota(root.variable.begin(), root.variable.end(), Index{0});
        root.r.assign(r, r + (p + 1) * (p + 1));
        search.visit(0);
        result = std::move(search.found);
    });
    return result;
}

}  // namespace stylobate::descend
