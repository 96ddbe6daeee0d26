#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <tuple>

#include "bindings.hpp"
#include "descend/saga.hpp"
#include "descend/sgd.hpp"
#include "losses.hpp"
#include "single_rows.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::descend;
using Changed = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ChangedVector = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
T option(const nb::dict& options, const char* name) {
    require(options.contains(name), "an option is missing");
    return nb::cast<T>(options[name]);
}

Schedule schedule_of(const std::string& name) {
    if (name == "constant") return Schedule::constant;
    if (name == "optimal") return Schedule::optimal;
    if (name == "invscaling") return Schedule::invscaling;
    if (name == "adaptive") return Schedule::adaptive;
    if (name == "pa1") return Schedule::pa1;
    require(name == "pa2", "there is no schedule of this name");
    return Schedule::pa2;
}

SgdOptions sgd_options(const nb::dict& from) {
    SgdOptions o;
    o.loss = loss_of(option<NamedLoss>(from, "loss"));
    o.alpha = option<double>(from, "alpha");
    o.l1 = option<double>(from, "l1");
    o.l2 = option<double>(from, "l2");
    o.schedule = schedule_of(option<std::string>(from, "schedule"));
    o.eta0 = option<double>(from, "eta0");
    o.power_t = option<double>(from, "power_t");
    o.intercept = option<bool>(from, "intercept");
    o.shuffle = option<bool>(from, "shuffle");
    o.max_epochs = option<Index>(from, "max_epochs");
    o.batch = option<Index>(from, "batch");
    o.stops = option<bool>(from, "stops");
    o.tol = option<double>(from, "tol");
    o.patience = option<Index>(from, "patience");
    o.average_from = option<double>(from, "average_from");
    o.seed = option<std::uint64_t>(from, "seed");
    o.first_epoch = option<std::uint64_t>(from, "first_epoch");
    o.squared_score = option<bool>(from, "squared_score");
    o.zero_is_positive = option<bool>(from, "zero_is_positive");
    o.most_updates = option<Index>(from, "most_updates");
    o.most_weights = option<Index>(from, "most_weights");
    require(o.batch >= 1 && o.max_epochs >= 0, "batch and epochs must be positive");
    return o;
}

std::vector<RowNumber> row_numbers(const Vector<std::int64_t>& given, Index n_rows) {
    require(n_rows <= Index{UINT32_MAX}, "more than 2³² − 1 rows");
    std::vector<RowNumber> rows(given.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        require(given.data()[k] >= 0 && given.data()[k] < n_rows, "a row number is out of range");
        rows[k] = static_cast<RowNumber>(given.data()[k]);
    }
    return rows;
}

// One problem per row of coef: class `positive` against all others, or the numbers in y.
struct SgdProblems {
    const Vector<double>& y;
    const Weights& weights;
    const Packed<double>& classes;  // per problem: positive class, its weight, the others' weight
    bool classify;

    SgdTarget target(Index k, const SgdOptions& options) const {
        SgdTarget t;
        t.y = y.data();
        t.weights = weights ? weights->data() : nullptr;
        t.classes = classify;
        t.negative = options.loss.kind == LossKind::logistic ? 0.0 : -1.0;
        const double* c = classes.data() + 3 * k;
        t.positive = c[0], t.positive_weight = c[1], t.negative_weight = c[2];
        return t;
    }
};

nb::list reports(std::vector<SgdRun>& runs, std::size_t p) {
    nb::list all;
    for (SgdRun& run : runs) {
        nb::dict r;
        r["epochs"] = run.epochs;
        r["converged"] = run.converged;
        r["failed_epoch"] = run.failed_epoch;
        r["eta"] = run.eta;
        const auto put = [&](const char* name, std::vector<double>& values) {
            const std::size_t n = values.size();
            r[name] = array(std::move(values), {n});
        };
        const std::size_t kept = run.history.weights.size() / (p + 1);
        r["weights"] = array(std::move(run.history.weights), {kept, p + 1});
        put("step", run.history.step);
        put("row", run.history.row);
        put("margin", run.history.margin);
        put("objective", run.objective);
        put("score", run.score);
        put("mistakes", run.mistakes);
        all.append(r);
    }
    return all;
}

