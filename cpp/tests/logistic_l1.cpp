#include "descend/logistic_l1.hpp"

#include "check.hpp"
#include "descend/dense.hpp"
#include "descend/lanczos.hpp"
#include "descend/logistic_models.hpp"
#include "reference.hpp"

namespace stylobate {
namespace {

using namespace tests;
using namespace descend;

// Rows about zero, codes that depend on the first columns.
struct Example {
    Matrix<double> x;
    std::vector<std::int64_t> codes;

    Example(Index n, Index p, Index classes, Layout layout = Layout::rows)
        : x(make_matrix<double>(n, p, layout)), codes(n) {
        std::mt19937_64 engine(91);
        std::normal_distribution<double> normal;
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < p; ++j) x.at(i, j) = normal(engine);
            const double z = x.at(i, 0) + 0.5 * normal(engine);
            codes[i] = i < classes ? i : z < -0.5 ? 0 : z < 0.5 ? 1 : classes - 1;
        }
    }
};

LogisticAnswer solve(const Design& x, const Example& example, Index classes, ElasticNet penalty) {
    return solve_logistic({x, example.codes.data(), classes, nullptr, penalty, true, 1e-10, 100});
}

// The objective in long double, and the gradient of its loss.
long double objective(const Example& example, Index classes, const LogisticAnswer& answer,
                      ElasticNet penalty, std::vector<long double>& gradient) {
    const Index n = example.x.view.rows, p = example.x.view.cols;
    const Index k = classes == 2 ? 1 : classes;
    long double value = 0;
    gradient.assign(k * p, 0);
    for (Index i = 0; i < n; ++i) {
        std::vector<long double> z(classes, 0);
        long double total = 0;
        for (Index c = 0; c < k; ++c) {
            long double& margin = z[classes == 2 ? 1 : c];
            margin = answer.intercept[c];
            for (Index j = 0; j < p; ++j) margin += answer.coef[c * p + j] * example.x.view(i, j);
        }
        for (const long double margin : z) total += std::exp(margin);
        value += std::log(total) - z[example.codes[i]];
        for (Index c = 0; c < k; ++c) {
            const Index label = classes == 2 ? 1 : c;
            const long double r = std::exp(z[label]) / total - (example.codes[i] == label ? 1 : 0);
            for (Index j = 0; j < p; ++j) gradient[c * p + j] += r * example.x.view(i, j);
        }
    }
    for (const double w : answer.coef)
        value += penalty.l1 * std::fabs(w) + 0.5 * penalty.l2 * w * w;
    return value;
}

void check_optimal(const Example& example, Index classes, const LogisticAnswer& answer,
                   ElasticNet penalty) {
    std::vector<long double> g;
    const auto value = static_cast<double>(objective(example, classes, answer, penalty, g));
    CHECK(answer.converged);
    CHECK_CLOSE(answer.primal, value, 1e-11 * value);
    CHECK(answer.primal - answer.dual <= 1e-9 * value);
    for (std::size_t v = 0; v < g.size(); ++v) {
        const double w = answer.coef[v], slope = static_cast<double>(g[v]) + penalty.l2 * w;
        if (w == 0.0)
            CHECK(std::fabs(slope) <= penalty.l1 + 1e-4);
        else
            CHECK_CLOSE(slope, std::copysign(penalty.l1, -w), 1e-4);
    }
}

}  // namespace

TEST(single_precision_gram_of_every_instruction_set) {
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        const DenseKernels* set = dense_of(which);
        if (set == nullptr) continue;
        for (const Index cols : {1, 7, 16, 17, 50, 101}) {
            constexpr Index rows = 37;
            const Index ld = 2 * padded_stride((cols + 1) / 2);
            Buffer a_memory(area(rows, ld) / 2 + 1), c_memory(area(cols, ld) / 2 + 1);
            auto* a = reinterpret_cast<float*>(a_memory.data());
            auto* c = reinterpret_cast<float*>(c_memory.data());
            std::mt19937_64 engine(5);
            std::normal_distribution<float> normal;
            for (Index k = 0; k < rows; ++k)
                for (Index j = 0; j < cols; ++j) a[k * ld + j] = normal(engine);
            set->gram_f32(a, rows, ld, 0, cols, c, ld);
            for (Index j = 0; j < cols; ++j)
                for (Index i = 0; i <= j; ++i) {
                    double sum = 0.0;
                    for (Index k = 0; k < rows; ++k)
                        sum += static_cast<double>(a[k * ld + i]) * a[k * ld + j];
                    CHECK_CLOSE(c[j * ld + i], sum, 1e-4);
                }
        }
    }
}

