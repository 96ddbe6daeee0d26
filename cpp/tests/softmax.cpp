#include "scan/softmax.hpp"

#include <random>

#include "check.hpp"
#include "stylobate/parallel.hpp"

using namespace stylobate;
using namespace stylobate::scan;

namespace {

struct Problem {
    Index n, p, k;
    std::vector<double> x, weights, center, coef, intercept;
    std::vector<std::int64_t> codes;

    Problem(Index n, Index p, Index k, unsigned seed) : n(n), p(p), k(k) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        const auto fill = [&](std::vector<double>& v, Index size) {
            v.resize(size);
            for (double& e : v) e = normal(random);
        };
        fill(x, n * p);
        fill(weights, n);
        for (double& w : weights) w = w * w;
        fill(center, p);
        fill(coef, p * k);
        fill(intercept, k);
        const Index classes = k == 1 ? 2 : k;
        for (Index i = 0; i < n; ++i)
            codes.push_back(static_cast<std::int64_t>(random() % classes));
    }

    ClassRows<DenseFeatures<double>> dense() const {
        return {DenseFeatures<double>({x.data(), n, p, p, 1}), codes.data(), weights.data(),
                center.data(), k};
    }

    // margins of row i, with a zero in front for two classes
    std::vector<double> margins(Index i, const double* shift, const double* w,
                                const double* b) const {
        std::vector<double> z(k == 1 ? 2 : k, 0.0);
        const Index first = k == 1 ? 1 : 0;
        for (Index c = 0; c < k; ++c) {
            z[first + c] = b[c];
            for (Index j = 0; j < p; ++j) z[first + c] += (x[i * p + j] - shift[j]) * w[j * k + c];
        }
        return z;
    }
};

std::vector<double> softmax(const std::vector<double>& z) {
    double sum = 0.0;
    std::vector<double> p;
    for (double e : z) p.push_back(std::exp(e)), sum += p.back();
    for (double& e : p) e /= sum;
    return p;
}

// Against plain loops over the definition.
void check_step(const Problem& at, const SoftmaxSums& got, const double* shift) {
    double value = 0.0;
    std::vector<double> coef(at.p * at.k, 0.0), intercept(at.k, 0.0);
    const Index first = at.k == 1 ? 1 : 0;
    for (Index i = 0; i < at.n; ++i) {
        const auto p = softmax(at.margins(i, shift, at.coef.data(), at.intercept.data()));
        value -= at.weights[i] * std::log(p[at.codes[i]]);
        for (Index c = 0; c < at.k; ++c) {
            const double d =
                at.weights[i] * (p[first + c] - (at.codes[i] == first + c ? 1.0 : 0.0));
            intercept[c] += d;
            for (Index j = 0; j < at.p; ++j)
                coef[j * at.k + c] += d * (at.x[i * at.p + j] - shift[j]);
        }
    }
    CHECK_CLOSE(got.value, value, 1e-9 * value);
    for (Index i = 0; i < at.p * at.k; ++i) CHECK_CLOSE(got.coef[i], coef[i], 1e-9 * at.n);
    for (Index c = 0; c < at.k; ++c) CHECK_CLOSE(got.intercept[c], intercept[c], 1e-9 * at.n);
}

// The product is the derivative of the gradient.
template <class Rows>
void check_product(const Problem& at, const Rows& rows) {
    std::vector<double> probabilities(at.n * at.k), scratch(at.n * at.k), w(at.coef),
        b(at.intercept);
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    std::vector<double> dw(at.p * at.k), db(at.k);
    for (double& e : dw) e = normal(random);
    for (double& e : db) e = normal(random);
    softmax_step(rows, w.data(), b.data(), probabilities.data());
    const SoftmaxSums got = softmax_product(rows, dw.data(), db.data(), probabilities.data());
    const double h = 1e-6;
    const auto moved = [&](double t) {
        std::vector<double> mw(w), mb(b);
        for (std::size_t i = 0; i < w.size(); ++i) mw[i] += t * dw[i];
        for (std::size_t c = 0; c < b.size(); ++c) mb[c] += t * db[c];
        return softmax_step(rows, mw.data(), mb.data(), scratch.data());
    };
    const SoftmaxSums up = moved(h), down = moved(-h);
    for (Index i = 0; i < at.p * at.k; ++i)
        CHECK_CLOSE(got.coef[i], (up.coef[i] - down.coef[i]) / (2 * h), 1e-5 * at.n);
    for (Index c = 0; c < at.k; ++c)
        CHECK_CLOSE(got.intercept[c], (up.intercept[c] - down.intercept[c]) / (2 * h), 1e-5 * at.n);
    CHECK(got.value > 0.0);
}

}  // namespace

