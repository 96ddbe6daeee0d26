#include "tree/boost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::boost {
namespace {

constexpr Index leaf_length = 16384;  // rows of a leaf that are summed at a time
constexpr Index ahead = 16;           // rows asked of the memory before they are needed

double value_of_gradient(double gradient, double hessian, double l2, const NodeSums& known) {
    return std::clamp(-gradient / (hessian + l2 + 1e-15), known.low, known.high);
}

}  // namespace

Booster::Booster(const BinnedRows& rows, const Bins& bins, const Targets& targets,
                 const BoostRules& rules, const MatrixView<double>& start,
                 const std::string& folder)
    : rows_(rows),
      bins_(bins),
      targets_(targets),
      rules_(rules),
      growth_(rows, rules.growth),
      next_tree_(rules.first_tree),
      scores_(rows.rows() * targets.outputs, folder),
      pairs_(rows.rows() * targets.outputs, folder),
      leaf_of_(rows.rows()),
      packed_(rows.rows(), folder) {
    for (Index output = 0; output < targets.outputs; ++output)
        for (Index i = 0; i < targets.rows; ++i)
            scores_[output * targets.rows + i] = start(output, start.cols == 1 ? 0 : i);
    scores_.let_go();
    total_weight_ = targets.weights == nullptr
                        ? static_cast<double>(targets.rows)
                        : std::accumulate(targets.weights, targets.weights + targets.rows, 0.0);
    set_pairs({});
}

void Booster::pack_as(Packing choice) {
    choice_ = std::make_unique<Packing>(choice);
}

// Pairs and loss at the present scores, to which the last output's tree adds its steps first.
void Booster::set_pairs(const std::vector<double>& steps) {
    const Index n = targets_.rows;
    if (targets_.loss.kind == LossKind::huber) {  // its slope hangs on all scores
        update(0, steps);
        set_slope();
    }
    const bool pending = !steps.empty() && targets_.loss.kind != LossKind::huber;
    std::vector<double> sums(static_cast<std::size_t>(chunks_of(n, chunk_rows)));
    parallel_for(static_cast<Index>(sums.size()), [&](Index chunk, Checkpoint& checkpoint) {
        checkpoint();
        const Range range = chunk_of(chunk, n, chunk_rows);
        if (pending) update(targets_.outputs - 1, steps, range);
        sums[static_cast<std::size_t>(chunk)] =
            pairs_at(targets_, scores_.data(), range, pairs_.data());
        for (Index output = 0; output < targets_.outputs; ++output) {
            scores_.let_go(output * n + range.begin, output * n + range.end);
            pairs_.let_go(output * n + range.begin, output * n + range.end);
        }
    });
    loss_ = std::accumulate(sums.begin(), sums.end(), 0.0) / total_weight_;
    if (!std::isfinite(loss_))
        throw InvalidArgument(
            "the loss is no longer finite: the target holds numbers too large for it, or the "
            "learning rate is too high");
}

// Huber's loss turns linear at a quantile of the residuals.
void Booster::set_slope() {
    const Index n = targets_.rows;
    std::vector<double> magnitudes(static_cast<std::size_t>(n)), weights;
    for (Index i = 0; i < n; ++i)
        magnitudes[static_cast<std::size_t>(i)] = std::abs(targets_.y[i] - scores_[i]);
    if (targets_.weights != nullptr) weights.assign(targets_.weights, targets_.weights + n);
    const double slope = quantile_of(magnitudes, weights, rules_.huber_share);
    targets_.loss.first = std::max(slope, std::numeric_limits<double>::min());
}

std::vector<BoostedTree> Booster::step() {
    std::vector<BoostedTree> trees;
    std::vector<double> steps;
    const bool constant = targets_.weights == nullptr && constant_hessian(targets_.loss.kind);
    for (Index output = 0; output < targets_.outputs; ++output) {
        packed_.pack(pairs_, output * targets_.rows, targets_.rows, constant, choice_.get());
        const std::vector<GrownNode> tree = growth_.grow(packed_, next_tree_++);
        NodeNumbers numbers = node_numbers(tree, output);
        steps.clear();  // by leaves, in the order node_numbers gives them
        for (std::size_t k = 0; k < tree.size(); ++k)
            if (tree[k].left < 0) steps.push_back(numbers.values[k]);
        if (output + 1 < targets_.outputs) update(output, steps);
        trees.push_back(flat(tree, std::move(numbers)));
    }
    set_pairs(steps);
    return trees;
}

