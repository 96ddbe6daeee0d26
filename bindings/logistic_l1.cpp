#include "descend/logistic_l1.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "bindings.hpp"
#include "scan/structure.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::descend;

// What every call brings besides the rows.
struct Request {
    Vector<std::int64_t> codes;
    Index n_classes;
    std::optional<Vector<double>> weights;
    double l1, l2;
    bool fit_intercept;
    double tol;
    Index max_iter;
    std::optional<Packed<double>> start_coef;
    std::optional<Vector<double>> start_intercept;
};

LogisticProblem problem_of(const Design& x, const Request& request) {
    const Index margins = request.n_classes == 2 ? 1 : request.n_classes;
    const auto length = [](const auto& array) { return static_cast<Index>(array.shape(0)); };
    require(request.n_classes >= 2, "there must be at least two classes");
    require(length(request.codes) == x.rows(), "x and codes differ in rows");
    require(!request.weights || length(*request.weights) == x.rows(),
            "x and weights differ in rows");
    require(request.l1 >= 0.0 && request.l2 >= 0.0 && request.l1 + request.l2 > 0.0,
            "the penalties l1 and l2 must be at least 0 and not both 0");
    require(x.rows() <= INT32_MAX, "too many rows");
    require(!request.start_coef || (length(*request.start_coef) == margins &&
                                    static_cast<Index>(request.start_coef->shape(1)) == x.cols()),
            "the coefficients to start from have another shape");
    require(!request.start_intercept || length(*request.start_intercept) == margins,
            "the intercepts to start from have another shape");
    const std::int64_t* codes = request.codes.data();
    require(std::all_of(codes, codes + x.rows(),
                        [&](std::int64_t c) { return c >= 0 && c < request.n_classes; }),
            "a code is not the number of a class");
    return {x,
            codes,
            request.n_classes,
            request.weights ? request.weights->data() : nullptr,
            {request.l1, request.l2},
            request.fit_intercept,
            request.tol,
            request.max_iter,
            request.start_coef ? request.start_coef->data() : nullptr,
            request.start_intercept ? request.start_intercept->data() : nullptr};
}

nb::dict solve(const Design& x, const Request& request) {
    const LogisticProblem problem = problem_of(x, request);
    LogisticAnswer answer;
    {
        GilReleased release;
        answer = solve_logistic(problem);
    }
    const auto k = static_cast<std::size_t>(problem.margins());
    const auto p = static_cast<std::size_t>(x.cols());
    const std::size_t steps = answer.objectives.size();
    nb::dict result;
    result["coef"] = array(std::move(answer.coef), {k, p});
    result["intercept"] = array(std::move(answer.intercept), {k});
    result["primal"] = answer.primal;
    result["dual"] = answer.dual;
    result["kkt"] = answer.kkt;
    result["at_zero"] = answer.at_zero;
    result["condition"] = answer.condition;
    result["iterations"] = answer.iterations;
    result["converged"] = answer.converged;
    result["objectives"] = array(std::move(answer.objectives), {steps});
    result["violations"] = array(std::move(answer.violations), {steps});
    result["steps"] = array(std::move(answer.steps), {steps});
    result["seconds"] = array(std::move(answer.seconds), {steps});
    return result;
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "logistic_l1",
        [](const Matrix<T>& x, const Vector<std::int64_t>& codes, Index n_classes,
           const std::optional<Vector<double>>& weights, double l1, double l2, bool fit_intercept,
           double tol, Index max_iter, const std::optional<Packed<double>>& start_coef,
           const std::optional<Vector<double>>& start_intercept) {
            return solve(DenseDesign<T>(view(x)), {codes, n_classes, weights, l1, l2, fit_intercept,
                                                   tol, max_iter, start_coef, start_intercept});
        },
        nb::arg("x"), nb::arg("codes"), nb::arg("n_classes"), nb::arg("weights").none(),
        nb::arg("l1"), nb::arg("l2"), nb::arg("fit_intercept"), nb::arg("tol"), nb::arg("max_iter"),
        nb::arg("start_coef").none(), nb::arg("start_intercept").none(),
        "Minimises Σ wℓ + l1‖w‖₁ + ½ l2‖w‖² for the logistic or softmax loss.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "logistic_l1_csc",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index rows,
           const Vector<std::int64_t>& codes, Index n_classes,
           const std::optional<Vector<double>>& weights, double l1, double l2, bool fit_intercept,
           double tol, Index max_iter, const std::optional<Packed<double>>& start_coef,
           const std::optional<Vector<double>>& start_intercept) {
            require(offsets.shape(0) >= 1, "offsets must have one entry more than columns");
            const auto entries = static_cast<Index>(values.shape(0));
            require(static_cast<Index>(indices.shape(0)) == entries,
                    "values and indices differ in length");
            const SparseView<T, I> x{values.data(), indices.data(), offsets.data(),
                                     static_cast<Index>(offsets.shape(0)) - 1, rows};
            scan::check_structure(x, entries);
            return solve(SparseDesign<T, I>(x), {codes, n_classes, weights, l1, l2, fit_intercept,
                                                 tol, max_iter, start_coef, start_intercept});
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("rows"),
        nb::arg("codes"), nb::arg("n_classes"), nb::arg("weights").none(), nb::arg("l1"),
        nb::arg("l2"), nb::arg("fit_intercept"), nb::arg("tol"), nb::arg("max_iter"),
        nb::arg("start_coef").none(), nb::arg("start_intercept").none(),
        "As logistic_l1, of compressed columns.");
}

}  // namespace

void bind_logistic_l1(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
