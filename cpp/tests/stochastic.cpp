#include <atomic>
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "descend/saga.hpp"
#include "descend/sgd.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::descend {
namespace {

const std::atomic<bool> never{false};

// A matrix of small whole numbers, with zeros among them.
std::vector<double> numbers(Index rows, Index cols) {
    std::vector<double> x(rows * cols);
    for (Index k = 0; k < rows * cols; ++k) x[k] = static_cast<double>((k * 7919 + 13) % 11) - 5.0;
    return x;
}

DenseRows<double> dense(const std::vector<double>& x, Index rows, Index cols) {
    return DenseRows<double>(MatrixView<double>{x.data(), rows, cols, cols, 1});
}

struct Compressed {
    std::vector<double> values;
    std::vector<std::int32_t> indices, offsets{0};
    Index cols;

    Compressed(const std::vector<double>& x, Index rows, Index cols) : cols(cols) {
        for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < cols; ++j)
                if (x[i * cols + j] != 0.0) {
                    values.push_back(x[i * cols + j]);
                    indices.push_back(static_cast<std::int32_t>(j));
                }
            offsets.push_back(static_cast<std::int32_t>(values.size()));
        }
    }
    SparseRows<double, std::int32_t> rows() const {
        return SparseRows<double, std::int32_t>(
            SparseView<double, std::int32_t>{values.data(), indices.data(), offsets.data(),
                                             static_cast<Index>(offsets.size()) - 1, cols});
    }
};

std::vector<RowNumber> all(Index n) {
    std::vector<RowNumber> rows(n);
    std::iota(rows.begin(), rows.end(), RowNumber{0});
    return rows;
}

}  // namespace

TEST(row_kernels_compute_products_and_steps) {
    for (const Index n : {0, 1, 3, 7, 8, 15, 16, 31, 33, 64, 100, 131}) {
        const std::vector<double> x = numbers(1, n), c = numbers(n, 1);
        std::vector<double> w(n), g(n);
        for (Index j = 0; j < n; ++j) w[j] = 0.25 * j - 3.0, g[j] = 0.5 - j;
        std::vector<float> single(x.begin(), x.end());
        double product = 0.0, centred = 0.0;
        for (Index j = 0; j < n; ++j) product += x[j] * w[j], centred += (x[j] - c[j]) * w[j];
        const RowKernels& k = row_kernels();
        CHECK_CLOSE(k.dot_f64(x.data(), w.data(), n), product, 1e-9);
        CHECK_CLOSE(k.dot_f32(single.data(), w.data(), n), product, 1e-9);
        CHECK_CLOSE(k.centred_dot_f64(x.data(), c.data(), w.data(), n), centred, 1e-9);
        CHECK_CLOSE(k.centred_dot_f32(single.data(), c.data(), w.data(), n), centred, 1e-9);
        std::vector<double> v = w, h = g;
        k.add_f64(2.0, x.data(), v.data(), n);
        k.add_f32(-1.0, single.data(), v.data(), n);
        for (Index j = 0; j < n; ++j) CHECK_CLOSE(v[j], w[j] + x[j], 1e-12);
        const SagaStep how{0.5, 2.0, 0.1, 0.9, 0.3, 0.25};
        v = w;
        k.saga_f64(how, x.data(), c.data(), v.data(), h.data(), n);
        for (Index j = 0; j < n; ++j) {
            const double d = 0.5 * (x[j] - c[j]), u = 0.9 * w[j] - 0.1 * (2.0 * d + g[j]);
            CHECK_CLOSE(v[j], u > 0.3 ? u - 0.3 : u < -0.3 ? u + 0.3 : 0.0, 1e-12);
            CHECK_CLOSE(h[j], g[j] + 0.25 * d, 1e-12);
        }
    }
}

TEST(every_epoch_takes_every_row_once) {
    for (const Index n : {1, 5, 1000, 70001}) {
        const std::vector<RowNumber> rows = all(n);
        for (const Index bytes : {8, 800, 40000}) {
            RowOrder order(rows, bytes);
            const Philox random(1, 2);
            order.shuffled(random, 0);
            const std::vector<RowNumber> first = order.rows();
            order.shuffled(random, 1);
            std::vector<RowNumber> second = order.rows();
            if (n >= 1000) CHECK(first != second && first != rows);
            std::sort(second.begin(), second.end());
            CHECK(second == rows);
            for (Index place = 0; place < n; ++place) CHECK(order.fetched_at(place) < n);
        }
    }
}

