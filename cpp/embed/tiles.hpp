// Walks over a dense table by tiles that stay in the second cache: row by row of tiles, or column
// by column, where sums of columns grow.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "embed/padded_factor.hpp"
#include "scan/rows.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::embed {

constexpr Index tile_rows = 32;
constexpr Index tile_columns = 512;
constexpr Index tile_ld = tile_columns + 8;  // no power of two: columns fall into many cache sets

struct Tile {
    Index first_row, rows, first_column, columns;
};

// Numbers where they lie.
struct Strided {
    const double* data;
    Index row_stride, col_stride;
};

// Reads tiles of a table: in place where it holds doubles, else converted.
template <class T>
class TileReader {
 public:
    explicit TileReader(const MatrixView<T>& x) : x_(x) {}

    Strided strided(const Tile& tile) {
        if constexpr (std::is_same_v<T, double>)
            return {&x_(tile.first_row, tile.first_column), x_.row_stride, x_.col_stride};
        return {packed(tile), tile_ld, 1};
    }
    // Rows `tile_ld` apart, which the caller may overwrite.
    double* packed(const Tile& tile) {
        if (scratch_.size() == 0) scratch_ = Buffer(area(tile_rows, tile_ld));
        static const std::vector<double> none(tile_columns, 0.0);
        scan::pack(MatrixView<T>{&x_(tile.first_row, tile.first_column), tile.rows, tile.columns,
                                 x_.row_stride, x_.col_stride},
                   none.data(), scratch_.data(), tile_ld);
        return scratch_.data();
    }

 private:
    MatrixView<T> x_;
    Buffer scratch_;
};

// A row of tiles.
struct TileRun {
    Index first_row, rows, columns;
    Checkpoint& checkpoint;

    template <class Body>
    void over_columns(const Body& body) {
        for (Index j = 0; j < columns; j += tile_columns) {
            checkpoint();
            body(Tile{first_row, rows, j, std::min(tile_columns, columns - j)});
        }
    }
};

// body(run) for each row of tiles, in parallel
template <class Body>
void over_row_tiles(Index rows, Index columns, const Body& body) {
    parallel_for((rows + tile_rows - 1) / tile_rows, [&](Index chunk, Checkpoint& checkpoint) {
        const Index first = chunk * tile_rows;
        TileRun run{first, std::min(tile_rows, rows - first), columns, checkpoint};
        body(run);
    });
}

// Sums over rows, `k` numbers for every column and `count` such sums. Columns are cut into panels;
// where these are few, rows are cut into units too, whose sums are added in order.
class ColumnSums {
 public:
    ColumnSums(Index rows, Index columns, Index k, Index count)
        : rows_(rows), columns_(columns), k_(k), ld_(padded_width(k)), count_(count) {
        panels_ = (columns + tile_columns - 1) / tile_columns;
        const Index longest = (rows + least_rows - 1) / least_rows;
        units_ = std::clamp<Index>(wanted_chunks / std::max<Index>(panels_, 1), 1,
                                   std::max<Index>(longest, 1));
        unit_rows_ = ((rows + units_ - 1) / units_ + tile_rows - 1) / tile_rows * tile_rows;
        sums_ = Buffer(area(units_ * count_, area(panels_ * tile_columns, ld_)));
    }

    // body(over_rows) for each panel of each unit; over_rows(each) calls each(tile, sums of the
    // tile's columns, one pointer for each of the `count`).
    template <class Body>
    void over_panels(const Body& body) {
        parallel_for(panels_ * units_, [&](Index chunk, Checkpoint& checkpoint) {
            const Index unit = chunk / panels_, column = chunk % panels_ * tile_columns;
            const Index first = std::min(rows_, unit * unit_rows_);
            const Index last = std::min(rows_, first + unit_rows_);
            double* own[2] = {at(unit, 0) + column * ld_, nullptr};
            if (count_ > 1) own[1] = at(unit, 1) + column * ld_;
            body([&](const auto& each) {
                for (Index i = first; i < last; i += tile_rows) {
                    checkpoint();
                    each(Tile{i, std::min(tile_rows, last - i), column,
                              std::min(tile_columns, columns_ - column)},
                         own);
                }
            });
        });
    }

    void store(Index which, double* out) {
        for (Index unit = 1; unit < units_; ++unit)
            for (Index i = 0; i < columns_ * ld_; ++i) at(0, which)[i] += at(unit, which)[i];
        for (Index j = 0; j < columns_; ++j)
            std::copy(at(0, which) + j * ld_, at(0, which) + j * ld_ + k_, out + j * k_);
    }

 private:
    static constexpr Index wanted_chunks = 32;
    static constexpr Index least_rows = 8 * tile_rows;  // of a unit
    double* at(Index unit, Index which) {
        return sums_.data() + (unit * count_ + which) * panels_ * tile_columns * ld_;
    }

    Index rows_, columns_, k_, ld_, count_, panels_, units_, unit_rows_;
    Buffer sums_;
};

}  // namespace stylobate::embed