// Values of all nodes, those of leaves from their rows' own pairs; marks the leaf of every row.
Booster::NodeNumbers Booster::node_numbers(const std::vector<GrownNode>& tree, Index output) {
    struct Part {
        std::size_t node;
        std::uint16_t leaf;
        Range range;
        double gradient = 0.0, hessian = 0.0, weight = 0.0;
    };
    std::vector<Part> parts;
    std::uint16_t leaves = 0;
    for (std::size_t k = 0; k < tree.size(); ++k) {
        if (tree[k].left >= 0) continue;
        for (Index at = tree[k].rows.begin; at < tree[k].rows.end; at += leaf_length)
            parts.push_back({k, leaves, {at, std::min(at + leaf_length, tree[k].rows.end)}});
        ++leaves;
    }
    const Pair* const pairs = pairs_.data() + output * targets_.rows;
    const std::int32_t* const order = growth_.order();
    parallel_for(static_cast<Index>(parts.size()), [&](Index p, Checkpoint& checkpoint) {
        checkpoint();
        Part& part = parts[static_cast<std::size_t>(p)];
        for (Index from = part.range.begin, to; from < part.range.end; from = to) {
            to = pairs_.spilled() ? end_of_stretch(order, from, part.range.end) : part.range.end;
            for (Index k = from; k < to; ++k) {
                const Index i = order[k], next = order[std::min(k + ahead, to - 1)];
                __builtin_prefetch(pairs + next);
                __builtin_prefetch(leaf_of_.data() + next, 1);
                part.gradient += pairs[i].gradient;
                part.hessian += pairs[i].hessian;
                if (targets_.weights != nullptr) part.weight += targets_.weights[i];
                leaf_of_[i] = part.leaf;
            }
            const Index first = output * targets_.rows;
            pairs_.let_go(first + order[from], first + order[to - 1] + 1);
        }
    });
    const std::size_t nodes = tree.size();
    std::vector<double> gradient(nodes), hessian(nodes);
    NodeNumbers numbers{std::vector<double>(nodes), std::vector<double>(nodes),
                        std::vector<double>(nodes)};
    auto& [values, weights, impurity] = numbers;
    for (const Part& part : parts) {
        gradient[part.node] += part.gradient;
        hessian[part.node] += part.hessian;
        weights[part.node] +=
            targets_.weights != nullptr ? part.weight : static_cast<double>(part.range.size());
    }
    for (std::size_t k = tree.size(); k-- > 0;)
        if (tree[k].left >= 0)
            for (const std::int32_t child : {tree[k].left, tree[k].right}) {
                const auto c = static_cast<std::size_t>(child);
                gradient[k] += gradient[c];
                hessian[k] += hessian[c];
                weights[k] += weights[c];
            }
    for (std::size_t k = 0; k < tree.size(); ++k) {
        values[k] = value_of_gradient(gradient[k], hessian[k], rules_.growth.l2, tree[k].known);
        const double saved = -gradient[k] * values[k] - 0.5 * values[k] * values[k] * hessian[k];
        impurity[k] = weights[k] > 0.0 ? -saved / weights[k] : 0.0;
    }
    if (steps_by_quantile(targets_.loss.kind)) robust_values(tree, values);
    for (double& value : values) value *= rules_.learning_rate;
    return numbers;
}

