// Rows packed for the core, and the array they were packed from.
#pragma once

#include <memory>
#include <string>

#include "bindings.hpp"
#include "tile/names.hpp"
#include "tile/packed_rows.hpp"

namespace stylobate::bindings {

template <class T>
class PackedTable {
 public:
    PackedTable(const Matrix<T>& x, const std::string& measure) : table_(x) {
        require(x.shape(1) <= 1 || x.stride(1) == 1, "the columns of a row must lie side by side");
        const tile::Measure by = tile::measure_named(measure);
        GilReleased release;
        rows_ = std::make_shared<const tile::PackedRows<T>>(view(x), by);
    }
    const std::shared_ptr<const tile::PackedRows<T>>& rows() const { return rows_; }
    const Matrix<T>& table() const { return table_; }
    Index bytes() const { return rows_->panels.bytes(); }

 private:
    Matrix<T> table_;
    std::shared_ptr<const tile::PackedRows<T>> rows_;
};

}  // namespace stylobate::bindings