TEST(softmax_passes_of_dense_rows) {
    for (const Index k : {1, 2, 3, 8, 11, 17}) {
        const Problem at(2 * 1024 + 37, 5, k, static_cast<unsigned>(k));
        std::vector<double> probabilities(at.n * k);
        check_step(
            at, softmax_step(at.dense(), at.coef.data(), at.intercept.data(), probabilities.data()),
            at.center.data());
        check_product(at, at.dense());
    }
}

TEST(softmax_passes_of_sparse_rows) {
    for (const Index k : {1, 3, 8}) {
        Problem at(300, 9, k, 20 + static_cast<unsigned>(k));
        std::vector<double> values, zero(at.p, 0.0);
        std::vector<std::int32_t> indices, offsets{0};
        for (Index i = 0; i < at.n; ++i) {
            for (Index j = 0; j < at.p; ++j) {
                double& e = at.x[i * at.p + j];
                if (std::abs(e) < 0.7) {
                    e = 0.0;
                    continue;
                }
                values.push_back(e);
                indices.push_back(static_cast<std::int32_t>(j));
            }
            offsets.push_back(static_cast<std::int32_t>(values.size()));
        }
        const ClassRows<SparseFeatures<double, std::int32_t>> rows{
            SparseFeatures<double, std::int32_t>(
                {values.data(), indices.data(), offsets.data(), at.n, at.p}),
            at.codes.data(), at.weights.data(), zero.data(), k};
        std::vector<double> probabilities(at.n * k);
        check_step(at,
                   softmax_step(rows, at.coef.data(), at.intercept.data(), probabilities.data()),
                   zero.data());
        check_product(at, rows);
    }
}

TEST(softmax_of_huge_margins_is_finite) {
    const double x[] = {1.0, -1.0, 0.0};
    const std::int64_t codes[] = {0, 0, 1};
    const double zero = 0.0, coef[] = {1e4, -1e4, 0.0}, intercept[] = {0.0, 0.0, 0.0};
    const ClassRows<DenseFeatures<double>> rows{DenseFeatures<double>({x, 3, 1, 1, 1}), codes,
                                                nullptr, &zero, 3};
    double probabilities[9];
    const SoftmaxSums sums = softmax_step(rows, coef, intercept, probabilities);
    CHECK_CLOSE(sums.value, 2e4 + std::log(3.0), 1e-9);
    for (double p : probabilities) CHECK(p >= 0.0 && p <= 1.0);
}

TEST(multiply_kernel_for_every_isa) {
    const Index rows = 13, inner = 7, cols = 24;
    Buffer a(rows * inner), b(inner * cols), c(rows * cols);
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < rows * inner; ++i) a[i] = normal(random);
    for (Index i = 0; i < inner * cols; ++i) b[i] = normal(random);
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        const scan::Kernels* kernels = scan::kernels_of(isa);
        if (kernels == nullptr) continue;
        for (Index i = 0; i < rows * cols; ++i) c[i] = 1.0;
        kernels->multiply(a.data(), rows, inner, 1, inner, b.data(), cols, cols, c.data(), cols);
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < cols; ++j) {
                double sum = 1.0;
                for (Index l = 0; l < inner; ++l) sum += a[i * inner + l] * b[l * cols + j];
                CHECK_CLOSE(c[i * cols + j], sum, 1e-12);
            }
    }
}

TEST(softmax_column_squares) {
    const Problem problem(2100, 5, 1, 8);
    const std::vector<double> squares = column_squares(problem.dense());
    for (Index j = 0; j < 5; ++j) {
        double sum = 0.0;
        for (Index i = 0; i < problem.n; ++i) {
            const double off = problem.x[i * 5 + j] - problem.center[j];
            sum += problem.weights[i] * off * off;
        }
        CHECK_CLOSE(squares[j], sum, 1e-12 * sum);
    }
}

TEST(softmax_without_coefficients) {
    const Problem problem(300, 4, 3, 9);
    const std::vector<double> none(12, 0.0);
    std::vector<double> first(900), second(900);
    const auto a = softmax_step(problem.dense(), nullptr, problem.intercept.data(), first.data());
    const auto b =
        softmax_step(problem.dense(), none.data(), problem.intercept.data(), second.data());
    CHECK_CLOSE(a.value, b.value, 0.0);
    CHECK(a.coef == b.coef);
    CHECK(first == second);
}
