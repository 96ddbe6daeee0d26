// All columns of a row at once: keys side by side, one vector for sixteen (or eight) columns.
//
// No standard headers, as in every kernel file.
#include "tree/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index vector_bytes = key_bytes;

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

// Which rows are meant: those listed, or one after the other.
struct Listed {
    const unsigned* rows;
    Index operator[](Index i) const { return rows[i]; }
    Listed from(Index first) const { return {rows + first}; }
};
struct InOrder {
    Index first;
    Index operator[](Index i) const { return first + i; }
    InOrder from(Index more) const { return {first + more}; }
};

template <class Key, bool gaps, class Rows>
void extremes(const Key* keys, Index stride, Rows rows, Index n, Key* least, Key* most,
              Key* present) {
    using L = Lanes<Key>;
    for (Index first = 0; first < stride; first += L::count) {
        typename L::Vector low = ~typename L::Vector{}, high{}, last{};
        for (Index i = 0; i < n; ++i) {
            const typename L::Vector v = L::load(keys + rows[i] * stride + first);
            low = v < low ? v : low;
            high = v > high ? v : high;
            if constexpr (gaps) {
                const typename L::Vector next = v + static_cast<Key>(1);
                last = next > last ? next : last;
            }
        }
        L::store(least + first, low);
        L::store(most + first, high);
        if constexpr (gaps) L::store(present + first, last);
    }
}

template <class Key, class Rows>
void extremes(const Key* keys, Index stride, Rows rows, Index n, Key* least, Key* most,
              Key* present) {
    if (present != nullptr)
        extremes<Key, true>(keys, stride, rows, n, least, most, present);
    else
        extremes<Key, false>(keys, stride, rows, n, least, most, present);
}

// How many of a few rows go left, lane by lane.
template <class Key, class Rows>
typename Lanes<Key>::Vector counted(const Key* keys, Index stride, Rows rows, Index n,
                                    typename Lanes<Key>::Vector shift,
                                    typename Lanes<Key>::Vector limit) {
    using L = Lanes<Key>;
    typename L::Vector sum{};
    for (Index i = 0; i < n; ++i) sum -= L::left(L::load(keys + rows[i] * stride), shift, limit);
    return sum;
}

// Rows of one class after those of the other: the counters stay in registers.
template <class Key, class Rows>
void count_left(const Key* keys, Index stride, Rows rows, const unsigned* of_class, Index classes,
                const Key* shift, const Key* limit, unsigned* counts) {
    using L = Lanes<Key>;
    for (Index first = 0; first < stride; first += L::count) {
        const typename L::Vector by = L::load(shift + first), most = L::load(limit + first);
        Rows rest = rows;
        for (Index c = 0; c < classes; ++c) {
            unsigned* const out = counts + c * stride + first;
            const Index n = of_class[c];
            const Index some = n < L::chunk ? n : L::chunk;
            const auto sum = counted(keys + first, stride, rest, some, by, most);
            for (Index k = 0; k < L::count; ++k) out[k] = sum[k];
            for (Index begin = some; begin < n; begin += L::chunk) {
                const Index more = n - begin < L::chunk ? n - begin : L::chunk;
                const auto next = counted(keys + first, stride, rest.from(begin), more, by, most);
                for (Index k = 0; k < L::count; ++k) out[k] += next[k];
            }
            rest = rest.from(n);
        }
    }
}

// As many columns as a vector holds sums.
template <class Key>
struct Sums {
    static constexpr Index width = STYLOBATE_VECTOR_BYTES / 8;
    static constexpr int parts = static_cast<int>(Lanes<Key>::count / width);
    typedef double Doubles __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
    typedef long long Words __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
    typedef Key Keys __attribute__((vector_size(width * sizeof(Key))));
    typedef Key Loose
        __attribute__((vector_size(width * sizeof(Key)), aligned(sizeof(Key)), may_alias));

    static Keys load(const Key* at) { return *reinterpret_cast<const Loose*>(at); }

    Doubles sum[parts] = {};
    Keys count[parts], shift[parts], limit[parts];

    Sums(const Key* by, const Key* most) {
        for (int p = 0; p < parts; ++p) {
            count[p] = Keys{};
            shift[p] = load(by + p * width);
            limit[p] = load(most + p * width);
        }
    }
    // Adds `away` where a row's keys go left: numbers masked, nothing to guess.
    [[gnu::always_inline]] void add(const Key* row, double away) {
        const Words bits = reinterpret_cast<Words>(Doubles{} + away);
#pragma GCC unroll 8
        for (int p = 0; p < parts; ++p) {
            const auto goes = load(row + p * width) + shift[p] <= limit[p];
            count[p] -= reinterpret_cast<Keys>(goes);
            sum[p] += reinterpret_cast<Doubles>(__builtin_convertvector(goes, Words) & bits);
        }
    }
    // Empties the counters.
    void add_counts(unsigned* counts) {
        for (int p = 0; p < parts; ++p) {
            for (Index k = 0; k < width; ++k) counts[p * width + k] += count[p][k];
            count[p] = Keys{};
        }
    }
};

