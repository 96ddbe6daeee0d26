#include "scan/leverage.hpp"

#include <cstdint>

#include "stylobate/blas.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {

template <class Features>
void row_quadratics(const Features& x, const double* center, const double* r, double* out) {
    constexpr Index chunk = 256;
    const Index n = x.rows(), p = x.cols(), ld = padded_stride(p);
    const auto dtrsm = blas().dtrsm;
    parallel_for((n + chunk - 1) / chunk, [&](Index c, Checkpoint&) {
        const Index first = c * chunk, count = std::min(chunk, n - first);
        Buffer block(count * ld);
        x.pack(first, count, center, block.data(), ld);
        const int order = static_cast<int>(p), columns = static_cast<int>(count);
        const int stride = static_cast<int>(ld);
        const double one = 1.0;
        dtrsm("L", "U", "T", "N", &order, &columns, &one, r, &order, block.data(), &stride);
        for (Index k = 0; k < count; ++k) {
            double sum = 0.0;
            for (Index j = 0; j < p; ++j) sum += block[k * ld + j] * block[k * ld + j];
            out[first + k] = sum;
        }
    });
}

template void row_quadratics(const DenseFeatures<double>&, const double*, const double*, double*);
template void row_quadratics(const DenseFeatures<float>&, const double*, const double*, double*);
template void row_quadratics(const SparseFeatures<double, std::int32_t>&, const double*,
                             const double*, double*);
template void row_quadratics(const SparseFeatures<double, std::int64_t>&, const double*,
                             const double*, double*);
template void row_quadratics(const SparseFeatures<float, std::int32_t>&, const double*,
                             const double*, double*);
template void row_quadratics(const SparseFeatures<float, std::int64_t>&, const double*,
                             const double*, double*);

}  // namespace stylobate::scan
