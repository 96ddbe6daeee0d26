#include "scan/leverage.hpp"

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/blas.hpp"
#include "stylobate/errors.hpp"

namespace stylobate {
namespace {

using namespace tests;

// B ← A⁻ᵀB for an upper triangle A: the one form the scan asks for.
void forward_substitution(const char*, const char*, const char*, const char*, const int* m,
                          const int* n, const double*, const double* a, const int* lda, double* b,
                          const int* ldb) {
    for (int column = 0; column < *n; ++column) {
        double* x = b + static_cast<Index>(column) * *ldb;
        for (int i = 0; i < *m; ++i) {
            const double* u = a + static_cast<Index>(i) * *lda;
            for (int l = 0; l < i; ++l) x[i] -= u[l] * x[l];
            x[i] /= u[i];
        }
    }
}

std::vector<double> triangle(Index p) {
    std::vector<double> r(p * p, 0.0);
    for (Index j = 0; j < p; ++j)
        for (Index i = 0; i <= j; ++i)
            r[i + p * j] = i == j ? 6.0 : 1.0 / static_cast<double>(1 + j - i);
    return r;
}

template <class T>
void check_quadratics(const MatrixView<T>& x, const double* center, const double* r,
                      const double* out) {
    std::vector<long double> solved(x.cols);
    for (Index k = 0; k < x.rows; ++k) {
        long double sum = 0;
        for (Index i = 0; i < x.cols; ++i) {
            solved[i] = static_cast<long double>(x(k, i)) - center[i];
            for (Index l = 0; l < i; ++l) solved[i] -= r[l + x.cols * i] * solved[l];
            solved[i] /= r[i + x.cols * i];
            sum += solved[i] * solved[i];
        }
        CHECK_CLOSE(out[k], sum, 1e-12 * static_cast<double>(sum));
    }
}

}  // namespace

TEST(quadratics_of_every_instruction_set) {
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        const scan::Kernels* set = scan::kernels_of(which);
        if (set == nullptr) continue;
        for (const Index p : {1, 2, 7, 20})
            for (const Index n : {1, 2, 15, 16, 17, 63, 64, 65, 130}) {
                const Matrix<double> x = random_matrix<double>(n, p, Layout::padded_rows, 52);
                const std::vector<double> r = triangle(p), zero(p, 0.0);
                std::vector<double> out(n, -1.0);
                Buffer scratch(64 * p);
                set->quadratics(x.view.data, n, x.view.row_stride, r.data(), p, scratch.data(),
                                out.data());
                check_quadratics(x.view, zero.data(), r.data(), out.data());
            }
    }
}

TEST(row_quadratics_of_every_layout) {
    for (const Layout layout : layouts) {
        const Matrix<float> x = random_matrix<float>(700, 6, layout, 53);
        const std::vector<double> r = triangle(6), center(6, 3.0);
        std::vector<double> out(700, -1.0);
        scan::row_quadratics(scan::DenseFeatures<float>(x.view), center.data(), r.data(),
                             out.data());
        check_quadratics(x.view, center.data(), r.data(), out.data());
    }
    std::vector<double> out(5, -1.0);
    const scan::DenseFeatures<double> no_columns({nullptr, 5, 0, 0, 1});
    scan::row_quadratics(no_columns, nullptr, nullptr, out.data());
    CHECK(out == std::vector<double>(5, 0.0));
}

TEST(row_quadratics_of_many_columns_once_blas_is_there) {
    constexpr Index n = 300, p = 520;
    const Matrix<double> x = random_matrix<double>(n, p, Layout::columns, 51);
    const scan::DenseFeatures<double> features(x.view);
    const std::vector<double> r = triangle(p), center(p, 3.0);
    std::vector<double> out(n, -1.0);
    CHECK_THROWS(InvalidArgument, blas());
    CHECK_THROWS(InvalidArgument,
                 scan::row_quadratics(features, center.data(), r.data(), out.data()));
    CHECK_THROWS(InvalidArgument, install_blas(Blas{}));
    install_blas({&forward_substitution});
    CHECK(blas().dtrsm == &forward_substitution);
    scan::row_quadratics(features, center.data(), r.data(), out.data());
    check_quadratics(x.view, center.data(), r.data(), out.data());
}

}  // namespace stylobate
