#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>

#include "bindings.hpp"
#include "descend/elastic_net_path.hpp"
#include "scan/structure.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::descend;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Start = std::optional<Packed<double>>;
// coef (regressions × penalties × columns), intercept, primal, gap, kkt, epochs, condition,
// screened, and, where asked for, the epochs, one after the other (objective, KKT violation,
// seconds)
using Answers = std::tuple<Output, Output, Output, Output, Output, Output, Output, Output, Output>;
// sums (columns), squares (columns), products (regressions × columns)
using Known = std::optional<std::tuple<Vector<double>, Vector<double>, Packed<double>>>;

void set_seed(Rules& rules, std::optional<std::uint64_t> seed) {
    rules.random_order = seed.has_value();
    rules.seed = seed.value_or(0);
}

void check_rules(const Rules& rules) {
    require(rules.tol >= 0.0, "tol must be at least 0");
    require(rules.max_epochs >= 1, "max_iter must be at least 1");
}

// Several regressions on one table: targets and weights (regressions × rows), penalties
// (regressions × steps) and where to start (regressions × columns).
struct Regressions {
    Packed<double> y;
    std::optional<Packed<double>> weights;
    Packed<double> l1, l2;
    Start start;
    bool intercept;
};

std::vector<ElasticNet> penalties_of(const Packed<double>& l1, const Packed<double>& l2,
                                     std::size_t count) {
    require(l1.shape(0) == count && l2.shape(0) == count && l1.shape(1) == l2.shape(1),
            "l1 and l2 must have one row per regression and be of one shape");
    std::vector<ElasticNet> penalties(l1.size());
    for (std::size_t i = 0; i < penalties.size(); ++i) {
        penalties[i] = {l1.data()[i], l2.data()[i]};
        require(penalties[i].l1 >= 0.0 && penalties[i].l2 >= 0.0, "penalties must be at least 0");
    }
    return penalties;
}

Output epochs_of(const std::vector<Record>& records) {
    std::vector<double> entries;
    for (const Record& record : records)
        for (const auto& [primal, kkt, seconds] : record.entries())
            entries.insert(entries.end(), {primal, kkt, seconds});
    const std::size_t rows = entries.size() / 3;
    return array(std::move(entries), {rows, 3});
}

Answers answers(Paths&& paths, std::size_t count, std::size_t steps, std::size_t cols) {
    Output epochs = epochs_of(paths.records);
    return {array(std::move(paths.coef), {count, steps, cols}),
            array(std::move(paths.intercept), {count, steps}),
            array(std::move(paths.primal), {count, steps}),
            array(std::move(paths.gap), {count, steps}),
            array(std::move(paths.kkt), {count, steps}),
            array(std::move(paths.epochs), {count, steps}),
            array(std::move(paths.condition), {count, steps}),
            array(std::move(paths.screened), {count, steps}),
            std::move(epochs)};
}

void require_start(const Start& start, std::size_t count, std::size_t cols) {
    require(!start || (start->shape(0) == count && start->shape(1) == cols),
            "start must be regressions × columns");
}

Answers from_gram(const Cube& grams, const Vector<std::int64_t>& which, const Packed<double>& xy,
                  const Vector<double>& yy, const Packed<double>& l1, const Packed<double>& l2,
                  const Start& start, const Rules& rules) {
    const std::size_t count = xy.shape(0), p = xy.shape(1);
    require(grams.shape(1) == p && grams.shape(2) == p, "a Gram must be columns × columns");
    require(which.shape(0) == count && yy.shape(0) == count, "one Gram and one yᵀy per regression");
    require_start(start, count, p);
    std::vector<Index> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = static_cast<Index>(which.data()[i]);
        require(numbers[i] >= 0 && numbers[i] < static_cast<Index>(grams.shape(0)), "no such Gram");
    }
    check_rules(rules);
    const std::vector<ElasticNet> penalties = penalties_of(l1, l2, count);
    const GramProblems problems{grams.data(),
                                numbers.data(),
                                xy.data(),
                                yy.data(),
                                start ? start->data() : nullptr,
                                static_cast<Index>(count),
                                static_cast<Index>(p)};
    const auto steps = static_cast<Index>(l1.shape(1));
    Paths paths;
    {
        GilReleased release;
        paths = gram_paths(problems, penalties.data(), steps, rules);
    }
    return answers(std::move(paths), count, l1.shape(1), p);
}

Answers from_columns(const Columns& x, const Regressions& wanted, const Rules& rules,
                     const Known& known) {
    const auto& [y, weights, l1, l2, start, intercept] = wanted;
    const std::size_t count = y.shape(0), p = x.cols();
    require(static_cast<Index>(y.shape(1)) == x.rows(), "x and y differ in rows");
    require(!weights || (weights->shape(0) == count && weights->shape(1) == y.shape(1)),
            "weights must be of y's shape");
    require_start(start, count, p);
    check_rules(rules);
    const std::vector<ElasticNet> penalties = penalties_of(l1, l2, count);
    RowProblems problems{y.data(), weights ? weights->data() : nullptr,
                         start ? start->data() : nullptr, static_cast<Index>(count), intercept};
    if (known) {
        const auto& [sums, squares, products] = *known;
        require(!weights || count == 1, "what is known must be of one row of weights");
        require(sums.shape(0) == p && squares.shape(0) == p && products.shape(0) == count &&
                    products.shape(1) == p,
                "what is known must be one number per column, and one per regression and column");
        problems.sums = sums.data(), problems.squares = squares.data();
        problems.products = products.data();
    }
    const auto steps = static_cast<Index>(l1.shape(1));
    Paths paths;
    {
        GilReleased release;
        paths = row_paths(x, problems, penalties.data(), steps, rules);
    }
    return answers(std::move(paths), count, l1.shape(1), p);
}

