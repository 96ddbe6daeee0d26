// Non-negative factors, dictionaries, topics.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "embed/nonnegative.hpp"
#include "embed/sweeps.hpp"
#include "embed/topics.hpp"
#include "rows.hpp"

namespace stylobate::bindings {
namespace {

using embed::Factor;
using Packing = Packed<double>;
using Pair = std::tuple<Output, std::optional<Output>>;

Factor factor(const Packing& f, Index rows, Index k) {
    require(static_cast<Index>(f.shape(0)) == rows && static_cast<Index>(f.shape(1)) == k,
            "the factor and x differ in shape");
    return {f.data(), rows, k};
}

Index width(const Packing& f) {
    require(f.shape(1) > 0, "there must be a component");
    return static_cast<Index>(f.shape(1));
}

std::vector<double> numbers(Index rows, Index k) {
    return std::vector<double>(static_cast<std::size_t>(area(rows, k)));
}

Output matrix(std::vector<double>&& values, Index rows, Index k) {
    return array(std::move(values), {static_cast<std::size_t>(rows), static_cast<std::size_t>(k)});
}

// call(numerator, denominator or null), each rows × k
template <class Call>
Pair pair(Index rows, Index k, bool both, const Call& call) {
    std::vector<double> upper = numbers(rows, k), lower = numbers(both ? rows : 0, k);
    {
        GilReleased release;
        call(upper.data(), both ? lower.data() : nullptr);
    }
    Output first = matrix(std::move(upper), rows, k);
    if (!both) return {first, std::nullopt};
    return {first, matrix(std::move(lower), rows, k)};
}

// The powers of the model are a sum of their own unless β is 1 (then sums of the factor) or 2.
bool has_denominator(double beta) {
    return beta != 1.0 && beta != 2.0;
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "factor_row_products",
        [](const Matrix<T>& x, const Packing& f) {
            const MatrixView<T> rows = view(x);
            const Factor own = factor(f, rows.cols, width(f));
            std::vector<double> out = numbers(rows.rows, own.k);
            {
                GilReleased release;
                embed::row_products(rows, own, out.data());
            }
            return matrix(std::move(out), rows.rows, own.k);
        },
        nb::arg("x").noconvert(), nb::arg("f"), "X F.");
    module.def(
        "factor_column_products",
        [](const Matrix<T>& x, const Packing& w) {
            const MatrixView<T> rows = view(x);
            const Factor own = factor(w, rows.rows, width(w));
            std::vector<double> out = numbers(rows.cols, own.k);
            {
                GilReleased release;
                embed::column_products(rows, own, out.data());
            }
            return matrix(std::move(out), rows.cols, own.k);
        },
        nb::arg("x").noconvert(), nb::arg("w"), "Xᵀ W.");
    module.def(
        "factor_row_updates",
        [](const Matrix<T>& x, const Packing& w, const Packing& f, double beta) {
            const MatrixView<T> rows = view(x);
            const Index k = width(w);
            const Factor own = factor(w, rows.rows, k), other = factor(f, rows.cols, k);
            return pair(rows.rows, k, has_denominator(beta), [&](double* upper, double* lower) {
                embed::row_updates(rows, own, other, beta, upper, lower);
            });
        },
        nb::arg("x").noconvert(), nb::arg("w"), nb::arg("f"), nb::arg("beta"),
        "(X ∘ M^(β−2)) F and, unless β is 1 or 2, M^(β−1) F, of M = W Fᵀ.");
    module.def(
        "factor_column_updates",
        [](const Matrix<T>& x, const Packing& w, const Packing& f, double beta) {
            const MatrixView<T> rows = view(x);
            const Index k = width(w);
            const Factor own = factor(w, rows.rows, k), other = factor(f, rows.cols, k);
            return pair(rows.cols, k, has_denominator(beta), [&](double* upper, double* lower) {
                embed::column_updates(rows, own, other, beta, upper, lower);
            });
        },
        nb::arg("x").noconvert(), nb::arg("w"), nb::arg("f"), nb::arg("beta"),
        "(X ∘ M^(β−2))ᵀ W and, unless β is 1 or 2, (M^(β−1))ᵀ W, of M = W Fᵀ.");
    module.def(
        "factor_divergence",
        [](const Matrix<T>& x, const Packing& w, const Packing& f, double beta) {
            const MatrixView<T> rows = view(x);
            const Index k = width(w);
            const Factor own = factor(w, rows.rows, k), other = factor(f, rows.cols, k);
            GilReleased release;
            return embed::divergence(rows, own, other, beta);
        },
        nb::arg("x").noconvert(), nb::arg("w"), nb::arg("f"), nb::arg("beta"),
        "The β-divergence of X from W Fᵀ.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "factor_row_products",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets,
           const Packing& f) {
            const Index k = width(f), cols = static_cast<Index>(f.shape(0));
            const SparseView<T, I> x = compressed(values, indices, offsets, cols).view();
            std::vector<double> out = numbers(x.major, k);
            {
                GilReleased release;
                embed::row_products(x, Factor{f.data(), cols, k}, out.data());
            }
            return matrix(std::move(out), x.major, k);
        },
        nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("f"), "X F.");
    module.def(
        "factor_row_updates",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets,
           const Packing& w, const Packing& f, double beta) {
            const Index k = width(w), cols = static_cast<Index>(f.shape(0));
            const SparseView<T, I> x = compressed(values, indices, offsets, cols).view();
            const Factor own = factor(w, x.major, k), other = factor(f, cols, k);
            return pair(x.major, k, has_denominator(beta), [&](double* upper, double* lower) {
                embed::row_updates(x, own, other, beta, upper, lower);
            });
        },
        nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("w"), nb::arg("f"), nb::arg("beta"),
        "(X ∘ M^(β−2)) F and, unless β is 1 or 2, M^(β−1) F, of M = W Fᵀ.");
    module.def(
        "factor_divergence",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets,
           const Packing& w, const Packing& f, double beta) {
            const Index k = width(w), cols = static_cast<Index>(f.shape(0));
            const SparseView<T, I> x = compressed(values, indices, offsets, cols).view();
            const Factor own = factor(w, x.major, k), other = factor(f, cols, k);
            GilReleased release;
            return embed::divergence(x, own, other, beta);
        },
        nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("w"), nb::arg("f"), nb::arg("beta"),
        "The β-divergence of X from W Fᵀ.");
    module.def(
        "expect_topics",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets,
           const Packing& topics, const Packing& start, double prior, Index iterations,
           double tolerance, double floor, bool statistics) {
            const Index k = width(topics), cols = static_cast<Index>(topics.shape(0));
            const SparseView<T, I> x = compressed(values, indices, offsets, cols).view();
            const Factor beta{topics.data(), cols, k}, begin = factor(start, x.major, k);
            std::vector<double> gamma(begin.data, begin.data + x.major * k);
            std::vector<double> sums = numbers(statistics ? cols : 0, k);
            {
                GilReleased release;
                embed::expect_topics(x, beta, {prior, iterations, tolerance, floor}, gamma.data(),
                                     statistics ? sums.data() : nullptr);
            }
            Output found = matrix(std::move(gamma), x.major, k);
            if (!statistics) return Pair{found, std::nullopt};
            return Pair{found, matrix(std::move(sums), cols, k)};
        },
        nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("topics"), nb::arg("start"), nb::arg("prior"),
        nb::arg("iterations"), nb::arg("tolerance"), nb::arg("floor"), nb::arg("statistics"),
        "γ of every document, and the sums over documents the M-step takes (words × topics).");
    module.def(
        "word_evidence",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets,
           const Packing& log_theta, const Packing& log_beta) {
            const Index k = width(log_beta), cols = static_cast<Index>(log_beta.shape(0));
            const SparseView<T, I> x = compressed(values, indices, offsets, cols).view();
            const Factor theta = factor(log_theta, x.major, k), beta = factor(log_beta, cols, k);
            GilReleased release;
            return embed::word_evidence(x, theta, beta);
        },
        nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("log_theta"), nb::arg("log_beta"),
        "Σ n log Σ_t exp(E log θ + E log β) over the words of all documents.");
}

