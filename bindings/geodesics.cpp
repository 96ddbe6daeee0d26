// Shortest paths in graphs of neighbours.
#include "embed/geodesics.hpp"

#include <cstdint>

#include "bindings.hpp"

namespace stylobate::bindings {
namespace {

using Filled = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void geodesics(const Vector<std::int64_t>& offsets, const Vector<std::int64_t>& columns,
               const Vector<double>& lengths, const Vector<std::int64_t>& sources, Filled out) {
    require(offsets.shape(0) >= 1, "offsets of edges have one entry more than there are vertices");
    const auto n = static_cast<Index>(offsets.shape(0)) - 1;
    require(columns.shape(0) == lengths.shape(0) &&
                static_cast<Index>(columns.shape(0)) == offsets.data()[n],
            "as many columns as lengths and edges");
    require(out.shape(0) == sources.shape(0) && static_cast<Index>(out.shape(1)) == n,
            "the output must have a row for each source and a column for each vertex");
    GilReleased release;
    embed::geodesics({n, offsets.data(), columns.data(), lengths.data()}, sources.data(),
                     static_cast<Index>(sources.shape(0)), out.data());
}

}  // namespace

void bind_geodesics(nb::module_& module) {
    module.def("geodesics", &geodesics, nb::arg("offsets").noconvert(),
               nb::arg("columns").noconvert(), nb::arg("lengths").noconvert(),
               nb::arg("sources").noconvert(), nb::arg("out").noconvert(),
               "Lengths of shortest paths from some vertices to all.");
}

}  // namespace stylobate::bindings
