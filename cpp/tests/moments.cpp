#include "scan/moments.hpp"

#include <algorithm>
#include <limits>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;

void check_against(const scan::Moments& got, const NaiveMoments& expected) {
    const auto q = static_cast<Index>(expected.mean.size());
    CHECK_CLOSE(got.weight, expected.weight, 1e-12 * static_cast<double>(expected.weight));
    for (Index j = 0; j < q; ++j) {
        CHECK_CLOSE(got.mean[j], expected.mean[j], 1e-12);
        for (Index l = 0; l < q; ++l) {
            const long double size = expected.scatter[j * q + j] * expected.scatter[l * q + l];
            CHECK_CLOSE(got.scatter[j * q + l], expected.scatter[j * q + l],
                        1e-13 * static_cast<double>(std::sqrt(size)) + 1e-300);
            CHECK(got.scatter[j * q + l] == got.scatter[l * q + j]);
        }
    }
}

template <class T>
scan::Moments dense_moments(const MatrixView<T>& x, const MatrixView<double>& y, const double* w) {
    return scan::moments(scan::Rows(scan::DenseFeatures<T>(x), y, w));
}

template <class T>
void check_dense(Index n, Index p, Index t, Layout layout, bool weighted) {
    const Matrix<T> x = random_matrix<T>(n, p, layout, 11);
    const Matrix<double> y = random_matrix<double>(n, t, Layout::rows, 12);
    const std::vector<double> weights = random_weights(n, 13);
    const double* w = weighted ? weights.data() : nullptr;
    const scan::Moments got = dense_moments(x.view, y.view, w);
    check_against(got, naive_moments(x.view, y.view, w));
    const auto positive =
        std::count_if(weights.begin(), weights.end(), [](double v) { return v > 0; });
    CHECK(got.n_rows == (weighted ? positive : n));
}

}  // namespace

TEST(moments_of_every_layout) {
    for (const Layout layout : layouts)
        for (const bool weighted : {false, true})
            for (const Index p : {1, 3, 8, 17}) {
                check_dense<double>(50, p, 1, layout, weighted);
                check_dense<float>(50, p, 2, layout, weighted);
            }
}

TEST(moments_of_several_blocks_and_units) {
    for (const Index n : {1, 2, 63, 64, 65, 191, 192, 193, 400, 8192, 8193, 20000})
        check_dense<double>(n, 3, 1, Layout::rows, n > 2 && n % 2 == 0);
}

TEST(moments_of_many_columns) {  // the path that cuts the product and not the rows
    for (const bool weighted : {false, true}) {
        check_dense<double>(30, 700, 2, Layout::rows, weighted);
        check_dense<float>(30, 641, 0, Layout::columns, weighted);
    }
}

TEST(moments_of_compressed_rows) {
    const auto run = [](const auto& sparse, const double* w) {
        const MatrixView<double> no_targets{nullptr, sparse.dense.view.rows, 0, 0, 0};
        const scan::SparseFeatures features(sparse.view());
        check_against(scan::moments(scan::Rows(features, no_targets, w)),
                      naive_moments(sparse.dense.view, no_targets, w));
    };
    const std::vector<double> w = random_weights(300, 1);
    for (const Index p : {1, 9, 20, 650}) {
        const Index n = p > 100 ? 20 : 300;
        run(Compressed<double, std::int32_t>(random_matrix<double>(n, p, Layout::rows, 2)),
            w.data());
        run(Compressed<float, std::int64_t>(random_matrix<float>(n, p, Layout::rows, 3)), nullptr);
    }
}

TEST(moments_of_nothing) {
    const MatrixView<double> no_rows{nullptr, 0, 3, 3, 1}, no_columns{nullptr, 5, 0, 0, 1};
    const MatrixView<double> none{nullptr, 0, 0, 0, 0};
    const scan::Moments empty = dense_moments(no_rows, none, nullptr);
    CHECK(empty.n_rows == 0 && empty.weight == 0.0 && empty.mean == std::vector<double>(3, 0.0));
    CHECK(empty.scatter == std::vector<double>(9, 0.0));
    const scan::Moments bare = dense_moments(no_columns, none, nullptr);
    CHECK(bare.n_rows == 5 && bare.weight == 5.0 && bare.mean.empty() && bare.scatter.empty());
}

TEST(moments_of_constant_columns_are_exact) {
    Matrix<double> x = random_matrix<double>(20000, 3, Layout::rows, 4);
    for (Index i = 0; i < 20000; ++i) x.at(i, 1) = 0.1;
    const std::vector<double> w = random_weights(20000, 5);
    for (const double* weights : {static_cast<const double*>(nullptr), w.data()}) {
        const scan::Moments got = dense_moments(x.view, {}, weights);
        CHECK(got.mean[1] == 0.1 && got.scatter[4] == 0.0 && got.scatter[3] == 0.0);
    }
}

TEST(moments_of_rows_without_weight_leave_no_trace) {
    Matrix<double> x = random_matrix<double>(20000, 2, Layout::rows, 6);
    std::vector<double> w(20000, 1.0);
    for (Index i = 0; i < 9000; ++i) {  // a whole unit, and the start of the next
        w[i] = 0.0;
        x.at(i, 0) = x.at(i, 1) = 1e12;
    }
    const MatrixView<double> rest{x.view.row(9000), 11000, 2, 2, 1};
    check_against(dense_moments(x.view, {}, w.data()), naive_moments<double>(rest, {}, nullptr));
    std::fill(w.begin(), w.end(), 0.0);
    const scan::Moments none = dense_moments(x.view, {}, w.data());
    CHECK(none.n_rows == 0 && none.weight == 0.0);
    CHECK(none.scatter == std::vector<double>(4, 0.0));
}

TEST(moments_show_what_is_not_finite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Matrix<double> x = random_matrix<double>(500, 2, Layout::rows, 7);
    std::vector<double> w(500, 1.0);
    w[400] = nan;
    CHECK(std::isnan(dense_moments(x.view, {}, w.data()).scatter[0]));
    w[400] = -1.0;
    CHECK(std::isnan(dense_moments(x.view, {}, w.data()).scatter[0]));
    x.at(499, 1) = nan;
    CHECK(std::isnan(dense_moments(x.view, {}, nullptr).scatter[3]));
    CHECK(std::isfinite(dense_moments(x.view, {}, nullptr).scatter[0]));
}

TEST(moments_have_the_same_bits_with_any_threads) {
    for (const Index p : {4, 660}) {
        const Matrix<double> x = random_matrix<double>(p > 100 ? 400 : 40000, p, Layout::rows, 8);
        set_threads(1);
        const scan::Moments alone = dense_moments(x.view, {}, nullptr);
        for (const int count : {2, 7}) {
            set_threads(count);
            const scan::Moments together = dense_moments(x.view, {}, nullptr);
            CHECK(alone.mean == together.mean && alone.scatter == together.scatter);
        }
        set_threads(0);
    }
}

TEST(moments_of_absurdly_many_columns_are_refused) {
    const double one = 1.0;  // a broadcast scalar: any number of columns, one number of memory
    for (const int exponent : {31, 33, 45})
        CHECK_THROWS(std::bad_alloc,
                     dense_moments<double>({&one, 1, Index{1} << exponent, 0, 0}, {}, nullptr));
}

}  // namespace stylobate
