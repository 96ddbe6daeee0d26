#include "scan/gather.hpp"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "bindings.hpp"

namespace stylobate::bindings {
namespace {

using Block = nb::ndarray<double, nb::ndim<2>, nb::device::cpu>;

void gather_rows(const Packed<double>& rows, const Vector<std::int64_t>& places,
                 const std::vector<Index>& where, const Block& out) {
    const scan::RowTable table{rows.data(), static_cast<Index>(rows.shape(0)),
                               static_cast<Index>(rows.shape(1))};
    require(static_cast<Index>(where.size()) == table.cols, "each column needs a place");
    require(out.shape(1) == places.shape(0), "out must have a cell for each place");
    require(out.shape(1) < 2 || out.stride(1) == 1, "the rows of out must be contiguous");
    for (const Index each : where)
        require(each >= 0 && each < static_cast<Index>(out.shape(0)), "out has no such row");
    GilReleased release;
    scan::gather_rows(table, places.data(), static_cast<Index>(places.shape(0)), where, out.data(),
                      out.stride(0));
}

}  // namespace

void bind_gather(nb::module_& module) {
    module.def("gather_rows", &gather_rows, nb::arg("rows"), nb::arg("places"), nb::arg("where"),
               nb::arg("out"),
               "Write the cells of some rows of a table into rows of out, a column into each.");
}

}  // namespace stylobate::bindings
