#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>

#include "bindings.hpp"
#include "rows.hpp"
#include "scan/column_moments.hpp"
#include "scan/finite.hpp"
#include "scan/leverage.hpp"
#include "scan/moments.hpp"
#include "scan/structure.hpp"
#include "scan/triangular.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::scan;
using FortranMatrix = nb::ndarray<const double, nb::ndim<2>, nb::f_contig, nb::device::cpu>;
using Factor = std::tuple<Output, Output>;  // high and low parts

template <class Features>
std::tuple<Index, double, Output, Output> run_moments(const Rows<Features>& data) {
    Moments result;
    {
        GilReleased release;
        result = moments(data);
    }
    const std::size_t q = result.mean.size();
    return {result.n_rows, result.weight, array(std::move(result.mean), {q}),
            array(std::move(result.scatter), {q, q})};
}

Factor plain(std::vector<double>&& r, std::size_t size) {
    std::vector<double> zero(r.size(), 0.0);
    return {array(std::move(r), {size, size}), array(std::move(zero), {size, size})};
}

Factor split(const std::vector<Extended>& r, std::size_t size) {
    std::vector<double> hi(r.size()), lo(r.size());
    for (std::size_t i = 0; i < r.size(); ++i) hi[i] = r[i].hi, lo[i] = r[i].lo;
    return {array(std::move(hi), {size, size}), array(std::move(lo), {size, size})};
}

std::vector<Extended> join(const Packed<double>& hi, const Packed<double>& lo) {
    require(hi.shape(0) == hi.shape(1) && lo.shape(0) == hi.shape(0) && lo.shape(1) == hi.shape(1),
            "both parts of a factor must be square and of one size");
    std::vector<Extended> r(hi.size());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = {hi.data()[i], lo.data()[i]};
    return r;
}

template <class Features>
Factor run_triangular(const Rows<Features>& data, bool extended) {
    const auto size = static_cast<std::size_t>(data.cols());
    if (extended) {
        std::vector<Extended> r;
        {
            GilReleased release;
            r = triangular<Extended>(data);
        }
        return split(r, size);
    }
    std::vector<double> r;
    {
        GilReleased release;
        r = triangular<double>(data);
    }
    return plain(std::move(r), size);
}

Factor merge_factors(const Packed<double>& hi, const Packed<double>& lo,
                     const Packed<double>& other_hi, const Packed<double>& other_lo,
                     bool extended) {
    require(hi.shape(0) == other_hi.shape(0), "the two factors differ in size");
    std::vector<Extended> r = join(hi, lo);
    const std::vector<Extended> other = join(other_hi, other_lo);
    const std::size_t size = hi.shape(0);
    if (!extended) {
        std::vector<double> sum(hi.data(), hi.data() + hi.size());
        {
            GilReleased release;
            merge_triangular(sum.data(), other_hi.data(), static_cast<Index>(size));
        }
        return plain(std::move(sum), size);
    }
    {
        GilReleased release;
        merge_triangular(r.data(), other.data(), static_cast<Index>(size));
    }
    return split(r, size);
}

std::tuple<Output, Output, Output> solve_factor(const Packed<double>& hi, const Packed<double>& lo,
                                                Index k) {
    const std::vector<Extended> r = join(hi, lo);
    const auto size = static_cast<Index>(hi.shape(0));
    require(k >= 0 && k <= size, "more coefficients than columns");
    for (Index i = 0; i < k; ++i)
        require(!is_zero(r[i * size + i]), "the columns are linearly dependent");
    LeastSquares fit;
    {
        GilReleased release;
        fit = solve_triangular(r.data(), size, k);
    }
    const std::size_t rows = k, targets = size - k;
    return {array(std::move(fit.coefficients), {rows, targets}),
            array(std::move(fit.inverse_gram), {rows, rows}),
            array(std::move(fit.residual_squares), {targets})};
}