void Booster::robust_values(const std::vector<GrownNode>& tree, std::vector<double>& values) const {
    const std::int32_t* const order = growth_.order();
    parallel_for(static_cast<Index>(tree.size()), [&](Index k, Checkpoint& checkpoint) {
        checkpoint();
        const GrownNode& leaf = tree[static_cast<std::size_t>(k)];
        if (leaf.left >= 0) return;
        std::vector<double> residuals, weights;
        residuals.reserve(static_cast<std::size_t>(leaf.rows.size()));
        for (Index at = leaf.rows.begin; at < leaf.rows.end; ++at) {
            const Index i = order[at];
            residuals.push_back(targets_.y[i] - scores_[i]);
            if (targets_.weights != nullptr) weights.push_back(targets_.weights[i]);
        }
        values[static_cast<std::size_t>(k)] =
            std::clamp(robust_step(targets_, residuals, weights), leaf.known.low, leaf.known.high);
    });
}

void Booster::update(Index output, const std::vector<double>& steps) {
    if (steps.empty()) return;
    const Index n = targets_.rows;
    parallel_for(chunks_of(n, chunk_rows), [&](Index chunk, Checkpoint&) {
        update(output, steps, chunk_of(chunk, n, chunk_rows));
    });
}

void Booster::update(Index output, const std::vector<double>& steps, const Range& range) {
    double* const scores = scores_.data() + output * targets_.rows;
    for (Index i = range.begin; i < range.end; ++i)
        scores[i] += steps[static_cast<std::size_t>(leaf_of_[i])];
    scores_.let_go(output * targets_.rows + range.begin, output * targets_.rows + range.end);
}

BoostedTree Booster::flat(const std::vector<GrownNode>& tree, NodeNumbers numbers) const {
    BoostedTree out;
    out.value = std::move(numbers.values);
    out.weight = std::move(numbers.weights);
    out.impurity = std::move(numbers.impurity);
    for (const GrownNode& each : tree) {
        const bool splits = each.left >= 0;
        const Split& split = each.split;
        const auto f = static_cast<std::size_t>(splits ? split.feature : 0);
        const bool categorical = splits && split.categorical;
        const auto& edges = bins_.edges[f];
        const bool beyond = !splits || categorical || split.bin >= edges.size();
        out.left.push_back(each.left);
        out.right.push_back(each.right);
        out.feature.push_back(splits ? split.feature : -2);
        out.threshold.push_back(categorical ? std::numeric_limits<double>::quiet_NaN()
                                : !splits   ? -2.0
                                : beyond    ? std::numeric_limits<double>::infinity()
                                            : edges[split.bin]);
        // a feature that was never missing sends what is missing the way most rows go
        const bool to_left =
            splits && (rows_.missing(split.feature) ? split.missing_left
                                                    : 2 * split.left.count > each.rows.size());
        out.missing_left.push_back(to_left);
        out.count.push_back(each.rows.size());
        out.bin.push_back(split.bin);
        out.left_bins.push_back(split.left_bins);
        out.category_start.push_back(categorical ? static_cast<std::int32_t>(out.categories.size())
                                                 : -1);
        if (!categorical) continue;
        const auto& codes = bins_.bin_of_code[f];
        const std::size_t start = out.categories.size() + 1;
        out.categories.resize(start + (codes.size() + 31) / 32, 0u);
        out.categories[start - 1] = static_cast<std::uint32_t>((codes.size() + 31) / 32);
        for (std::size_t code = 0; code < codes.size(); ++code)
            if (holds(split.left_bins, codes[code]))
                out.categories[start + code / 32] |= 1u << (code % 32);
    }
    return out;
}

void BoostedTree::add(const BinnedRows& rows, double* scores) const {
    parallel_for(chunks_of(rows.rows(), chunk_rows), [&](Index chunk, Checkpoint& checkpoint) {
        checkpoint();
        const Range range = chunk_of(chunk, rows.rows(), chunk_rows);
        for (Index i = range.begin; i < range.end; ++i) {
            std::size_t at = 0;
            while (left[at] >= 0) {
                const Bin b = rows.column(feature[at])[i];
                bool to_left = b <= bin[at];
                if (b == rows.count(feature[at]))
                    to_left = missing_left[at] != 0;
                else if (category_start[at] >= 0)
                    to_left = holds(left_bins[at], b);
                at = static_cast<std::size_t>(to_left ? left[at] : right[at]);
            }
            scores[i] += value[at];
        }
    });
    rows.let_go();
}

}  // namespace stylobate::boost
