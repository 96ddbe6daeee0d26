#include "svm/sparse_gram.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stylobate/parallel.hpp"

namespace stylobate::svm {
namespace {

constexpr Index rows_of_chunk = 64;
constexpr Index side = 32;  // of the squares that are mirrored, two of which fit into a cache

struct Entry {
    std::int32_t row;
    double value;
};

// The entries of every column, in the order of rows.
struct Lists {
    std::vector<Index> starts;
    std::vector<Entry> entries;
};

template <class I>
Lists lists_of(const SparseView<double, I>& x) {
    const auto count = static_cast<Index>(x.offsets[x.major]);
    Lists out;
    out.starts.assign(static_cast<std::size_t>(x.minor) + 1, 0);
    out.entries.resize(static_cast<std::size_t>(count));
    for (Index e = 0; e < count; ++e) ++out.starts[static_cast<std::size_t>(x.indices[e]) + 1];
    for (Index c = 0; c < x.minor; ++c) out.starts[c + 1] += out.starts[c];
    std::vector<Index> next(out.starts.begin(), out.starts.end() - 1);
    for (Index i = 0; i < x.major; ++i)
        for (Index e = x.offsets[i]; e < static_cast<Index>(x.offsets[i + 1]); ++e)
            out.entries[next[x.indices[e]]++] = {static_cast<std::int32_t>(i), x.values[e]};
    return out;
}

// Products of row i with itself and those after it.
template <class I>
void products(const SparseView<double, I>& x, const Lists& lists, Index i, double* sums,
              float* out) {
    std::fill(sums + i, sums + x.major, 0.0);
    for (Index e = x.offsets[i]; e < static_cast<Index>(x.offsets[i + 1]); ++e) {
        const auto column = static_cast<Index>(x.indices[e]);
        const Entry* const end = lists.entries.data() + lists.starts[column + 1];
        const Entry* at = std::lower_bound(
            lists.entries.data() + lists.starts[column], end, i,
            [](const Entry& each, Index row) { return static_cast<Index>(each.row) < row; });
        const double value = x.values[e];
        for (; at != end; ++at) sums[at->row] += value * at->value;
    }
    for (Index j = i; j < x.major; ++j) out[j] = static_cast<float>(sums[j]);
}

// The half left of the diagonal from the other one.
void mirror(Index n, float* out) {
    parallel_for((n + side - 1) / side, [&](Index chunk, Checkpoint& checkpoint) {
        const Index i0 = chunk * side, i1 = std::min(i0 + side, n);
        checkpoint();
        for (Index j0 = 0; j0 < i1; j0 += side)
            for (Index i = i0; i < i1; ++i)
                for (Index j = j0; j < std::min(j0 + side, i); ++j) out[i * n + j] = out[j * n + i];
    });
}

}  // namespace

template <class I>
void sparse_gram(const SparseView<double, I>& x, float* out) {
    const Index n = x.major;
    const Lists lists = lists_of(x);
    parallel_for((n + rows_of_chunk - 1) / rows_of_chunk, [&](Index chunk, Checkpoint& checkpoint) {
        std::vector<double> sums(static_cast<std::size_t>(n));
        const Index end = std::min((chunk + 1) * rows_of_chunk, n);
        for (Index i = chunk * rows_of_chunk; i < end; ++i) {
            products(x, lists, i, sums.data(), out + i * n);
            checkpoint();
        }
    });
    mirror(n, out);
}

template void sparse_gram(const SparseView<double, std::int32_t>&, float*);
template void sparse_gram(const SparseView<double, std::int64_t>&, float*);

}  // namespace stylobate::svm
