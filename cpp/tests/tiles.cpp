// Every epilogue of the tiles against loops over all pairs, on odd sizes and nasty rows.
#include <algorithm>
#include <limits>
#include <numeric>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "tile/nearest.hpp"
#include "tile/sums.hpp"
#include "tile/within.hpp"
#include "tile/write.hpp"

namespace stylobate {
namespace {

using namespace tests;
using tile::Map;
using tile::Mapping;
using tile::Measure;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Measure every[] = {Measure::squared,    Measure::inner,      Measure::manhattan,
                             Measure::chebyshev,  Measure::power,      Measure::canberra,
                             Measure::hamming,    Measure::braycurtis, Measure::nan_squared,
                             Measure::chi_square, Measure::gower};

template <class T>
double naive(const MatrixView<T>& x, Index i, const MatrixView<T>& y, Index j, Measure measure,
             double p, const double* w) {
    long double a = 0, b = 0;
    for (Index l = 0; l < x.cols; ++l) {
        const long double u = x(i, l), v = y(j, l), t = std::fabs(u - v);
        const long double weight = w == nullptr ? 1.0L : w[l];
        switch (measure) {
            case Measure::inner:
                a += u * v;
                break;
            case Measure::manhattan:
                a += t;
                break;
            case Measure::chebyshev:
                a = std::max(a, t);
                break;
            case Measure::power:
                a += std::pow(t, static_cast<long double>(p));
                break;
            case Measure::canberra:
                if (t > 0) a += weight * t / (std::fabs(u) + std::fabs(v));
                break;
            case Measure::hamming:
                a += u != v ? weight : 0;
                break;
            case Measure::braycurtis:
                a += t, b += std::fabs(u + v);
                break;
            case Measure::nan_squared:
                if (!std::isnan(t)) a += t * t, b += 1;
                break;
            case Measure::chi_square:
                if (u + v != 0) a += t * t / (u + v);
                break;
            case Measure::gower:
                if (!std::isnan(t)) {
                    a += weight < 0 ? -weight * (t != 0) : weight * t;
                    b += std::fabs(weight);
                }
                break;
            default:
                a += t * t;
        }
    }
    if (measure == Measure::nan_squared) a *= b > 0 ? x.cols / b : nan;
    if (measure == Measure::braycurtis || measure == Measure::gower) a /= b;
    return static_cast<double>(a);
}

template <class T>
Matrix<T> rows_for(Measure measure, Index rows, Index cols, unsigned seed) {
    Matrix<T> x = random_matrix<T>(rows, cols, Layout::padded_rows, seed);
    for (Index i = 0; i < rows; ++i)
        for (Index l = 0; l < cols; ++l) {
            T& cell = x.at(i, l);
            if (measure == Measure::hamming || measure == Measure::gower) cell = std::round(cell);
            if (measure == Measure::chi_square) cell = std::fabs(cell);
            const bool missing = measure == Measure::nan_squared || measure == Measure::gower;
            if (missing && (i * 3 + l) % 5 == 0) cell = static_cast<T>(nan);
        }
    return x;
}

std::vector<double> weights_for(Measure measure, Index cols) {
    std::vector<double> w = random_weights(cols, 2);
    if (measure == Measure::gower)
        for (Index l = 0; l < cols; l += 2) w[l] = -w[l] - 0.1;
    return w;
}

template <class T>
void check_measure(Measure measure, Index n, Index m, Index cols, double p) {
    const Matrix<T> x = rows_for<T>(measure, n, cols, 1), y = rows_for<T>(measure, m, cols, 2);
    const std::vector<double> w = weights_for(measure, cols);
    const bool weighted =
        measure == Measure::canberra || measure == Measure::hamming || measure == Measure::gower;
    const double* const given = weighted ? w.data() : nullptr;
    const auto strips = tile::dense_strips<T>(x.view, y.view, {measure, p, given});
    std::vector<double> all(static_cast<std::size_t>(n * m));
    tile::write<double>(*strips, {}, tile::Half::none, all.data(), m);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < m; ++j) {
            const double want = naive(x.view, i, y.view, j, measure, p, given);
            const double got = all[i * m + j];
            if (std::isnan(want))
                CHECK(std::isnan(got));
            else
                CHECK_CLOSE(got, want, 1e-12 * (std::fabs(want) + (measure == Measure::inner)));
        }
}

// The k nearest by sorting everything; NaN last, ties by row.
std::vector<std::int64_t> by_sorting(const std::vector<double>& values, Index k, Index skip) {
    std::vector<std::int64_t> rows(values.size());
    std::iota(rows.begin(), rows.end(), 0);
    if (skip >= 0) rows.erase(rows.begin() + skip);
    std::stable_sort(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) {
        if (std::isnan(values[a]) || std::isnan(values[b]))
            return !std::isnan(values[a]) && std::isnan(values[b]);
        return values[a] < values[b];
    });
    rows.resize(static_cast<std::size_t>(k));
    return rows;
}

