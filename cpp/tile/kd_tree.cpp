// Search by the sides of cells: the distance of a query to the cell across a cut differs from that
// to the whole cell in one column (Arya & Mount, Algorithms for fast vector quantization, 1993).
#include "tile/tree_queries.hpp"

namespace stylobate::tile {
namespace {

struct SquaredSide {
    double operator()(double t) const { return t * t; }
};
struct ManhattanSide {
    double operator()(double t) const { return t; }
};
struct PowerSide {
    double p;
    double operator()(double t) const { return std::pow(t, p); }
};
struct ChebyshevSide {
    double operator()(double t) const { return t; }
};

class KdSearch {
 public:
    // A cell to look at later, or (leaves 0) the side to put back once one has been.
    struct Step {
        Index node, leaf, leaves, column;
        double side, bound;
    };
    struct State {
        std::vector<double> sides;  // of the cell at hand: 0 where the query is between its sides
        std::vector<Step> steps;
    };

    KdSearch(const MatrixView<double>& x, const TreeMetric& metric) : leaves_(x, metric) {
        const Measure m = metric.measure;
        if (m != Measure::squared && m != Measure::manhattan && m != Measure::chebyshev &&
            m != Measure::power)
            throw InvalidArgument("a kd-tree takes squared, manhattan, chebyshev and power");
    }
    const Leaves& leaves() const { return leaves_; }
    State open() const {
        return {std::vector<double>(static_cast<std::size_t>(leaves_.partition().cols())), {}};
    }

    template <class Sink>
    void search(const double* query, std::int64_t self, State& state, Sink& sink) const {
        switch (leaves_.metric().measure) {
            case Measure::manhattan:
                return walk(query, self, state, sink, ManhattanSide{});
            case Measure::chebyshev:
                return walk(query, self, state, sink, ChebyshevSide{});
            case Measure::power:
                return walk(query, self, state, sink, PowerSide{leaves_.metric().p});
            default:
                return walk(query, self, state, sink, SquaredSide{});
        }
    }

 private:
    // The value of the cell where one side moves from `before` to `after`, both powers.
    template <class Side>
    static double moved(double bound, double before, double after, const Side&) {
        if constexpr (std::is_same_v<Side, ChebyshevSide>)
            return std::max(bound, after);
        else
            return bound - before + after;
    }

    template <class Sink, class Side>
    void walk(const double* query, std::int64_t self, State& state, Sink& sink,
              const Side& side) const {
        const Partition& tree = leaves_.partition();
        double bound = 0.0;
        for (Index l = 0; l < tree.cols(); ++l) {
            const double out =
                std::max({tree.lowest()[l] - query[l], query[l] - tree.highest()[l], 0.0});
            state.sides[l] = side(out);
            bound = moved(bound, 0.0, state.sides[l], side);
        }
        state.steps.clear();
        state.steps.push_back({0, 0, tree.leaves(), 0, state.sides[0], bound});
        while (!state.steps.empty()) {
            const Step step = state.steps.back();
            state.steps.pop_back();
            if (step.leaves == 0) {
                state.sides[step.column] = step.side;
                continue;
            }
            if (step.bound > sink.reach() || sink.needless(tree.node(step.node).least)) continue;
            state.steps.push_back({0, 0, 0, step.column, state.sides[step.column], 0.0});
            state.sides[step.column] = step.side;
            descend(query, self, step, state, sink, side);
        }
    }

    // To the nearest leaf below, leaving what lies across the cuts for later.
    template <class Sink, class Side>
    void descend(const double* query, std::int64_t self, const Step& step, State& state, Sink& sink,
                 const Side& side) const {
        const Partition& tree = leaves_.partition();
        Index at = step.node, leaf = step.leaf, leaves = step.leaves;
        while (leaves > 1) {
            const Partition::Node& node = tree.node(at);
            const double value = query[node.column];
            const double past_left = value - node.low, before_right = node.high - value;
            const Index half = Partition::left(leaves), right = Partition::right_node(at, leaves);
            const bool go_left = past_left <= before_right;
            const double old = state.sides[node.column];
            const double far =
                std::max(side(std::max(go_left ? before_right : past_left, 0.0)), old);
            const double bound = moved(step.bound, old, far, side);
            if (!(bound > sink.reach())) {
                if (go_left)
                    state.steps.push_back(
                        {right, leaf + half, leaves - half, node.column, far, bound});
                else
                    state.steps.push_back({at + 1, leaf, half, node.column, far, bound});
            }
            at = go_left ? at + 1 : right;
            leaf += go_left ? 0 : half;
            leaves = go_left ? half : leaves - half;
        }
        leaves_.scan(query, leaf, self, sink);
    }

    Leaves leaves_;
};

}  // namespace

std::unique_ptr<Tree> kd_tree(const MatrixView<double>& x, const TreeMetric& metric) {
    return std::make_unique<Asked<KdSearch>>(x, metric);
}

}  // namespace stylobate::tile
