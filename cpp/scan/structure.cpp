#include "scan/structure.hpp"

#include <algorithm>
#include <atomic>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

// Whether the predicate holds for 0, …, n − 1.
template <class Predicate>
bool all_of(Index n, const Predicate& holds) {
    constexpr Index chunk = 1 << 16;
    std::atomic<bool> all{true};
    parallel_for((n + chunk - 1) / chunk, [&](Index c, Checkpoint&) {
        bool good = true;
        for (Index i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) good &= holds(i);
        if (!good) all.store(false, std::memory_order_relaxed);
    });
    return all.load();
}

}  // namespace

template <class T, class I>
void check_structure(const SparseView<T, I>& x, Index entries) {
    if (x.minor < 0) throw InvalidArgument("the number of columns must not be negative");
    if (x.offsets[0] != 0 || static_cast<Index>(x.offsets[x.major]) > entries)
        throw InvalidArgument("offsets must begin with 0 and end within the entries");
    if (!all_of(x.major, [&](Index i) { return x.offsets[i] <= x.offsets[i + 1]; }))
        throw InvalidArgument("offsets must not decrease");
    if (!all_of(entries, [&](Index e) { return x.indices[e] >= 0 && x.indices[e] < x.minor; }))
        throw InvalidArgument("a column index is out of range");
}

template void check_structure(const SparseView<double, std::int32_t>&, Index);
template void check_structure(const SparseView<double, std::int64_t>&, Index);
template void check_structure(const SparseView<float, std::int32_t>&, Index);
template void check_structure(const SparseView<float, std::int64_t>&, Index);

}  // namespace stylobate::scan