template <class T>
void require_contiguous(const MatrixView<T>& x) {
    require(x.rows_contiguous() || x.row_stride == 1 || x.rows <= 1,
            "rows or columns of x must be contiguous");
}

template <class T>
std::tuple<Output, Output, Output> column_measures(const Matrix<T>& x,
                                                   const std::optional<Vector<double>>& weights,
                                                   const Packed<double>& targets) {
    const MatrixView<T> seen = view(x);
    require_contiguous(seen);
    const std::size_t n = x.shape(0), p = x.shape(1), count = targets.shape(0);
    require(targets.shape(1) == n && (!weights || weights->shape(0) == n),
            "x, weights and targets differ in rows");
    Measures found;
    {
        GilReleased release;
        const std::vector<double> ones(weights ? 0 : n, 1.0);
        found = measure(DenseColumns<T>(seen), weights ? weights->data() : ones.data(), 1,
                        targets.data(), static_cast<Index>(count));
    }
    return {array(std::move(found.sums), {p}), array(std::move(found.squares), {p}),
            array(std::move(found.products), {count, p})};
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def("column_measures", &column_measures<T>, nb::arg("x"), nb::arg("weights").none(),
               nb::arg("targets"),
               "Σω x and Σω x² of every column, and Σ x·v for every row v of targets.");
    module.def(
        "elastic_net_rows",
        [](const Matrix<T>& x, const Regressions& wanted, const Rules& rules, const Known& known) {
            const MatrixView<T> seen = view(x);
            require_contiguous(seen);
            return from_columns(DenseColumns<T>(seen), wanted, rules, known);
        },
        nb::arg("x"), nb::arg("regressions"), nb::arg("rules"), nb::arg("known") = nb::none(),
        "Elastic nets of the rows of y on x at many penalties: coefficients, intercepts, primal "
        "values, gaps, KKT violations, epochs, conditions, columns screened. `known`: what "
        "column_measures says of weights ω and targets ω(y − ȳ).");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "elastic_net_csc",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index rows,
           const Regressions& wanted, const Rules& rules) {
            require(offsets.shape(0) >= 1, "offsets must have one entry more than columns");
            const auto entries = static_cast<Index>(values.shape(0));
            require(static_cast<Index>(indices.shape(0)) == entries,
                    "values and indices differ in length");
            const SparseView<T, I> seen{values.data(), indices.data(), offsets.data(),
                                        static_cast<Index>(offsets.shape(0)) - 1, rows};
            scan::check_structure(seen, entries);
            return from_columns(SparseColumns<T, I>(seen), wanted, rules, {});
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("rows"),
        nb::arg("regressions"), nb::arg("rules"), "As elastic_net_rows, of compressed columns.");
}

void bind_values(nb::module_& module) {
    nb::class_<Rules>(module, "DescentRules", "When and how coordinate descent goes on.")
        .def(nb::init<>())
        .def_rw("positive", &Rules::positive)
        .def_prop_rw(
            "seed",
            [](const Rules& rules) {
                return rules.random_order ? std::optional(rules.seed) : std::nullopt;
            },
            &set_seed, nb::for_setter(nb::arg("seed").none()),
            "Of the order of the columns; None: as they come.")
        .def_rw("tol", &Rules::tol)
        .def_rw("floor", &Rules::floor)
        .def_rw("max_iter", &Rules::max_epochs)
        .def_rw("polish", &Rules::polish)
        .def_rw("change", &Rules::change)
        .def_rw("plain", &Rules::plain, "Sweeps alone.")
        .def_rw("record", &Rules::record, "Whether to tell of each epoch.");
    nb::class_<Regressions>(module, "Regressions", "Regressions on the columns of one table.")
        .def(nb::init<Packed<double>, std::optional<Packed<double>>, Packed<double>, Packed<double>,
                      Start, bool>(),
             nb::arg("y"), nb::arg("weights").none(), nb::arg("l1"), nb::arg("l2"),
             nb::arg("start").none(), nb::arg("intercept"));
}

}  // namespace

void bind_lasso(nb::module_& module) {
    bind_values(module);
    module.def("elastic_net_gram", &from_gram, nb::arg("grams"), nb::arg("which"), nb::arg("xy"),
               nb::arg("yy"), nb::arg("l1"), nb::arg("l2"), nb::arg("start").none(),
               nb::arg("rules"), "As elastic_net_rows, from Grams XᵀX and products Xᵀy.");
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
