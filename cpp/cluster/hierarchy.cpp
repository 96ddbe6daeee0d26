#include "cluster/hierarchy.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "stylobate/errors.hpp"

namespace stylobate::cluster {

Merges single_linkage(Index rows, const std::int64_t* from, const std::int64_t* to,
                      const double* height) {
    const auto edges = static_cast<std::size_t>(std::max<Index>(rows - 1, 0));
    std::vector<std::int64_t> order(edges);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return height[a] < height[b] || (height[a] == height[b] && a < b);
    });
    // of each component, by its smallest row: the node it is
    std::vector<std::int64_t> above(static_cast<std::size_t>(rows)), node(above.size());
    std::iota(above.begin(), above.end(), 0);
    std::iota(node.begin(), node.end(), 0);
    const auto find = [&](std::int64_t i) {
        while (above[i] != i) i = above[i] = above[above[i]];
        return i;
    };
    Merges out{std::vector<std::int64_t>(edges), std::vector<std::int64_t>(edges),
               std::vector<std::int64_t>(edges), std::vector<double>(edges)};
    const auto size_of = [&](std::int64_t k) { return k < rows ? 1 : out.size[k - rows]; };
    for (std::size_t k = 0; k < edges; ++k) {
        std::int64_t a = find(from[order[k]]), b = find(to[order[k]]);
        if (a == b) throw InvalidArgument("edges of a spanning tree form no circle");
        if (b < a) std::swap(a, b);
        out.left[k] = node[a], out.right[k] = node[b], out.height[k] = height[order[k]];
        out.size[k] = size_of(node[a]) + size_of(node[b]);
        above[b] = a;
        node[a] = rows + static_cast<std::int64_t>(k);
    }
    return out;
}

namespace {

class Condensing {
 public:
    Condensing(Index rows, const std::int64_t* left, const std::int64_t* right,
               const double* height, const std::int64_t* size, Index smallest)
        : rows_(rows),
          left_(left),
          right_(right),
          height_(height),
          size_(size),
          smallest_(smallest) {}

    CondensedTree run() {
        struct Open {
            std::int64_t node, cluster;
        };
        std::int64_t next = rows_ + 1;
        std::vector<Open> level{{2 * rows_ - 2, rows_}}, below;
        std::vector<std::int64_t> parts;
        for (; !level.empty(); level.swap(below), below.clear())
            for (const auto& [node, cluster] : level) {
                if (node < rows_) continue;
                const double d = height_[node - rows_];
                const double lambda = d > 0.0 ? 1.0 / d : std::numeric_limits<double>::infinity();
                take_apart(node, parts);
                const auto large = [&](std::int64_t part) { return count(part) >= smallest_; };
                const bool splits = std::count_if(parts.begin(), parts.end(), large) > 1;
                for (const std::int64_t part : parts) {
                    if (!large(part)) {
                        leave(part, cluster, lambda);
                    } else if (splits) {
                        put(cluster, next, lambda, count(part));
                        below.push_back({part, next++});
                    } else {
                        below.push_back({part, cluster});
                    }
                }
            }
        return std::move(out_);
    }

 private:
    std::int64_t count(std::int64_t node) const { return node < rows_ ? 1 : size_[node - rows_]; }
    // What is left of a node when all merges of its height are undone, whichever came first.
    void take_apart(std::int64_t node, std::vector<std::int64_t>& parts) {
        const double height = height_[node - rows_];
        parts.clear();
        open_.assign(1, node);
        while (!open_.empty()) {
            const std::int64_t at = open_.back();
            open_.pop_back();
            if (at < rows_ || height_[at - rows_] != height) {
                parts.push_back(at);
            } else {
                open_.push_back(right_[at - rows_]);
                open_.push_back(left_[at - rows_]);
            }
        }
    }
    void put(std::int64_t parent, std::int64_t child, double lambda, std::int64_t size) {
        out_.parent.push_back(parent), out_.child.push_back(child);
        out_.lambda.push_back(lambda), out_.size.push_back(size);
    }
    // All rows below a node leave the cluster at once.
    void leave(std::int64_t node, std::int64_t cluster, double lambda) {
        open_.assign(1, node);
        while (!open_.empty()) {
            const std::int64_t at = open_.back();
            open_.pop_back();
            if (at < rows_) {
                put(cluster, at, lambda, 1);
            } else {
                open_.push_back(right_[at - rows_]);
                open_.push_back(left_[at - rows_]);
            }
        }
    }

    Index rows_;
    const std::int64_t *left_, *right_;
    const double* height_;
    const std::int64_t* size_;
    Index smallest_;
    CondensedTree out_;
    std::vector<std::int64_t> open_;
};

}  // namespace

CondensedTree condensed(Index rows, const std::int64_t* left, const std::int64_t* right,
                        const double* height, const std::int64_t* size, Index smallest) {
    for (Index k = 0; k + 1 < rows; ++k)
        if (left[k] < 0 || right[k] < 0 || left[k] >= rows + k || right[k] >= rows + k)
            throw InvalidArgument("a hierarchy merges nodes that were made before");
    return Condensing(rows, left, right, height, size, smallest).run();
}

}  // namespace stylobate::cluster
