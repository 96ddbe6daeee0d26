// All columns of a row at once: keys side by side, one vector for sixteen (or eight) columns.
//
// No standard headers, as in every kernel file.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index vector_bytes = key_bytes;
constexpr Index most_classes = 256;

template <class Key>
struct Lanes {
    static constexpr Index count = vector_bytes / static_cast<Index>(sizeof(Key));
    // rows counted before a lane's counter may overflow
    static constexpr Index chunk = sizeof(Key) == 2 ? 32768 : 1 << 30;
    typedef Key Vector __attribute__((vector_size(vector_bytes)));
    typedef Key Loose __attribute__((vector_size(vector_bytes), aligned(sizeof(Key)), may_alias));

    static Vector load(const Key* at) { return *reinterpret_cast<const Loose*>(at); }
    static void store(Key* at, Vector v) { *reinterpret_cast<Loose*>(at) = v; }
    // All bits of the lanes that go left.
    static Vector left(Vector keys, Vector shift, Vector limit) {
        return reinterpret_cast<Vector>(keys + shift <= limit);
    }
};

template <class Key>
void extremes(const Key* keys, Index stride, const unsigned* rows, Index n, Key* least, Key* most,
              Key* present) {
    using L = Lanes<Key>;
    for (Index first = 0; first < stride; first += L::count) {
        typename L::Vector low = ~typename L::Vector{}, high{}, last{};
        for (Index i = 0; i < n; ++i) {
            const typename L::Vector v = L::load(keys + rows[i] * stride + first);
            const typename L::Vector next = v + static_cast<Key>(1);
            low = v < low ? v : low;
            high = v > high ? v : high;
            last = next > last ? next : last;
        }
        L::store(least + first, low);
        L::store(most + first, high);
        L::store(present + first, last);
    }
}

// Two classes: the counters stay in registers.
template <class Key>
void count_two(const Key* keys, Index stride, const unsigned* rows, Index n, const Key* shift,
               const Key* limit, const unsigned char* labels, unsigned* counts) {
    using L = Lanes<Key>;
    for (Index first = 0; first < stride; first += L::count) {
        const typename L::Vector by = L::load(shift + first), most = L::load(limit + first);
        unsigned *zeros = counts + first, *ones = counts + stride + first;
        for (Index k = 0; k < L::count; ++k) zeros[k] = ones[k] = 0;
        for (Index begin = 0; begin < n; begin += L::chunk) {
            const Index end = begin + L::chunk < n ? begin + L::chunk : n;
            typename L::Vector all{}, second{};
            for (Index i = begin; i < end; ++i) {
                const auto goes = L::left(L::load(keys + rows[i] * stride + first), by, most);
                all -= goes;
                second -= goes & (typename L::Vector{} - static_cast<Key>(labels[rows[i]]));
            }
            for (Index k = 0; k < L::count; ++k) {
                zeros[k] += static_cast<unsigned>(all[k]) - static_cast<unsigned>(second[k]);
                ones[k] += second[k];
            }
        }
    }
}

template <class Key>
void count_many(const Key* keys, Index stride, const unsigned* rows, Index n, const Key* shift,
                const Key* limit, const unsigned char* labels, Index classes, unsigned* counts) {
    using L = Lanes<Key>;
    typename L::Vector sums[most_classes];
    for (Index first = 0; first < stride; first += L::count) {
        const typename L::Vector by = L::load(shift + first), most = L::load(limit + first);
        for (Index c = 0; c < classes; ++c)
            for (Index k = 0; k < L::count; ++k) counts[c * stride + first + k] = 0;
        for (Index begin = 0; begin < n; begin += L::chunk) {
            const Index end = begin + L::chunk < n ? begin + L::chunk : n;
            for (Index c = 0; c < classes; ++c) sums[c] = typename L::Vector{};
            for (Index i = begin; i < end; ++i)
                sums[labels[rows[i]]] -=
                    L::left(L::load(keys + rows[i] * stride + first), by, most);
            for (Index c = 0; c < classes; ++c)
                for (Index k = 0; k < L::count; ++k) counts[c * stride + first + k] += sums[c][k];
        }
    }
}

template <class Key>
void count_left(const Key* keys, Index stride, const unsigned* rows, Index n, const Key* shift,
                const Key* limit, const unsigned char* labels, Index classes, unsigned* counts) {
    if (classes == 2)
        count_two(keys, stride, rows, n, shift, limit, labels, counts);
    else
        count_many(keys, stride, rows, n, shift, limit, labels, classes, counts);
}

template <class Key>
void sum_left(const Key* keys, Index stride, const unsigned* rows, Index n, const Key* shift,
              const Key* limit, const double* y, double centre, double* sums, unsigned* counts) {
    using L = Lanes<Key>;
    for (Index first = 0; first < stride; first += L::count) {
        double sum[L::count] = {};
        unsigned count[L::count] = {};
        const Key *by = shift + first, *most = limit + first;
        for (Index i = 0; i < n; ++i) {
            const Key* const row = keys + rows[i] * stride + first;
            const double away = y[rows[i]] - centre;
            for (Index k = 0; k < L::count; ++k) {
                const bool goes = static_cast<Key>(row[k] + by[k]) <= most[k];
                sum[k] += goes ? away : 0.0;
                count[k] += goes ? 1u : 0u;
            }
        }
        for (Index k = 0; k < L::count; ++k) {
            sums[first + k] = sum[k];
            counts[first + k] = count[k];
        }
    }
}

}  // namespace

void key_extremes_16(const unsigned short* keys, Index stride, const unsigned* rows, Index n,
                     unsigned short* least, unsigned short* most, unsigned short* present) {
    extremes(keys, stride, rows, n, least, most, present);
}

void key_extremes_32(const unsigned* keys, Index stride, const unsigned* rows, Index n,
                     unsigned* least, unsigned* most, unsigned* present) {
    extremes(keys, stride, rows, n, least, most, present);
}

void key_counts_16(const unsigned short* keys, Index stride, const unsigned* rows, Index n,
                   const unsigned short* shift, const unsigned short* limit,
                   const unsigned char* labels, Index classes, unsigned* counts) {
    count_left(keys, stride, rows, n, shift, limit, labels, classes, counts);
}

void key_counts_32(const unsigned* keys, Index stride, const unsigned* rows, Index n,
                   const unsigned* shift, const unsigned* limit, const unsigned char* labels,
                   Index classes, unsigned* counts) {
    count_left(keys, stride, rows, n, shift, limit, labels, classes, counts);
}

void key_sums_16(const unsigned short* keys, Index stride, const unsigned* rows, Index n,
                 const unsigned short* shift, const unsigned short* limit, const double* y,
                 double centre, double* sums, unsigned* counts) {
    sum_left(keys, stride, rows, n, shift, limit, y, centre, sums, counts);
}

void key_sums_32(const unsigned* keys, Index stride, const unsigned* rows, Index n,
                 const unsigned* shift, const unsigned* limit, const double* y, double centre,
                 double* sums, unsigned* counts) {
    sum_left(keys, stride, rows, n, shift, limit, y, centre, sums, counts);
}

}  // namespace stylobate::STYLOBATE_ISA
