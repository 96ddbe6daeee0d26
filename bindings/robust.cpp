#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>

#include "bindings.hpp"
#include "descend/vertex.hpp"
#include "rows.hpp"
#include "scan/products.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::scan;

template <class Features>
Output run_values(const Features& x, const Vector<double>& coef, double intercept) {
    require(static_cast<Index>(coef.shape(0)) == x.cols(), "coef must have one entry per column");
    std::vector<double> out(x.rows());
    {
        GilReleased release;
        row_values(x, coef.data(), intercept, out.data());
    }
    const std::size_t n = out.size();
    return array(std::move(out), {n});
}

template <class Features>
Output run_sums(const Features& x, const Vector<double>& factor) {
    require(static_cast<Index>(factor.shape(0)) == x.rows(), "factor must have one entry per row");
    std::vector<double> out(x.cols());
    {
        GilReleased release;
        column_sums(x, factor.data(), out.data());
    }
    const std::size_t p = out.size();
    return array(std::move(out), {p});
}

nb::tuple run_vertices(const Packed<double>& a, const Vector<double>& y, const Vector<double>& low,
                       const Vector<double>& high, const Vector<std::int64_t>& basis,
                       Index max_pivots) {
    const std::size_t m = a.shape(0), q = a.shape(1);
    require(y.shape(0) == m && low.shape(0) == m && high.shape(0) == m,
            "a, y, low and high differ in rows");
    require(q > 0, "there must be at least one column");
    std::vector<Index> start(basis.data(), basis.data() + basis.shape(0));
    descend::Vertex found;
    {
        GilReleased release;
        found =
            descend::descend_by_vertices({a.data(), static_cast<Index>(m), static_cast<Index>(q),
                                          y.data(), low.data(), high.data()},
                                         std::move(start), max_pivots);
    }
    std::vector<double> rows(found.basis.begin(), found.basis.end());
    return nb::make_tuple(array(std::move(found.theta), {q}), array(std::move(found.dual), {m}),
                          array(std::move(rows), {q}), found.pivots, found.optimal);
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "row_values",
        [](const Matrix<T>& x, const Vector<double>& coef, double intercept) {
            return run_values(DenseFeatures<T>(view(x)), coef, intercept);
        },
        nb::arg("x"), nb::arg("coef"), nb::arg("intercept"), "x·coef + intercept of every row.");
    module.def(
        "column_sums",
        [](const Matrix<T>& x, const Vector<double>& factor) {
            return run_sums(DenseFeatures<T>(view(x)), factor);
        },
        nb::arg("x"), nb::arg("factor"), "Σ factor·x over the rows.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "row_values_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Vector<double>& coef, double intercept) {
            return run_values(compressed(values, indices, offsets, cols), coef, intercept);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"), nb::arg("coef"),
        nb::arg("intercept"), "As row_values, of compressed rows.");
    module.def(
        "column_sums_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Vector<double>& factor) {
            return run_sums(compressed(values, indices, offsets, cols), factor);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
        nb::arg("factor"), "As column_sums, of compressed rows.");
}

}  // namespace

void bind_robust(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
    module.def("descend_by_vertices", &run_vertices, nb::arg("a"), nb::arg("y"), nb::arg("low"),
               nb::arg("high"), nb::arg("basis"), nb::arg("max_pivots"),
               "Minimiser of Σ max(low·r, high·r), r = y − Aθ: θ, dual point, rows of its basis, "
               "pivots, and whether it is optimal.");
}

}  // namespace stylobate::bindings
