#include "descend/penalized.hpp"

#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "bindings.hpp"
#include "losses.hpp"
#include "scan/structure.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::descend;

// What every call brings besides the rows.
struct Request {
    const Vector<double>& y;
    const std::optional<Vector<double>>& weights;
    const NamedLoss& loss;
    const NamedLoss& penalty;  // name and numbers alike
    bool positive, fit_intercept;
    double tol;
    Index max_iter;
    const std::optional<Vector<double>>& start;
};

nb::dict solve(const Design& x, const Request& request) {
    const auto length = [](const auto& array) { return static_cast<Index>(array.shape(0)); };
    require(length(request.y) == x.rows(), "x and y differ in rows");
    require(!request.weights || length(*request.weights) == x.rows(),
            "x and weights differ in rows");
    require(!request.start || length(*request.start) == x.cols(),
            "the coefficients to start from have another length");
    const auto& [penalty, first, second] = request.penalty;
    const PenalizedProblem problem{x,
                                   request.y.data(),
                                   request.weights ? request.weights->data() : nullptr,
                                   loss_of(request.loss),
                                   penalty,
                                   first,
                                   second,
                                   request.positive,
                                   request.fit_intercept,
                                   request.tol,
                                   request.max_iter,
                                   request.start ? request.start->data() : nullptr};
    PenalizedAnswer answer;
    {
        GilReleased release;
        answer = solve_penalized(problem);
    }
    const std::size_t steps = answer.objectives.size(), p = answer.coef.size();
    nb::dict result;
    result["coef"] = array(std::move(answer.coef), {p});
    result["intercept"] = answer.intercept;
    result["objective"] = answer.objective;
    result["violation"] = answer.violation;
    result["steepest"] = answer.steepest;
    result["iterations"] = answer.iterations;
    result["converged"] = answer.converged;
    result["objectives"] = array(std::move(answer.objectives), {steps});
    result["violations"] = array(std::move(answer.violations), {steps});
    return result;
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "penalized",
        [](const Matrix<T>& x, const Vector<double>& y,
           const std::optional<Vector<double>>& weights, const NamedLoss& loss,
           const NamedLoss& penalty, bool positive, bool fit_intercept, double tol, Index max_iter,
           const std::optional<Vector<double>>& start) {
            return solve(DenseDesign<T>(view(x)), {y, weights, loss, penalty, positive,
                                                   fit_intercept, tol, max_iter, start});
        },
        nb::arg("x"), nb::arg("y"), nb::arg("weights").none(), nb::arg("loss"), nb::arg("penalty"),
        nb::arg("positive"), nb::arg("fit_intercept"), nb::arg("tol"), nb::arg("max_iter"),
        nb::arg("start").none(), "Minimises the mean loss plus a penalty of each coefficient.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "penalized_csc",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index rows,
           const Vector<double>& y, const std::optional<Vector<double>>& weights,
           const NamedLoss& loss, const NamedLoss& penalty, bool positive, bool fit_intercept,
           double tol, Index max_iter, const std::optional<Vector<double>>& start) {
            require(offsets.shape(0) >= 1, "offsets must have one entry more than columns");
            const auto entries = static_cast<Index>(values.shape(0));
            require(static_cast<Index>(indices.shape(0)) == entries,
                    "values and indices differ in length");
            require(rows <= INT32_MAX, "too many rows");
            const SparseView<T, I> x{values.data(), indices.data(), offsets.data(),
                                     static_cast<Index>(offsets.shape(0)) - 1, rows};
            scan::check_structure(x, entries);
            return solve(SparseDesign<T, I>(x), {y, weights, loss, penalty, positive, fit_intercept,
                                                 tol, max_iter, start});
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("rows"), nb::arg("y"),
        nb::arg("weights").none(), nb::arg("loss"), nb::arg("penalty"), nb::arg("positive"),
        nb::arg("fit_intercept"), nb::arg("tol"), nb::arg("max_iter"), nb::arg("start").none(),
        "As penalized, of compressed columns.");
}

}  // namespace

void bind_penalized(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