template <class T>
Matrix<T> lattice(Index rows, Index cols, unsigned seed) {  // many equal distances, all exact
    Matrix<T> x = random_matrix<T>(rows, cols, Layout::padded_rows, seed);
    for (Index i = 0; i < rows; ++i)
        for (Index l = 0; l < cols; ++l)
            x.at(i, l) = l < 2 ? std::round(x.at(i, l)) : static_cast<T>(100);
    return x;
}

template <class T>
void check_nearest(Index n, Index m, Index cols, Index k, bool skip_self) {
    const Matrix<T> x = lattice<T>(n, cols, 3),
                    y = skip_self ? lattice<T>(n, cols, 3) : lattice<T>(m, cols, 4);
    std::vector<double> values(static_cast<std::size_t>(n * k));
    std::vector<std::int64_t> rows(values.size());
    tile::nearest_dense<T>(x.view, y.view, false, {k, skip_self}, values.data(), rows.data());
    std::vector<double> radii(static_cast<std::size_t>(n), 2.0);
    const tile::Lists lists = tile::within_dense<T>(x.view, y.view, {radii.data(), skip_self});
    std::vector<std::int64_t> counts(static_cast<std::size_t>(n));
    tile::count_dense<T>(x.view, y.view, {radii.data(), skip_self}, counts.data());
    for (Index i = 0; i < n; ++i) {
        std::vector<double> all;
        std::vector<std::int64_t> inside;
        for (Index j = 0; j < y.view.rows; ++j) {
            all.push_back(naive(x.view, i, y.view, j, Measure::squared, 2.0, nullptr));
            if (all.back() <= 2.0 && !(skip_self && i == j)) inside.push_back(j);
        }
        const std::vector<std::int64_t> want = by_sorting(all, k, skip_self ? i : -1);
        for (Index e = 0; e < k; ++e) {
            CHECK(rows[i * k + e] == want[e]);
            CHECK(values[i * k + e] == all[want[e]]);
        }
        CHECK(counts[i] == static_cast<std::int64_t>(inside.size()));
        CHECK(lists.offsets[i + 1] - lists.offsets[i] == counts[i]);
        CHECK(std::equal(inside.begin(), inside.end(), lists.rows.begin() + lists.offsets[i]));
    }
}

}  // namespace

TEST(tiles_of_every_measure_and_size) {
    for (const Measure measure : every)
        for (const Index cols : {1, 5, 9, 40})
            for (const Index m : {1, 23, 49}) {
                check_measure<double>(measure, 11, m, cols, 3.0);
                check_measure<float>(measure, 2, m, cols, 2.5);
            }
    check_measure<double>(Measure::squared, 3, 30, 700, 2.0);  // more than one depth block
    check_measure<double>(Measure::inner, 140, 30, 3, 2.0);    // more than one chunk
}

TEST(tiles_nearest_and_within_with_ties) {
    for (const Index cols : {2, 17}) {
        for (const Index m : {5, 100, 1000}) {
            check_nearest<double>(13, m, cols, 5, false);
            check_nearest<float>(1, m, cols, 3, false);
        }
        check_nearest<double>(200, 200, cols, 9, true);
        check_nearest<float>(70, 70, cols, 1, true);
    }
}

TEST(tiles_near_duplicates_keep_their_digits) {
    const Index n = 30, cols = 33;
    Matrix<double> x = random_matrix<double>(n, cols, Layout::rows, 5), y = x;
    y.view.data = y.memory.data();
    for (Index i = 0; i < n; ++i)
        for (Index l = 0; l < cols; ++l) {
            x.at(i, l) += 1e6;
            y.at(i, l) = x.at(i, l) * (1.0 + (i % 2) * 1e-13 * static_cast<double>(i));
        }
    const auto strips = tile::dense_strips<double>(x.view, y.view, {Measure::squared});
    std::vector<double> all(static_cast<std::size_t>(n * n));
    tile::write<double>(*strips, {Map::root}, tile::Half::none, all.data(), n);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            const double want =
                std::sqrt(naive(x.view, i, y.view, j, Measure::squared, 2.0, nullptr));
            CHECK_CLOSE(all[i * n + j], want, 1e-13 * want);
        }
        if (i % 2 == 0) CHECK(all[i * n + i] == 0.0);
    }
}