TEST(sparse_descent_is_dense_descent) {
    const Index n = 40, p = 9;
    const std::vector<double> x = numbers(n, p);
    const Compressed compressed(x, n, p);
    std::vector<double> y(n);
    for (Index i = 0; i < n; ++i) y[i] = static_cast<double>(i % 2);
    for (const double l1 : {0.0, 0.01})
        for (const Index batch : {1, 3}) {
            SgdOptions options;
            options.l1 = l1, options.batch = batch, options.max_epochs = 4, options.stops = false;
            options.average_from = 5.0, options.most_updates = 50, options.most_weights = 100;
            SgdTarget target;
            target.y = y.data(), target.classes = true;
            SgdState a{std::vector<double>(p), std::vector<double>(p)}, b = a;
            Checkpoint checkpoint(never, true);
            const SgdRun one = sgd(dense(x, n, p), target, all(n), {}, options, 0, a, checkpoint);
            const SgdRun two =
                sgd(compressed.rows(), target, all(n), all(3), options, 0, b, checkpoint);
            CHECK(one.epochs == 4 && two.score.size() == 4 && one.failed_epoch == 0);
            for (Index j = 0; j < p; ++j) {
                CHECK_CLOSE(a.coef[j], b.coef[j], 1e-9 * (1.0 + std::abs(a.coef[j])));
                CHECK_CLOSE(a.mean_coef[j], b.mean_coef[j], 1e-9 * (1.0 + std::abs(a.coef[j])));
            }
            CHECK(a.t == 1.0 + 4.0 * static_cast<double>((n + batch - 1) / batch));
        }
}

TEST(descent_that_overflows_says_so) {
    std::vector<double> x = numbers(20, 3), y(20, 1.0);
    for (double& each : x) each *= 1e200;
    SgdOptions options;
    options.loss = {LossKind::half_squared};
    SgdTarget target;
    target.y = y.data();
    SgdState state{std::vector<double>(3), std::vector<double>(3)};
    Checkpoint checkpoint(never, true);
    const SgdRun run = sgd(dense(x, 20, 3), target, all(20), {}, options, 0, state, checkpoint);
    CHECK(run.failed_epoch == 1);
    options.loss = {LossKind::multinomial};
    CHECK_THROWS(InvalidArgument,
                 sgd(dense(x, 20, 3), target, all(20), {}, options, 0, state, checkpoint));
}

TEST(repeated_steps_have_closed_forms) {
    for (const double shrink : {1.0, 0.999, 0.9})
        for (const double drift : {-0.3, -0.05, 0.0, 0.02, 0.4})
            for (const double threshold : {0.0, 0.01, 0.1})
                for (const double start : {-5.0, -0.1, 0.0, 0.3, 4.0})
                    for (const Index count : {1, 4, 5, 17, 300}) {
                        double w = start;
                        for (Index k = 0; k < count; ++k) {
                            const double v = shrink * w - drift;
                            w = v > threshold    ? v - threshold
                                : v < -threshold ? v + threshold
                                                 : 0.0;
                        }
                        CHECK_CLOSE(repeated_step(start, count, shrink, drift, threshold), w,
                                    1e-9 * (1.0 + std::abs(w)));
                    }
}

TEST(lazy_saga_is_saga) {
    const Index n = 30, p = 6;
    const std::vector<double> x = numbers(n, p), zero(p);
    const Compressed compressed(x, n, p);
    std::vector<double> y(n);
    for (Index i = 0; i < n; ++i) y[i] = static_cast<double>(i % 3);
    for (const bool sag : {false, true}) {
        SagaOptions options;
        options.loss = LossKind::multinomial;
        options.l1 = sag ? 0.0 : 0.01, options.l2 = 0.02, options.step = 0.01, options.epochs = 5;
        options.averaged_gradient_only = sag;
        std::vector<double> w[2], b[2], table[2], mean[2], mean_b[2];
        for (int k = 0; k < 2; ++k) {
            w[k].resize(3 * p), b[k].resize(3), table[k].resize(3 * n), mean[k].resize(3 * p);
            mean_b[k].resize(3);
            SagaState state{
                3, w[k].data(), b[k].data(), table[k].data(), mean[k].data(), mean_b[k].data()};
            Checkpoint checkpoint(never, true);
            if (k == 0)
                saga(dense(x, n, p), y.data(), nullptr, zero.data(), options, state, checkpoint);
            else
                saga(compressed.rows(), y.data(), nullptr, zero.data(), options, state, checkpoint);
        }
        for (Index j = 0; j < 3 * p; ++j) CHECK_CLOSE(w[0][j], w[1][j], 1e-10);
        CHECK(std::abs(w[0][0]) > 0.0);
    }
    CHECK_CLOSE(steepest_row(dense(x, n, p), nullptr, zero.data(), true),
                steepest_row(compressed.rows(), nullptr, zero.data(), true), 1e-12);
}

}  // namespace stylobate::descend
