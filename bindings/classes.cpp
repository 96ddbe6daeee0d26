// Moments of the rows of each class, and scores of rows under each class.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>

#include "rows.hpp"
#include "scan/class_moments.hpp"
#include "scan/class_scores.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::scan;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Found = std::tuple<Output, Output, Output, Output>;  // n_rows, weight, mean, scatter

enum class Form { diagonal, pooled, sums };

template <class Features>
Found run_moments(Features x, const Vector<double>& codes, const Weights& w, Index classes,
                  Form form) {
    require(static_cast<Index>(codes.shape(0)) == x.rows(), "x and codes differ in rows");
    require(!w || static_cast<Index>(w->shape(0)) == x.rows(), "x and weights differ in rows");
    require(classes >= 0, "there cannot be fewer than no classes");
    const LabelledRows<Features> rows{x, codes.data(), w ? w->data() : nullptr, classes};
    ClassMoments found;
    {
        GilReleased release;
        found = form == Form::diagonal ? diagonal_class_moments(rows)
                : form == Form::pooled ? pooled_class_moments(rows)
                                       : class_sums(rows);
    }
    const auto k = static_cast<std::size_t>(classes), p = static_cast<std::size_t>(x.cols());
    const std::size_t first = form == Form::diagonal ? k : form == Form::pooled ? p : 0;
    return {array(std::move(found.n_rows), {k}), array(std::move(found.weight), {k}),
            array(std::move(found.mean), {k, p}), array(std::move(found.scatter), {first, p})};
}

Answer answer_of(Index what) {
    require(what >= 0 && what <= 3, "an answer that is not there");
    return static_cast<Answer>(what);
}

// (codes or values, whether the highest score of every row is finite)
template <class T, class Model>
nb::tuple run_scores(const Matrix<T>& x, const Vector<double>& center, const Model& model,
                     Index what) {
    const Answer answer = answer_of(what);
    const std::size_t n = x.shape(0), k = static_cast<std::size_t>(model.classes);
    require(static_cast<Index>(x.shape(1)) == model.cols &&
                static_cast<Index>(center.shape(0)) == model.cols,
            "x, center and the model differ in columns");
    require(model.classes > 0, "there must be a class");
    std::vector<std::int64_t> codes(answer == Answer::classes ? n : 0);
    std::vector<double> values(answer == Answer::classes ? 0 : n * k);
    bool finite = true;
    {
        GilReleased release;
        finite = class_scores(DenseFeatures<T>(view(x)), center.data(), model,
                              Answers{answer, codes.data(), values.data()});
    }
    if (answer != Answer::classes) return nb::make_tuple(array(std::move(values), {n, k}), finite);
    auto owned = std::make_unique<std::vector<std::int64_t>>(std::move(codes));
    std::int64_t* data = owned->data();
    nb::capsule owner(owned.release(),
                      [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
    return nb::make_tuple(nb::ndarray<nb::numpy, std::int64_t>(data, {n}, owner), finite);
}

void require_shape(const Packed<double>& matrix, const Vector<double>& bias, std::size_t cols) {
    require(matrix.shape(0) == bias.shape(0) && matrix.shape(1) == cols,
            "what belongs to the classes must be classes × columns");
}

template <class T>
void bind_dense(nb::module_& module) {
    const auto bind = [&](const char* name, Form form, const char* text) {
        module.def(
            name,
            [form](const Matrix<T>& x, const Vector<double>& codes, const Weights& w,
                   Index classes) {
                return run_moments(DenseFeatures<T>(view(x)), codes, w, classes, form);
            },
            nb::arg("x"), nb::arg("codes"), nb::arg("weights").none(), nb::arg("classes"), text);
    };
    bind("class_variances", Form::diagonal,
         "Rows of positive weight, Σw, mean and Σw(x − m)² (classes × p) of each class.");
    bind("class_scatter", Form::pooled,
         "The same with the scatter of all classes together, each about its own mean (p × p).");
    bind("class_sums", Form::sums, "Rows of positive weight, Σw and Σwx of each class.");
    module.def(
        "linear_scores",
        [](const Matrix<T>& x, const Vector<double>& center, const Vector<double>& bias,
           const Packed<double>& weights, Index what) {
            require_shape(weights, bias, x.shape(1));
            return run_scores(
                x, center,
                LinearScores{static_cast<Index>(bias.shape(0)), static_cast<Index>(x.shape(1)),
                             bias.data(), weights.data()},
                what);
        },
        nb::arg("x"), nb::arg("center"), nb::arg("bias"), nb::arg("weights"), nb::arg("what"),
        "Of bias + (x − center)·weights: 0 the class of the highest, 1 the scores, 2 their log "
        "softmax, 3 their softmax; and whether every highest score is finite.");
    module.def(
        "diagonal_scores",
        [](const Matrix<T>& x, const Vector<double>& center, const Vector<double>& bias,
           const Packed<double>& scale, const Packed<double>& mean, Index what) {
            require_shape(scale, bias, x.shape(1));
            require_shape(mean, bias, x.shape(1));
            return run_scores(
                x, center,
                DiagonalScores{static_cast<Index>(bias.shape(0)), static_cast<Index>(x.shape(1)),
                               bias.data(), scale.data(), mean.data()},
                what);
        },
        nb::arg("x"), nb::arg("center"), nb::arg("bias"), nb::arg("scale"), nb::arg("mean"),
        nb::arg("what"), "As linear_scores, of bias − ½ Σ(scale·(x − center) − mean)².");
    module.def(
        "triangular_scores",
        [](const Matrix<T>& x, const Vector<double>& center, const Vector<double>& bias,
           const Cube& factors, const Packed<double>& mean, Index what) {
            require_shape(mean, bias, x.shape(1));
            require(factors.shape(0) == bias.shape(0) && factors.shape(1) == x.shape(1) &&
                        factors.shape(2) == x.shape(1),
                    "factors must be classes × columns × columns");
            return run_scores(
                x, center,
                TriangularScores{static_cast<Index>(bias.shape(0)), static_cast<Index>(x.shape(1)),
                                 bias.data(), factors.data(), mean.data()},
                what);
        },
        nb::arg("x"), nb::arg("center"), nb::arg("bias"), nb::arg("factors"), nb::arg("mean"),
        nb::arg("what"),
        "As linear_scores, of bias − ½‖F(x − center − mean)‖², F lower triangular.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    const auto bind = [&](const char* name, Form form, const char* text) {
        module.def(
            name,
            [form](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets,
                   Index cols, const Vector<double>& codes, const Weights& w, Index classes) {
                return run_moments(compressed(values, indices, offsets, cols), codes, w, classes,
                                   form);
            },
            nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
            nb::arg("codes"), nb::arg("weights").none(), nb::arg("classes"), text);
    };
    bind("class_variances_csr", Form::diagonal, "As class_variances, of compressed rows.");
    bind("class_scatter_csr", Form::pooled, "As class_scatter, of compressed rows.");
    bind("class_sums_csr", Form::sums, "As class_sums, of compressed rows.");
}

}  // namespace

void bind_classes(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