TEST(tiles_symmetric_is_symmetric) {
    for (const Index n : {1, 24, 150, 301}) {
        const Matrix<double> x = random_matrix<double>(n, 12, Layout::padded_rows, 6);
        const auto strips = tile::dense_strips<double>(x.view, x.view, {Measure::squared});
        std::vector<double> half(static_cast<std::size_t>(n * n), -1.0), whole(half);
        tile::write<double>(*strips, {Map::exponential, -0.1}, tile::Half::mirrored, half.data(),
                            n);
        tile::write<double>(*strips, {Map::exponential, -0.1}, tile::Half::none, whole.data(), n);
        for (Index i = 0; i < n; ++i) {
            CHECK(half[i * n + i] == 1.0);
            for (Index j = 0; j < n; ++j) {
                CHECK(half[i * n + j] == half[j * n + i]);
                CHECK_CLOSE(half[i * n + j], whole[i * n + j], 1e-14);
            }
        }
    }
}

// Of every size the numbers on and below the diagonal are those of the whole matrix, and most of
// what lies above is left alone.
TEST(tiles_below_the_diagonal) {
    for (const Index n : {1, 24, 150, 301, 1501}) {
        const Matrix<double> x = random_matrix<double>(n, 12, Layout::padded_rows, 6);
        const auto strips = tile::dense_strips<double>(x.view, x.view, {Measure::squared});
        std::vector<double> lower(static_cast<std::size_t>(n * n), -1.0), both(lower);
        tile::write<double>(*strips, {Map::exponential, -0.1}, tile::Half::lower, lower.data(), n);
        tile::write<double>(*strips, {Map::exponential, -0.1}, tile::Half::mirrored, both.data(),
                            n);
        Index left = 0;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j)
                if (lower[i * n + j] == -1.0)
                    left += 1, CHECK(j > i);
                else
                    CHECK(lower[i * n + j] == both[i * n + j]);
        if (n > 1000) CHECK(left > n * (n - 1) / 2 * 4 / 5);
    }
}

// Large enough to be written around the caches, and not aligned with their lines.
TEST(tiles_past_the_caches_and_in_single_precision) {
    const Index n = 1501, stride = n + 2;
    const Matrix<double> x = random_matrix<double>(n, 3, Layout::rows, 16);
    const auto strips = tile::dense_strips<double>(x.view, x.view, {Measure::squared});
    const auto size = static_cast<std::size_t>(n * stride + 1);
    std::vector<double> half(size, -1.0), whole(size, -1.0);
    std::vector<float> single(size, -1.0F);
    tile::write<double>(*strips, {Map::exponential, -0.1}, tile::Half::mirrored, half.data() + 1,
                        stride);
    tile::write<double>(*strips, {Map::exponential, -0.1}, tile::Half::none, whole.data() + 1,
                        stride);
    tile::write<float>(*strips, {Map::exponential, -0.1}, tile::Half::mirrored, single.data() + 1,
                       stride);
    CHECK(half[0] == -1.0 && whole[0] == -1.0 && single[0] == -1.0F);
    for (Index i = 0; i < n; ++i) {
        const Index row = 1 + i * stride;
        for (Index j = 0; j < n; ++j) {
            CHECK(half[row + j] == half[1 + j * stride + i]);
            CHECK_CLOSE(half[row + j], whole[row + j], 1e-14);
            CHECK(single[row + j] == static_cast<float>(half[row + j]));
        }
        CHECK(half[row + n] == -1.0 && whole[row + n] == -1.0 && single[row + n] == -1.0F);
    }
}

