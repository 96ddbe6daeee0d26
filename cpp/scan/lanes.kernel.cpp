// Scores of a block of rows under every class, rows side by side in the lanes of vectors.
//
// A group is 32 rows, transposed: entry j of all its rows lies together. A tile holds `outputs` ×
// `vectors` accumulators; what belongs to a class is broadcast, so a handful of classes wastes no
// lane, and the largest of the classes' scores is found for all rows of the group at once.
#include "scan/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef double Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), may_alias));
constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 8;
constexpr Index vectors = lanes == 8 ? 4 : 2;
constexpr Index step = vectors * lanes;  // rows of a group that are worked on together
constexpr Index outputs = lane_outputs;

const Vector* at(const double* z) {
    return reinterpret_cast<const Vector*>(z);
}

typedef double LooseVector
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));

// A square of numbers mirrored in registers: pairs of rows exchange halves, quarters, …
void mirror(Vector* v) {
    const auto exchange = [v](Index distance, const auto& lower, const auto& upper) {
        for (Index i = 0; i < lanes; ++i) {
            if (i & distance) continue;
            const Vector a = v[i], b = v[i + distance];
            v[i] = lower(a, b);
            v[i + distance] = upper(a, b);
        }
    };
#define STYLOBATE_SHUFFLE(...) \
    [](Vector a, Vector b) -> Vector { return __builtin_shufflevector(a, b, __VA_ARGS__); }
#if STYLOBATE_VECTOR_BYTES == 64
    exchange(4, STYLOBATE_SHUFFLE(0, 1, 2, 3, 8, 9, 10, 11),
             STYLOBATE_SHUFFLE(4, 5, 6, 7, 12, 13, 14, 15));
    exchange(2, STYLOBATE_SHUFFLE(0, 1, 8, 9, 4, 5, 12, 13),
             STYLOBATE_SHUFFLE(2, 3, 10, 11, 6, 7, 14, 15));
    exchange(1, STYLOBATE_SHUFFLE(0, 8, 2, 10, 4, 12, 6, 14),
             STYLOBATE_SHUFFLE(1, 9, 3, 11, 5, 13, 7, 15));
#elif STYLOBATE_VECTOR_BYTES == 32
    exchange(2, STYLOBATE_SHUFFLE(0, 1, 4, 5), STYLOBATE_SHUFFLE(2, 3, 6, 7));
    exchange(1, STYLOBATE_SHUFFLE(0, 4, 2, 6), STYLOBATE_SHUFFLE(1, 5, 3, 7));
#else
    exchange(1, STYLOBATE_SHUFFLE(0, 2), STYLOBATE_SHUFFLE(1, 3));
#endif
#undef STYLOBATE_SHUFFLE
}

// `lanes` rows, all there, into a group.
void pack_rows(const double* rows, Index ld, Index cols, const double* shift, double* z) {
    Index j = 0;
    for (; j + lanes <= cols; j += lanes) {
        const Vector s = *reinterpret_cast<const LooseVector*>(shift + j);
        Vector v[lanes];
        for (Index i = 0; i < lanes; ++i)
            v[i] = *reinterpret_cast<const LooseVector*>(rows + i * ld + j) - s;
        mirror(v);
        for (Index i = 0; i < lanes; ++i)
            *reinterpret_cast<Vector*>(z + (j + i) * lane_rows) = v[i];
    }
    for (; j < cols; ++j)
        for (Index i = 0; i < lanes; ++i) z[j * lane_rows + i] = rows[i * ld + j] - shift[j];
}

template <Index classes>
void linear_tile(const double* z, Index cols, const double* w, const double* bias, double* out,
                 Index ldo) {
    Vector sum[classes][vectors] = {};
    for (Index j = 0; j < cols; ++j, z += lane_rows) {
        for (Index c = 0; c < classes; ++c) {
            const Vector factor = w[c * cols + j] - Vector{};  // broadcast
            for (Index v = 0; v < vectors; ++v) sum[c][v] += at(z)[v] * factor;
        }
    }
    for (Index c = 0; c < classes; ++c)
        for (Index v = 0; v < vectors; ++v)
            reinterpret_cast<Vector*>(out + c * ldo)[v] = bias[c] + sum[c][v];
}

template <Index classes>
void squares_tile(const double* z, Index cols, const double* scale, const double* mean,
                  const double* bias, double* out, Index ldo) {
    Vector sum[classes][vectors] = {};
    for (Index j = 0; j < cols; ++j, z += lane_rows) {
        for (Index c = 0; c < classes; ++c) {
            const Vector r = scale[c * cols + j] - Vector{}, m = mean[c * cols + j] - Vector{};
            for (Index v = 0; v < vectors; ++v) {
                const Vector t = at(z)[v] * r - m;
                sum[c][v] += t * t;
            }
        }
    }
    for (Index c = 0; c < classes; ++c)
        for (Index v = 0; v < vectors; ++v)
            reinterpret_cast<Vector*>(out + c * ldo)[v] = bias[c] - 0.5 * sum[c][v];
}

