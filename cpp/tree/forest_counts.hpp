// Two classes whose rows differ by their counts alone: what most forests are made of.
//
// Sums are of whole numbers, so the score of a split follows from two of them, and all splits of a
// column can be compared at once, roughly, before the best few are scored.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest_gini.hpp"
#include "forest_splits.hpp"
#include "tree/kernels.hpp"

namespace stylobate::forest {

// Gini's impurity from whole numbers of draws.
class CountedGini {
 public:
    explicit CountedGini(const ClassRows& rows) : rows_(rows) {}

    void move(std::uint32_t low) {
        const std::uint64_t drawn = rows_.draws(low);
        draws_ += drawn;
        ones_ += rows_.label(low) != 0 ? drawn : 0;
    }
    void set(std::uint64_t draws, std::uint64_t ones) { draws_ = draws, ones_ = ones; }
    double left() const { return weight(draws_ - ones_, ones_); }
    double right() const { return weight(zeros_right(), ones_right()); }
    double score() const { return side(draws_ - ones_, ones_) + side(zeros_right(), ones_right()); }
    // The score of a split that tells the classes apart.
    static double perfect(const ClassRows& rows) {
        CountedGini sums(rows);
        sums.set(rows.all_draws()[0], 0);
        return sums.score();
    }
    static NodeSummary summary(const ClassRows& rows) {
        return TwoClassGini<ClassRows>::summary(rows);
    }

 private:
    double weight(std::uint64_t zeros, std::uint64_t ones) const {
        return rows_.factors()[0] * static_cast<double>(zeros) +
               rows_.factors()[1] * static_cast<double>(ones);
    }
    double side(std::uint64_t zeros, std::uint64_t ones) const {
        const double a = rows_.factors()[0] * static_cast<double>(zeros);
        const double b = rows_.factors()[1] * static_cast<double>(ones);
        return (a * a + b * b) / (a + b);
    }
    std::uint64_t zeros_right() const { return rows_.all_draws()[0] - (draws_ - ones_); }
    std::uint64_t ones_right() const { return rows_.all_draws()[1] - ones_; }
    const ClassRows& rows_;
    std::uint64_t draws_ = 0, ones_ = 0;
};

// Scores as the kernels' gains: score = score of the node + unit · gain.
class GainScale {
 public:
    explicit GainScale(const ClassRows& rows)
        : node_{static_cast<double>(rows.all_draws()[0] + rows.all_draws()[1]),
                static_cast<double>(rows.all_draws()[1]),
                {rows.factors()[0], rows.factors()[1]}} {
        const NodeSummary whole = CountedGini::summary(rows);
        const double product = rows.factors()[0] * rows.factors()[1];
        base_ = whole.score;
        unit_ = 2.0 * product * product / whole.weight;
        // what rounding of a score amounts to
        slack_ = static_cast<float>(0x1p-48 * whole.weight / unit_);
    }
    static constexpr float margin = 1.0f - 0x1p-16f;

    const TwoClassNode& node() const { return node_; }
    float slack() const { return slack_; }
    // What gains must reach to be as large as this one.
    float lowered(double gain) const { return static_cast<float>(gain) * margin - slack_; }
    // The gain of a score; −1 for that of no split.
    double worth(double score) const { return std::max((score - base_) / unit_, -1.0); }
    bool keys_fit() const { return node_.draws * node_.draws < 0x1p31; }

