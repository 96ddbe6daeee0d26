// Kernels by tiles: their matrices, products and cached rows against loops over all pairs.
#include <cmath>
#include <thread>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tile/kernel_products.hpp"
#include "tile/names.hpp"
#include "tile/pairs.hpp"
#include "tile/row_cache.hpp"
#include "tile/write.hpp"

namespace stylobate {
namespace {

using namespace tests;
using tile::KernelForm;
using tile::KernelStep;
using tile::Map;
using tile::Measure;
using tile::Pairs;
using Kind = KernelStep::Kind;

constexpr double gamma_of_rbf = 0.03;

// f(x) f(y) (e^(−γ d) · d + (0.1 s + 1)² + 2) where d = ‖x − y‖² and s = x·y
KernelForm form(Index queries, Index rows) {
    KernelForm made;
    made.steps = {
        {Kind::measure, 0, {}}, {Kind::map, 0, {Map::exponential, -gamma_of_rbf, 0.0, 1.0}},
        {Kind::measure, 0, {}}, {Kind::multiply, 0, {}},
        {Kind::measure, 1, {}}, {Kind::map, 0, {Map::polynomial, 0.1, 1.0, 2.0}},
        {Kind::add, 0, {}},     {Kind::constant, 0, {Map::identity, 2.0, 0.0, 1.0}},
        {Kind::add, 0, {}},     {Kind::factors, 0, {}}};
    made.factors.resize(1);
    for (Index i = 0; i < queries; ++i) made.factors[0].queries.push_back(1.0 + 0.01 * i);
    for (Index j = 0; j < rows; ++j) made.factors[0].rows.push_back(2.0 - 0.01 * j);
    return made;
}

template <class T>
long double naive(const MatrixView<T>& x, Index i, const MatrixView<T>& y, Index j) {
    long double d = 0, s = 0;
    for (Index l = 0; l < x.cols; ++l) {
        const long double a = x(i, l), b = y(j, l);
        d += (a - b) * (a - b), s += a * b;
    }
    return (1.0L + 0.01L * i) * (2.0L - 0.01L * j) *
           (std::exp(-gamma_of_rbf * d) * d + (0.1L * s + 1) * (0.1L * s + 1) + 2);
}

template <class T>
Pairs kernel_of(const MatrixView<T>& x, const MatrixView<T>& y, bool packed) {
    std::vector<Pairs> measures;
    for (const Measure measure : {Measure::squared, Measure::inner})
        measures.push_back(
            packed ? Pairs::packed(x, std::make_shared<const tile::PackedRows<T>>(y, measure), {})
                   : Pairs::dense(x, y, {measure}));
    return Pairs::kernel(measures, form(x.rows, y.rows));
}

template <class T>
void check_kernel(Index n, Index m, Index p, bool packed) {
    const Matrix<T> x = random_matrix<T>(n, p, Layout::rows, 1),
                    y = random_matrix<T>(m, p, Layout::padded_rows, 2);
    const Pairs pairs = kernel_of(x.view, y.view, packed);
    std::vector<double> all(static_cast<std::size_t>(n * m));
    tile::write<double>(*pairs.strips(), {}, tile::Half::none, all.data(), m);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < m; ++j) {
            const auto expected = static_cast<double>(naive(x.view, i, y.view, j));
            CHECK_CLOSE(all[i * m + j], expected, 1e-12 * std::fabs(expected));
        }
    for (const Index k : {1, 2, 9}) {
        const Matrix<double> v = random_matrix<double>(m, k, Layout::strided, 3);
        std::vector<double> out(static_cast<std::size_t>(n * k));
        tile::multiply_pairs(*pairs.strips(), v.view, false, out.data());
        for (Index i = 0; i < n; ++i)
            for (Index c = 0; c < k; ++c) {
                long double sum = 0, size = 0;
                for (Index j = 0; j < m; ++j) {
                    const long double term =
                        static_cast<long double>(all[i * m + j]) * v.view(j, c);
                    sum += term, size += std::fabs(term);
                }
                CHECK_CLOSE(out[i * k + c], sum, 1e-14 * static_cast<double>(size));
            }
    }
    const std::vector<Index> which = {n - 1, 0, n / 2};
    std::vector<double> some(static_cast<std::size_t>(3 * m));
    tile::write<double>(*pairs.strips(which.data(), 3), {}, tile::Half::none, some.data(), m);
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < m; ++j)
            CHECK_CLOSE(some[i * m + j], all[which[i] * m + j],
                        1e-14 * std::fabs(all[which[i] * m + j]));
}

}  // namespace

TEST(kernels_by_tiles_equal_loops) {
    for (const auto& [n, m, p] :
         {std::tuple<Index, Index, Index>{1, 1, 1}, {7, 25, 3}, {40, 131, 12}, {150, 49, 9}})
        for (const bool packed : {false, true}) {
            check_kernel<double>(n, m, p, packed);
            check_kernel<float>(n, m, p, packed);
        }
}

