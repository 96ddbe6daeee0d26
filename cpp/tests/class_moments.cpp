#include "scan/class_moments.hpp"

#include <cstdint>

#include "check.hpp"
#include "reference.hpp"
#include "scan/class_scores.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;

struct Labelled {
    Labelled(Index n, Index classes) : codes(n) {
        for (Index k = 0; k < n; ++k) codes[k] = static_cast<double>((k * 7 + k / 3) % classes);
    }
    std::vector<double> codes;
};

// Two passes in long double over the rows of one class.
template <class T>
void check_class(const MatrixView<T>& x, const Labelled& y, const double* w, Index c,
                 const scan::ClassMoments& diagonal) {
    for (Index j = 0; j < x.cols; ++j) {
        long double weight = 0, sum = 0, square = 0;
        for (Index k = 0; k < x.rows; ++k)
            if (y.codes[k] == static_cast<double>(c)) {
                weight += w == nullptr ? 1 : w[k];
                sum += (w == nullptr ? 1 : w[k]) * static_cast<long double>(x(k, j));
            }
        const long double mean = weight > 0 ? sum / weight : 0;
        for (Index k = 0; k < x.rows; ++k)
            if (y.codes[k] == static_cast<double>(c))
                square += (w == nullptr ? 1 : w[k]) * (x(k, j) - mean) * (x(k, j) - mean);
        CHECK_CLOSE(diagonal.weight[c], weight, 1e-12 * static_cast<double>(weight));
        CHECK_CLOSE(diagonal.mean[c * x.cols + j], mean, 1e-12);
        CHECK_CLOSE(diagonal.scatter[c * x.cols + j], square,
                    1e-13 * static_cast<double>(square) + 1e-300);
    }
}

template <class T>
void check_moments(Index n, Index p, Index classes, Layout layout, bool weighted) {
    const Matrix<T> x = random_matrix<T>(n, p, layout, 21);
    const Labelled y(n, classes);
    const std::vector<double> weights = random_weights(n, 22);
    const double* w = weighted ? weights.data() : nullptr;
    const scan::LabelledRows<scan::DenseFeatures<T>> rows{scan::DenseFeatures<T>(x.view),
                                                          y.codes.data(), w, classes};
    const auto diagonal = scan::diagonal_class_moments(rows);
    const auto pooled = scan::pooled_class_moments(rows);
    const auto sums = scan::class_sums(rows);
    for (Index c = 0; c < classes; ++c) check_class(x.view, y, w, c, diagonal);
    for (Index j = 0; j < p; ++j) {
        double within = 0.0;
        for (Index c = 0; c < classes; ++c) {
            within += diagonal.scatter[c * p + j];
            CHECK_CLOSE(pooled.mean[c * p + j], diagonal.mean[c * p + j], 1e-12);
            CHECK_CLOSE(sums.mean[c * p + j], diagonal.mean[c * p + j] * diagonal.weight[c],
                        1e-10 * (1.0 + static_cast<double>(n)));
        }
        CHECK_CLOSE(pooled.scatter[j * p + j], within, 1e-12 * within + 1e-300);
    }
}

}  // namespace

TEST(class_moments_of_every_layout) {
    for (const Layout layout : layouts)
        for (const bool weighted : {false, true})
            for (const Index p : {1, 3, 9, 17}) {
                check_moments<double>(60, p, 3, layout, weighted);
                check_moments<float>(60, p, 4, layout, weighted);
            }
}

TEST(class_moments_of_several_units) {
    for (const Index n : {1, 191, 193, 4096, 4097, 9000})
        check_moments<double>(n, 3, 5, Layout::rows, n % 2 == 0);
}

TEST(class_moments_keep_the_digits_of_far_classes) {
    // classes a billion standard deviations from zero, and from each other
    const Index n = 5000;
    std::vector<double> values(n);
    const Labelled y(n, 2);
    for (Index k = 0; k < n; ++k)
        values[k] = (y.codes[k] > 0 ? 1e9 : -1e9) + static_cast<double>(k % 5);
    values[0] += 1e6;  // the first rows mislead the centre
    const MatrixView<double> x{values.data(), n, 1, 1, 1};
    const scan::LabelledRows<scan::DenseFeatures<double>> rows{scan::DenseFeatures<double>(x),
                                                               y.codes.data(), nullptr, 2};
    const auto found = scan::diagonal_class_moments(rows);
    const auto pooled = scan::pooled_class_moments(rows);
    check_class(x, y, nullptr, 1, found);
    CHECK_CLOSE(pooled.scatter[0], found.scatter[0] + found.scatter[1], 1e-12 * found.scatter[0]);
}

