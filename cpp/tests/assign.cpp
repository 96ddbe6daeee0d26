// Rows and their nearest centres against loops in long double, on odd sizes and nasty rows.
#include "tile/assign.hpp"

#include <limits>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;
using tile::CentreSums;
using tile::PackedRows;
using tile::RowAssignments;

struct Found {
    std::vector<std::int32_t> labels;
    std::vector<double> nearest, second;
    CentreSums sums;

    explicit Found(Index n) : labels(n), nearest(n), second(n) {}
    RowAssignments out() { return {labels.data(), nearest.data(), second.data()}; }
};

template <class Rows>
Found assigned(const Rows& x, Index n, const double* w, const MatrixView<double>& centres) {
    Found found(n);
    found.sums = tile::assign(x, w, centres, found.out());
    return found;
}

template <class T>
void check_found(const Found& found, const MatrixView<T>& x, const double* weights,
                 const MatrixView<double>& centres) {
    const Index k = centres.rows, p = centres.cols;
    std::vector<long double> weight(k), deviations(k * p), size(k * p);
    long double inertia = 0;
    for (Index i = 0; i < x.rows; ++i) {
        long double best = std::numeric_limits<long double>::infinity(), second = best;
        for (Index c = 0; c < k; ++c) {
            long double square = 0;
            for (Index l = 0; l < p; ++l) {
                const long double t = static_cast<long double>(x(i, l)) - centres(c, l);
                square += t * t;
            }
            if (square < best)
                second = best, best = square;
            else if (square < second)
                second = square;
            if (c == found.labels[i])
                CHECK_CLOSE(found.nearest[i], square, 1e-13 * static_cast<double>(square));
        }
        const auto scale = static_cast<double>(best);
        CHECK_CLOSE(found.nearest[i], best, 1e-13 * scale);
        if (k > 1) CHECK_CLOSE(found.second[i], second, 1e-13 * static_cast<double>(second));
        if (k == 1) CHECK(std::isinf(found.second[i]));
        const long double w = weights == nullptr ? 1.0L : weights[i];
        inertia += w * best;
        weight[found.labels[i]] += w;
        for (Index l = 0; l < p; ++l) {
            const Index at = found.labels[i] * p + l;
            deviations[at] += w * (static_cast<long double>(x(i, l)) - centres(found.labels[i], l));
            size[at] += w * (std::fabs(static_cast<long double>(x(i, l))) + 100);
        }
    }
    for (Index c = 0; c < k; ++c) CHECK_CLOSE(found.sums.weight[c], weight[c], 1e-10);
    for (Index a = 0; a < k * p; ++a)
        CHECK_CLOSE(found.sums.deviations[a], deviations[a],
                    1e-14 * static_cast<double>(size[a]) + 1e-300);
    CHECK_CLOSE(found.sums.inertia, inertia, 1e-12 * static_cast<double>(inertia));
}

bool same(const CentreSums& a, const CentreSums& b) {
    return a.rows == b.rows && a.weight == b.weight && a.deviations == b.deviations &&
           a.inertia == b.inertia;
}

template <class T>
void check_sizes(Index n, Index p, Index k, Layout layout) {
    const Matrix<T> x = random_matrix<T>(n, p, layout, 3);
    const Matrix<double> centres = random_matrix<double>(k, p, Layout::padded_rows, 4);
    const std::vector<double> w = random_weights(n, 5);
    for (const double* weights : {static_cast<const double*>(nullptr), w.data()}) {
        const Found found = assigned(x.view, n, weights, centres.view);
        check_found(found, x.view, weights, centres.view);
        const PackedRows<T> packed(x.view, tile::Measure::squared);
        const Found again = assigned(packed, n, weights, centres.view);
        CHECK(same(found.sums, again.sums) && found.labels == again.labels);
    }
}

}  // namespace

TEST(assignments_equal_the_definition) {
    for (const auto& [n, p, k] : {std::tuple<Index, Index, Index>{1, 1, 1},
                                  {23, 3, 2},
                                  {25, 8, 9},
                                  {100, 9, 7},
                                  {3100, 20, 10},
                                  {50, 12, 131}}) {
        check_sizes<double>(n, p, k, Layout::rows);
        check_sizes<float>(n, p, k, Layout::padded_rows);
    }
    check_sizes<double>(70, 11, 5, Layout::columns);
    check_sizes<float>(70, 11, 5, Layout::strided);
}

TEST(assignments_of_compressed_rows) {
    for (const Index k : {1, 5, 60}) {
        const Compressed<double, std::int32_t> x(random_matrix<double>(200, 17, Layout::rows, 6));
        const Matrix<double> centres = random_matrix<double>(k, 17, Layout::rows, 7);
        const std::vector<double> w = random_weights(200, 8);
        check_found(assigned(x.view(), 200, w.data(), centres.view), x.dense.view, w.data(),
                    centres.view);
        // centres that are rows: distances of zero stay zero
        const MatrixView<double> own{x.dense.view.data, k, 17, x.dense.view.row_stride, 1};
        const Found zero = assigned(x.view(), 200, nullptr, own);
        CHECK(zero.nearest[0] == 0.0 && zero.labels[0] == 0);
    }
}

TEST(assignments_have_the_same_bits_with_any_number_of_threads) {
    const Matrix<double> x = random_matrix<double>(20'000, 10, Layout::rows, 9);
    const Matrix<double> centres = random_matrix<double>(6, 10, Layout::rows, 10);
    const int before = set_threads(1);
    const Found one = assigned(x.view, 20'000, nullptr, centres.view);
    for (const int threads : {2, 7}) {
        set_threads(threads);
        const Found many = assigned(x.view, 20'000, nullptr, centres.view);
        CHECK(same(one.sums, many.sums) && one.labels == many.labels);
    }
    set_threads(before);
}

TEST(assignments_of_rows_with_nan_or_of_none) {
    Matrix<double> x = random_matrix<double>(30, 10, Layout::rows, 11);
    x.at(3, 4) = std::numeric_limits<double>::quiet_NaN();
    const Matrix<double> centres = random_matrix<double>(4, 10, Layout::rows, 12);
    const Found found = assigned(x.view, 30, nullptr, centres.view);
    CHECK(!std::isfinite(found.sums.inertia));
    CHECK(found.labels[3] == 0);
    const CentreSums none = tile::assign(MatrixView<double>{x.view.data, 0, 10, 10, 1}, nullptr,
                                         centres.view, RowAssignments{});
    CHECK(none.inertia == 0.0 && none.weight[2] == 0.0);
    const MatrixView<double> narrow{x.view.data, 4, 9, 10, 1};
    CHECK_THROWS(InvalidArgument, tile::assign(x.view, nullptr, narrow, RowAssignments{}));
    const MatrixView<double> empty{x.view.data, 0, 10, 10, 1};
    CHECK_THROWS(InvalidArgument, tile::assign(x.view, nullptr, empty, RowAssignments{}));
}

}  // namespace stylobate
