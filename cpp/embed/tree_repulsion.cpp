// Barnes and Hut: far cells of a tree act as one point at their centre of mass.
//
// Points are sorted along Morton's curve, so that a cell is a stretch of them and the tree is a
// list in the order of a walk; a node that is accepted is left by its `next`.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "embed/repulsion.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tsne {
namespace {

constexpr Index chunk_points = 128;
constexpr Index leaf_points = 8;
constexpr int axes = 3;  // at most

using Place = std::array<float, axes>;

struct Node {
    Place centre;
    float size;  // of the cell
    std::int32_t begin, end, next;
    bool leaf;
};

class Tree {
 public:
    explicit Tree(const Map& map) : d_(static_cast<int>(map.d)) {
        sort(map);
        grow();
    }

    const std::vector<Node>& nodes() const { return nodes_; }
    const Place& place(Index i) const { return places_[i]; }
    Index row(Index i) const { return order_[i]; }

 private:
    void sort(const Map& map) {
        Place low{}, high{};
        for (int c = 0; c < d_; ++c) low[c] = high[c] = map.points[c];
        for (Index i = 0; i < map.n; ++i)
            for (int c = 0; c < d_; ++c) {
                low[c] = std::min(low[c], map.points[i * d_ + c]);
                high[c] = std::max(high[c], map.points[i * d_ + c]);
            }
        for (int c = 0; c < d_; ++c) width_ = std::max(width_, high[c] - low[c]);
        std::vector<std::pair<std::uint64_t, Index>> codes(static_cast<std::size_t>(map.n));
        for (Index i = 0; i < map.n; ++i) codes[i] = {code(map.points + i * d_, low), i};
        std::sort(codes.begin(), codes.end());
        for (const auto& [code, row] : codes) {
            codes_.push_back(code);
            order_.push_back(row);
            Place place{};
            for (int c = 0; c < d_; ++c) place[c] = map.points[row * d_ + c];
            places_.push_back(place);
        }
    }

    std::uint64_t code(const float* point, const Place& low) const {
        const double scale = width_ > 0.0F ? (1 << bits) / static_cast<double>(width_) : 0.0;
        std::uint64_t interleaved = 0;
        for (int c = 0; c < d_; ++c) {
            const auto cell = static_cast<std::uint64_t>(
                std::min((static_cast<double>(point[c]) - static_cast<double>(low[c])) * scale,
                         static_cast<double>((1 << bits) - 1)));
            for (int bit = 0; bit < bits; ++bit)
                interleaved |= ((cell >> bit) & 1U) << (bit * d_ + c);
        }
        return interleaved;
    }

    void grow() {
        nodes_.reserve(places_.size());
        add(0, static_cast<std::int32_t>(places_.size()), bits, width_);
    }

    // A node for a stretch of points whose codes agree above `level`.
    void add(std::int32_t begin, std::int32_t end, int level, float size) {
        const auto at = nodes_.size();
        const bool leaf = end - begin <= leaf_points || level == 0;
        nodes_.push_back({centre(begin, end), size, begin, end, 0, leaf});
        while (!leaf && begin < end) {
            const int shift = (level - 1) * d_;
            const std::uint64_t cell = codes_[begin] >> shift;
            const auto stop =
                std::partition_point(codes_.begin() + begin, codes_.begin() + end,
                                     [&](std::uint64_t code) { return (code >> shift) == cell; });
            const auto split = static_cast<std::int32_t>(stop - codes_.begin());
            add(begin, split, level - 1, 0.5F * size);
            begin = split;
        }
        nodes_[at].next = static_cast<std::int32_t>(nodes_.size());
    }

    Place centre(std::int32_t begin, std::int32_t end) const {
        std::array<double, axes> sum{};
        for (auto i = begin; i < end; ++i)
            for (int c = 0; c < d_; ++c) sum[c] += static_cast<double>(places_[i][c]);
        Place mean{};
        for (int c = 0; c < d_; ++c) mean[c] = static_cast<float>(sum[c] / (end - begin));
        return mean;
    }

    static constexpr int bits = 20;
    int d_;
    float width_ = 0.0F;
    std::vector<std::uint64_t> codes_;
    std::vector<Index> order_;
    std::vector<Place> places_;
    std::vector<Node> nodes_;
};

struct Push {
    std::array<double, axes> force{};
    double sum = 0.0;
};

class TreeRepulsion final : public Repulsion {
 public:
    TreeRepulsion(double dof, double angle)
        : inverse_dof_(static_cast<float>(1.0 / dof)),
          exponent_(static_cast<float>(-0.5 * (dof + 1.0))),
          plain_(dof == 1.0),
          squared_angle_(static_cast<float>(angle * angle)) {}

    double compute(const Map& map, float* forces) override {
        if (map.d > axes) throw InvalidArgument("Barnes-Hut trees have at most 3 dimensions");
        const Tree tree(map);
        const Index chunks = (map.n + chunk_points - 1) / chunk_points;
        std::vector<double> sums(static_cast<std::size_t>(chunks));
        parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
            const Index end = std::min(map.n, (chunk + 1) * chunk_points);
            for (Index i = chunk * chunk_points; i < end; ++i) {
                const Push push = walk(tree, static_cast<std::int32_t>(i));
                for (Index c = 0; c < map.d; ++c)
                    forces[tree.row(i) * map.d + c] = static_cast<float>(push.force[c]);
                sums[chunk] += push.sum;
            }
            checkpoint();
        });
        double z = 0.0;
        for (const double sum : sums) z += sum;
        return z;
    }

 private:
    Push walk(const Tree& tree, std::int32_t i) const {
        Push push;
        const Place y = tree.place(i);
        const auto& nodes = tree.nodes();
        for (std::size_t at = 0; at < nodes.size();) {
            const Node& node = nodes[at];
            const bool inside = i >= node.begin && i < node.end;
            if (!inside &&
                node.size * node.size < squared_angle_ * squared_distance(y, node.centre)) {
                add(push, y, node.centre, static_cast<float>(node.end - node.begin));
                at = static_cast<std::size_t>(node.next);
            } else if (node.leaf) {
                for (auto j = node.begin; j < node.end; ++j)
                    if (j != i) add(push, y, tree.place(j), 1.0F);
                at = static_cast<std::size_t>(node.next);
            } else {
                ++at;
            }
        }
        return push;
    }

    static float squared_distance(const Place& a, const Place& b) {
        float sum = 0.0F;
        for (int c = 0; c < axes; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
        return sum;
    }

    void add(Push& push, const Place& y, const Place& other, float count) const {
        const float base = 1.0F + squared_distance(y, other) * inverse_dof_, inverse = 1.0F / base;
        const float w = count * (plain_ ? inverse : std::pow(base, exponent_)), f = w * inverse;
        push.sum += static_cast<double>(w);
        for (int c = 0; c < axes; ++c) push.force[c] += static_cast<double>(f * (y[c] - other[c]));
    }

    float inverse_dof_, exponent_;
    bool plain_;
    float squared_angle_;
};

}  // namespace

std::unique_ptr<Repulsion> tree_repulsion(double dof, double angle) {
    return std::make_unique<TreeRepulsion>(dof, angle);
}

}  // namespace stylobate::tsne