 private:
    TwoClassNode node_;
    double base_, unit_;
    float slack_;
};

// The best split of sorted keys without missing values, as best_split finds it.
inline void best_cut(const ClassRows& rows, const GainScale& scale,
                     const SortedKeys<std::uint32_t>& keys, std::size_t count, const Column& column,
                     std::size_t least, Split& best) {
    if (count < 2 * least) return;
    std::array<TwoClassCut, small_keys> cuts;
    const TwoClassKeys form{keys.shift, rows.count_bits(), GainScale::margin, scale.slack()};
    const Index found = tree::kernels().two_class_cuts(
        keys.keys, static_cast<Index>(count), form, scale.node(), static_cast<Index>(least),
        scale.lowered(scale.worth(best.score)), cuts.data());
    CountedGini sums(rows);
    for (Index i = 0; i < found; ++i) {
        const TwoClassCut& cut = cuts[static_cast<std::size_t>(i)];
        sums.set(cut.draws, cut.ones);
        const auto at = static_cast<std::size_t>(cut.at);
        consider(best, {sums.score(), column, keys.rank(at), keys.rank(at + 1)});
    }
}

// Whether the words of cells hold the sums of the node.
inline bool cells_hold(const ClassRows& rows, std::size_t count) {
    return count < std::size_t{1} << (64 - 2 * StepCell::bits) &&
           rows.all_draws()[0] + rows.all_draws()[1] < std::uint64_t{1} << StepCell::bits;
}

// Adds the rows of a node to the cells of their codes, without their last `shift` bits, in `most`
// columns or fewer; cells(j): those of the j-th, emptied. Every other row goes to cells that lie
// `apart`, so that equal codes need not wait for each other.
template <std::size_t most, std::size_t apart, class Cells>
void count_some_codes(const ClassRows& rows, const NodeRows& node, const Column* columns,
                      std::size_t n, int shift, const Cells& cells) {
    if constexpr (most > 1) {
        if (n < most)
            return count_some_codes<most - 1, apart>(rows, node, columns, n, shift, cells);
    }
    using Word = StepCell::Word;
    constexpr int bits = StepCell::bits;
    std::array<const std::uint8_t*, most> codes;
    std::array<Word*, most> to;
    for (std::size_t j = 0; j < most; ++j) {
        codes[j] = node.source.codes(static_cast<std::size_t>(columns[j].feature));
        to[j] = cells(j);
    }
    const auto add = [&](const TreeRow& member, std::size_t other) {
        const Word drawn = rows.draws(member.about);
        const Word second = rows.label(member.about) != 0 ? drawn << bits : 0;
        const Word cell = Word{1} << 2 * bits | second | drawn;
        for (std::size_t j = 0; j < most; ++j)
            to[j][(codes[j][member.row] >> shift) + other] += cell;
    };
    std::size_t i = 0;
    if constexpr (apart > 0) {
        for (; i + 1 < node.count; i += 2) add(node.members[i], 0), add(node.members[i + 1], apart);
    }
    for (; i < node.count; ++i) add(node.members[i], 0);
}

// The same in any number of columns, a few in each pass.
template <std::size_t apart, class Cells>
void count_codes(const ClassRows& rows, const NodeRows& node, const Column* columns, std::size_t n,
                 int shift, const Cells& cells) {
    constexpr std::size_t together = 6;
    const std::size_t passes = (n + together - 1) / together;
    for (std::size_t pass = 0; pass < passes; ++pass) {
        const std::size_t first = pass * n / passes, end = (pass + 1) * n / passes;
        count_some_codes<together, apart>(rows, node, columns + first, end - first, shift,
                                          [&](std::size_t j) { return cells(first + j); });
    }
}

// Which steps of a column's ranks may hold its best split, by the draws in each.
class CountScreen {
 public:
    using Scale = GainScale;

    // Counts the rows of a node in several columns.
    static void count(CountScreen* screens, const ClassRows& rows, const NodeRows& node,
                      const Column* columns, std::size_t n) {
        const int shift = node.count <= few_rows ? 2 : 0;
        count_codes<0>(rows, node, columns, n, shift,
                       [&](std::size_t j) { return screens[j].start(shift); });
        for (std::size_t j = 0; j < n; ++j) screens[j].add_up();
    }
    std::size_t steps() const { return steps_; }
    std::size_t step(std::uint8_t code) const { return code >> shift_; }
    std::size_t rows_before(std::size_t step) const { return cells_[step] >> 2 * bits; }
    bool is_open(std::size_t step) const { return open_[step] != 0; }

    // The largest gain of splits between steps.
    double best(const GainScale& scale, std::size_t, const Least& least) const {
        return tree::kernels().best_step_gain(words(), static_cast<Index>(steps_), scale.node(),
                                              static_cast<Index>(least.rows));
    }
    bool open(const GainScale& scale, double gain) {
        return tree::kernels().open_steps(words(), static_cast<Index>(steps_), scale.node(),
                                          scale.lowered(gain), open_.data());
    }
    // From the sums before a step to those before a later one.
    void move(CountedGini& sums, std::size_t, std::size_t step) const {
        constexpr Word field = (Word{1} << bits) - 1;
        sums.set(cells_[step] & field, cells_[step] >> bits & field);
    }

 private:
    static constexpr int bits = StepCell::bits;
    static constexpr std::size_t few_rows = 1024;
    using Word = StepCell::Word;

    Word* start(int shift) {
        shift_ = shift;
        steps_ = RankedColumns::steps >> shift;
        std::fill_n(cells_.begin(), steps_ + 1, 0);
        return cells_.data() + 1;
    }
    void add_up() {
        for (std::size_t step = 1; step <= steps_; ++step) cells_[step] += cells_[step - 1];
    }
    const Word* words() const { return cells_.data(); }

    int shift_ = 0;
    std::size_t steps_ = 0;
    alignas(64) std::array<Word, RankedColumns::steps + 1> cells_;
    alignas(64) std::array<long long, RankedColumns::steps> open_;
};

}  // namespace stylobate::forest
