#include "scan/products.hpp"

#include <cstdint>
#include <vector>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index block_rows = 192;               // rows per packed block: they stay in cache
constexpr Index unit_rows = 4096;               // rows one chunk of the loop absorbs, at least,
constexpr Index unit_entries = Index{1} << 19;  // and numbers: fewer do not pay for a second thread
constexpr Index max_units = 256;                // all units' sums are kept until added in order

// Calls use(first, count, rows, ld) for blocks of the rows [first, last) as doubles: where they lie
// if they are such, else packed.
template <class Features, class Use>
void for_blocks(const Features& x, Index first, Index last, Checkpoint& checkpoint,
                const Use& use) {
    const Index p = x.cols(), ld = padded_stride(p);
    Buffer rows(area(std::min(block_rows, last - first), ld)), zero(p);
    for (Index at = first; at < last; at += block_rows) {
        checkpoint();
        const Index count = std::min(block_rows, last - at);
        if (const RowsInPlace there = x.in_place(at); there.data != nullptr) {
            use(at, count, there.data, there.stride);
            continue;
        }
        x.pack(at, count, zero.data(), rows.data(), ld);
        use(at, count, rows.data(), ld);
    }
}

}  // namespace

template <class Features>
void row_values(const Features& x, const double* coef, double intercept, double* out) {
    const Index n = x.rows(), p = x.cols();
    const Index unit = std::max(unit_rows, unit_entries / std::max(p, Index{1}));
    parallel_for((n + unit - 1) / unit, [&](Index u, Checkpoint& checkpoint) {
        const Index first = u * unit, last = std::min(n, first + unit);
        for_blocks(x, first, last, checkpoint,
                   [&](Index at, Index count, const double* rows, Index ld) {
                       kernels().row_products(rows, count, ld, p, coef, out + at);
                       for (Index k = at; k < at + count; ++k) out[k] += intercept;
                   });
    });
}

template <class Features>
void column_sums(const Features& x, const double* factor, double* out) {
    const Index n = x.rows(), p = x.cols();
    const Index unit = std::max(
        {unit_rows, unit_entries / std::max(p, Index{1}), (n + max_units - 1) / max_units});
    const Index n_units = (n + unit - 1) / unit;
    std::vector<Buffer> parts;
    for (Index u = 0; u < n_units; ++u) parts.emplace_back(p);
    parallel_for(n_units, [&](Index u, Checkpoint& checkpoint) {
        for_blocks(x, u * unit, std::min(n, (u + 1) * unit), checkpoint,
                   [&](Index at, Index count, const double* rows, Index ld) {
                       kernels().add_rows(rows, count, ld, p, factor + at, parts[u].data());
                   });
    });
    for (Index j = 0; j < p; ++j) {
        out[j] = 0.0;
        for (const Buffer& part : parts) out[j] += part[j];
    }
}

#define STYLOBATE_PRODUCTS(...)                                                   \
    template void row_values(const __VA_ARGS__&, const double*, double, double*); \
    template void column_sums(const __VA_ARGS__&, const double*, double*);

STYLOBATE_PRODUCTS(DenseFeatures<double>)
STYLOBATE_PRODUCTS(DenseFeatures<float>)
STYLOBATE_PRODUCTS(SparseFeatures<double, std::int32_t>)
STYLOBATE_PRODUCTS(SparseFeatures<double, std::int64_t>)
STYLOBATE_PRODUCTS(SparseFeatures<float, std::int32_t>)
STYLOBATE_PRODUCTS(SparseFeatures<float, std::int64_t>)

}  // namespace stylobate::scan
