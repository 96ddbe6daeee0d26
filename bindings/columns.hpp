// Columns of the core as Python holds them.
#pragma once

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <vector>

#include "bindings.hpp"
#include "scan/column.hpp"

namespace stylobate::bindings {

using scan::Column;
using ColumnHandle = std::shared_ptr<Column>;

inline std::vector<const scan::ColumnView*> views_of(const std::vector<ColumnHandle>& columns) {
    std::vector<const scan::ColumnView*> out;
    for (const ColumnHandle& column : columns) {
        require(column != nullptr, "a column is missing");
        out.push_back(&column->view);
    }
    return out;
}

}  // namespace stylobate::bindings
