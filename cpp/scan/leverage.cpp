#include "scan/leverage.hpp"

#include <cstdint>
#include <numeric>

#include "stylobate/blas.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {

namespace {

constexpr Index wide_columns = 512;          // from here on the solves are square enough for BLAS
constexpr Index most_work = Index{1} << 27;  // multiplications between two looks at Ctrl-C

template <class Features>
void narrow(const Features& x, const double* center, const double* r, double* out) {
    constexpr Index chunk = 256;
    const Index n = x.rows(), p = x.cols(), ld = padded_stride(p);
    parallel_for((n + chunk - 1) / chunk, [&](Index c, Checkpoint&) {
        const Index first = c * chunk, count = std::min(chunk, n - first);
        Buffer block(count * ld), scratch(64 * p);
        x.pack(first, count, center, block.data(), ld);
        kernels().quadratics(block.data(), count, ld, r, p, scratch.data(), out + first);
    });
}

// BLAS brings threads of its own: called from several of ours they would only wait for each other.
template <class Features>
void wide(const Features& x, const double* center, const double* r, double* out) {
    const Index n = x.rows(), p = x.cols(), ld = padded_stride(p);
    const Index chunk = std::clamp(most_work / area(p, p), Index{1}, Index{256});
    const auto dtrsm = blas().dtrsm;
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {
        Buffer block(chunk * ld);
        const int order = static_cast<int>(p), stride = static_cast<int>(ld);
        const double one = 1.0;
        for (Index first = 0; first < n; first += chunk) {
            checkpoint();
            const Index count = std::min(chunk, n - first);
            x.pack(first, count, center, block.data(), ld);
            const int columns = static_cast<int>(count);
            dtrsm("L", "U", "T", "N", &order, &columns, &one, r, &order, block.data(), &stride);
            for (Index k = 0; k < count; ++k) {
                const double* row = block.data() + k * ld;
                out[first + k] = std::inner_product(row, row + p, row, 0.0);
            }
        }
    });
}

}  // namespace

template <class Features>
void row_quadratics(const Features& x, const double* center, const double* r, double* out) {
    if (x.cols() >= wide_columns)
        wide(x, center, r, out);
    else
        narrow(x, center, r, out);
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
