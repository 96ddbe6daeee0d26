#include "tree/shap.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tree/walk.hpp"

namespace stylobate::tree {
namespace {

constexpr Index shap_rows = 128;       // rows that share the tables of a leaf
constexpr Index most_conditions = 64;  // features on a path that fit a word of bits
constexpr double boundless = std::numeric_limits<double>::infinity();

}  // namespace

void gauss_rule(Index points, std::vector<double>& at, std::vector<double>& weights) {
    const auto n = static_cast<std::size_t>(points);
    at.assign(n, 0.5);
    weights.assign(n, 1.0);
    for (std::size_t k = 0; k < n; ++k) {
        const auto size = static_cast<double>(n);
        double x = std::cos(std::numbers::pi * (static_cast<double>(k) + 0.75) / (size + 0.5));
        double slope = 1.0;
        for (int step = 0; step < 100; ++step) {  // Newton on Legendre's polynomial
            double p = 1.0, before = 0.0;
            for (std::size_t j = 1; j <= n; ++j) {
                const auto d = static_cast<double>(j);
                const double next = ((2.0 * d - 1.0) * x * p - (d - 1.0) * before) / d;
                before = p;
                p = next;
            }
            slope = size * (x * p - before) / (x * x - 1.0);
            const double move = p / slope;
            x -= move;
            if (std::abs(move) < 1e-16) break;
        }
        at[k] = 0.5 * (1.0 + x);
        weights[k] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
}

ShapForest::ShapForest(const std::vector<TreeView>& trees, const std::vector<const double*>& cover,
                       Index features, Index width)
    : features_(features), width_(width) {
    for (std::size_t t = 0; t < trees.size(); ++t) {
        check_tree(trees[t], features);
        first_leaf_.push_back(leaves_.size());
        append(trees[t], cover[t]);
    }
    first_leaf_.push_back(leaves_.size());
}

// Every leaf with the conditions of the way to it, those of one feature joined.
void ShapForest::append(const TreeView& tree, const double* cover) {
    const std::size_t words = words_.size();
    words_.insert(words_.end(), tree.categories, tree.categories + tree.category_words);
    struct Part {
        Condition condition;
        std::vector<Choice> choices;
    };
    struct Visit {
        std::int32_t node;
        std::map<std::int32_t, Part> parts;
    };
    std::vector<Visit> waiting;
    waiting.push_back({0, {}});
    while (!waiting.empty()) {
        Visit visit = std::move(waiting.back());
        waiting.pop_back();
        const std::int32_t i = visit.node;
        if (tree.left[i] < 0) {
            Leaf leaf{conditions_.size(), static_cast<Index>(visit.parts.size()), values_.size(),
                      1.0};
            if (leaf.conditions > most_conditions)
                throw InvalidArgument(
                    "a tree asks for more than 64 features on one way down; grow shallower trees");
            values_.insert(values_.end(), tree.value + i * width_, tree.value + (i + 1) * width_);
            for (auto& [feature, part] : visit.parts) {
                part.condition.first_choice = static_cast<std::uint32_t>(choices_.size());
                part.condition.choices = static_cast<std::uint32_t>(part.choices.size());
                choices_.insert(choices_.end(), part.choices.begin(), part.choices.end());
                conditions_.push_back(part.condition);
                leaf.chance *= part.condition.chance;
            }
            leaves_.push_back(leaf);
            continue;
        }
        for (const bool left : {false, true}) {
            const std::int32_t child = left ? tree.left[i] : tree.right[i];
            Visit next{child, visit.parts};
            const Condition open{tree.feature[i], -boundless, boundless, true, 1.0, 0, 0};
            Part& part = next.parts.try_emplace(tree.feature[i], Part{open, {}}).first->second;
            Condition& condition = part.condition;
            const bool missing_left = tree.missing_left[i] != 0;
            condition.chance *= cover[i] > 0.0 ? cover[child] / cover[i] : 0.0;
            if (tree.category_start != nullptr && tree.category_start[i] >= 0) {
                const auto start = words + static_cast<std::size_t>(tree.category_start[i]);
                part.choices.push_back({start, left, missing_left});
            } else {
                double& border = left ? condition.high : condition.low;
                border = left ? std::min(border, tree.threshold[i])
                              : std::max(border, tree.threshold[i]);
                condition.missing = condition.missing && missing_left == left;
            }
            waiting.push_back(std::move(next));
        }
    }
}

template <class T>
bool ShapForest::passes(const Condition& condition, const MatrixView<T>& x, Index i) const {
    const auto value = static_cast<double>(x(i, condition.feature));
    for (std::uint32_t k = 0; k < condition.choices; ++k) {
        const Choice& choice = choices_[condition.first_choice + k];
        if (in_words(words_.data() + choice.words, value, choice.missing_left) != choice.left)
            return false;
    }
    if (condition.choices > 0) return true;
    if (value != value) return condition.missing;
    return value > condition.low && value <= condition.high;
}

std::vector<double> ShapForest::expectation(const std::int32_t* columns, Index out_cols) const {
    std::vector<double> out(static_cast<std::size_t>(out_cols), 0.0);
    for (std::size_t t = 0; t + 1 < first_leaf_.size(); ++t)
        for (std::size_t l = first_leaf_[t]; l < first_leaf_[t + 1]; ++l)
            for (Index k = 0; k < width_; ++k)
                out[static_cast<std::size_t>((columns == nullptr ? 0 : columns[t]) + k)] +=
                    leaves_[l].chance * values_[leaves_[l].value + static_cast<std::size_t>(k)];
    return out;
}

namespace {

// Factors t·o + (1 − t)·z of a leaf's conditions at the points of a rule, and their reciprocals.
struct LeafTables {
    Index points = 0;
    std::vector<double> at, weights, factor[2], inverse[2];

    void set(const double* chances, Index conditions) {
        points = std::max<Index>((conditions + 1) / 2, 1);
        gauss(points);
        for (int o : {0, 1}) {
            factor[o].resize(static_cast<std::size_t>(conditions * points));
            inverse[o].resize(factor[o].size());
            for (Index c = 0; c < conditions; ++c)
                for (Index q = 0; q < points; ++q) {
                    const double t = at[static_cast<std::size_t>(q)];
                    const double f = t * o + (1.0 - t) * chances[c];
                    const auto place = static_cast<std::size_t>(c * points + q);
                    factor[o][place] = f;
                    inverse[o][place] = f > 0.0 ? 1.0 / f : 0.0;
                }
        }
    }

 private:
    void gauss(Index count) {
        if (rules.size() <= static_cast<std::size_t>(count))
            rules.resize(static_cast<std::size_t>(count) + 1);
        auto& rule = rules[static_cast<std::size_t>(count)];
        if (rule.first.empty()) gauss_rule(count, rule.first, rule.second);
        at = rule.first;
        weights = rule.second;
    }
    std::vector<std::pair<std::vector<double>, std::vector<double>>> rules;
};

}  // namespace

template <class T>
void ShapForest::path_dependent(const MatrixView<T>& x, const std::int32_t* columns, double* out,
                                Index out_cols) const {
    parallel_for((x.rows + shap_rows - 1) / shap_rows, [&](Index chunk, Checkpoint& checkpoint) {
        const Index begin = chunk * shap_rows, end = std::min(begin + shap_rows, x.rows);
        LeafTables tables;
        std::vector<double> chances, product;
        for (std::size_t t = 0; t + 1 < first_leaf_.size(); ++t) {
            checkpoint();
            const Index column = columns == nullptr ? 0 : columns[t];
            for (std::size_t l = first_leaf_[t]; l < first_leaf_[t + 1]; ++l) {
                const Leaf& leaf = leaves_[l];
                const Index m = leaf.conditions;
                const Condition* const conditions = conditions_.data() + leaf.first;
                const double* const value = values_.data() + leaf.value;
                chances.clear();
                for (Index c = 0; c < m; ++c) chances.push_back(conditions[c].chance);
                tables.set(chances.data(), m);
                const auto points = static_cast<std::size_t>(tables.points);
                for (Index i = begin; i < end; ++i) {
                    std::uint64_t passed = 0;
                    product = tables.weights;
                    for (Index c = 0; c < m; ++c) {
                        const auto o = static_cast<int>(passes(conditions[c], x, i));
                        passed |= static_cast<std::uint64_t>(o) << c;
                        const double* const f =
                            tables.factor[o].data() + static_cast<std::size_t>(c) * points;
                        for (std::size_t q = 0; q < points; ++q) product[q] *= f[q];
                    }
                    double* const row = out + i * features_ * out_cols + column;
                    for (Index c = 0; c < m; ++c) {
                        const auto o = static_cast<int>(passed >> c & 1u);
                        const double* const inverse =
                            tables.inverse[o].data() + static_cast<std::size_t>(c) * points;
                        double sum = 0.0;
                        for (std::size_t q = 0; q < points; ++q) sum += product[q] * inverse[q];
                        sum *= o - conditions[c].chance;
                        double* const to = row + conditions[c].feature * out_cols;
                        for (Index k = 0; k < width_; ++k) to[k] += sum * value[k];
                    }
                }
            }
        }
    });
}

template <class T>
void ShapForest::interventional(const MatrixView<T>& x, const MatrixView<T>& background,
                                const std::int32_t* columns, double* out, Index out_cols) const {
    // weight(a, b) = (a − 1)! b! / (a + b)!
    std::vector<double> weight(
        static_cast<std::size_t>((most_conditions + 1) * (most_conditions + 1)));
    for (Index a = 1; a <= most_conditions; ++a)
        for (Index b = 0; b <= most_conditions; ++b)
            weight[static_cast<std::size_t>(a * (most_conditions + 1) + b)] = std::exp(
                std::lgamma(static_cast<double>(a)) + std::lgamma(static_cast<double>(b + 1)) -
                std::lgamma(static_cast<double>(a + b + 1)));
    const auto weigh = [&](Index a, Index b) {
        return weight[static_cast<std::size_t>(a * (most_conditions + 1) + b)];
    };
    const auto passed_by = [&](const Leaf& leaf, const MatrixView<T>& rows, Index i) {
        std::uint64_t bits = 0;
        for (Index c = 0; c < leaf.conditions; ++c)
            bits |= static_cast<std::uint64_t>(
                        passes(conditions_[leaf.first + static_cast<std::size_t>(c)], rows, i))
                    << c;
        return bits;
    };
    // what the background passes at each leaf, equal answers counted together
    std::vector<std::map<std::uint64_t, double>> answers(leaves_.size());
    parallel_for(static_cast<Index>(leaves_.size()), [&](Index l, Checkpoint& checkpoint) {
        checkpoint();
        const auto at = static_cast<std::size_t>(l);
        for (Index i = 0; i < background.rows; ++i)
            answers[at][passed_by(leaves_[at], background, i)] +=
                1.0 / static_cast<double>(background.rows);
    });
    parallel_for((x.rows + shap_rows - 1) / shap_rows, [&](Index chunk, Checkpoint& checkpoint) {
        const Index begin = chunk * shap_rows, end = std::min(begin + shap_rows, x.rows);
        for (std::size_t t = 0; t + 1 < first_leaf_.size(); ++t) {
            checkpoint();
            const Index column = columns == nullptr ? 0 : columns[t];
            for (std::size_t l = first_leaf_[t]; l < first_leaf_[t + 1]; ++l) {
                const Leaf& leaf = leaves_[l];
                const double* const value = values_.data() + leaf.value;
                const std::uint64_t all = leaf.conditions == 64
                                              ? ~std::uint64_t{0}
                                              : (std::uint64_t{1} << leaf.conditions) - 1;
                for (Index i = begin; i < end; ++i) {
                    const std::uint64_t own = passed_by(leaf, x, i);
                    double* const row = out + i * features_ * out_cols + column;
                    for (const auto& [theirs, share] : answers[l]) {
                        if ((own | theirs) != all || own == theirs) continue;
                        const std::uint64_t gained = own & ~theirs, lost = theirs & ~own;
                        const Index a = std::popcount(gained), b = std::popcount(lost);
                        for (std::uint64_t rest = gained | lost; rest != 0; rest &= rest - 1) {
                            const int c = std::countr_zero(rest);
                            const bool up = (gained >> c & 1u) != 0;
                            const double part = share * (up ? weigh(a, b) : -weigh(b, a));
                            double* const to =
                                row +
                                conditions_[leaf.first + static_cast<std::size_t>(c)].feature *
                                    out_cols;
                            for (Index k = 0; k < width_; ++k) to[k] += part * value[k];
                        }
                    }
                }
            }
        }
    });
}

template void ShapForest::path_dependent(const MatrixView<double>&, const std::int32_t*, double*,
                                         Index) const;
template void ShapForest::path_dependent(const MatrixView<float>&, const std::int32_t*, double*,
                                         Index) const;
template void ShapForest::interventional(const MatrixView<double>&, const MatrixView<double>&,
                                         const std::int32_t*, double*, Index) const;
template void ShapForest::interventional(const MatrixView<float>&, const MatrixView<float>&,
                                         const std::int32_t*, double*, Index) const;

}  // namespace stylobate::tree