using WritableRows = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// What a sweep over the rows of w takes, checked.
struct Sweep {
    double* w;
    Index rows, k;
    std::vector<Index> order;
    embed::SweepTerms terms;

    Sweep(const WritableRows& given, const Packing& gram, double l1, double l2,
          const Vector<std::int64_t>& sequence)
        : w(given.data()),
          rows(static_cast<Index>(given.shape(0))),
          k(static_cast<Index>(given.shape(1))),
          order(sequence.data(), sequence.data() + sequence.shape(0)),
          terms{gram.data(), l1, l2, order.data()} {
        factor(gram, k, k);
        require(static_cast<Index>(order.size()) == k, "order must be a permutation");
        for (const Index t : order) require(t >= 0 && t < k, "order must be a permutation");
    }
};

double sweep(const WritableRows& w, const Packing& gram, const Packing& cross, double l1, double l2,
             const Vector<std::int64_t>& order) {
    const Sweep how(w, gram, l1, l2, order);
    factor(cross, how.rows, how.k);
    GilReleased release;
    return embed::coordinate_sweep(how.w, how.rows, cross.data(), how.k, how.terms);
}

template <class T>
void bind_dense_sweep(nb::module_& module) {
    module.def(
        "factor_row_sweep",
        [](const Matrix<T>& x, const WritableRows& w, const Packing& f, const Packing& gram,
           double l1, double l2, const Vector<std::int64_t>& order) {
            const MatrixView<T> rows = view(x);
            const Sweep how(w, gram, l1, l2, order);
            require(how.rows == rows.rows, "the factor and x differ in shape");
            const Factor other = factor(f, rows.cols, how.k);
            std::vector<double> columns = numbers(rows.cols, how.k);
            double violation = 0.0;
            {
                GilReleased release;
                violation = embed::product_sweep(rows, how.w, other, how.terms, columns.data());
            }
            return std::tuple(violation, matrix(std::move(columns), rows.cols, how.k));
        },
        nb::arg("x").noconvert(), nb::arg("w").noconvert(), nb::arg("f"), nb::arg("gram"),
        nb::arg("l1"), nb::arg("l2"), nb::arg("order"),
        "`coordinate_sweep` with the cross products X F; and Xᵀ W of the new W.");
}

