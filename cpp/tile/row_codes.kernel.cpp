// Rows as 16-bit whole numbers in units that all rows share, and their two nearest of some centres:
// half the bytes of single precision, and twice the products of one instruction, which are whole
// numbers without any rounding (see cluster/row_codes.hpp for what they prove).
#include <limits.h>

#include "tile/kernels.hpp"
#include "tile/roots.hpp"
#include "tile/row_vectors.hpp"
#include "tile/tile_shape.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef int Ints __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
constexpr Index int_lanes = STYLOBATE_VECTOR_BYTES / 4;
constexpr Index width = vectors * int_lanes;  // rows of a panel

Ints load(const int* p) {
    Ints v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}
Singles load(const float* p) {
    Singles v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

// Bit j: whether lane j is true.
unsigned bits_of(Ints truth) {
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask((__m512i)truth);
#elif defined(__AVX2__)
    return static_cast<unsigned>(_mm256_movemask_ps((__m256)truth));
#elif defined(__SSE2__)
    return static_cast<unsigned>(_mm_movemask_ps((__m128)truth));
#else
    unsigned bits = 0;
    for (Index h = 0; h < int_lanes; ++h) bits |= truth[h] != 0 ? 1U << h : 0U;
    return bits;
#endif
}

// sum + x₀y₀ + x₁y₁ in every lane, of two 16-bit numbers each.
template <bool fused>
void add_products(Ints& sum, Ints x, Ints y) {
#if defined(__AVX512BW__)
    if constexpr (fused)
        asm("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
    else
        sum += (Ints)_mm512_madd_epi16((__m512i)x, (__m512i)y);
#elif defined(__AVX2__)
    sum += (Ints)_mm256_madd_epi16((__m256i)x, (__m256i)y);
#elif defined(__SSE2__)
    sum += (Ints)_mm_madd_epi16((__m128i)x, (__m128i)y);
#else
    typedef short Shorts __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
    const Shorts a = (Shorts)x, b = (Shorts)y;
    for (Index h = 0; h < int_lanes; ++h)
        sum[h] +=
            static_cast<int>(a[2 * h]) * b[2 * h] + static_cast<int>(a[2 * h + 1]) * b[2 * h + 1];
#endif
}

struct Nearest {
    Ints best[vectors], second[vectors];
};

// `part` centres, numbered from `first`.
template <Index part, bool fused>
void some_centres(const short* q, const int* start, const short* r, Index pairs, int mask,
                  int first, Nearest& found) {
    Ints sum[part][vectors];
    for (Index i = 0; i < part; ++i)
        for (Index v = 0; v < vectors; ++v) sum[i][v] = start[i] - Ints{};
    for (Index l = 0; l < pairs; ++l, q += part * 2, r += width * 2) {
        Ints x[vectors];
        for (Index v = 0; v < vectors; ++v)
            __builtin_memcpy(&x[v], r + v * int_lanes * 2, sizeof(Ints));
        for (Index i = 0; i < part; ++i) {
            int two;
            __builtin_memcpy(&two, q + i * 2, sizeof(two));
            const Ints y = two - Ints{};  // broadcast
            for (Index v = 0; v < vectors; ++v) add_products<fused>(sum[i][v], x[v], y);
        }
    }
    for (Index i = 0; i < part; ++i)
        for (Index v = 0; v < vectors; ++v) {
            const Ints x = (sum[i][v] & ~mask) | (first + static_cast<int>(i));
            const Ints best = found.best[v], farther = best > x ? best : x;
            found.best[v] = best < x ? best : x;
            found.second[v] = found.second[v] < farther ? found.second[v] : farther;
        }
}

template <bool fused>
PanelLook nearest(const CentreCodes& centres, const short* panel, int limit, const int* labels,
                  int* best, int* second) {
    Nearest found;
    for (Index v = 0; v < vectors; ++v) found.best[v] = found.second[v] = INT_MAX - Ints{};
    const Index k = centres.count, groups = (k + queries - 1) / queries, pairs = centres.pairs;
    const short* q = centres.codes;
    for (Index g = 0; g < groups; ++g) {
        const Index first = k * g / groups, part = k * (g + 1) / groups - first;
        const int* const start = centres.starts + first;
        const int number = static_cast<int>(first), mask = centres.label_bits;
        switch (part) {
#define STYLOBATE_PART(n)                                                    \
    case n:                                                                  \
        some_centres<n, fused>(q, start, panel, pairs, mask, number, found); \
        break;
            STYLOBATE_PART(1)
            STYLOBATE_PART(2)
            STYLOBATE_PART(3)
            STYLOBATE_PART(4)
#if STYLOBATE_TILE_COLUMNS > 4
            STYLOBATE_PART(5)
            STYLOBATE_PART(6)
            STYLOBATE_PART(7)
            STYLOBATE_PART(8)
#endif
#undef STYLOBATE_PART
            default:
                __builtin_unreachable();
        }
        q += part * pairs * 2;
    }
    PanelLook look{0, 0};
    for (Index v = 0; v < vectors; ++v) {
        const Ints near = found.best[v], next = found.second[v];
        const Ints label = near & centres.label_bits, old = load(labels + v * int_lanes);
        look.doubtful |= static_cast<unsigned long long>(bits_of(next - near <= limit))
                         << (v * int_lanes);
        look.moved |= static_cast<unsigned long long>(bits_of(label != old)) << (v * int_lanes);
        __builtin_memcpy(best + v * int_lanes, &near, sizeof(near));
        __builtin_memcpy(second + v * int_lanes, &next, sizeof(next));
    }
    return look;
}

// The code of one row to out, two columns at a time, the next two `width` rows further on; returns
// Σ of the squares.
template <class T>
double encode_row(const T* x, Index depth, const double* origin, double factor, short* out) {
    typedef int Codes __attribute__((vector_size(lanes * 4)));
    typedef short Shorts __attribute__((vector_size(lanes * 2)));
    const Vector low = broadcast(-32767.0), high = broadcast(32767.0);
    Vector squares = {};
    for (Index l = 0; l < depth; l += lanes) {
        const Index left = depth - l;
        const Vector v = (left < lanes ? some(x + l, left) - some(origin + l, left)
                                       : all(x + l) - all(origin + l)) *
                         factor;
        const Vector least = choose(v > low, v, low);  // NaN as well
        const Vector bounded = choose(least < high, least, high);
        const Vector half = choose(bounded < 0.0, broadcast(-0.5), broadcast(0.5));
        const Codes codes = __builtin_convertvector(bounded + half, Codes);
        const Vector kept = __builtin_convertvector(codes, Vector);
        squares += kept * kept;  // whole numbers below 2⁵³: no rounding
        const Shorts narrow = __builtin_convertvector(codes, Shorts);
        short each[lanes];
        __builtin_memcpy(each, &narrow, sizeof(narrow));
        for (Index h = 0; h < lanes && h < left; h += 2, out += width * 2)
            __builtin_memcpy(out, each + h, 4);
    }
    double sum = 0.0;
    for (Index h = 0; h < lanes; ++h) sum += squares[h];
    return sum;
}

template <class T>
unsigned long long encode(const T* x, Index stride, Index rows, Index depth, const double* origin,
                          double factor, double most, short* out, float* squares) {
    unsigned long long without = 0;
    for (Index w = 0; w < width; ++w, x += stride) {
        double sum = most + 1.0;
        if (w < rows) sum = encode_row(x, depth, origin, factor, out + w * 2);
        squares[w] = static_cast<float>(sum);
        if (sum <= most) continue;
        if (w < rows) without |= 1ULL << w;
        for (Index l = 0; l < (depth + 1) / 2; ++l)
            __builtin_memset(out + (l * width + w) * 2, 0, 4);
    }
    return without;
}

template <class T>
void move(const T* x, Index stride, const RowMove* moves, Index count, const double* weights,
          Index depth, const double* origin, double* sums) {
    constexpr Index ahead = 8;
    for (Index i = 0; i < count; ++i) {
        if (i + ahead < count) {
            const T* const later = x + moves[i + ahead].row * stride;
            for (Index l = 0; l < depth; l += 64 / static_cast<Index>(sizeof(T)))
                __builtin_prefetch(later + l);
            __builtin_prefetch(later + depth - 1);
        }
        const T* const row = x + moves[i].row * stride;
        double* const from = sums + moves[i].from * depth;
        double* const to = sums + moves[i].to * depth;
        const double w = weights == nullptr ? 1.0 : weights[moves[i].row];
#pragma GCC ivdep
        for (Index l = 0; l < depth; ++l) {
            const double v = w * (static_cast<double>(row[l]) - origin[l]);
            from[l] -= v;
            to[l] += v;
        }
    }
}

}  // namespace

unsigned long long encode_rows_f64(const double* x, Index stride, Index rows, Index depth,
                                   const double* origin, double factor, double most, short* out,
                                   float* squares) {
    return encode(x, stride, rows, depth, origin, factor, most, out, squares);
}

unsigned long long encode_rows_f32(const float* x, Index stride, Index rows, Index depth,
                                   const double* origin, double factor, double most, short* out,
                                   float* squares) {
    return encode(x, stride, rows, depth, origin, factor, most, out, squares);
}

PanelLook nearest_codes(const CentreCodes& centres, const short* panel, int limit,
                        const int* labels, int* best, int* second) {
    return nearest<false>(centres, panel, limit, labels, best, second);
}

#if defined(__AVX512BW__)
PanelLook nearest_codes_vnni(const CentreCodes& centres, const short* panel, int limit,
                             const int* labels, int* best, int* second) {
    return nearest<true>(centres, panel, limit, labels, best, second);
}
#endif

void code_leads(const int* best, const int* second, const float* squares, const CodeScales& scales,
                int label_bits, const float* drift, float* lead, float* lower) {
    for (Index j = 0; j < width; j += int_lanes) {
        const Singles norm = scales.square * load(squares + j);
        const Singles off = scales.off + norm * 0x1p-20F;
        const Singles near =
            norm + scales.product * __builtin_convertvector(load(best + j), Singles);
        const Singles next =
            norm + scales.product * __builtin_convertvector(load(second + j), Singles);
        const Singles own = root_of(near + off) * (1.0F + 0x1p-21F) + scales.row;
        const Singles other = root_of(next - off) * (1.0F - 0x1p-21F) - scales.row;
        const Singles ahead = other - own, up = ahead * (1.0F + 0x1p-22F);
        const Singles down = ahead * (1.0F - 0x1p-22F);
        float come[int_lanes];
        for (Index h = 0; h < int_lanes; ++h) come[h] = drift[best[j + h] & label_bits];
        const Singles all = (ahead > 0.0F ? down : up) + load(come) * (1.0F - 0x1p-22F);
        __builtin_memcpy(lead + j, &all, sizeof(all));
        __builtin_memcpy(lower + j, &other, sizeof(other));
    }
}

unsigned long long open_rows(const float* lead, const int* labels, const float* limits,
                             Index rows) {
    unsigned long long open = 0;
    Index j = 0;
    for (; j + int_lanes <= rows; j += int_lanes) {
        float limit[int_lanes];
        for (Index h = 0; h < int_lanes; ++h) limit[h] = limits[labels[j + h]];
        // NaN is open as well
        open |= static_cast<unsigned long long>(bits_of(~(Ints)(load(lead + j) > load(limit))))
                << j;
    }
    for (; j < rows; ++j)
        open |= static_cast<unsigned long long>(!(lead[j] > limits[labels[j]])) << j;
    return open;
}

void move_rows_f64(const double* x, Index stride, const RowMove* moves, Index count,
                   const double* weights, Index depth, const double* origin, double* sums) {
    move(x, stride, moves, count, weights, depth, origin, sums);
}

void move_rows_f32(const float* x, Index stride, const RowMove* moves, Index count,
                   const double* weights, Index depth, const double* origin, double* sums) {
    move(x, stride, moves, count, weights, depth, origin, sums);
}

}  // namespace stylobate::STYLOBATE_ISA
