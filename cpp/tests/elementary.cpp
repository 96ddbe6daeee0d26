// Exponentials of every instruction set against long double ones; rows against naive sums.
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "scan/kernels.hpp"

namespace stylobate {
namespace {

std::vector<double> arguments() {
    std::vector<double> x;
    for (double at = -760.0; at <= 720.0; at += 0.37) x.push_back(at);
    for (double at = -1e-3; at <= 1e-3; at += 1.7e-5) x.push_back(at);
    return x;
}

TEST(exponentials_are_right_to_the_last_place) {
    const std::vector<double> x = arguments();
    const auto n = static_cast<Index>(x.size());
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        const scan::Kernels* set = scan::kernels_of(which);
        if (set == nullptr) continue;
        std::vector<double> e(n), p(n), s(n);
        set->exp(x.data(), n, e.data());
        set->logistic(x.data(), n, p.data(), s.data());
        for (Index i = 0; i < n; ++i) {
            const long double exact = std::exp(static_cast<long double>(x[i]));
            if (x[i] > 709.79) {
                CHECK(e[i] == std::numeric_limits<double>::infinity());
            } else {
                // denormal results are right to the smallest number there is
                CHECK_CLOSE(e[i], static_cast<double>(exact),
                            4.5e-16 * static_cast<double>(exact) + 1e-323);
            }
            const long double probability =
                1.0L / (1.0L + std::exp(-static_cast<long double>(x[i])));
            CHECK_CLOSE(p[i], static_cast<double>(probability),
                        1e-15 * static_cast<double>(probability) + 1e-323);
            const long double plus =
                std::log1p(std::exp(-std::fabs(static_cast<long double>(x[i]))));
            CHECK_CLOSE(s[i], static_cast<double>(plus),
                        1e-15 * static_cast<double>(plus) + 1e-323);
        }
    }
}

TEST(exponentials_beyond_the_range_and_of_no_number) {
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> x{inf, -inf, 1e308, -1e308, 0.0, std::nan("")};
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        const scan::Kernels* set = scan::kernels_of(which);
        if (set == nullptr) continue;
        std::vector<double> e(x.size());
        set->exp(x.data(), static_cast<Index>(x.size()), e.data());
        CHECK(e[0] == inf && e[1] == 0.0 && e[2] == inf && e[3] == 0.0 && e[4] == 1.0);
        CHECK(std::isnan(e[5]));
    }
}

TEST(products_of_rows_are_naive_sums) {
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        const scan::Kernels* set = scan::kernels_of(which);
        if (set == nullptr) continue;
        for (Index rows : {0, 1, 3, 4, 9})
            for (Index cols : {0, 1, 7, 8, 19}) {
                const Index lda = cols + 3;
                std::vector<double> a(rows * lda), w(cols), factor(rows), out(rows), sum(cols, 0.5);
                for (Index i = 0; i < rows * lda; ++i) a[i] = std::sin(static_cast<double>(i));
                for (Index j = 0; j < cols; ++j) w[j] = std::cos(static_cast<double>(j));
                for (Index k = 0; k < rows; ++k) factor[k] = 0.3 * static_cast<double>(k) - 1.0;
                set->row_products(a.data(), rows, lda, cols, w.data(), out.data());
                set->add_rows(a.data(), rows, lda, cols, factor.data(), sum.data());
                for (Index k = 0; k < rows; ++k) {
                    double expected = 0.0;
                    for (Index j = 0; j < cols; ++j) expected += a[k * lda + j] * w[j];
                    CHECK_CLOSE(out[k], expected, 1e-14);
                }
                for (Index j = 0; j < cols; ++j) {
                    double expected = 0.5;
                    for (Index k = 0; k < rows; ++k) expected += factor[k] * a[k * lda + j];
                    CHECK_CLOSE(sum[j], expected, 1e-14);
                }
            }
    }
}

}  // namespace
}  // namespace stylobate