template <class Key, class Rows>
void sum_left(const Key* keys, Index stride, Rows rows, Index n, const Key* shift, const Key* limit,
              const double* y, double centre, double* sums, unsigned* counts) {
    using L = Lanes<Key>;
    using S = Sums<Key>;
    for (Index k = 0; k < stride; ++k) counts[k] = 0;
    for (Index first = 0; first < stride; first += L::count) {
        S some(shift + first, limit + first);
        for (Index begin = 0; begin < n; begin += L::chunk) {
            const Index end = begin + L::chunk < n ? begin + L::chunk : n;
            for (Index i = begin; i < end; ++i)
                some.add(keys + rows[i] * stride + first, y[i] - centre);
            some.add_counts(counts + first);
        }
        for (int p = 0; p < S::parts; ++p)
            for (Index k = 0; k < S::width; ++k) sums[first + p * S::width + k] = some.sum[p][k];
    }
}

// One store a row, to the one place or the other: masks, no branch to guess. `wide`: a row is more
// than one vector.
template <class Key, bool wide>
void part(const Key* keys, Index stride, Index n, Index column, Key shift, Key limit, Key* left,
          Key* right, unsigned char* goes_left) {
    using L = Lanes<Key>;
    const Index step = wide ? stride : L::count;
    Index to_left = 0, to_right = right - left;
    for (Index i = 0; i < n; ++i, keys += step) {
        const bool goes = static_cast<Key>(keys[column] + shift) <= limit;
        const Index mask = -static_cast<Index>(goes);
        Key* const out = left + ((to_left & mask) | (to_right & ~mask));
        for (Index first = 0; first < step; first += L::count)
            L::store(out + first, L::load(keys + first));
        to_left += step & mask;
        to_right += step & ~mask;
        if (goes_left != nullptr) goes_left[i] = goes;
    }
}

template <class Key>
void part(const Key* keys, Index stride, Index n, Index column, Key shift, Key limit, Key* left,
          Key* right, unsigned char* goes_left) {
    if (stride == Lanes<Key>::count)
        part<Key, false>(keys, stride, n, column, shift, limit, left, right, goes_left);
    else
        part<Key, true>(keys, stride, n, column, shift, limit, left, right, goes_left);
}

template <class Body>
void with_rows(const unsigned* rows, Body body) {
    if (rows != nullptr)
        body(Listed{rows});
    else
        body(InOrder{0});
}

}  // namespace

void key_extremes_16(const unsigned short* keys, Index stride, const unsigned* rows, Index n,
                     unsigned short* least, unsigned short* most, unsigned short* present) {
    with_rows(rows, [&](auto which) { extremes(keys, stride, which, n, least, most, present); });
}

void key_extremes_32(const unsigned* keys, Index stride, const unsigned* rows, Index n,
                     unsigned* least, unsigned* most, unsigned* present) {
    with_rows(rows, [&](auto which) { extremes(keys, stride, which, n, least, most, present); });
}

void key_counts_16(const unsigned short* keys, Index stride, const unsigned* rows,
                   const unsigned* of_class, Index classes, const unsigned short* shift,
                   const unsigned short* limit, unsigned* counts) {
    with_rows(rows, [&](auto which) {
        count_left(keys, stride, which, of_class, classes, shift, limit, counts);
    });
}

void key_counts_32(const unsigned* keys, Index stride, const unsigned* rows,
                   const unsigned* of_class, Index classes, const unsigned* shift,
                   const unsigned* limit, unsigned* counts) {
    with_rows(rows, [&](auto which) {
        count_left(keys, stride, which, of_class, classes, shift, limit, counts);
    });
}

void key_sums_16(const unsigned short* keys, Index stride, const unsigned* rows, Index n,
                 const unsigned short* shift, const unsigned short* limit, const double* y,
                 double centre, double* sums, unsigned* counts) {
    with_rows(rows, [&](auto which) {
        sum_left(keys, stride, which, n, shift, limit, y, centre, sums, counts);
    });
}

void key_sums_32(const unsigned* keys, Index stride, const unsigned* rows, Index n,
                 const unsigned* shift, const unsigned* limit, const double* y, double centre,
                 double* sums, unsigned* counts) {
    with_rows(rows, [&](auto which) {
        sum_left(keys, stride, which, n, shift, limit, y, centre, sums, counts);
    });
}

void key_part_16(const unsigned short* keys, Index stride, Index n, Index column,
                 unsigned short shift, unsigned short limit, unsigned short* left,
                 unsigned short* right, unsigned char* goes_left) {
    part(keys, stride, n, column, shift, limit, left, right, goes_left);
}

void key_part_32(const unsigned* keys, Index stride, Index n, Index column, unsigned shift,
                 unsigned limit, unsigned* left, unsigned* right, unsigned char* goes_left) {
    part(keys, stride, n, column, shift, limit, left, right, goes_left);
}

}  // namespace stylobate::STYLOBATE_ISA
