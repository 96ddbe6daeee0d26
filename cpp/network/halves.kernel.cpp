// Windows of 2 × 2 side by side: the largest entry and which one it is, and the way back.
#include <utility>

#include "network/kernels.hpp"
#include "network/lanes.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::Halves;
using network::HalvesBack;

template <class T>
using Lane = typename Lanes<T>::Vector;
template <class T>
using Mask = decltype(Lane<T>{} < Lane<T>{});
template <class T>
struct Bytes {
    typedef unsigned char Vector __attribute__((vector_size(Lanes<T>::count)));
    typedef unsigned char Loose
        __attribute__((vector_size(Lanes<T>::count), aligned(1), may_alias));
};
template <class T>
using Order = std::make_integer_sequence<int, static_cast<int>(Lanes<T>::count)>;

// Every second entry of two vectors, from the first or the second one on.
template <int from, class V, int... k>
V every_second(V a, V b, std::integer_sequence<int, k...>) {
    return __builtin_shufflevector(a, b, (2 * k + from)...);
}

// Entries of two vectors in turn: those of their first or of their second halves.
template <int half, class V, int... k>
V in_turn(V a, V b, std::integer_sequence<int, k...>) {
    constexpr int n = static_cast<int>(sizeof...(k));
    return __builtin_shufflevector(a, b, (k / 2 + half * n / 2 + k % 2 * n)...);
}

template <class T>
Lane<T> load(const T* from) {
    return *reinterpret_cast<const typename Lanes<T>::Loose*>(from);
}
template <class T>
void store(T* to, Lane<T> x) {
    *reinterpret_cast<typename Lanes<T>::Loose*>(to) = x;
}

// NaN is larger than all; of equal entries the first one counts.
template <class T>
void raise(Lane<T> value, int place, Lane<T>& best, Mask<T>& which) {
    const Mask<T> wins = (value > best) | (value != value);
    best = wins ? value : best;
    which = wins ? Mask<T>{} + place : which;
}

template <class T>
void write(const Halves<T>& h) {
    constexpr Index n = Lanes<T>::count;
    for (Index i = 0; i < h.rows; ++i)
        for (Index j = 0; j < h.columns; j += n) {
            const T *up = h.x + 2 * i * h.pitch + 2 * j, *down = up + h.pitch;
            const Lane<T> a = load(up), b = load(up + n), c = load(down), d = load(down + n);
            Lane<T> best = every_second<0>(a, b, Order<T>{});
            Mask<T> which = {};
            raise<T>(every_second<1>(a, b, Order<T>{}), 1, best, which);
            raise<T>(every_second<0>(c, d, Order<T>{}), 2, best, which);
            raise<T>(every_second<1>(c, d, Order<T>{}), 3, best, which);
            if (h.floor) {
                which = best > 0 ? which : Mask<T>{} + network::no_entry;
                best = best < 0 ? Lane<T>{} : best;
            }
            store(h.y + i * h.columns + j, best);
            if (h.which != nullptr)
                *reinterpret_cast<typename Bytes<T>::Loose*>(h.which + i * h.columns + j) =
                    __builtin_convertvector(which, typename Bytes<T>::Vector);
        }
}

// Both rows of a row of windows: derivatives where `which` names an entry, else zero. Writes run on
// to whole vectors, so the last ones come first: what they spill is written over.
template <class T>
void write_rows(const HalvesBack<T>& h, Index i) {
    constexpr Index n = Lanes<T>::count;
    const Index columns = h.width / 2;
    T *up = h.dx + 2 * i * h.width, *down = up + h.width;
    for (Index j = (columns - 1) / n * n; j >= 0; j -= n) {
        const Index at = i * columns + j;
        const Lane<T> d = load(h.dy + at);
        const typename Bytes<T>::Vector bytes =
            *reinterpret_cast<const typename Bytes<T>::Loose*>(h.which + at);
        const Mask<T> which = __builtin_convertvector(bytes, Mask<T>);
        Lane<T> part[4];
        for (int k = 0; k < 4; ++k) part[k] = which == k ? d : Lane<T>{};
        store(up + 2 * j, in_turn<0>(part[0], part[1], Order<T>{}));
        store(up + 2 * j + n, in_turn<1>(part[0], part[1], Order<T>{}));
        store(down + 2 * j, in_turn<0>(part[2], part[3], Order<T>{}));
        store(down + 2 * j + n, in_turn<1>(part[2], part[3], Order<T>{}));
    }
}

template <class T>
void write_back(const HalvesBack<T>& h) {
    for (Index i = 0; i < h.height / 2; ++i) {
        write_rows(h, i);
        if (h.width % 2 != 0)  // the last column is in no window
            for (Index row = 2 * i; row < 2 * i + 2; ++row) h.dx[(row + 1) * h.width - 1] = T(0);
    }
    for (Index j = 0; h.height % 2 != 0 && j < h.width; ++j)
        h.dx[(h.height - 1) * h.width + j] = T(0);
}

}  // namespace

void halve_f32(const Halves<float>& task) {
    write(task);
}
void halve_f64(const Halves<double>& task) {
    write(task);
}
void halve_back_f32(const HalvesBack<float>& task) {
    write_back(task);
}
void halve_back_f64(const HalvesBack<double>& task) {
    write_back(task);
}

}  // namespace stylobate::STYLOBATE_ISA
