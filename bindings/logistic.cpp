#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>

#include "bindings.hpp"
#include "rows.hpp"
#include "scan/softmax.hpp"

namespace stylobate::bindings {
namespace {

using Codes = Vector<std::int64_t>;
using Coefficients = std::optional<Packed<double>>;  // none: all zeros
using Sums = std::tuple<double, Output, Output>;
using Probabilities = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Rows with their classes, checked once and passed over many times.
class LogisticRows {
 public:
    virtual ~LogisticRows() = default;
    virtual Sums step(const Coefficients& coef, const Vector<double>& intercept,
                      Probabilities probabilities) const = 0;
    virtual Sums product(const Coefficients& coef, const Vector<double>& intercept,
                         const Packed<double>& probabilities) const = 0;
    virtual Output squares() const = 0;
};

// `owners` keeps the arrays alive that the features look at.
template <class Features>
class TypedRows final : public LogisticRows {
 public:
    TypedRows(nb::object owners, Features x, const Codes& codes, const Weights& weights,
              const Vector<double>& center, Index outputs)
        : owners_(std::move(owners)),
          codes_(codes),
          weights_(weights),
          center_(center),
          rows_{x, codes_.data(), weights_ ? weights_->data() : nullptr, center_.data(), outputs} {
        const auto n = static_cast<std::size_t>(x.rows());
        require(outputs >= 1, "there must be at least one output");
        require(codes.shape(0) == n, "x and codes differ in rows");
        require(!weights || weights->shape(0) == n, "x and weights differ in rows");
        require(center.shape(0) == static_cast<std::size_t>(x.cols()),
                "center must have one entry per column");
        const std::int64_t classes = std::max<Index>(outputs, 2);
        require(std::all_of(codes.data(), codes.data() + n,
                            [=](std::int64_t c) { return c >= 0 && c < classes; }),
                "codes must be numbers of classes");
    }

    Sums step(const Coefficients& coef, const Vector<double>& intercept,
              Probabilities probabilities) const override {
        check(coef, intercept, probabilities.shape(0), probabilities.shape(1));
        GilReleased release;
        return give(scan::softmax_step(rows_, coef ? coef->data() : nullptr, intercept.data(),
                                       probabilities.data()));
    }

    Sums product(const Coefficients& coef, const Vector<double>& intercept,
                 const Packed<double>& probabilities) const override {
        check(coef, intercept, probabilities.shape(0), probabilities.shape(1));
        GilReleased release;
        return give(scan::softmax_product(rows_, coef ? coef->data() : nullptr, intercept.data(),
                                          probabilities.data()));
    }

    Output squares() const override {
        std::vector<double> sums;
        {
            GilReleased release;
            sums = scan::column_squares(rows_);
        }
        const std::size_t p = sums.size();
        return array(std::move(sums), {p});
    }

 private:
    void check(const Coefficients& coef, const Vector<double>& intercept, std::size_t rows,
               std::size_t outputs) const {
        const auto k = static_cast<std::size_t>(rows_.outputs);
        require(!coef || (coef->shape(0) == static_cast<std::size_t>(rows_.x.cols()) &&
                          coef->shape(1) == k),
                "coef must be columns × outputs");
        require(intercept.shape(0) == k, "intercept must have one entry per output");
        require(rows == static_cast<std::size_t>(rows_.x.rows()) && outputs == k,
                "probabilities must be rows × outputs");
    }

    Sums give(scan::SoftmaxSums&& sums) const {
        GilTaken gil;
        const std::size_t p = rows_.x.cols(), k = rows_.outputs;
        return {sums.value, array(std::move(sums.coef), {p, k}),
                array(std::move(sums.intercept), {k})};
    }

    nb::object owners_;
    Codes codes_;
    Weights weights_;
    Vector<double> center_;
    scan::ClassRows<Features> rows_;
};

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "logistic_rows",
        [](const Matrix<T>& x, const Codes& codes, const Weights& weights,
           const Vector<double>& center, Index outputs) -> std::unique_ptr<LogisticRows> {
            return std::make_unique<TypedRows<scan::DenseFeatures<T>>>(
                nb::cast(x), scan::DenseFeatures<T>(view(x)), codes, weights, center, outputs);
        },
        nb::arg("x"), nb::arg("codes"), nb::arg("weights").none(), nb::arg("center"),
        nb::arg("outputs"),
        "Rows with the numbers of their classes, for passes of logistic regression; one output "
        "stands for two classes.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "logistic_rows_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Codes& codes, const Weights& weights, const Vector<double>& center,
           Index outputs) -> std::unique_ptr<LogisticRows> {
            return std::make_unique<TypedRows<scan::SparseFeatures<T, I>>>(
                nb::make_tuple(values, indices, offsets),
                compressed(values, indices, offsets, cols), codes, weights, center, outputs);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
        nb::arg("codes"), nb::arg("weights").none(), nb::arg("center"), nb::arg("outputs"),
        "As logistic_rows, of compressed rows; they are not centred.");
}

}  // namespace

void bind_logistic(nb::module_& module) {
    nb::class_<LogisticRows>(module, "LogisticRows")
        .def("step", &LogisticRows::step, nb::arg("coef").none(), nb::arg("intercept"),
             nb::arg("probabilities"),
             "Loss and its gradient at coefficients (columns × outputs); writes the probabilities.")
        .def("product", &LogisticRows::product, nb::arg("coef").none(), nb::arg("intercept"),
             nb::arg("probabilities"),
             "The widest change of a row's margins, and the Hessian times a direction.")
        .def("squares", &LogisticRows::squares,
             "Σ w(x − center)² of every column (of compressed rows about zero).");
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
