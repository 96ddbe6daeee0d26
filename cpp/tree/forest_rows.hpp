// What the nodes of a forest's trees hold: rows of classes.
//
// A policy knows a tree's rows: how much each weighs and what it is to teach. It reads what all
// growers of the tree share and keeps what is known of the node it has loaded.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "forest_ranks.hpp"

namespace stylobate::forest {

// A row of a tree: where its ranks are, and what the policy says about it.
struct TreeRow {
    std::uint32_t row;
    std::uint32_t about;
};

struct NodeSummary {
    double weight = 0.0;
    double impurity = 0.0;
    double score = 0.0;  // of the node unsplit
};

inline double x_log_x(double x) {
    return x > 0.0 ? x * std::log2(x) : 0.0;
}

// Sums of a node's rows for each step of a column's ranks.
struct BinTable {
    std::vector<double> sums;  // steps × width
    std::vector<std::uint32_t> rows;
    std::vector<std::uint64_t> cells;  // while counting
    std::size_t width = 0, steps = RankedColumns::steps;
    int shift = 0;  // steps are codes without their last bits
    const double* bin(std::size_t step) const { return sums.data() + step * width; }
    void clear(std::size_t columns) {
        width = columns;
        sums.assign(steps * width, 0.0);
        rows.assign(steps, 0);
    }
};

// Classes whose rows differ by their counts alone: label and count are what is said about a row,
// and sums are of whole numbers, the same in any order.
class ClassRows {
 public:
    // What a draw of each class weighs, the bits that hold any count, and x log₂ x of all numbers
    // of draws there can be (or null).
    ClassRows(std::vector<double> factors, int count_bits, const double* logarithms)
        : factors_(std::move(factors)),
          count_bits_(count_bits),
          mask_((std::uint32_t{1} << count_bits) - 1),
          whole_(std::all_of(factors_.begin(), factors_.end(), is_one)),
          logarithms_(whole_ ? logarithms : nullptr),
          draws_(factors_.size()),
          totals_(factors_.size()) {}
    std::uint32_t pack(std::uint32_t label, std::uint32_t count) const {
        return label << count_bits_ | count;
    }

    Index width() const { return static_cast<Index>(totals_.size()); }
    std::uint32_t low(const TreeRow& row, std::size_t) const { return row.about; }
    int low_bits(std::size_t) const {
        int bits = count_bits_;
        for (std::size_t last = factors_.size() - 1; last > 0; last >>= 1) ++bits;
        return bits;
    }
    int count_bits() const { return count_bits_; }
    std::size_t label(std::uint32_t low) const { return low >> count_bits_; }
    std::uint32_t draws(std::uint32_t low) const { return low & mask_; }
    double weight(std::uint32_t low) const { return factors_[label(low)] * draws(low); }
    double weight_of(const TreeRow& row) const { return weight(row.about); }
    const std::vector<double>& factors() const { return factors_; }
    bool whole() const { return whole_; }  // whether all weights are whole numbers
    const double* logarithms() const { return logarithms_; }
    // Of the node: draws of each class, and their weights.
    const std::vector<std::uint64_t>& all_draws() const { return draws_; }
    const std::vector<double>& totals() const { return totals_; }

    void load(const TreeRow* rows, std::size_t count) {
        std::fill(draws_.begin(), draws_.end(), 0);
        if (draws_.size() == 2) {
            std::uint64_t both = 0, second = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint32_t drawn = draws(rows[i].about);
                both += drawn;
                second += label(rows[i].about) != 0 ? drawn : 0;
            }
            draws_[0] = both - second, draws_[1] = second;
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                draws_[label(rows[i].about)] += draws(rows[i].about);
            }
        }
        for (std::size_t k = 0; k < totals_.size(); ++k) {
            totals_[k] = factors_[k] * static_cast<double>(draws_[k]);
        }
    }
    void value(double weight, double* out) const {
        for (std::size_t k = 0; k < totals_.size(); ++k) out[k] = totals_[k] / weight;
    }

    // Sums of weights for each step and class.
    void count(const TreeRow* rows, std::size_t count, const std::uint8_t* codes,
               BinTable& table) const {
        const std::size_t k = totals_.size();
        table.clear(k);
        std::vector<std::uint64_t>& cells = table.cells;  // rows above, draws below
        cells.assign(table.sums.size(), 0);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t low = rows[i].about;
            cells[(codes[rows[i].row] >> table.shift) * k + label(low)] +=
                std::uint64_t{1} << 32 | draws(low);
        }
        std::size_t cell = 0;
        for (std::uint32_t& all : table.rows) {
            for (std::size_t c = 0; c < k; ++c, ++cell) {
                table.sums[cell] = factors_[c] * static_cast<std::uint32_t>(cells[cell]);
                all += static_cast<std::uint32_t>(cells[cell] >> 32);
            }
        }
    }

 private:
    static bool is_one(double factor) { return factor == 1.0; }
    std::vector<double> factors_;
    int count_bits_;
    std::uint32_t mask_;
    bool whole_;
    const double* logarithms_;
    std::vector<std::uint64_t> draws_;
    std::vector<double> totals_;
};

// Bits of the places in a node.
inline int place_bits(std::size_t count) {
    int bits = 0;
    for (std::size_t last = count - 1; last > 0; last >>= 1) ++bits;
    return bits;
}

// Classes of rows with weights of their own; a node gathers its rows.
class WeightedClassRows {
 public:
    struct Each {
        double weight;
        std::uint32_t label;
    };
    WeightedClassRows(Index classes, const std::vector<Each>& all)
        : all_(all), totals_(static_cast<std::size_t>(classes)) {}

    Index width() const { return static_cast<Index>(totals_.size()); }
    std::uint32_t low(const TreeRow&, std::size_t place) const {
        return static_cast<std::uint32_t>(place);
    }
    int low_bits(std::size_t count) const { return place_bits(count); }
    std::size_t label(std::uint32_t low) const { return near_[low].label; }
    double weight(std::uint32_t low) const { return near_[low].weight; }
    double weight_of(const TreeRow& row) const { return all_[row.about].weight; }
    static bool whole() { return false; }
    static const double* logarithms() { return nullptr; }
    const std::vector<double>& totals() const { return totals_; }

    void load(const TreeRow* rows, std::size_t count) {
        if (near_.size() < count) near_.resize(count);
        std::fill(totals_.begin(), totals_.end(), 0.0);
        for (std::size_t i = 0; i < count; ++i) {
            near_[i] = all_[rows[i].about];
            totals_[near_[i].label] += near_[i].weight;
        }
    }
    void value(double weight, double* out) const {
        for (std::size_t k = 0; k < totals_.size(); ++k) out[k] = totals_[k] / weight;
    }

    // Sums of weights for each step and class.
    void count(const TreeRow* rows, std::size_t count, const std::uint8_t* codes,
               BinTable& table) const {
        const std::size_t k = totals_.size();
        table.clear(k);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t code = codes[rows[i].row] >> table.shift;
            table.sums[code * k + near_[i].label] += near_[i].weight;
            ++table.rows[code];
        }
    }

 private:
    const std::vector<Each>& all_;
    std::vector<Each> near_;
    std::vector<double> totals_;
};

}  // namespace stylobate::forest