TEST(tiles_sums_and_maps) {
    const Index m = 333, cols = 10;
    const Matrix<double> y = random_matrix<double>(m, cols, Layout::rows, 8);
    const std::vector<double> w = random_weights(m, 9);
    for (const Index n : {1, 20, 200}) {
        const Matrix<double> x = random_matrix<double>(n, cols, Layout::rows, 7);
        const auto strips = tile::dense_strips<double>(x.view, y.view, {Measure::squared});
        std::vector<double> sums(static_cast<std::size_t>(n)), logs(sums), plain(sums);
        tile::sum_rows(*strips, {Map::exponential, -0.05}, w.data(), sums.data());
        tile::sum_rows(*strips, {Map::log_exponent, -300.0}, nullptr, logs.data());
        tile::sum_rows(*strips, {Map::cosine, 0.05}, nullptr, plain.data());
        for (Index i = 0; i < n; ++i) {
            long double sum = 0, log = 0, cosine = 0, least = 1e300;
            for (Index j = 0; j < m; ++j)
                least = std::min<long double>(
                    least, naive(x.view, i, y.view, j, Measure::squared, 2.0, nullptr));
            for (Index j = 0; j < m; ++j) {
                const long double v = naive(x.view, i, y.view, j, Measure::squared, 2.0, nullptr);
                sum += w[j] * std::exp(-0.05L * v);
                log += std::exp(-300.0L * (v - least));
                if (0.05L * v < 1) cosine += std::cos(1.5707963267948966L * std::sqrt(0.05L * v));
            }
            CHECK_CLOSE(sums[i], sum, 1e-12 * static_cast<double>(sum));
            CHECK_CLOSE(logs[i], std::log(log) - 300.0L * least, 1e-9);
            CHECK_CLOSE(plain[i], cosine, 1e-11);
        }
    }
    std::vector<double> z;
    for (double v = -30.0; v < 30.0; v += 0.0371) z.push_back(v);
    for (double v = 1e-300; v < 1.0; v *= 7.0) z.push_back(v), z.push_back(-v);
    std::vector<double> c = z;
    tile::apply({Map::sigmoid, 1.0, 0.0}, 0.0, nullptr, c.data(), static_cast<Index>(c.size()));
    for (std::size_t j = 0; j < z.size(); ++j)
        CHECK_CLOSE(c[j], std::tanh(z[j]), 4e-16 * std::fabs(std::tanh(z[j])));
}

TEST(tiles_of_sparse_rows) {
    const Compressed<double, std::int32_t> x(random_matrix<double>(37, 30, Layout::rows, 10));
    const Compressed<double, std::int32_t> y(random_matrix<double>(61, 30, Layout::rows, 11));
    for (const Measure measure : {Measure::squared, Measure::inner, Measure::manhattan}) {
        for (const bool itself : {false, true}) {
            const auto& other = itself ? x : y;
            const auto strips = tile::sparse_strips(x.view(), other.view(), measure);
            const Index m = other.dense.view.rows;
            std::vector<double> all(static_cast<std::size_t>(37 * m));
            tile::write<double>(*strips, {}, tile::Half::none, all.data(), m);
            for (Index i = 0; i < 37; ++i)
                for (Index j = 0; j < m; ++j) {
                    const double want =
                        naive(x.dense.view, i, other.dense.view, j, measure, 2.0, nullptr);
                    CHECK_CLOSE(all[i * m + j], want, 1e-12 * (1.0 + std::fabs(want)));
                    if (itself && i == j && measure != Measure::inner) CHECK(all[i * m + j] == 0.0);
                }
        }
    }
    CHECK_THROWS(InvalidArgument, tile::sparse_strips(x.view(), y.view(), Measure::canberra));
}

TEST(tiles_missing_and_infinite_values) {
    Matrix<double> x = random_matrix<double>(20, 12, Layout::rows, 12);
    for (Index l = 0; l < 12; ++l) x.at(3, l) = nan, x.at(5, l) = 1e300, x.at(6, l) = -1e300;
    std::vector<double> values(20 * 19);
    std::vector<std::int64_t> rows(values.size());
    tile::nearest_dense<double>(x.view, x.view, false, {19, true}, values.data(), rows.data());
    for (Index i = 0; i < 20; ++i) {
        std::vector<double> all;
        for (Index j = 0; j < 20; ++j) {
            double sum = 0.0;
            for (Index l = 0; l < 12; ++l)
                sum += (x.view(i, l) - x.view(j, l)) * (x.view(i, l) - x.view(j, l));
            all.push_back(sum);
        }
        const std::vector<std::int64_t> want = by_sorting(all, 19, i);
        CHECK(std::equal(want.begin(), want.end(), rows.begin() + i * 19) || i == 3);
    }
    CHECK_THROWS(InvalidArgument, tile::nearest_dense<double>(x.view, x.view, false, {20, true},
                                                              values.data(), rows.data()));
}

}  // namespace stylobate
