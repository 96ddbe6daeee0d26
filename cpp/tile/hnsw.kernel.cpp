// One code against a list of others: the distances a walk over a graph is made of.
//
// Rows are whole cache lines. The memory is asked for all of them before the first is needed: they
// lie anywhere, and waiting for one at a time would be most of the work.
#include "stylobate/simd.hpp"
#include "tile/code_measure.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef unsigned char Byte;
constexpr Index line = 64;

#if defined(__AVX2__)

// Of 32-bit numbers; also of 64-bit ones whose sum takes 32.
unsigned sum_of(__m256i v) {
    const __m128i half = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    const __m128i quarter = _mm_add_epi32(half, _mm_srli_si128(half, 8));
    return static_cast<unsigned>(
        _mm_cvtsi128_si32(_mm_add_epi32(quarter, _mm_srli_si128(quarter, 4))));
}

#if defined(__AVX512BW__)

__m256i halves(__m512i v) {
    return _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_maskz_extracti64x4_epi64(0xFF, v, 1));
}

unsigned byte_squared(const Byte* x, const Byte* y, Index bytes) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i sum = zero, other = zero;
    for (Index l = 0; l < bytes; l += 64) {
        const __m512i a = _mm512_loadu_si512(x + l), b = _mm512_loadu_si512(y + l);
        const __m512i d = _mm512_or_si512(_mm512_subs_epu8(a, b), _mm512_subs_epu8(b, a));
        const __m512i low = _mm512_unpacklo_epi8(d, zero), high = _mm512_unpackhi_epi8(d, zero);
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(low, low));
        other = _mm512_add_epi32(other, _mm512_madd_epi16(high, high));
    }
    return sum_of(halves(_mm512_add_epi32(sum, other)));
}

unsigned byte_manhattan(const Byte* x, const Byte* y, Index bytes) {
    __m512i sum = _mm512_setzero_si512();
    for (Index l = 0; l < bytes; l += 64)
        sum = _mm512_add_epi64(
            sum, _mm512_sad_epu8(_mm512_loadu_si512(x + l), _mm512_loadu_si512(y + l)));
    return sum_of(halves(sum));
}

#else

__m256i load(const Byte* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

unsigned byte_squared(const Byte* x, const Byte* y, Index bytes) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i sum = zero;
    for (Index l = 0; l < bytes; l += 32) {
        const __m256i a = load(x + l), b = load(y + l);
        const __m256i d = _mm256_or_si256(_mm256_subs_epu8(a, b), _mm256_subs_epu8(b, a));
        const __m256i low = _mm256_unpacklo_epi8(d, zero), high = _mm256_unpackhi_epi8(d, zero);
        sum = _mm256_add_epi32(
            sum, _mm256_add_epi32(_mm256_madd_epi16(low, low), _mm256_madd_epi16(high, high)));
    }
    return sum_of(sum);
}

unsigned byte_manhattan(const Byte* x, const Byte* y, Index bytes) {
    __m256i sum = _mm256_setzero_si256();
    for (Index l = 0; l < bytes; l += 32)
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(load(x + l), load(y + l)));
    return sum_of(sum);
}

#endif
#else

unsigned byte_squared(const Byte* x, const Byte* y, Index bytes) {
    unsigned sum = 0;
    for (Index l = 0; l < bytes; ++l) {
        const int d = static_cast<int>(x[l]) - static_cast<int>(y[l]);
        sum += static_cast<unsigned>(d * d);
    }
    return sum;
}

unsigned byte_manhattan(const Byte* x, const Byte* y, Index bytes) {
    unsigned sum = 0;
    for (Index l = 0; l < bytes; ++l) {
        const int d = static_cast<int>(x[l]) - static_cast<int>(y[l]);
        sum += static_cast<unsigned>(d < 0 ? -d : d);
    }
    return sum;
}

#endif

typedef float Floats __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef int Bits __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
constexpr Index floats = STYLOBATE_VECTOR_BYTES / 4;

// The bits of a sum that is not negative are in its order.
template <class Term>
unsigned float_sum(const Byte* x, const Byte* y, Index bytes, const Term& term) {
    Floats sum = {};
    for (Index l = 0; l < bytes; l += STYLOBATE_VECTOR_BYTES) {
        Floats a, b;
        __builtin_memcpy(&a, x + l, sizeof(a));
        __builtin_memcpy(&b, y + l, sizeof(b));
        sum += term(a - b);
    }
    float total = 0.0f;
    for (Index h = 0; h < floats; ++h) total += sum[h];
    unsigned bits;
    __builtin_memcpy(&bits, &total, sizeof(bits));
    return bits;
}

unsigned float_squared(const Byte* x, const Byte* y, Index bytes) {
    return float_sum(x, y, bytes, [](Floats d) { return d * d; });
}

unsigned float_manhattan(const Byte* x, const Byte* y, Index bytes) {
    return float_sum(x, y, bytes, [](Floats d) { return (Floats)((Bits)d & 0x7FFFFFFF); });
}

template <class Distance>
void list(const Byte* query, const Byte* rows, Index stride, const unsigned* which, Index count,
          unsigned* out, const Distance& distance) {
    const Index ahead = stride < 4 * line ? stride : 4 * line;
    for (Index i = 0; i < count; ++i)
        for (Index l = 0; l < ahead; l += line)
            __builtin_prefetch(rows + static_cast<Index>(which[i]) * stride + l);
    for (Index i = 0; i < count; ++i)
        out[i] = distance(query, rows + static_cast<Index>(which[i]) * stride, stride);
}

}  // namespace

// `measure` is a tile::CodeMeasure.
void code_distances(int measure, const Byte* query, const Byte* rows, Index stride,
                    const unsigned* which, Index count, unsigned* out) {
    // functions of their own, so that each loop has its distance inside
    const auto run = [&](const auto& distance) {
        list(query, rows, stride, which, count, out, distance);
    };
    switch (static_cast<tile::CodeMeasure>(measure)) {
        case tile::CodeMeasure::byte_squared:
            return run([](auto... pair) { return byte_squared(pair...); });
        case tile::CodeMeasure::byte_manhattan:
            return run([](auto... pair) { return byte_manhattan(pair...); });
        case tile::CodeMeasure::float_squared:
            return run([](auto... pair) { return float_squared(pair...); });
        default:
            return run([](auto... pair) { return float_manhattan(pair...); });
    }
}

}  // namespace stylobate::STYLOBATE_ISA
