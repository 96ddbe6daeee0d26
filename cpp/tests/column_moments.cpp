#include "scan/column_moments.hpp"

#include <algorithm>
#include <limits>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Two passes in long double over one column; NaN and rows of weight 0 left out.
struct NaiveColumn {
    long double count = 0, weight = 0, mean = 0, length = 0;
    double low = infinity, high = -infinity;

    template <class T>
    NaiveColumn(const MatrixView<T>& x, Index j, const double* w) {
        const auto for_values = [&](auto&& body) {
            for (Index i = 0; i < x.rows; ++i)
                if (!std::isnan(x(i, j)) && (w == nullptr || w[i] > 0))
                    body(static_cast<double>(x(i, j)), w == nullptr ? 1.0L : w[i]);
        };
        for_values([&](double v, long double own) {
            count += 1;
            weight += own;
            low = std::min(low, v);
            high = std::max(high, v);
        });
        if (count == 0) return;
        long double above = 0;  // mean above the least value: nothing is lost far from zero
        for_values([&](double v, long double own) { above += own * (v - (long double)low); });
        above /= weight;
        for_values([&](double v, long double own) {
            const long double d = (v - (long double)low) - above;
            length += own * d * d;
        });
        mean = low + above;
        length = std::sqrt(length);
    }
};

template <class T>
void check_columns(const MatrixView<T>& x, const double* w) {
    const scan::ColumnMoments got = scan::column_moments(x, w, true);
    const scan::ColumnMoments extent = scan::column_moments(x, w, false);
    for (Index j = 0; j < x.cols; ++j) {
        const NaiveColumn expected(x, j, w);
        const auto size =
            static_cast<double>(std::max(std::fabs(expected.low), std::fabs(expected.high)));
        CHECK(got.count[j] == static_cast<double>(expected.count));
        CHECK(got.low[j] == expected.low && got.high[j] == expected.high);
        CHECK(extent.low[j] == expected.low && extent.high[j] == expected.high);
        CHECK(extent.count[j] == got.count[j]);
        CHECK_CLOSE(got.weight[j], expected.weight, 1e-13 * static_cast<double>(expected.weight));
        if (expected.count == 0) {
            CHECK(got.mean[j] == 0 && got.length[j] == 0);
            continue;
        }
        CHECK_CLOSE(got.mean[j], expected.mean, 3e-16 * size);
        CHECK_CLOSE(got.length[j], expected.length, 1e-12 * static_cast<double>(expected.length));
    }
}

template <class T>
void check_shape(Index n, Index p, Layout layout, bool weighted, double shift, double unit) {
    Matrix<T> x = random_matrix<T>(n, p, layout, 5);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < p; ++j) x.at(i, j) = static_cast<T>(x.view(i, j) * unit + shift);
    const std::vector<double> weights = random_weights(n, 6);
    check_columns(x.view, weighted ? weights.data() : nullptr);
}

}  // namespace

TEST(column_moments_of_every_layout) {
    for (const Layout layout : layouts)
        for (const bool weighted : {false, true})
            for (const Index p : {1, 3, 7, 8, 9, 16, 17, 40}) {
                check_shape<double>(150, p, layout, weighted, 0.0, 1.0);
                check_shape<float>(150, p, layout, weighted, 0.0, 1.0);
            }
}

TEST(column_moments_of_any_number_of_rows) {
    for (const Index n : {1, 2, 15, 16, 17, 63, 64, 65, 1023, 1024, 1025, 9000})
        for (const Index p : {1, 5, 20}) check_shape<double>(n, p, Layout::rows, n % 2 == 1, 0, 1);
    check_shape<double>(70000, 9, Layout::rows, false, 0.0, 1.0);  // several chunks
    check_shape<double>(70000, 9, Layout::columns, true, 0.0, 1.0);
}

TEST(column_moments_far_from_zero) {  // the mean's rounding must not be taken for spread
    for (const double shift : {1e6, 1e9, -1e12})
        for (const bool weighted : {false, true})
            for (const Index p : {1, 3, 20})
                for (const Index n : {20, 500, 30000})
                    check_shape<double>(n, p, Layout::rows, weighted, shift, 1.0);
}

TEST(column_moments_of_any_unit) {  // squares would leave the range of doubles
    for (const double unit : {1e-300, 1e-200, 1e150, 1e250})
        for (const Index p : {1, 20}) check_shape<double>(300, p, Layout::rows, false, 0.0, unit);
}

TEST(column_moments_leave_missing_values_out) {
    for (const Index p : {1, 3, 8, 21})
        for (const Layout layout : layouts) {
            Matrix<double> x = random_matrix<double>(400, p, layout, 7);
            for (Index i = 0; i < 400; ++i)
                for (Index j = 0; j < p; ++j)
                    if (j == p - 1 || (i * 3 + j) % 4 == 0) x.at(i, j) = nan;  // the last: all
            const std::vector<double> weights = random_weights(400, 8);
            check_columns(x.view, nullptr);
            check_columns(x.view, weights.data());
        }
}

TEST(column_moments_of_constants_and_of_nothing) {
    Matrix<double> x = make_matrix<double>(1000, 3, Layout::rows);
    for (Index i = 0; i < 1000; ++i)
        for (Index j = 0; j < 3; ++j) x.at(i, j) = 0.1 * static_cast<double>(j);
    const scan::ColumnMoments same = scan::column_moments(x.view, nullptr, true);
    for (Index j = 0; j < 3; ++j) {
        CHECK(same.mean[j] == 0.1 * static_cast<double>(j));
        CHECK(same.length[j] == 0);
    }
    x.view.rows = 0;
    const scan::ColumnMoments none = scan::column_moments(x.view, nullptr, true);
    CHECK(none.count[2] == 0 && none.low[2] == infinity && none.high[2] == -infinity);
    const std::vector<double> zeros(1000);
    x.view.rows = 1000;
    CHECK(scan::column_moments(x.view, zeros.data(), true).count[0] == 0);
}

TEST(column_moments_show_infinities) {
    for (const Index p : {1, 20}) {
        Matrix<double> x = random_matrix<double>(100, p, Layout::rows, 9);
        x.at(57, p - 1) = -infinity;
        CHECK(scan::column_moments(x.view, nullptr, true).low[p - 1] == -infinity);
    }
}

TEST(column_moments_do_not_depend_on_threads) {
    const Matrix<double> x = random_matrix<double>(100000, 11, Layout::rows, 10);
    set_threads(1);
    const scan::ColumnMoments one = scan::column_moments(x.view, nullptr, true);
    set_threads(4);
    const scan::ColumnMoments four = scan::column_moments(x.view, nullptr, true);
    set_threads(0);
    CHECK(one.mean == four.mean && one.length == four.length);
}

}  // namespace stylobate
