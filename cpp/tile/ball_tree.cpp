// Search by balls: a ball around c of radius r is no nearer to q than d(q, c) − r, by the triangle
// inequality alone. Nodes have sixteen children, whose centres lie as the rows of a leaf do, so
// that one step measures all of them.
#include "tile/tree_queries.hpp"

namespace stylobate::tile {
namespace {

constexpr Index width = Partition::width;
constexpr double pi = 3.14159265358979323846;

class BallSearch {
 public:
    struct State {};

    BallSearch(const MatrixView<double>& x, const TreeMetric& metric) : leaves_(x, metric) {
        check(metric);
        lay_out();
        centres_ = Buffer(area(static_cast<Index>(nodes_.size()) * width, x.cols));
        parallel_for(static_cast<Index>(nodes_.size()), [&](Index i, Checkpoint& checkpoint) {
            for (Index j = 0; j < nodes_[i].count; ++j) {
                enclose(i, j);
                checkpoint();
            }
        });
    }
    const Leaves& leaves() const { return leaves_; }
    State open() const { return {}; }

    template <class Sink>
    void search(const double* query, std::int64_t self, State&, Sink& sink) const {
        visit(0, query, self, sink);
    }

 private:
    struct Node {
        Index count = 0;
        Partition::Range balls[width];
        Index next[width];  // node of the ball's own balls, −1 for a leaf
        double radii[width];
    };

    static void check(const TreeMetric& metric) {
        switch (metric.measure) {
            case Measure::power:
                if (metric.p >= 1.0) return;
                break;
            case Measure::squared:
            case Measure::manhattan:
            case Measure::chebyshev:
            case Measure::canberra:
            case Measure::hamming:
            case Measure::haversine:
                return;
            case Measure::ruzicka:
                if (metric.p >= 1.0) return;
                break;
            default:
                break;
        }
        throw InvalidArgument("a ball tree needs a measure that obeys the triangle inequality");
    }

    // Nodes of all levels but the highest have their sixteen balls, or nearly so.
    void lay_out() {
        std::vector<Partition::Range> waiting{leaves_.partition().root()};
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            Index most = 1;  // leaves of a ball: a power of 16, so that there are at most 16 balls
            while (most * width < waiting[i].leaves) most *= width;
            Node node;
            split(waiting[i], most, node);
            for (Index j = 0; j < node.count; ++j) {
                node.next[j] = -1;
                if (node.balls[j].leaves == 1) continue;
                node.next[j] = static_cast<Index>(waiting.size());
                waiting.push_back(node.balls[j]);
            }
            nodes_.push_back(node);
        }
    }

    static void split(const Partition::Range& piece, Index most, Node& node) {
        if (piece.leaves <= most) {
            node.balls[node.count++] = piece;
            return;
        }
        split(piece.first(), most, node);
        split(piece.second(), most, node);
    }

    // The mean of the rows, where a mean is a point of the same kind; else one of them.
    std::vector<double> middle(Index first, Index last) const {
        const Partition& tree = leaves_.partition();
        const Measure measure = leaves_.metric().measure;
        std::vector<double> point(static_cast<std::size_t>(tree.cols()), 0.0);
        if (measure == Measure::hamming || measure == Measure::haversine) {
            tree.gather((first + last) / 2, point.data());
            return point;
        }
        std::vector<double> row(point.size());
        for (Index place = first; place < last; ++place) {
            tree.gather(place, row.data());
            const double share = 1.0 / static_cast<double>(place - first + 1);
            for (std::size_t l = 0; l < row.size(); ++l) point[l] += (row[l] - point[l]) * share;
        }
        return point;
    }

    void enclose(Index i, Index j) {
        const Partition& tree = leaves_.partition();
        const Partition::Range& ball = nodes_[i].balls[j];
        const Index last = ball.leaf + ball.leaves;
        const std::vector<double> centre =
            middle(ball.leaf * width, std::min(tree.rows(), last * width));
        alignas(64) double found[width];
        double largest = 0.0;
        for (Index leaf = ball.leaf; leaf < last; ++leaf) {
            leaves_.values(centre.data(), tree.block(leaf), 0.0, found);
            for (Index k = 0; k < tree.count(leaf); ++k) largest = std::max(largest, found[k]);
        }
        nodes_[i].radii[j] = distance(largest);
        double* const block = centres_.data() + i * width * tree.cols();
        for (Index l = 0; l < tree.cols(); ++l) block[l * width + j] = centre[l];
    }

    double distance(double value) const {
        switch (leaves_.metric().measure) {
            case Measure::squared:
                return std::sqrt(value);
            case Measure::power:
                return std::pow(value, 1.0 / leaves_.metric().p);
            case Measure::haversine:
                return 2.0 * std::asin(std::sqrt(std::min(value, 1.0)));
            case Measure::ruzicka:
                return jaccard(value);
            default:
                return value;
        }
    }

    // The value at a distance, the way back.
    double value(double distance) const {
        switch (leaves_.metric().measure) {
            case Measure::squared:
                return distance * distance;
            case Measure::power:
                return std::pow(distance, leaves_.metric().p);
            case Measure::haversine:
                return distance < pi ? std::pow(std::sin(0.5 * distance), 2) : 1.0;
            case Measure::ruzicka:
                return from_jaccard(distance);
            default:
                return distance;
        }
    }

    // 1 − Σ min / Σ max = 2 D / (S + D) obeys the triangle inequality for rows without negative
    // numbers (Jaccard's distance of weighted sets), and every p D / (S + (p − 1) D) grows with it.
    double jaccard(double value) const {
        const double p = leaves_.metric().p;
        const double ratio = value < 1.0 ? value / (p - (p - 1.0) * value) : 1.0;  // D / S
        return 2.0 * ratio / (1.0 + ratio);
    }
    double from_jaccard(double distance) const {
        const double p = leaves_.metric().p;
        if (!(distance < 1.0)) return std::numeric_limits<double>::infinity();
        const double ratio = distance / (2.0 - distance);
        return p * ratio / (1.0 + (p - 1.0) * ratio);
    }

    // Whether the ball may hold a row within reach; NaN (beyond what doubles hold) may.
    bool meets(double away, double radius, double reach) const {
        return !(away > wider(value(wider(reach + radius))));
    }

    template <class Sink>
    void visit(Index i, const double* query, std::int64_t self, Sink& sink) const {
        const Node& node = nodes_[i];
        alignas(64) double away[width];
        leaves_.values(query, centres_.data() + i * width * leaves_.partition().cols(), 0.0, away);
        Entry near[width];
        Index count = 0;
        double reach = distance(sink.reach());
        for (Index j = 0; j < node.count; ++j)
            if (meets(away[j], node.radii[j], reach)) near[count++] = {away[j], j};
        std::sort(near, near + count, before);
        for (Index at = 0; at < count; ++at) {
            const Index j = near[at].row;
            const Partition::Range& ball = node.balls[j];
            if (!meets(away[j], node.radii[j], reach)) continue;
            if (sink.needless(leaves_.partition().node(ball.node).least)) continue;
            if (node.next[j] < 0)
                leaves_.scan(query, ball.leaf, self, sink);
            else
                visit(node.next[j], query, self, sink);
            reach = distance(sink.reach());
        }
    }

    Leaves leaves_;
    std::vector<Node> nodes_;
    Buffer centres_;
};

}  // namespace

std::unique_ptr<Tree> ball_tree(const MatrixView<double>& x, const TreeMetric& metric) {
    return std::make_unique<Asked<BallSearch>>(x, metric);
}

}  // namespace stylobate::tile
