// Gradients of few filters: vectors of neighbouring places, which are summed at the very end.
#include "network/kernels.hpp"
#include "network/lanes.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::FewFilters;

constexpr Index tap_rows = STYLOBATE_VECTOR_BYTES == 64 ? 4 : 2;

template <class T, Index rows, Index filters>
void add_places(const FewFilters<T>& t, Index tap) {
    using Vector = typename Lanes<T>::Vector;
    using Loose = typename Lanes<T>::Loose;
    Vector sum[rows][filters];
    const T* at[rows];
    T* d = t.d + tap * filters * network::few_lanes<T>;
    for (Index r = 0; r < rows; ++r) {
        at[r] = t.x + t.offsets[tap + r];
        for (Index f = 0; f < filters; ++f)
            sum[r][f] =
                *reinterpret_cast<const Loose*>(d + (r * filters + f) * network::few_lanes<T>);
    }
    for (Index q = 0; q < t.places; q += Lanes<T>::count) {
        Vector x[rows];
        for (Index r = 0; r < rows; ++r) x[r] = *reinterpret_cast<const Loose*>(at[r] + q);
        for (Index f = 0; f < filters; ++f) {
            const Vector y = *reinterpret_cast<const Loose*>(t.slopes + f * t.slope_row + q);
            for (Index r = 0; r < rows; ++r) sum[r][f] += x[r] * y;
        }
    }
    for (Index r = 0; r < rows; ++r)
        for (Index f = 0; f < filters; ++f)
            *reinterpret_cast<Loose*>(d + (r * filters + f) * network::few_lanes<T>) = sum[r][f];
}

template <class T, Index filters = network::most_few>
void gather(const FewFilters<T>& t) {
    if constexpr (filters > 1)
        if (t.filters < filters) return gather<T, filters - 1>(t);
    Index tap = 0;
    for (; tap + tap_rows <= t.taps; tap += tap_rows) add_places<T, tap_rows, filters>(t, tap);
    for (; tap < t.taps; ++tap) add_places<T, 1, filters>(t, tap);
}

}  // namespace

void few_filters_f32(const FewFilters<float>& task) {
    gather(task);
}
void few_filters_f64(const FewFilters<double>& task) {
    gather(task);
}

}  // namespace stylobate::STYLOBATE_ISA
