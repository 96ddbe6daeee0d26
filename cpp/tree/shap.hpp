// Exact Shapley values of trees.
//
// A leaf is a product game: with z the chance of passing a feature's splits unknown and o (0 or 1)
// whether the row passes them, coalition S earns value · Π_{S} o · Π_{rest} z. The weights of
// coalitions are integrals of tᵏ(1 − t)^(m−1−k) over [0, 1], so the value of feature i is
//     (o_i − z_i) · value · ∫ Π_{j≠i} (t·o_j + (1 − t)·z_j) dt,
// a polynomial of degree m − 1 that Gauss's rule of m/2 points integrates exactly: the answer of
// Lundberg's recursion, from positive terms only, in m² steps a leaf.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/flat.hpp"

namespace stylobate::tree {

class ShapForest {
 public:
    // `cover[t]`: the weight of the training rows in every node of tree t.
    ShapForest(const std::vector<TreeView>& trees, const std::vector<const double*>& cover,
               Index features, Index width);

    Index trees() const { return static_cast<Index>(first_leaf_.size()) - 1; }
    Index width() const { return width_; }

    // Σ over trees of the mean value, tree t's added from columns[t] on (null: from 0).
    std::vector<double> expectation(const std::int32_t* columns, Index out_cols) const;

    // out(i, f, columns[t] + k) += what feature f adds to output k of row i in tree t, features
    // unknown being those a row may pass by chance. out: rows × features × out_cols.
    template <class T>
    void path_dependent(const MatrixView<T>& x, const std::int32_t* columns, double* out,
                        Index out_cols) const;

    // The same with unknown features taken from the rows of `background`, averaged over them.
    template <class T>
    void interventional(const MatrixView<T>& x, const MatrixView<T>& background,
                        const std::int32_t* columns, double* out, Index out_cols) const;

 private:
    // One side of a split by categories.
    struct Choice {
        std::size_t words;
        bool left, missing_left;
    };
    // All that a leaf asks of one feature.
    struct Condition {
        std::int32_t feature;
        double low, high;  // low < x ≤ high
        bool missing;      // whether NaN passes
        double chance;     // z
        std::uint32_t first_choice, choices;
    };
    struct Leaf {
        std::size_t first;  // of its conditions
        Index conditions;
        std::size_t value;
        double chance;  // of all conditions
    };

    void append(const TreeView& tree, const double* cover);
    template <class T>
    bool passes(const Condition& condition, const MatrixView<T>& x, Index i) const;

    Index features_, width_;
    std::vector<std::size_t> first_leaf_;  // of each tree, and the end
    std::vector<Leaf> leaves_;
    std::vector<Condition> conditions_;
    std::vector<Choice> choices_;
    std::vector<double> values_;
    std::vector<std::uint32_t> words_;
};

// Points and weights of Gauss's rule on [0, 1].
void gauss_rule(Index points, std::vector<double>& at, std::vector<double>& weights);

}  // namespace stylobate::tree