TEST(class_numbers_outside_are_refused) {
    const double values[2] = {1.0, 2.0}, codes[2] = {0.0, 2.0};
    const scan::LabelledRows<scan::DenseFeatures<double>> rows{
        scan::DenseFeatures<double>({values, 2, 1, 1, 1}), codes, nullptr, 2};
    CHECK_THROWS(InvalidArgument, scan::diagonal_class_moments(rows));
    CHECK_THROWS(InvalidArgument, scan::class_sums(rows));
}

TEST(class_moments_are_the_same_for_any_threads) {
    const Matrix<double> x = random_matrix<double>(20000, 5, Layout::rows, 23);
    const Labelled y(20000, 3);
    const scan::LabelledRows<scan::DenseFeatures<double>> rows{scan::DenseFeatures<double>(x.view),
                                                               y.codes.data(), nullptr, 3};
    const int before = set_threads(1);
    const auto one = scan::pooled_class_moments(rows);
    set_threads(3);
    const auto three = scan::pooled_class_moments(rows);
    set_threads(before);
    CHECK(one.scatter == three.scatter && one.mean == three.mean);
}

TEST(class_scores_of_every_model) {
    for (const Layout layout : layouts)
        for (const Index n : {1, 31, 32, 127, 129, 300})
            for (const Index p : {1, 4, 7, 17}) {
                const Index classes = 1 + n % 6;
                const Matrix<double> x = random_matrix<double>(n, p, layout, 31);
                const Matrix<double> w = random_matrix<double>(classes, p, Layout::rows, 32);
                const Matrix<double> m = random_matrix<double>(classes, p, Layout::rows, 33);
                const Matrix<double> f = random_matrix<double>(classes * p, p, Layout::rows, 34);
                const std::vector<double> bias(classes, 0.25), center(p, 0.5);
                const auto packed = [&](const Matrix<double>& a) {
                    std::vector<double> out;
                    for (Index i = 0; i < a.view.rows; ++i)
                        for (Index j = 0; j < p; ++j) out.push_back(a.view(i, j));
                    return out;
                };
                const auto weights = packed(w), mean = packed(m), factors = packed(f);
                std::vector<double> linear(n * classes), diagonal(n * classes),
                    triangular(n * classes), shares(n * classes);
                std::vector<std::int64_t> which(n);
                const scan::DenseFeatures<double> rows(x.view);
                const auto scores = scan::Answer::scores;
                const scan::LinearScores lines{classes, p, bias.data(), weights.data()};
                CHECK(scan::class_scores(rows, center.data(), lines,
                                         {scores, nullptr, linear.data()}));
                CHECK(scan::class_scores(rows, center.data(), lines,
                                         {scan::Answer::classes, which.data(), nullptr}));
                CHECK(scan::class_scores(rows, center.data(), lines,
                                         {scan::Answer::probabilities, nullptr, shares.data()}));
                scan::class_scores(
                    rows, center.data(),
                    scan::DiagonalScores{classes, p, bias.data(), weights.data(), mean.data()},
                    {scores, nullptr, diagonal.data()});
                scan::class_scores(
                    rows, center.data(),
                    scan::TriangularScores{classes, p, bias.data(), factors.data(), mean.data()},
                    {scores, nullptr, triangular.data()});
                for (Index k = 0; k < n; ++k) {
                    double total = 0.0;
                    for (Index c = 0; c < classes; ++c) {
                        double line = 0.25, square = 0.0, form = 0.0;
                        for (Index i = 0; i < p; ++i) {
                            const double z = x.view(k, i) - 0.5;
                            line += weights[c * p + i] * z;
                            const double t = weights[c * p + i] * z - mean[c * p + i];
                            square += t * t;
                            double sum = 0.0;
                            for (Index j = 0; j <= i; ++j)
                                sum += factors[(c * p + i) * p + j] *
                                       (x.view(k, j) - 0.5 - mean[c * p + j]);
                            form += sum * sum;
                        }
                        const Index at = k * classes + c;
                        CHECK_CLOSE(linear[at], line, 1e-12 * (1.0 + std::fabs(line)));
                        CHECK_CLOSE(diagonal[at], 0.25 - 0.5 * square, 1e-12 * (1.0 + square));
                        CHECK_CLOSE(triangular[at], 0.25 - 0.5 * form, 1e-12 * (1.0 + form));
                        CHECK(linear[at] <= linear[k * classes + which[k]]);
                        total += shares[at];
                    }
                    CHECK_CLOSE(total, 1.0, 1e-14);
                }
            }
}

}  // namespace stylobate
