// Support vector machines: pair descent, and the Gaussian kernel in single precision.
#include <nanobind/stl/optional.h>

#include "pairs.hpp"
#include "svm/gaussian.hpp"
#include "svm/pair_descent.hpp"
#include "svm/sparse_gram.hpp"

namespace stylobate::bindings {
namespace {

using Numbers = Vector<std::int64_t>;
template <class T>
using Written = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static_assert(sizeof(Index) == sizeof(std::int64_t));

const Index* checked(const Numbers& which, Index rows) {
    const auto* const places = reinterpret_cast<const Index*>(which.data());
    for (std::size_t k = 0; k < which.shape(0); ++k)
        require(places[k] >= 0 && places[k] < rows, "there is no such row");
    return places;
}

// The variables of a dual problem; they look at the caller's arrays.
struct Problem {
    Vector<double> target, lower, upper;
    std::optional<Numbers> rows;
    std::optional<Vector<std::uint8_t>> group;

    svm::Variables view(Index n) const {
        const std::size_t m = target.shape(0);
        require(lower.shape(0) == m && upper.shape(0) == m, "one bound for each variable");
        require(rows ? rows->shape(0) == m : static_cast<Index>(m) == n,
                "one row for each variable");
        require(!group || group->shape(0) == m, "one group for each variable");
        if (group)
            for (std::size_t i = 0; i < m; ++i) require(group->data()[i] < 2, "groups are 0 or 1");
        return {static_cast<Index>(m), rows ? checked(*rows, n) : nullptr,
                target.data(),         lower.data(),
                upper.data(),          group ? group->data() : nullptr};
    }
};

// iterations, violation, whether a curvature was negative, how it ended
template <class T>
nb::tuple descend(svm::RowSource<T>& source, Index n, const Vector<double>& diagonal,
                  const Problem& problem, double tol, std::int64_t max_iter, Written<double>& beta,
                  Written<double>& residual) {
    const svm::Variables variables = problem.view(n);
    const auto m = static_cast<std::size_t>(variables.count);
    require(static_cast<Index>(diagonal.shape(0)) == n, "one diagonal entry for each row");
    require(beta.shape(0) == m && residual.shape(0) == m, "one number for each variable");
    svm::PairOutcome out;
    {
        GilReleased release;
        out = svm::descend_pairs(source, diagonal.data(), variables, {tol, max_iter}, beta.data(),
                                 residual.data());
    }
    return nb::make_tuple(out.iterations, out.violation, out.clipped, static_cast<int>(out.end));
}

template <class T>
nb::tuple descend_stored(const Packed<T>& matrix, const Vector<double>& diagonal,
                         const Vector<double>& target, const Vector<double>& lower,
                         const Vector<double>& upper, double tol, std::int64_t max_iter,
                         Written<double> beta, Written<double> residual,
                         const std::optional<Numbers>& rows,
                         const std::optional<Vector<std::uint8_t>>& group) {
    const auto n = static_cast<Index>(matrix.shape(0));
    require(matrix.shape(1) == matrix.shape(0), "the matrix must be square");
    svm::StoredRows<T> source(matrix.data(), n);
    return descend<T>(source, n, diagonal, {target, lower, upper, rows, group}, tol, max_iter, beta,
                      residual);
}

// Rows that Python computes: called with the numbers of rows, it returns a block of them.
nb::tuple descend_computed(const nb::callable& compute, const Vector<double>& diagonal, Index bytes,
                           const Vector<double>& target, const Vector<double>& lower,
                           const Vector<double>& upper, double tol, std::int64_t max_iter,
                           Written<double> beta, Written<double> residual,
                           const std::optional<Numbers>& rows,
                           const std::optional<Vector<std::uint8_t>>& group) {
    const auto n = static_cast<Index>(diagonal.shape(0));
    svm::CachedRowSource<double> source(
        n, n, bytes, [&](const Index* which, Index count, double* out) {
            const GilTaken taken;
            const nb::object block =
                compute(owned(std::vector<std::int64_t>(which, which + count)));
            const auto values = nb::cast<Packed<double>>(block);
            require(static_cast<Index>(values.shape(0)) == count &&
                        static_cast<Index>(values.shape(1)) == n,
                    "a block of kernel rows has the wrong shape");
            std::copy_n(values.data(), count * n, out);
        });
    return descend<double>(source, n, diagonal, {target, lower, upper, rows, group}, tol, max_iter,
                           beta, residual);
}

class Gaussian {
 public:
    Gaussian(const Matrix<double>& x, double gamma) : core_(view(x), gamma) {}
    double error() const { return core_.error(); }