template <class Features>
Output run_quadratics(const Features& x, const Vector<double>& center, const FortranMatrix& r) {
    const auto p = static_cast<std::size_t>(x.cols());
    require(center.shape(0) == p && r.shape(0) == p && r.shape(1) == p,
            "center and factor must have one entry per column");
    std::vector<double> out(x.rows());
    {
        GilReleased release;
        row_quadratics(x, center.data(), r.data(), out.data());
    }
    const std::size_t n = out.size();
    return array(std::move(out), {n});
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "first_nonfinite",
        [](const Matrix<T>& x) {
            GilReleased release;
            return first_nonfinite(view(x));
        },
        nb::arg("x"), "Row and column of the first NaN or infinity, or None.");
    module.def(
        "moments",
        [](const Matrix<T>& x, const Targets& y, const Weights& w) {
            return run_moments(rows(DenseFeatures<T>(view(x)), y, w));
        },
        nb::arg("x"), nb::arg("y").none(), nb::arg("weights").none(),
        "Rows of positive weight, Σw, mean and centred scatter of [x, y].");
    module.def(
        "triangular",
        [](const Matrix<T>& x, const Targets& y, const Weights& w, bool extended) {
            return run_triangular(rows(DenseFeatures<T>(view(x)), y, w), extended);
        },
        nb::arg("x"), nb::arg("y").none(), nb::arg("weights").none(), nb::arg("extended"),
        "R of the QR decomposition of √w[x, y, 1] with the ones first, as high and low parts.");
    module.def(
        "row_quadratics",
        [](const Matrix<T>& x, const Vector<double>& center, const FortranMatrix& r) {
            return run_quadratics(DenseFeatures<T>(view(x)), center, r);
        },
        nb::arg("x"), nb::arg("center"), nb::arg("r"), "‖R⁻ᵀ(x − center)‖² of every row.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "moments_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Targets& y, const Weights& w) {
            return run_moments(rows(compressed(values, indices, offsets, cols), y, w));
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
        nb::arg("y").none(), nb::arg("weights").none(), "As moments, of compressed rows.");
    module.def(
        "triangular_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Targets& y, const Weights& w, bool extended) {
            return run_triangular(rows(compressed(values, indices, offsets, cols), y, w), extended);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
        nb::arg("y").none(), nb::arg("weights").none(), nb::arg("extended"),
        "As triangular, of compressed rows.");
    module.def(
        "row_quadratics_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Vector<double>& center, const FortranMatrix& r) {
            return run_quadratics(compressed(values, indices, offsets, cols), center, r);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
        nb::arg("center"), nb::arg("r"), "As row_quadratics, of compressed rows.");
}

// count, weight, mean, length, low, high
template <class T>
nb::tuple run_column_moments(const Matrix<T>& x, const Weights& w, bool with_lengths) {
    require(!w || w->shape(0) == x.shape(0), "x and weights differ in rows");
    scan::ColumnMoments found(0);
    {
        GilReleased release;
        found = scan::column_moments(view(x), w ? w->data() : nullptr, with_lengths);
    }
    return nb::make_tuple(owned(std::move(found.count)), owned(std::move(found.weight)),
                          owned(std::move(found.mean)), owned(std::move(found.length)),
                          owned(std::move(found.low)), owned(std::move(found.high)));
}

}  // namespace

void bind_scan(nb::module_& module) {
    constexpr const char* says =
        "Count, weight, mean, length about it, smallest and largest of each column; NaN left out.";
    module.def("column_moments", &run_column_moments<double>, nb::arg("x").noconvert(),
               nb::arg("weights").none(), nb::arg("with_lengths"), says);
    module.def("column_moments", &run_column_moments<float>, nb::arg("x").noconvert(),
               nb::arg("weights").none(), nb::arg("with_lengths"), says);
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
    module.def("merge_triangular", &merge_factors, nb::arg("hi"), nb::arg("lo"),
               nb::arg("other_hi"), nb::arg("other_lo"), nb::arg("extended"),
               "The factor of both factors' rows together.");
    module.def("solve_triangular", &solve_factor, nb::arg("hi"), nb::arg("lo"), nb::arg("k"),
               "Coefficients, inverse Gram and residual sums of squares of the last columns on the "
               "first k.");
}

}  // namespace stylobate::bindings