TEST(logistic_answers_are_optimal_in_every_layout) {
    for (const Index classes : {2, 4})
        for (const ElasticNet penalty : {ElasticNet{2.0, 0.0}, ElasticNet{1.0, 3.0}})
            for (const Layout layout : layouts) {
                const Example example(70, 9, classes, layout);
                const DenseDesign<double> x(example.x.view);
                check_optimal(example, classes, solve(x, example, classes, penalty), penalty);
            }
}

TEST(logistic_many_rows_take_samples_and_single_precision) {
    const Example example(4000, 80, 2);
    const ElasticNet penalty{3.0, 0.0};
    const DenseDesign<double> x(example.x.view);
    check_optimal(example, 2, solve(x, example, 2, penalty), penalty);
}

TEST(logistic_of_sparse_columns) {
    for (const Index classes : {2, 3})
        for (const Index keep : {2, 40}) {  // one entry in so many: unpacked, or pair by pair
            Example example(300, 30, classes);
            std::vector<double> values;
            std::vector<std::int32_t> indices, offsets{0};
            for (Index j = 0; j < 30; ++j) {
                for (Index i = 0; i < 300; ++i)
                    if ((i * 7 + j * 11) % keep == 0) {
                        indices.push_back(static_cast<std::int32_t>(i));
                        values.push_back(example.x.view(i, j));
                    } else {
                        example.x.at(i, j) = 0.0;
                    }
                offsets.push_back(static_cast<std::int32_t>(values.size()));
            }
            const SparseDesign<double, std::int32_t> x(
                {values.data(), indices.data(), offsets.data(), 30, 300});
            const ElasticNet penalty{0.2, 0.0};
            check_optimal(example, classes, solve(x, example, classes, penalty), penalty);
        }
}

TEST(logistic_with_more_coefficients_than_a_hessian_may_have) {
    for (const Index classes : {2, 3}) {
        const Index p = classes == 2 ? 3300 : 1200;
        const Example example(20, p, classes);
        const ElasticNet penalty{1e-6, 1.0};
        const DenseDesign<double> x(example.x.view);
        check_optimal(example, classes, solve(x, example, classes, penalty), penalty);
    }
}

TEST(logistic_models_agree) {
    const Example example(90, 6, 2);
    const DenseDesign<double> x(example.x.view);
    const LogisticRows rows(example.codes.data(), nullptr, 90, 1);
    const Buffer shift(6);
    std::vector<double> p(90);
    for (Index i = 0; i < 90; ++i) p[i] = 0.1 + 0.008 * static_cast<double>(i);
    const LogisticData data{x, rows, shift.data(), true};
    const Variables all{std::vector<Index>(6, 0), {0, 1, 2, 3, 4, 5}};
    const std::vector<double> g{1.0, -2.0, 3.0, 0.0, 1.0, 2.0}, delta{1, 2, -1, 0, 0.5, -3};
    GramModel gram(data, p.data(), all, {});
    GramModel single(data, p.data(), all, {0, 1, true});
    ColumnModel columns(data, p.data(), 0, all.feature);
    gram.start(g), single.start(g), columns.start(g);
    gram.place(delta), single.place(delta), columns.place(delta);
    CHECK_CLOSE(gram.quadratic(delta), columns.quadratic(delta), 1e-10);
    CHECK_CLOSE(gram.quadratic(delta), single.quadratic(delta), 1e-3);
    for (Index k = 0; k < 6; ++k) {
        CHECK_CLOSE(gram.gradient(k), columns.gradient(k), 1e-10);
        CHECK_CLOSE(gram.curvature(k), columns.curvature(k), 1e-10);
    }
}