    Output multiply(const Numbers& queries, const Numbers& rows, const Vector<double>& v) const {
        const Index* const left = checked(queries, core_.rows());
        const Index* const right = checked(rows, core_.rows());
        require(v.shape(0) == rows.shape(0), "one weight for each row");
        std::vector<double> out(queries.shape(0));
        {
            GilReleased release;
            core_.multiply(left, static_cast<Index>(out.size()), right,
                           static_cast<Index>(rows.shape(0)), v.data(), out.data());
        }
        return owned(std::move(out));
    }

    void write(const Numbers& queries, const Numbers& rows, Filled<float> out) const {
        const Index* const left = checked(queries, core_.rows());
        const Index* const right = checked(rows, core_.rows());
        require(out.shape(0) == queries.shape(0) && out.shape(1) == rows.shape(0),
                "the output must have a row for each query and a column for each row");
        const bool symmetric =
            queries.shape(0) == rows.shape(0) && std::equal(left, left + queries.shape(0), right);
        GilReleased release;
        if (symmetric)
            return core_.write_symmetric(left, static_cast<Index>(queries.shape(0)), out.data());
        core_.write(left, static_cast<Index>(queries.shape(0)), right,
                    static_cast<Index>(rows.shape(0)), out.data(),
                    static_cast<Index>(rows.shape(0)));
    }

 private:
    svm::SingleGaussian core_;
};

template <class T>
void bind_stored(nb::module_& module) {
    module.def("descend_pairs", &descend_stored<T>, nb::arg("matrix").noconvert(),
               nb::arg("diagonal").noconvert(), nb::arg("target").noconvert(),
               nb::arg("lower").noconvert(), nb::arg("upper").noconvert(), nb::arg("tol"),
               nb::arg("max_iter"), nb::arg("beta").noconvert(), nb::arg("residual").noconvert(),
               nb::arg("rows").none() = nb::none(), nb::arg("group").none() = nb::none(),
               "Pair descent on a stored kernel matrix; beta and residual are changed in place. "
               "Iterations, violation, whether a curvature was negative, and the end: 0 converged, "
               "1 out of iterations, 2 without end.");
}

template <class I>
void bind_gram(nb::module_& module) {
    module.def(
        "sparse_gram",
        [](const Vector<double>& values, const Vector<I>& indices, const Vector<I>& offsets,
           Index cols, Filled<float> out) {
            const SparseView<double, I> x = compressed(values, indices, offsets, cols).view();
            require(x.major <= INT32_MAX, "too many rows");
            require(static_cast<Index>(out.shape(0)) == x.major && out.shape(1) == out.shape(0),
                    "the output must have a row and a column for each row");
            GilReleased release;
            svm::sparse_gram(x, out.data());
        },
        nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("cols"), nb::arg("out").noconvert(),
        "Products of compressed rows with each other, through lists of columns.");
}

}  // namespace

void bind_svm(nb::module_& module) {
    bind_gram<std::int32_t>(module);
    bind_gram<std::int64_t>(module);
    bind_stored<double>(module);
    bind_stored<float>(module);
    module.def("descend_pairs_computed", &descend_computed, nb::arg("compute"),
               nb::arg("diagonal").noconvert(), nb::arg("bytes"), nb::arg("target").noconvert(),
               nb::arg("lower").noconvert(), nb::arg("upper").noconvert(), nb::arg("tol"),
               nb::arg("max_iter"), nb::arg("beta").noconvert(), nb::arg("residual").noconvert(),
               nb::arg("rows").none() = nb::none(), nb::arg("group").none() = nb::none(),
               "Pair descent on rows that `compute` gives, those used last kept within a limit.");
    nb::class_<Gaussian>(module, "SingleGaussian",
                         "The Gaussian kernel of a table in single precision.")
        .def(nb::init<const Matrix<double>&, double>(), nb::arg("x").noconvert(), nb::arg("gamma"))
        .def("error", &Gaussian::error, "The largest error of an exponent.")
        .def("multiply", &Gaussian::multiply, nb::arg("queries").noconvert(),
             nb::arg("rows").noconvert(), nb::arg("v").noconvert(),
             "The block of these rows times v, summed in double precision.")
        .def("write", &Gaussian::write, nb::arg("queries").noconvert(), nb::arg("rows").noconvert(),
             nb::arg("out").noconvert(), "The block itself.");
}

}  // namespace stylobate::bindings
