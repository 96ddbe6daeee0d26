#include "scan/gram_product.hpp"

#include <algorithm>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index block_cells = 1 << 16;  // of centred rows, which both products find in cache
constexpr Index tile_rows = 12;         // whole tiles of the product's kernel on every machine
constexpr Index panel = 192;            // columns whose directions stay in the nearest cache
constexpr Index unit_rows = 1024;       // rows whose sums one chunk of the loop adds up
constexpr Index line = 8;               // doubles of a cache line

}  // namespace

template <class T>
std::vector<double> gram_product(const DenseFeatures<T>& x, const double* weights,
                                 const double* center, const double* directions, Index width) {
    const Index n = x.rows(), p = x.cols();
    const Index wide = (width + line - 1) / line * line;
    const Index ld = padded_stride(p);
    const Index rows =
        std::max(block_cells / std::max(p, Index{1}) / tile_rows, Index{1}) * tile_rows;
    Buffer q(area(p, wide));
    std::fill(q.data(), q.data() + p * wide, 0.0);
    for (Index j = 0; j < p; ++j)
        std::copy(directions + j * width, directions + (j + 1) * width, q.data() + j * wide);

    const Index units = (n + unit_rows - 1) / unit_rows;
    std::vector<Buffer> sums(static_cast<std::size_t>(units));
    parallel_for(units, [&](Index unit, Checkpoint& checkpoint) {
        Buffer block(area(rows, ld)), image(area(rows, wide));
        Buffer& sum = sums[static_cast<std::size_t>(unit)];
        sum = Buffer(area(p, wide));
        std::fill(sum.data(), sum.data() + p * wide, 0.0);
        const Index end = std::min(n, (unit + 1) * unit_rows);
        for (Index first = unit * unit_rows; first < end; first += rows) {
            checkpoint();
            const Index count = std::min(rows, end - first);
            x.pack(first, count, center, block.data(), ld);
            std::fill(image.data(), image.data() + count * wide, 0.0);
            for (Index j = 0; j < p; j += panel)
                kernels().multiply(block.data() + j, count, ld, 1, std::min(panel, p - j),
                                   q.data() + j * wide, wide, wide, image.data(), wide);
            if (weights != nullptr)
                for (Index k = 0; k < count; ++k)
                    for (Index c = 0; c < wide; ++c)
                        image.data()[k * wide + c] *= weights[first + k];
            kernels().multiply(block.data(), p, 1, ld, count, image.data(), wide, wide, sum.data(),
                               wide);
        }
    });

    std::vector<double> out(static_cast<std::size_t>(p * width), 0.0);
    for (const Buffer& sum : sums)  // in the order of the rows, whoever added them up
        for (Index j = 0; j < p; ++j)
            for (Index c = 0; c < width; ++c) out[j * width + c] += sum.data()[j * wide + c];
    return out;
}

template std::vector<double> gram_product(const DenseFeatures<double>&, const double*,
                                          const double*, const double*, Index);
template std::vector<double> gram_product(const DenseFeatures<float>&, const double*, const double*,
                                          const double*, Index);

}  // namespace stylobate::scan