template <class T, class I>
void bind_sparse_sweep(nb::module_& module) {
    module.def(
        "factor_row_sweep",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets,
           const WritableRows& w, const Packing& f, const Packing& gram, double l1, double l2,
           const Vector<std::int64_t>& order) {
            const Sweep how(w, gram, l1, l2, order);
            const auto cols = static_cast<Index>(f.shape(0));
            const SparseView<T, I> x = compressed(values, indices, offsets, cols).view();
            require(how.rows == x.major, "the factor and x differ in shape");
            const Factor other = factor(f, cols, how.k);
            GilReleased release;
            return embed::product_sweep(x, how.w, other, how.terms);
        },
        nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("w").noconvert(), nb::arg("f"), nb::arg("gram"),
        nb::arg("l1"), nb::arg("l2"), nb::arg("order"),
        "`coordinate_sweep` with the cross products X F.");
}

}  // namespace

void bind_factorization(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
    bind_dense_sweep<double>(module);
    bind_dense_sweep<float>(module);
    bind_sparse_sweep<double, std::int32_t>(module);
    bind_sparse_sweep<double, std::int64_t>(module);
    bind_sparse_sweep<float, std::int32_t>(module);
    bind_sparse_sweep<float, std::int64_t>(module);
    module.def("coordinate_sweep", &sweep, nb::arg("w").noconvert(), nb::arg("gram"),
               nb::arg("cross"), nb::arg("l1"), nb::arg("l2"), nb::arg("order"),
               "One sweep of coordinate descent over the rows of w ≥ 0, in place, for "
               "½ wᵀ(gram + l2)w − (cross − l1)ᵀw; the sum of the projected gradients met.");
    module.def(
        "dirichlet_expectation",
        [](const Packing& x, bool exponential) {
            const Index k = width(x), rows = static_cast<Index>(x.shape(0));
            std::vector<double> out = numbers(rows, k);
            {
                GilReleased release;
                embed::dirichlet_expectation({x.data(), rows, k}, exponential, out.data());
            }
            return matrix(std::move(out), rows, k);
        },
        nb::arg("x"), nb::arg("exponential"), "ψ(x) − ψ(Σ x) of every row, or its exponential.");
}

}  // namespace stylobate::bindings
