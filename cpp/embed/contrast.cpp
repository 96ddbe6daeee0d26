#include "embed/contrast.hpp"

#include <algorithm>

#include "descend/dense.hpp"
#include "scan/kernels.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"

#define STYLOBATE_DECLARE_CONTRAST(set)                                    \
    namespace stylobate::set {                                             \
    double contrast_logcosh(double*, Index, double);                       \
    double contrast_exp(double*, Index, double);                           \
    double contrast_cube(double*, Index, double);                          \
    }                                                                      \
    namespace stylobate::embed::set {                                      \
    constexpr ContrastKernel table[] = {&stylobate::set::contrast_logcosh, \
                                        &stylobate::set::contrast_exp,     \
                                        &stylobate::set::contrast_cube};   \
    }

STYLOBATE_DECLARE_CONTRAST(base)
#ifdef STYLOBATE_X86
STYLOBATE_DECLARE_CONTRAST(avx2)
STYLOBATE_DECLARE_CONTRAST(avx512)
#endif

namespace stylobate::embed {
namespace {

constexpr Index block_rows = 256;               // directions × so many numbers stay in cache
constexpr Index most_chunks = 256;              // sums that wait to be merged …
constexpr Index most_waiting = Index{1} << 22;  // … and numbers in them

}  // namespace

ContrastKernel contrast_kernel(Contrast which) {
    const auto at = static_cast<std::size_t>(which);
    switch (isa()) {
#ifdef STYLOBATE_X86
        case Isa::vnni:
        case Isa::avx512:
            return avx512::table[at];
        case Isa::avx2:
            return avx2::table[at];
#endif
        default:
            return base::table[at];
    }
}

ContrastSums contrast_sums(const WhiteRows& z, const double* w, Index directions, Contrast which,
                           double alpha) {
    const Index k = z.components, size = area(directions, k + 1);
    const Index chunks_kept =
        std::clamp(most_waiting / std::max(size, Index{1}), Index{1}, most_chunks);
    const Index blocks = (z.rows + block_rows - 1) / block_rows;
    const Index chunk_blocks = std::max((blocks + chunks_kept - 1) / chunks_kept, Index{1});
    const Index chunks = (blocks + chunk_blocks - 1) / chunk_blocks;
    const ContrastKernel contrast = contrast_kernel(which);
    std::vector<double> parts(area(chunks, size), 0.0);
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        Buffer y(area(directions, block_rows));
        double* const products = parts.data() + chunk * size;
        double* const slopes = products + directions * k;
        const Index end = std::min((chunk + 1) * chunk_blocks, blocks);
        for (Index block = chunk * chunk_blocks; block < end; ++block) {
            checkpoint();
            const Index first = block * block_rows, rows = std::min(block_rows, z.rows - first);
            std::fill(y.data(), y.data() + y.size(), 0.0);
            scan::kernels().multiply(w, directions, k, 1, k, z.data + first, z.ld, rows, y.data(),
                                     block_rows);
            for (Index d = 0; d < directions; ++d)
                slopes[d] += contrast(y.data() + d * block_rows, rows, alpha);
            descend::dense().products(y.data(), directions, block_rows, z.data + first, k, z.ld,
                                      rows, products, k);
        }
    });
    ContrastSums sums{std::vector<double>(area(directions, k), 0.0),
                      std::vector<double>(directions, 0.0)};
    for (Index chunk = 0; chunk < chunks; ++chunk) {
        const double* const part = parts.data() + chunk * size;
        for (Index i = 0; i < directions * k; ++i) sums.products[i] += part[i];
        for (Index d = 0; d < directions; ++d) sums.slopes[d] += part[directions * k + d];
    }
    return sums;
}

}  // namespace stylobate::embed
