// Rows and their nearest centres.
#include <nanobind/stl/string.h>

#include "measures.hpp"
#include "packed_table.hpp"
#include "rows.hpp"
#include "tile/assign.hpp"

namespace stylobate::bindings {
namespace {

// What is asked of one pass, as Python's keyword arguments give it.
struct Request {
    Packed<double> centers;
    Weights weights;
    bool each_row;

    void check(Index rows) const {
        require(!weights || static_cast<Index>(weights->shape(0)) == rows,
                "x and weights differ in rows");
    }
    MatrixView<double> centres() const {
        const auto cols = static_cast<Index>(centers.shape(1));
        return {centers.data(), static_cast<Index>(centers.shape(0)), cols, cols, 1};
    }
    const double* row_weights() const { return weights ? weights->data() : nullptr; }
};

// rows, weight, deviations, inertia, and labels, nearest, second where asked for
template <class Rows>
nb::tuple assigned(const Rows& x, Index rows, const Request& request) {
    request.check(rows);
    const auto n = static_cast<std::size_t>(request.each_row ? rows : 0);
    std::vector<std::int32_t> labels(n);
    std::vector<double> nearest(n), second(n);
    const tile::RowAssignments out{request.each_row ? labels.data() : nullptr,
                                   request.each_row ? nearest.data() : nullptr,
                                   request.each_row ? second.data() : nullptr};
    tile::CentreSums sums;
    {
        GilReleased release;
        sums = tile::assign(x, request.row_weights(), request.centres(), out);
    }
    const std::size_t k = request.centers.shape(0), p = request.centers.shape(1);
    return nb::make_tuple(owned(std::move(sums.rows)), owned(std::move(sums.weight)),
                          owned(std::move(sums.deviations), {k, p}), sums.inertia,
                          owned(std::move(labels)), owned(std::move(nearest)),
                          owned(std::move(second)));
}

constexpr const char* doc =
    "Each row to its nearest centre: rows, weight and deviations of the centres, inertia, and if "
    "each_row the labels and squared distances to the nearest and the second nearest centre.";

template <class T>
void bind_precision(nb::module_& module, const char* packed) {
    module.def(
        "assign",
        [](const Matrix<T>& x, const Packed<double>& centers, const Weights& weights,
           bool each_row) {
            return assigned(view(x), static_cast<Index>(x.shape(0)), {centers, weights, each_row});
        },
        nb::arg("x").noconvert(), nb::arg("centers").noconvert(),
        nb::arg("weights").noconvert().none() = nb::none(), nb::arg("each_row") = false, doc);
    nb::class_<PackedTable<T>>(module, packed, "Rows packed for one measure; keeps their array.")
        .def(nb::init<const Matrix<T>&, const std::string&>(), nb::arg("x").noconvert(),
             nb::arg("measure"))
        .def_prop_ro("bytes", &PackedTable<T>::bytes)
        .def(
            "assign",
            [](const PackedTable<T>& x, const Packed<double>& centers, const Weights& weights,
               bool each_row) {
                return assigned(*x.rows(), x.rows()->rows.rows, {centers, weights, each_row});
            },
            nb::arg("centers").noconvert(), nb::arg("weights").noconvert().none() = nb::none(),
            nb::arg("each_row") = false, doc);
}

template <class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "assign_csr",
        [](const Vector<double>& values, const Vector<I>& indices, const Vector<I>& offsets,
           const Packed<double>& centers, const Weights& weights, bool each_row) {
            const auto cols = static_cast<Index>(centers.shape(1));
            const auto x = compressed(values, indices, offsets, cols).view();
            return assigned(x, x.major, {centers, weights, each_row});
        },
        nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("centers").noconvert(),
        nb::arg("weights").noconvert().none() = nb::none(), nb::arg("each_row") = false, doc);
}

}  // namespace

void bind_assignments(nb::module_& module) {
    bind_precision<double>(module, "PackedRows");
    bind_precision<float>(module, "PackedRowsSingle");
    bind_sparse<std::int32_t>(module);
    bind_sparse<std::int64_t>(module);
}

}  // namespace stylobate::bindings