TEST(kernels_of_compressed_rows_by_tiles) {
    const Compressed<double, std::int32_t> x(random_matrix<double>(40, 11, Layout::rows, 4)),
        y(random_matrix<double>(60, 11, Layout::rows, 5));
    const Pairs pairs = Pairs::kernel({Pairs::sparse(x.view(), y.view(), Measure::squared),
                                       Pairs::sparse(x.view(), y.view(), Measure::inner)},
                                      form(40, 60));
    const std::vector<Index> which = {39, 1};
    std::vector<double> some(120);
    tile::write<double>(*pairs.strips(which.data(), 2), {}, tile::Half::none, some.data(), 60);
    for (Index i = 0; i < 2; ++i)
        for (Index j = 0; j < 60; ++j) {
            const auto expected =
                static_cast<double>(naive(x.dense.view, which[i], y.dense.view, j));
            CHECK_CLOSE(some[i * 60 + j], expected, 1e-12 * std::fabs(expected));
        }
}

TEST(forms_of_kernels_that_mean_nothing_are_refused) {
    const Matrix<double> x = random_matrix<double>(5, 3, Layout::rows, 1);
    const Pairs squared = Pairs::dense(x.view, x.view, {Measure::squared});
    const auto refused = [&](std::vector<KernelStep> steps) {
        CHECK_THROWS(InvalidArgument, Pairs::kernel({squared}, {std::move(steps), {}}));
    };
    refused({});
    refused({{Kind::measure, 1, {}}});
    refused({{Kind::measure, 0, {}}, {Kind::measure, 0, {}}});
    refused({{Kind::measure, 0, {}}, {Kind::add, 0, {}}});
    refused({{Kind::map, 0, {}}, {Kind::measure, 0, {}}});
    refused({{Kind::measure, 0, {}}, {Kind::factors, 0, {}}});
    CHECK_THROWS(InvalidArgument, Pairs::kernel({squared}, form(4, 5)));
    CHECK_THROWS(InvalidArgument, tile::measure_named("none"));
    CHECK_THROWS(InvalidArgument, tile::kernel_step_named("none"));
}

TEST(cached_rows_are_those_used_last) {
    constexpr Index rows = 20, length = 30;
    Index computed = 0;
    tile::RowCache<double> cache(rows, length, 4 * length * 8 + 7,
                                 [&](const Index* which, Index count, double* out) {
                                     computed += count;
                                     for (Index i = 0; i < count; ++i)
                                         std::fill_n(out + i * length, length, 1.0 * which[i]);
                                 });
    CHECK(cache.capacity() == 4);
    const auto held = cache.row(0);
    for (const Index i : {1, 2, 3, 0, 4}) CHECK((*cache.row(i))[7] == static_cast<double>(i));
    CHECK(cache.hits() == 1 && cache.misses() == 5 && computed == 5 && cache.kept() == 4);
    cache.row(1);  // was dropped for 4
    CHECK(cache.misses() == 6);
    cache.row(0);
    CHECK(cache.hits() == 2);
    const std::vector<Index> many = {5, 6, 5, 7, 8, 9, 0, 10};
    const auto found = cache.rows(many.data(), 8);
    for (std::size_t k = 0; k < many.size(); ++k)
        CHECK((*found[k])[0] == static_cast<double>(many[k]));
    CHECK(cache.kept() == 4);
    CHECK((*held)[3] == 0.0);
    CHECK_THROWS(InvalidArgument, cache.row(rows));
    CHECK_THROWS(InvalidArgument, cache.row(-1));
}

TEST(cached_rows_are_right_for_several_threads) {
    constexpr Index rows = 50, length = 40;
    tile::RowCache<float> cache(
        rows, length, 6 * length * 4, [&](const Index* which, Index count, float* out) {
            for (Index i = 0; i < count; ++i)
                std::fill_n(out + i * length, length, static_cast<float>(which[i]));
        });
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 4; ++seed)
        threads.emplace_back([&, seed] {
            std::mt19937 random(seed);
            for (int ask = 0; ask < 300; ++ask) {
                const auto i = static_cast<Index>(random() % rows);
                const auto row = cache.row(i);
                wrong += (*row)[0] != static_cast<float>(i) || (*row)[length - 1] != (*row)[0];
            }
        });
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    CHECK(cache.hits() + cache.misses() == 1200 && cache.kept() == 6);
}

TEST(symmetric_products_are_those_of_all_pairs) {
    const Index n = 8300;
    const Matrix<double> x = random_matrix<double>(n, 2, Layout::rows, 31);
    Pairs pairs = Pairs::dense(x.view, x.view, {Measure::squared});
    KernelForm rbf;
    rbf.steps = {{Kind::measure, 0, {}}, {Kind::map, 0, {Map::exponential, -0.4, 0.0, 1.0}}};
    pairs = Pairs::kernel({pairs}, rbf);
    for (const Index cols : {1, 3}) {
        const Matrix<double> v = random_matrix<double>(n, cols, Layout::rows, 32);
        const auto size = static_cast<std::size_t>(n * cols);
        std::vector<double> half(size), whole(size);
        const int before = set_threads(1);
        tile::multiply_pairs(*pairs.strips(), v.view, true, half.data());
        set_threads(7);
        tile::multiply_pairs(*pairs.strips(), v.view, true, whole.data());
        set_threads(before);
        CHECK(half == whole);
        tile::multiply_pairs(*pairs.strips(), v.view, false, whole.data());
        double largest = 0.0;
        for (const double each : whole) largest = std::max(largest, std::fabs(each));
        for (std::size_t i = 0; i < size; ++i) CHECK_CLOSE(half[i], whole[i], 1e-12 * largest);
    }
}

}  // namespace stylobate
