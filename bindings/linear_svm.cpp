#include <cstdint>
#include <vector>

#include "bindings.hpp"
#include "losses.hpp"
#include "single_rows.hpp"
#include "stylobate/parallel.hpp"
#include "svm/linear_dual.hpp"

namespace stylobate::bindings {
namespace {

using svm::DualAnswer;
using svm::DualOptions;

nb::dict as_dict(DualAnswer& answer, std::size_t outputs, std::size_t width, std::size_t n) {
    nb::dict result;
    result["weights"] = array(std::move(answer.weights), {outputs, width});
    const std::size_t blocks = n == 0 ? 1 : answer.beta.size() / n;
    result["beta"] = array(std::move(answer.beta), {n, blocks});
    result["primal"] = answer.primal;
    result["dual"] = answer.dual;
    result["epochs"] = answer.epochs;
    result["converged"] = answer.converged;
    return result;
}

DualOptions options_of(double scaling, double tol, Index max_epochs, std::uint64_t seed) {
    require(scaling >= 0.0 && max_epochs >= 0, "scaling and epochs must not be negative");
    return {scaling, tol, max_epochs, seed};
}

// One problem per row of y and c.
template <class Rows>
nb::list run_dual(const Rows& rows, const Packed<double>& y, const Packed<double>& c,
                  const NamedLoss& loss, const DualOptions& options) {
    const auto n = static_cast<std::size_t>(rows.rows());
    require(y.shape(1) == n && c.shape(1) == n && y.shape(0) == c.shape(0),
            "x, y and c differ in rows");
    require(n < UINT32_MAX, "too many rows");
    const descend::LossChoice choice = loss_of(loss);
    std::vector<DualAnswer> answers(y.shape(0));
    {
        GilReleased release;
        parallel_for(static_cast<Index>(answers.size()), [&](Index k, Checkpoint& checkpoint) {
            answers[k] = svm::linear_dual(rows, choice, y.data() + k * n, c.data() + k * n, options,
                                          checkpoint);
        });
    }
    nb::list all;
    for (DualAnswer& answer : answers)
        all.append(as_dict(answer, 1, static_cast<std::size_t>(rows.cols()) + 1, n));
    return all;
}

template <class Rows>
nb::dict run_classes(const Rows& rows, const Vector<std::int64_t>& labels, Index classes,
                     const Vector<double>& c, const DualOptions& options) {
    const auto n = static_cast<std::size_t>(rows.rows());
    require(labels.size() == n && c.size() == n, "x, labels and c differ in rows");
    require(n < UINT32_MAX && classes >= 2, "too many rows, or too few classes");
    for (std::size_t i = 0; i < n; ++i)
        require(labels.data()[i] >= 0 && labels.data()[i] < classes,
                "a class number is out of range");
    DualAnswer answer;
    {
        GilReleased release;
        parallel_for(1, [&](Index, Checkpoint& checkpoint) {
            answer =
                svm::crammer_singer(rows, labels.data(), classes, c.data(), options, checkpoint);
        });
    }
    return as_dict(answer, static_cast<std::size_t>(classes),
                   static_cast<std::size_t>(rows.cols()) + 1, n);
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "linear_dual",
        [](const Matrix<T>& x, const Packed<double>& y, const Packed<double>& c,
           const NamedLoss& loss, double scaling, double tol, Index max_epochs,
           std::uint64_t seed) {
            return run_dual(dense_rows(x), y, c, loss, options_of(scaling, tol, max_epochs, seed));
        },
        nb::arg("x"), nb::arg("y"), nb::arg("c"), nb::arg("loss"), nb::arg("scaling"),
        nb::arg("tol"), nb::arg("max_epochs"), nb::arg("seed"),
        "Linear support vector machines by dual coordinate descent, one per row of y and c.");
    module.def(
        "crammer_singer",
        [](const Matrix<T>& x, const Vector<std::int64_t>& labels, Index classes,
           const Vector<double>& c, double scaling, double tol, Index max_epochs,
           std::uint64_t seed) {
            return run_classes(dense_rows(x), labels, classes, c,
                               options_of(scaling, tol, max_epochs, seed));
        },
        nb::arg("x"), nb::arg("labels"), nb::arg("classes"), nb::arg("c"), nb::arg("scaling"),
        nb::arg("tol"), nb::arg("max_epochs"), nb::arg("seed"),
        "Crammer and Singer's machine of many classes.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "linear_dual_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Packed<double>& y, const Packed<double>& c, const NamedLoss& loss, double scaling,
           double tol, Index max_epochs, std::uint64_t seed) {
            return run_dual(sparse_rows(values, indices, offsets, cols), y, c, loss,
                            options_of(scaling, tol, max_epochs, seed));
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"), nb::arg("y"),
        nb::arg("c"), nb::arg("loss"), nb::arg("scaling"), nb::arg("tol"), nb::arg("max_epochs"),
        nb::arg("seed"), "As linear_dual, of compressed rows.");
    module.def(
        "crammer_singer_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Vector<std::int64_t>& labels, Index classes, const Vector<double>& c,
           double scaling, double tol, Index max_epochs, std::uint64_t seed) {
            return run_classes(sparse_rows(values, indices, offsets, cols), labels, classes, c,
                               options_of(scaling, tol, max_epochs, seed));
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
        nb::arg("labels"), nb::arg("classes"), nb::arg("c"), nb::arg("scaling"), nb::arg("tol"),
        nb::arg("max_epochs"), nb::arg("seed"), "As crammer_singer, of compressed rows.");
}

}  // namespace

void bind_linear_svm(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
