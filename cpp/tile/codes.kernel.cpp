// Rows as bytes with a scale of their own, and products of them: four columns at a time into 32-bit
// whole numbers, hence without rounding. What becomes of a product while it is in a register is one
// conversion, two fused steps and a comparison (see code_filter.hpp for what they prove).
#include "scan/vectors.hpp"
#include "tile/kernels.hpp"
#include "tile/not_above.hpp"
#include "tile/tile_shape.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index width = vectors * STYLOBATE_VECTOR_BYTES / 4;  // rows of a panel
constexpr int most = 127;

double total(Vector v) {
    double sum = 0.0;
    for (Index h = 0; h < lanes; ++h) sum += v[h];
    return sum;
}

}  // namespace

RowCode tile_encode(const double* v, Index n, double factor, double smallest, signed char* codes) {
    typedef signed char Bytes __attribute__((vector_size(lanes)));
    const auto at = [&](Index l) {
        Vector x;
        __builtin_memcpy(&x, v + l, sizeof(x));
        return x * factor;
    };
    Vector high = {};
    for (Index l = 0; l < n; l += lanes) {
        const Vector size = (Vector)((Whole)at(l) & 0x7fffffffffffffffLL);
        high = choose(size > high, size, high);
    }
    double largest = 0.0;
    for (Index h = 0; h < lanes; ++h) largest = high[h] > largest ? high[h] : largest;
    const double wanted = largest / most;
    const float scale = static_cast<float>(wanted > smallest ? wanted : smallest);
    const double kept = static_cast<double>(scale), inverse = 1.0 / kept;
    constexpr double shifter = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to a whole number
    Vector sum = {}, squares = {}, error = {};
    for (Index l = 0; l < n; l += lanes) {
        const Vector x = at(l), shifted = x * inverse + shifter, code = shifted - shifter;
        const Vector off = x - code * kept;
        sum += code;
        squares += code * code;
        error += off * off;
        const Bytes bytes = __builtin_convertvector((Whole)shifted, Bytes);  // their lowest bits
        __builtin_memcpy(codes + l, &bytes, sizeof(bytes));
    }
    return {scale, total(sum), total(squares), total(error)};
}

Index tile_codes(const signed char* q, Index rows, const unsigned char* r, Index fours,
                 const float* offsets, const float* inverses, const CodeQuery* marks, float* c,
                 TileBits* out) {
    Index count = 0;
    for (Index i = 0; i < rows; ++i) {
        const signed char* const codes = q + (i / queries * fours * queries + i % queries) * 4;
        int product[width];
        float excess[width];
        for (Index j = 0; j < width; ++j) product[j] = marks[i].start;
        for (Index l = 0; l < fours; ++l)
            for (Index j = 0; j < width; ++j)
                for (Index h = 0; h < 4; ++h)
                    product[j] += static_cast<int>(codes[l * queries * 4 + h]) *
                                  static_cast<int>(r[(l * width + j) * 4 + h]);
        for (Index j = 0; j < width; ++j) {
            c[i * width + j] = offsets[j] - marks[i].scale * static_cast<float>(product[j]);
            excess[j] = c[i * width + j] - marks[i].lift * inverses[j];
        }
        const unsigned long long bits = not_above<vectors>(excess, marks[i].limit);
        if (bits != 0) out[count++] = {i, bits};
    }
    return count;
}

#if defined(__AVX512BW__)

namespace {

typedef int Ints __attribute__((vector_size(64)));

// c[i][j] = start + Σ q·r of one panel of queries.
//
// The instruction is written out: built in, the compiler copies the sums around it.
void byte_products(const signed char* q, const unsigned char* r, Index fours,
                   const CodeQuery* marks, int* c) {
    Ints sum[queries][vectors];
    for (Index i = 0; i < queries; ++i)
        for (Index v = 0; v < vectors; ++v) sum[i][v] = marks[i].start - Ints{};
    for (Index l = 0; l < fours; ++l, q += queries * 4, r += width * 4) {
        Ints y[vectors];
        for (Index v = 0; v < vectors; ++v) __builtin_memcpy(&y[v], r + v * 64, 64);
        for (Index i = 0; i < queries; ++i) {
            int four;
            __builtin_memcpy(&four, q + i * 4, sizeof(four));
            const Ints x = four - Ints{};  // broadcast
            for (Index v = 0; v < vectors; ++v)
                asm("vpdpbusd %2, %1, %0" : "+v"(sum[i][v]) : "v"(y[v]), "v"(x));
        }
    }
    for (Index i = 0; i < queries; ++i)
        for (Index v = 0; v < vectors; ++v)
            __builtin_memcpy(c + i * width + v * 16, &sum[i][v], 64);
}

// Lists one panel of queries; `rows` of them are real.
Index panel_candidates(const int* products, Index rows, const float* offsets, const float* inverses,
                       const CodeQuery* marks, float* c, TileBits* out) {
    __m512 offset[vectors], inverse[vectors];
    for (Index v = 0; v < vectors; ++v) {
        offset[v] = _mm512_loadu_ps(offsets + v * 16);
        inverse[v] = _mm512_loadu_ps(inverses + v * 16);
    }
    Index count = 0;
    for (Index i = 0; i < (rows < queries ? rows : queries); ++i) {
        const __m512 scale = _mm512_set1_ps(marks[i].scale), lift = _mm512_set1_ps(marks[i].lift);
        const __m512 limit = _mm512_set1_ps(marks[i].limit);
        __m512 value[vectors];
        unsigned long long bits = 0;
        for (Index v = 0; v < vectors; ++v) {
            const __m512 product =
                _mm512_maskz_cvtepi32_ps(0xFFFF, _mm512_loadu_si512(products + i * width + v * 16));
            value[v] = _mm512_fnmadd_ps(product, scale, offset[v]);
            const __m512 excess = _mm512_fnmadd_ps(lift, inverse[v], value[v]);
            const unsigned long long some = _mm512_cmp_ps_mask(excess, limit, _CMP_NGT_UQ);
            bits |= some << (v * 16);
        }
        if (bits == 0) continue;
        for (Index v = 0; v < vectors; ++v) _mm512_storeu_ps(c + i * width + v * 16, value[v]);
        out[count++] = {i, bits};
    }
    return count;
}

}  // namespace

Index tile_codes_vnni(const signed char* q, Index rows, const unsigned char* r, Index fours,
                      const float* offsets, const float* inverses, const CodeQuery* marks, float* c,
                      TileBits* out) {
    alignas(64) int products[queries * width];
    Index count = 0;
    for (Index i = 0; i < rows; i += queries) {
        byte_products(q + i * fours * 4, r, fours, marks + i, products);
        const Index more = panel_candidates(products, rows - i, offsets, inverses, marks + i,
                                            c + i * width, out + count);
        for (Index f = count; f < count + more; ++f) out[f].row += i;
        count += more;
    }
    return count;
}

#endif

}  // namespace stylobate::STYLOBATE_ISA