// Calls tile.template operator()<classes>(first class) for all classes, a few at a time.
template <class Tile>
void for_classes(Index classes, const Tile& tile) {
    Index c = 0;
    for (; c + 4 <= classes; c += 4) tile.template operator()<4>(c);
    if (classes - c == 3) tile.template operator()<3>(c);
    if (classes - c == 2) tile.template operator()<2>(c);
    if (classes - c == 1) tile.template operator()<1>(c);
}

}  // namespace

void lane_pack(const double* rows, Index count, Index ld, Index cols, const double* shift,
               double* z) {
    for (Index first = 0; first < count; first += lanes) {
        double* to = z + first / lane_rows * cols * lane_rows + first % lane_rows;
        if (first + lanes <= count) {
            pack_rows(rows + first * ld, ld, cols, shift, to);
            continue;
        }
        for (Index j = 0; j < cols; ++j)
            for (Index i = 0; i < lanes; ++i)
                to[j * lane_rows + i] =
                    first + i < count ? rows[(first + i) * ld + j] - shift[j] : 0.0;
    }
}

void lane_highest(const double* scores, Index rows, Index classes, double* best, double* which) {
    for (Index k = 0; k < rows; ++k) best[k] = scores[k], which[k] = 0.0;
    for (Index c = 1; c < classes; ++c) {
        const double* row = scores + c * rows;
        const double number = static_cast<double>(c);
        for (Index k = 0; k < rows; ++k) {
            const bool more = row[k] > best[k];
            best[k] = more ? row[k] : best[k];
            which[k] = more ? number : which[k];
        }
    }
}

void lane_linear(const double* z, Index groups, Index cols, const double* w, const double* bias,
                 Index classes, double* out, Index ldo) {
    for (Index g = 0; g < groups; ++g, z += cols * lane_rows, out += lane_rows)
        for (Index part = 0; part < lane_rows; part += step)
            for_classes(classes, [&]<Index count>(Index c) {
                linear_tile<count>(z + part, cols, w + c * cols, bias + c, out + c * ldo + part,
                                   ldo);
            });
}

void lane_squares(const double* z, Index groups, Index cols, const double* scale,
                  const double* mean, const double* bias, Index classes, double* out, Index ldo) {
    for (Index g = 0; g < groups; ++g, z += cols * lane_rows, out += lane_rows)
        for (Index part = 0; part < lane_rows; part += step)
            for_classes(classes, [&]<Index count>(Index c) {
                squares_tile<count>(z + part, cols, scale + c * cols, mean + c * cols, bias + c,
                                    out + c * ldo + part, ldo);
            });
}

// One tile of the factor meets all groups while it is in cache.
void lane_triangular(const double* z, Index groups, Index cols, const double* mean,
                     const double* factor, double bias, double* scratch, double* out) {
    for (Index g = 0; g < groups; ++g)
        for (Index j = 0; j < cols; ++j)
            for (Index k = 0; k < lane_rows; ++k) {
                const Index i = (g * cols + j) * lane_rows + k;
                scratch[i] = z[i] - mean[j];
            }
    for (Index k = 0; k < groups * lane_rows; ++k) out[k] = 0.0;
    for (Index i0 = 0; i0 < cols; i0 += outputs) {
        const Index length = i0 + outputs < cols ? i0 + outputs : cols;
        for (Index g = 0; g < groups; ++g)
            for (Index part = 0; part < lane_rows; part += step) {
                const double* d = scratch + g * cols * lane_rows + part;
                const double* w = factor;
                Vector sum[outputs][vectors] = {};
                for (Index j = 0; j < length; ++j, d += lane_rows, w += outputs)
                    for (Index i = 0; i < outputs; ++i) {
                        const Vector f = w[i] - Vector{};  // broadcast
                        for (Index v = 0; v < vectors; ++v) sum[i][v] += at(d)[v] * f;
                    }
                Vector* total = reinterpret_cast<Vector*>(out + g * lane_rows + part);
                for (Index i = 0; i < outputs; ++i)
                    for (Index v = 0; v < vectors; ++v) total[v] += sum[i][v] * sum[i][v];
            }
        factor += length * outputs;
    }
    for (Index k = 0; k < groups * lane_rows; ++k) out[k] = bias - 0.5 * out[k];
}

}  // namespace stylobate::STYLOBATE_ISA