TEST(logistic_hessian_learns_the_last_step_and_takes_in_columns) {
    const Example example(90, 6, 2);
    const DenseDesign<double> x(example.x.view);
    const LogisticRows rows(example.codes.data(), nullptr, 90, 1);
    const Buffer shift(6);
    const std::vector<double> p(90, 0.4);
    GramModel model({x, rows, shift.data(), true}, p.data(), {{0, 0, 0, 0}, {0, 1, 2, 3}}, {});
    model.extend({{0, 0}, {4, 5}}, {7.0, 8.0});
    CHECK(model.size() == 6);
    CHECK(model.variables().feature == (std::vector<Index>{0, 1, 2, 3, 4, 5}));
    const std::vector<double> none(6, 0.0), last{0, 0, 0, 0, 0, 2.0};
    model.start(none);
    model.place(last);
    for (Index k = 0; k < 6; ++k) CHECK_CLOSE(model.gradient(k), k == 5 ? 16.0 : 0.0, 0.0);

    const std::vector<double> step{1, 2, -1, 0, 0.5, -3};
    model.start(none);
    model.place(step);
    std::vector<double> change(6);
    for (Index k = 0; k < 6; ++k)
        change[k] = 1.3 * model.gradient(k) + 0.1 * static_cast<double>(k);
    model.learn(step, change);
    model.start(none);
    model.place(step);
    for (Index k = 0; k < 6; ++k) CHECK_CLOSE(model.gradient(k), change[k], 1e-10);

    const std::vector<double> against{-1, -2, 1, 0, -0.5, 3};  // no curvature: nothing to learn
    model.learn(step, against);
    model.start(none);
    model.place(step);
    for (Index k = 0; k < 6; ++k) CHECK_CLOSE(model.gradient(k), change[k], 1e-10);
}

TEST(logistic_pass_is_margins_and_gradient) {
    for (const Layout layout : layouts)
        for (const Index n : {70, 5000}) {
            const Example example(n, 9, 2, layout);
            const DenseDesign<double> x(example.x.view);
            std::vector<double> weights(n), w{1, -2, 0.5, 0, 0, 3, 0.1, 0, -0.3}, g(9), curved(9);
            for (Index i = 0; i < n; ++i) weights[i] = static_cast<double>(i % 4);
            const LogisticRows rows(example.codes.data(), weights.data(), n, 1);
            std::vector<double> z(n), p(n), r(n), z2(n), p2(n), r2(n), d(n), g2(9), curved2(9);
            const PassSums sums = x.pass(rows, w.data(), 0.7,
                                         {z.data(), p.data(), r.data(), g.data(), curved.data()});
            const std::vector<Index> all{0, 1, 2, 3, 4, 5, 6, 7, 8};
            const double intercept = 0.7;
            x.margins(w.data(), 1, all, z2.data());
            const double loss = rows.evaluate(z2.data(), &intercept, p2.data(), r2.data());
            rows.curvature(p2.data(), 0, d.data());
            x.gradient(r2.data(), 1, all, g2.data());
            x.gradient(d.data(), 1, all, curved2.data());
            double residual = 0.0, curvature = 0.0;
            for (Index i = 0; i < n; ++i) residual += r2[i], curvature += d[i];
            CHECK_CLOSE(sums.loss, loss, 1e-11 * loss);
            CHECK_CLOSE(sums.residual, residual, 1e-9);
            CHECK_CLOSE(sums.curvature, curvature, 1e-9);
            for (Index i = 0; i < n; ++i) CHECK_CLOSE(r[i], r2[i], 1e-13);
            for (Index j = 0; j < 9; ++j) CHECK_CLOSE(g[j], g2[j], 1e-9);
            for (Index j = 0; j < 9; ++j) CHECK_CLOSE(curved[j], curved2[j], 1e-9);
        }
}

TEST(logistic_strong_columns_begin_alone) {
    const Example example(9000, 60, 2);  // a Hessian that is not next to free
    const ElasticNet penalty{12.0, 0.0};
    const DenseDesign<double> x(example.x.view);
    check_optimal(example, 2, solve(x, example, 2, penalty), penalty);
}

TEST(condition_of_a_diagonal_matrix) {
    const double values[] = {5.0, 2.0, 0.5, 1.0};
    const auto times = [&](const double* v, double* out) {
        for (Index i = 0; i < 4; ++i) out[i] = values[i] * v[i];
    };
    CHECK_CLOSE(lanczos_condition(4, times), 10.0, 1e-9);
    const auto nothing = [](const double*, double* out) { *out = 0.0; };
    CHECK_CLOSE(lanczos_condition(1, nothing), 1.0, 0.0);
}

}  // namespace stylobate