template <class Rows>
std::tuple<nb::list, double> run_sgd(const Rows& rows, const SgdProblems& problems,
                                     const Vector<std::int64_t>& train,
                                     const Vector<std::int64_t>& held, const Changed& coef,
                                     const ChangedVector& intercept, const Changed& mean_coef,
                                     const ChangedVector& mean_intercept, double t,
                                     const nb::dict& given) {
    const SgdOptions options = sgd_options(given);
    const auto p = static_cast<std::size_t>(rows.cols());
    const std::size_t count = coef.shape(0);
    require(static_cast<Index>(problems.y.size()) == rows.rows(), "x and y differ in rows");
    require(!problems.weights || static_cast<Index>(problems.weights->size()) == rows.rows(),
            "x and weights differ in rows");
    require(coef.shape(1) == p && mean_coef.shape(1) == p && mean_coef.shape(0) == count &&
                intercept.size() == count && mean_intercept.size() == count &&
                problems.classes.shape(0) == count && problems.classes.shape(1) == 3,
            "coefficients and intercepts do not fit x or the number of problems");
    const std::vector<RowNumber> some = row_numbers(train, rows.rows());
    const std::vector<RowNumber> others = row_numbers(held, rows.rows());
    std::vector<SgdRun> runs(count);
    double last = t;
    {
        GilReleased release;
        std::vector<double> ends(count, t);
        parallel_for(static_cast<Index>(count), [&](Index k, Checkpoint& checkpoint) {
            double* w = coef.data() + k * p;
            double* mean = mean_coef.data() + k * p;
            SgdState state{
                {w, w + p}, {mean, mean + p}, intercept.data()[k], mean_intercept.data()[k], t};
            const SgdTarget target = problems.target(k, options);
            runs[k] = sgd(rows, target, some, others, options, k, state, checkpoint);
            std::copy(state.coef.begin(), state.coef.end(), w);
            std::copy(state.mean_coef.begin(), state.mean_coef.end(), mean);
            intercept.data()[k] = state.intercept;
            mean_intercept.data()[k] = state.mean_intercept;
            ends[k] = state.t;
        });
        for (const double end : ends) last = std::max(last, end);
    }
    return {reports(runs, p), last};
}

