// Rows packed for the micro-kernels once, for all calls that meet them.
#pragma once

#include <algorithm>
#include <vector>

#include "stylobate/parallel.hpp"
#include "tile/centre.hpp"
#include "tile/kernels.hpp"
#include "tile/measure.hpp"
#include "tile/panels.hpp"

namespace stylobate::tile {

// Rows a panel holds, for numbers of type F.
template <class F>
Index panel_rows() {
    return kernels().tile_bytes() / static_cast<Index>(sizeof(F));
}

// Up to so many columns the differences cost no more than the product and a second look.
constexpr Index few_columns = 8;
// ‖x‖² + ‖y‖² − 2xy has an error near 2⁻⁵²(‖x‖² + ‖y‖²); entries below this share of the norms are
// computed again from the differences, so that no distance is off by more than about 128 · 2⁻⁵².
constexpr double suspicious_share = 1.0 / 128.0;

inline bool by_product(Measure measure, Index columns) {
    return measure == Measure::inner || (measure == Measure::squared && columns > few_columns);
}

// A stretch of rows in panels of double precision, less a centre, and ‖·‖² of what is left.
class RowPanels {
 public:
    template <class T>
    void pack(const MatrixView<T>& y, Index row0, Index rows, const double* centre) {
        const Index width = panel_rows<double>(), panels = (rows + width - 1) / width;
        row0_ = row0, depth_ = y.cols;
        packed_ = Aligned<double>(area(panels * width, depth_));
        norms_.resize(static_cast<std::size_t>(panels * width));
        constexpr Index group = 16;
        parallel_for((panels + group - 1) / group, [&](Index g, Checkpoint& checkpoint) {
            for (Index i = g * group; i < std::min(panels, (g + 1) * group); ++i) {
                pack_panel(y, row0 + i * width, std::min(width, rows - i * width), width, centre,
                           1.0, packed_.data() + i * width * depth_, &norms_[i * width]);
                checkpoint();
            }
        });
    }
    // Of the panel that starts with a row, which is a multiple of the panel after the first.
    const double* panel(Index row) const { return packed_.data() + (row - row0_) * depth_; }
    const double* norms(Index row) const { return norms_.data() + (row - row0_); }
    Index bytes() const {
        return static_cast<Index>(norms_.size()) * (depth_ + 1) * Index{sizeof(double)};
    }

 private:
    Index row0_ = 0, depth_ = 0;
    Aligned<double> packed_;
    std::vector<double> norms_;
};

// All rows of a table, ready to be met under one measure. The table itself is looked at too, where
// products would lose the digits of a small distance: it must outlive this.
template <class T>
struct PackedRows {
    MatrixView<T> rows;
    Measure measure;
    std::vector<double> centre;  // what was subtracted; empty: nothing
    RowPanels panels;

    PackedRows(const MatrixView<T>& table, Measure by) : rows(table), measure(by) {
        if (by == Measure::squared && by_product(by, table.cols)) centre = centre_rows(table);
        panels.pack(table, 0, table.rows, centre.empty() ? nullptr : centre.data());
    }
};

}  // namespace stylobate::tile
