// Mixtures of Gaussians: one step of expectation and maximisation, as sums over rows.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "cluster/mixture.hpp"
#include "rows.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::cluster;
using scan::DiagonalScores;
using scan::TriangularScores;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
// log-likelihood, entropy, Σwr, Σwrd, Σwrddᵀ
using Found = std::tuple<double, double, Output, Output, Output>;

Found found(MixtureSums&& sums, std::size_t k, std::size_t p, bool diagonal) {
    return {sums.log_likelihood, sums.entropy, array(std::move(sums.weight), {k}),
            array(std::move(sums.first), {k, p}),
            diagonal ? array(std::move(sums.second), {k, p})
                     : array(std::move(sums.second), {k, p, p})};
}

template <class T>
MixtureRows<T> rows_of(const Matrix<T>& x, const Weights& w, const Packed<double>& shift) {
    require(!w || w->shape(0) == x.shape(0), "x and weights differ in rows");
    require(shift.shape(1) == x.shape(1), "x and the shifts differ in columns");
    require(shift.shape(0) > 0, "there must be a component");
    return {scan::DenseFeatures<T>(view(x)), w ? w->data() : nullptr, shift.data()};
}

template <class T, class Model>
Found run(const Matrix<T>& x, const Weights& w, const Packed<double>& shift,
          const Vector<double>& center, const Model& model) {
    const MixtureRows<T> rows = rows_of(x, w, shift);
    require(static_cast<Index>(shift.shape(0)) == model.classes &&
                static_cast<Index>(center.shape(0)) == model.cols,
            "the shifts, the centre and the model differ in shape");
    MixtureSums sums;
    {
        GilReleased release;
        sums = mixture_sums(rows, center.data(), model);
    }
    return found(std::move(sums), shift.shape(0), shift.shape(1),
                 std::is_same_v<Model, DiagonalScores>);
}

template <class T>
Found run_given(const Matrix<T>& x, const Weights& w, const Packed<double>& shift,
                const Packed<double>& memberships, bool diagonal) {
    const MixtureRows<T> rows = rows_of(x, w, shift);
    require(memberships.shape(0) == x.shape(0) && memberships.shape(1) == shift.shape(0),
            "memberships must be rows × components");
    MixtureSums sums;
    {
        GilReleased release;
        sums =
            membership_sums(rows, memberships.data(), static_cast<Index>(shift.shape(0)), diagonal);
    }
    return found(std::move(sums), shift.shape(0), shift.shape(1), diagonal);
}

template <class T>
void bind_rows(nb::module_& module) {
    module.def(
        "triangular_mixture_sums",
        [](const Matrix<T>& x, const Weights& w, const Packed<double>& shift,
           const Vector<double>& center, const Vector<double>& bias, const Cube& factors,
           const Packed<double>& mean) {
            const std::size_t k = bias.shape(0), p = x.shape(1);
            require(mean.shape(0) == k && mean.shape(1) == p && factors.shape(0) == k &&
                        factors.shape(1) == p && factors.shape(2) == p,
                    "the model's parts differ in shape");
            return run(x, w, shift, center,
                       TriangularScores{static_cast<Index>(k), static_cast<Index>(p), bias.data(),
                                        factors.data(), mean.data()});
        },
        nb::arg("x"), nb::arg("weights").none(), nb::arg("shift"), nb::arg("center"),
        nb::arg("bias"), nb::arg("factors"), nb::arg("mean"),
        "Log-likelihood, entropy, Σwr, Σwrd and Σwrddᵀ of d = x − shift under memberships r, the "
        "softmax of bias − ½‖F(x − center − mean)‖².");
    module.def(
        "diagonal_mixture_sums",
        [](const Matrix<T>& x, const Weights& w, const Packed<double>& shift,
           const Vector<double>& center, const Vector<double>& bias, const Packed<double>& scale,
           const Packed<double>& mean) {
            const std::size_t k = bias.shape(0), p = x.shape(1);
            require(mean.shape(0) == k && mean.shape(1) == p && scale.shape(0) == k &&
                        scale.shape(1) == p,
                    "the model's parts differ in shape");
            return run(x, w, shift, center,
                       DiagonalScores{static_cast<Index>(k), static_cast<Index>(p), bias.data(),
                                      scale.data(), mean.data()});
        },
        nb::arg("x"), nb::arg("weights").none(), nb::arg("shift"), nb::arg("center"),
        nb::arg("bias"), nb::arg("scale"), nb::arg("mean"),
        "The same of bias − ½ Σ(scale·(x − center) − mean)², with diagonals Σwrd².");
    module.def("membership_sums", &run_given<T>, nb::arg("x"), nb::arg("weights").none(),
               nb::arg("shift"), nb::arg("memberships"), nb::arg("diagonal"),
               "The same sums under given memberships.");
}

}  // namespace

void bind_mixtures(nb::module_& module) {
    bind_rows<double>(module);
    bind_rows<float>(module);
}

}  // namespace stylobate::bindings
