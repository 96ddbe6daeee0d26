#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>

#include "bindings.hpp"
#include "descend/subsets.hpp"
#include "descend/sweeps.hpp"
#include "scan/information.hpp"

namespace stylobate::bindings {
namespace {

constexpr std::size_t most_rows = 0xffffffffu;  // row numbers are kept in 32 bits

Output joint_counts(const Matrix<double>& x, const Vector<double>& y, Index k,
                    const Vector<double>& digamma) {
    const std::size_t n = x.shape(0), p = x.shape(1);
    require(y.shape(0) == n, "x and y differ in rows");
    require(n < most_rows && k >= 1 && static_cast<std::size_t>(k) < n, "k must be in [1, rows)");
    require(digamma.shape(0) > n, "digamma must be tabulated up to the number of rows");
    std::vector<double> means;
    {
        GilReleased release;
        means = scan::joint_neighbour_counts(view(x), y.data(), k, digamma.data());
    }
    return array(std::move(means), {p});
}

Output class_counts(const Matrix<double>& x, const Vector<std::int64_t>& codes, Index classes,
                    Index k, const Vector<double>& digamma) {
    const std::size_t n = x.shape(0), p = x.shape(1);
    require(codes.shape(0) == n, "x and codes differ in rows");
    require(n > 0 && n < most_rows && k >= 1, "there must be rows, and k at least 1");
    require(digamma.shape(0) > n, "digamma must be tabulated up to the number of rows");
    require(classes >= 1 && static_cast<std::size_t>(classes) <= n, "more classes than rows");
    std::vector<Index> rows(codes.data(), codes.data() + n), sizes(classes, 0);
    for (const Index code : rows) {
        require(code >= 0 && code < classes, "a code is not the number of a class");
        ++sizes[code];
    }
    for (const Index size : sizes) require(size > 1, "every class needs two rows");
    std::vector<double> means;
    {
        GilReleased release;
        means = scan::class_neighbour_counts(view(x), rows.data(), classes, k, digamma.data());
    }
    return array(std::move(means), {p});
}

std::tuple<Output, nb::list, std::int64_t> subsets(const Packed<double>& r, Index most) {
    const auto size = static_cast<Index>(r.shape(0));
    require(r.shape(1) == r.shape(0), "the factor must be square");
    require(size >= 2 && size <= 64, "between 1 and 63 columns");
    require(most >= 1 && most < size, "most must be a number of columns");
    for (Index i = 0; i + 1 < size; ++i)
        require(r.data()[i * size + i] != 0.0, "the columns are linearly dependent");
    descend::BestSubsets best;
    {
        GilReleased release;
        best = descend::best_subsets(r.data(), size - 1, most);
    }
    nb::list columns;
    for (const std::uint64_t each : best.columns) columns.append(each);
    const std::size_t sizes = best.squares.size();
    return {array(std::move(best.squares), {sizes}), columns, best.nodes};
}

// Folds of square matrices, changed in place.
using Stack = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

descend::Swept swept(const Stack& a, const Stack& w, std::size_t fold) {
    const std::size_t q = a.shape(1);
    return {a.data() + fold * q * q, w.shape(0) == 0 ? nullptr : w.data() + fold * q * q,
            static_cast<Index>(q)};
}

void check_stacks(const Stack& a, const Stack& w) {
    require(a.shape(1) == a.shape(2) && w.shape(1) == a.shape(1) && w.shape(2) == a.shape(1),
            "the matrices must be square and of one size");
    require(w.shape(0) == 0 || w.shape(0) == a.shape(0), "there must be as many of both kinds");
}

void flip_column(const Stack& a, const Stack& w, Index k, bool goes_in) {
    check_stacks(a, w);
    require(k >= 0 && k < static_cast<Index>(a.shape(1)), "there is no such column");
    GilReleased release;
    std::vector<double> column(a.shape(1)), share(a.shape(1));
    for (std::size_t f = 0; f < a.shape(0); ++f)
        descend::flip(swept(a, w, f), k, goes_in, column.data(), share.data());
}

Output flipped_squares(const Stack& a, const Stack& w, const Vector<std::int64_t>& columns,
                       Index features) {
    check_stacks(a, w);
    const auto q = static_cast<Index>(a.shape(1));
    const std::size_t folds = a.shape(0), count = columns.shape(0);
    require(features >= 0 && features <= q, "more features than columns");
    for (std::size_t c = 0; c < count; ++c)
        require(columns.data()[c] >= 0 && columns.data()[c] < features, "there is no such column");
    const auto targets = static_cast<std::size_t>(q - features);
    std::vector<double> out(folds * count * targets);
    auto at = out.begin();
    for (std::size_t f = 0; f < folds; ++f) {
        const descend::Swept state = swept(a, w, f);
        const auto squares =
            state.validation == nullptr ? &descend::training_squares : &descend::validation_squares;
        for (std::size_t c = 0; c < count; ++c)
            for (Index y = features; y < q; ++y) *at++ = squares(state, columns.data()[c], y);
    }
    return array(std::move(out), {folds, count, targets});
}

}  // namespace

void bind_filters(nb::module_& module) {
    module.def("joint_neighbour_counts", &joint_counts, nb::arg("x"), nb::arg("y"), nb::arg("k"),
               nb::arg("digamma"),
               "Mean of ψ(nx + 1) + ψ(ny + 1) over the rows, for every column x with y.");
    module.def("class_neighbour_counts", &class_counts, nb::arg("x"), nb::arg("codes"),
               nb::arg("classes"), nb::arg("k"), nb::arg("digamma"),
               "Mean of ψ(m) over the rows, for every column x with the classes.");
    module.def("flip_column", &flip_column, nb::arg("training"), nb::arg("validation"),
               nb::arg("k"), nb::arg("goes_in"),
               "Sweep column k in or out of every fold, in place.");
    module.def(
        "flipped_squares", &flipped_squares, nb::arg("training"), nb::arg("validation"),
        nb::arg("columns"), nb::arg("features"),
        "Sums of squared errors (folds × columns × targets) if a column were flipped: on the "
        "validation moments if there are any, else on the training ones.");
    module.def("best_subsets", &subsets, nb::arg("r"), nb::arg("most"),
               "Smallest residual sums of squares of every size, the columns as bits, and the "
               "systems looked at.");
}

}  // namespace stylobate::bindings
