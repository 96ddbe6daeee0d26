#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <string>

#include "bindings.hpp"
#include "descend/step.hpp"
#include "rows.hpp"

namespace stylobate::bindings {
namespace {

using descend::LinearLoss;

// The model a step is taken at, as Python passes it.
struct Model {
    descend::LossChoice loss;
    Vector<double> coef;
    double intercept;
    Vector<double> center;
    bool with_hessian;
};

template <class Features>
nb::tuple run_step(const Features& x, const Vector<double>& y, const Weights& w, const Model& at) {
    const auto n = static_cast<std::size_t>(x.rows()), p = static_cast<std::size_t>(x.cols());
    require(y.shape(0) == n && (!w || w->shape(0) == n), "x, y and weights differ in rows");
    require(at.coef.shape(0) == p && at.center.shape(0) == p,
            "coef and center must have one entry per column");
    descend::Step result;
    {
        GilReleased release;
        result = descend::step(
            x, y.data(), w ? w->data() : nullptr,
            LinearLoss{at.loss, at.coef.data(), at.intercept, at.center.data(), at.with_hessian});
    }
    nb::object hessian = nb::none();
    if (at.with_hessian) hessian = nb::cast(array(std::move(result.hessian), {p + 1, p + 1}));
    return nb::make_tuple(result.value, array(std::move(result.gradient), {p + 1}), hessian);
}

constexpr const char* what =
    "Sum of w·loss(y, (x − center)·coef + intercept), its gradient and (if asked) Hessian in "
    "(coef, intercept).";

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "loss_step",
        [](const Matrix<T>& x, const Vector<double>& y, const Weights& w, const std::string& loss,
           double parameter, const Vector<double>& coef, double intercept,
           const Vector<double>& center, bool with_hessian, double second) {
            return run_step(scan::DenseFeatures<T>(view(x)), y, w,
                            {{descend::loss_kind(loss), parameter, second},
                             coef,
                             intercept,
                             center,
                             with_hessian});
        },
        nb::arg("x"), nb::arg("y"), nb::arg("weights").none(), nb::arg("loss"),
        nb::arg("parameter"), nb::arg("coef"), nb::arg("intercept"), nb::arg("center"),
        nb::arg("with_hessian"), nb::arg("second") = 0.5, what);
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "loss_step_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Vector<double>& y, const Weights& w, const std::string& loss, double parameter,
           const Vector<double>& coef, double intercept, const Vector<double>& center,
           bool with_hessian, double second) {
            return run_step(compressed(values, indices, offsets, cols), y, w,
                            {{descend::loss_kind(loss), parameter, second},
                             coef,
                             intercept,
                             center,
                             with_hessian});
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"), nb::arg("y"),
        nb::arg("weights").none(), nb::arg("loss"), nb::arg("parameter"), nb::arg("coef"),
        nb::arg("intercept"), nb::arg("center"), nb::arg("with_hessian"), nb::arg("second") = 0.5,
        "As loss_step, of compressed rows.");
}

}  // namespace

void bind_steps(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