template <class Rows>
void run_saga(const Rows& rows, const Vector<double>& y, const Weights& weights,
              const Vector<double>& center, const Changed& coef, const ChangedVector& intercept,
              const Changed& table, const Changed& mean, const ChangedVector& mean_intercept,
              const nb::dict& from) {
    SagaOptions o;
    o.loss = loss_kind(option<std::string>(from, "loss"));
    require(o.loss == LossKind::half_squared || o.loss == LossKind::logistic ||
                o.loss == LossKind::multinomial,
            "SAGA has no such loss");
    o.l1 = option<double>(from, "l1");
    o.l2 = option<double>(from, "l2");
    o.step = option<double>(from, "step");
    o.intercept = option<bool>(from, "intercept");
    o.averaged_gradient_only = option<bool>(from, "averaged_gradient_only");
    o.seed = option<std::uint64_t>(from, "seed");
    o.first_epoch = option<std::uint64_t>(from, "first_epoch");
    o.epochs = option<Index>(from, "epochs");
    const std::size_t n = rows.rows(), p = rows.cols(), k = coef.shape(0);
    require(y.size() == n && (!weights || weights->size() == n) && center.size() == p,
            "x, y, weights and center do not fit together");
    require(coef.shape(1) == p && mean.shape(0) == k && mean.shape(1) == p && table.shape(0) == n &&
                table.shape(1) == k && intercept.size() == k && mean_intercept.size() == k,
            "the state does not fit x");
    require(o.loss == LossKind::multinomial || k == 1, "only the multinomial loss has outputs");
    if (o.loss == LossKind::multinomial)
        for (std::size_t i = 0; i < n; ++i)
            require(y.data()[i] >= 0.0 && y.data()[i] < static_cast<double>(k),
                    "a class number is out of range");
    SagaState state{static_cast<Index>(k), coef.data(), intercept.data(),
                    table.data(),          mean.data(), mean_intercept.data()};
    GilReleased release;
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {
        saga(rows, y.data(), weights ? weights->data() : nullptr, center.data(), o, state,
             checkpoint);
    });
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "sgd",
        [](const Matrix<T>& x, const Vector<double>& y, const Weights& w,
           const Packed<double>& classes, bool classify, const Vector<std::int64_t>& train,
           const Vector<std::int64_t>& held, const Changed& coef, const ChangedVector& intercept,
           const Changed& mean_coef, const ChangedVector& mean_intercept, double t,
           const nb::dict& options) {
            return run_sgd(dense_rows(x), {y, w, classes, classify}, train, held, coef, intercept,
                           mean_coef, mean_intercept, t, options);
        },
        nb::arg("x"), nb::arg("y"), nb::arg("weights").none(), nb::arg("classes"),
        nb::arg("classify"), nb::arg("train"), nb::arg("held"), nb::arg("coef").noconvert(),
        nb::arg("intercept").noconvert(), nb::arg("mean_coef").noconvert(),
        nb::arg("mean_intercept").noconvert(), nb::arg("t"), nb::arg("options"),
        "Stochastic gradient descent, one problem per row of coef, which is changed in place.");
    module.def(
        "saga",
        [](const Matrix<T>& x, const Vector<double>& y, const Weights& w,
           const Vector<double>& center, const Changed& coef, const ChangedVector& intercept,
           const Changed& table, const Changed& mean, const ChangedVector& mean_intercept,
           const nb::dict& options) {
            run_saga(dense_rows(x), y, w, center, coef, intercept, table, mean, mean_intercept,
                     options);
        },
        nb::arg("x"), nb::arg("y"), nb::arg("weights").none(), nb::arg("center"),
        nb::arg("coef").noconvert(), nb::arg("intercept").noconvert(), nb::arg("table").noconvert(),
        nb::arg("mean").noconvert(), nb::arg("mean_intercept").noconvert(), nb::arg("options"),
        "Epochs of SAGA or SAG; the state is changed in place.");
    module.def(
        "steepest_row",
        [](const Matrix<T>& x, const Weights& w, const Vector<double>& center, bool intercept) {
            const auto rows = dense_rows(x);
            require(static_cast<Index>(center.size()) == rows.cols() &&
                        (!w || static_cast<Index>(w->size()) == rows.rows()),
                    "x, weights and center do not fit together");
            GilReleased release;
            return steepest_row(rows, w ? w->data() : nullptr, center.data(), intercept);
        },
        nb::arg("x"), nb::arg("weights").none(), nb::arg("center"), nb::arg("intercept"),
        "Largest weighted squared length of a centred row.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "sgd_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Vector<double>& y, const Weights& w, const Packed<double>& classes, bool classify,
           const Vector<std::int64_t>& train, const Vector<std::int64_t>& held, const Changed& coef,
           const ChangedVector& intercept, const Changed& mean_coef,
           const ChangedVector& mean_intercept, double t, const nb::dict& options) {
            return run_sgd(sparse_rows(values, indices, offsets, cols), {y, w, classes, classify},
                           train, held, coef, intercept, mean_coef, mean_intercept, t, options);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"), nb::arg("y"),
        nb::arg("weights").none(), nb::arg("classes"), nb::arg("classify"), nb::arg("train"),
        nb::arg("held"), nb::arg("coef").noconvert(), nb::arg("intercept").noconvert(),
        nb::arg("mean_coef").noconvert(), nb::arg("mean_intercept").noconvert(), nb::arg("t"),
        nb::arg("options"), "As sgd, of compressed rows.");
    module.def(
        "saga_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Vector<double>& y, const Weights& w, const Vector<double>& center,
           const Changed& coef, const ChangedVector& intercept, const Changed& table,
           const Changed& mean, const ChangedVector& mean_intercept, const nb::dict& options) {
            run_saga(sparse_rows(values, indices, offsets, cols), y, w, center, coef, intercept,
                     table, mean, mean_intercept, options);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"), nb::arg("y"),
        nb::arg("weights").none(), nb::arg("center"), nb::arg("coef").noconvert(),
        nb::arg("intercept").noconvert(), nb::arg("table").noconvert(), nb::arg("mean").noconvert(),
        nb::arg("mean_intercept").noconvert(), nb::arg("options"),
        "As saga, of compressed rows (not centred).");
    module.def(
        "steepest_row_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Weights& w, const Vector<double>& center, bool intercept) {
            const auto rows = sparse_rows(values, indices, offsets, cols);
            require(!w || static_cast<Index>(w->size()) == rows.rows(),
                    "x and weights differ in rows");
            GilReleased release;
            return steepest_row(rows, w ? w->data() : nullptr, center.data(), intercept);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
        nb::arg("weights").none(), nb::arg("center"), nb::arg("intercept"),
        "As steepest_row, of compressed rows (not centred).");
}

}  // namespace

void bind_stochastic(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
