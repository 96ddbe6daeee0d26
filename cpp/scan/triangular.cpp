#include "scan/triangular.hpp"

#include <cstdint>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index block_rows = 256;
constexpr Index min_unit_rows = 4096;
constexpr Index max_units = 64;              // all units' factors are kept until merged in order …
constexpr Index max_state_bytes = 1 << 27;   // … within this much memory, where eight fit
constexpr Index columns_between_looks = 64;  // at Ctrl-C

template <class Scalar>
Scalar dot(const Scalar* a, const Scalar* b, Index n) {
    Scalar sums[4] = {Scalar(0), Scalar(0), Scalar(0), Scalar(0)};  // independent, for the pipeline
    Index k = 0;
    for (; k + 4 <= n; k += 4)
        for (Index lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
    for (; k < n; ++k) sums[0] += a[k] * b[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// A power of two that brings the largest of these numbers near 1, or 1 if that is 0 or not finite.
template <class Scalar>
double unit_scale(const Scalar* v, Index count, Scalar diagonal) {
    double largest = std::fabs(static_cast<double>(diagonal));
    for (Index k = 0; k < count; ++k)
        largest = std::max(largest, std::fabs(static_cast<double>(v[k])));
    if (largest == 0.0 || !std::isfinite(largest)) return 1.0;
    return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1020, 1020));
}

// Householder reflections that take [R; A] to [R'; 0]; A is `size` columns of `count` entries each,
// columns `stride` apart, and is destroyed. Column j of A is known to be zero from `used(j)` on.
template <class Scalar, class Used>
void absorb_block(Scalar* r, Scalar* a, Index size, Index stride, Used used,
                  Checkpoint& checkpoint) {
    for (Index j = 0; j < size; ++j) {
        checkpoint();
        Scalar* v = a + j * stride;
        const Index count = used(j);
        Scalar diagonal = r[j * size + j], below = dot(v, v, count);
        double unit = 1.0;
        const double square = static_cast<double>(diagonal * diagonal + below);
        if (!(square > 1e-100 && square < 1e100)) {
            // Squares near the ends of the range of double lose their digits. A reflection does not
            // depend on the length of its vector, and a power of two rounds nothing.
            unit = unit_scale(v, count, diagonal);
            for (Index k = 0; k < count; ++k) v[k] = v[k] * Scalar(unit);
            diagonal = diagonal * Scalar(unit);
            below = dot(v, v, count);
        }
        if (is_zero(below)) continue;
        const Scalar norm = square_root(diagonal * diagonal + below);
        const Scalar alpha = is_negative(diagonal) ? norm : -norm;
        const Scalar head = diagonal - alpha;  // no cancellation: the signs are opposite
        const Scalar scale = Scalar(1.0) / (head * alpha);  // −2/‖u‖², u = (head, v)
        r[j * size + j] = alpha * Scalar(1.0 / unit);
        for (Index l = j + 1; l < size; ++l) {
            if ((l - j) % columns_between_looks == 0) checkpoint();
            Scalar* x = a + l * stride;
            Scalar& top = r[j * size + l];
            const Scalar factor = (head * top + dot(v, x, count)) * scale;
            top += factor * head;
            for (Index k = 0; k < count; ++k) x[k] += factor * v[k];
        }
    }
}

// Column-major copy of √w[1, X, Y] for a few rows. Roots of weights are taken in Scalar, so that
// extended precision is not lost to them.
template <class Scalar, class Features>
void load(const Rows<Features>& rows, Index first, Index count, Buffer& packed, Index ld,
          const double* zero, Scalar* a) {
    const Index size = rows.cols(), q = size - 1;
    rows.values(first, count, zero, packed.data(), ld);
    for (Index k = 0; k < count; ++k) {
        const Scalar root = square_root(Scalar(rows.weight(first + k)));
        a[k] = root;
        for (Index j = 0; j < q; ++j)
            a[(j + 1) * block_rows + k] = root * Scalar(packed[k * ld + j]);
    }
}

// body(i, checkpoint) for i < k, each about k² operations: few rows are not worth a second thread.
template <class Body>
void for_each_row(Index k, const Body& body) {
    const Index chunk = std::max<Index>(1, (Index{1} << 14) / std::max<Index>(1, k * k));
    parallel_for((k + chunk - 1) / chunk, [&](Index c, Checkpoint& checkpoint) {
        for (Index i = c * chunk; i < std::min(k, (c + 1) * chunk); ++i) body(i, checkpoint);
    });
}

// The inverse of the leading k × k block of R: upper, row-major. Row i solves xᵀR = eᵢᵀ.
template <class Scalar>
std::vector<Scalar> invert(const Scalar* r, Index size, Index k) {
    std::vector<Scalar> inverse(area(k, k), Scalar(0.0));
    for_each_row(k, [&](Index i, Checkpoint& checkpoint) {
        Scalar* x = inverse.data() + i * k;
        x[i] = Scalar(1.0);
        for (Index l = i; l < k; ++l) {
            checkpoint();
            x[l] = x[l] / r[l * size + l];
            for (Index j = l + 1; j < k; ++j) x[j] -= x[l] * r[l * size + j];
        }
    });
    return inverse;
}

}  // namespace

template <class Scalar>
void merge_triangular(Scalar* r, const Scalar* other, Index size) {
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {
        std::vector<Scalar> a(area(size, size));
        for (Index i = 0; i < size; ++i)
            for (Index j = i; j < size; ++j) a[j * size + i] = other[i * size + j];
        absorb_block(r, a.data(), size, size, [](Index j) { return j + 1; }, checkpoint);
    });
}

template <class Scalar>
LeastSquares solve_triangular(const Scalar* r, Index size, Index k) {
    const Index targets = size - k;
    const std::vector<Scalar> inverse = invert(r, size, k);
    LeastSquares result;
    result.coefficients.resize(k * targets);
    result.inverse_gram.resize(k * k);
    result.residual_squares.resize(targets);
    for_each_row(k, [&](Index i, Checkpoint& checkpoint) {
        for (Index t = 0; t < targets; ++t) {
            checkpoint();
            Scalar sum(0.0);
            for (Index l = i; l < k; ++l) sum += inverse[i * k + l] * r[l * size + k + t];
            result.coefficients[i * targets + t] = static_cast<double>(sum);
        }
        for (Index j = 0; j <= i; ++j) {
            checkpoint();
            const Scalar product = dot(&inverse[i * k + i], &inverse[j * k + i], k - i);
            result.inverse_gram[i * k + j] = result.inverse_gram[j * k + i] =
                static_cast<double>(product);
        }
    });
    for (Index t = 0; t < targets; ++t) {
        Scalar sum(0.0);
        for (Index i = k; i <= k + t; ++i) sum += r[i * size + k + t] * r[i * size + k + t];
        result.residual_squares[t] = static_cast<double>(sum);
    }
    return result;
}

template <class Scalar, class Features>
std::vector<Scalar> triangular(const Rows<Features>& rows) {
    const Index n = rows.count(), size = rows.cols(), ld = padded_stride(size);
    const Index state_bytes = area(size, size) * static_cast<Index>(sizeof(Scalar));
    const Index most = std::clamp(max_state_bytes / state_bytes, Index{8}, max_units);
    const Index unit = std::max(min_unit_rows, (n + most - 1) / most);
    const Index n_units = std::max<Index>(1, (n + unit - 1) / unit);
    const Buffer zero(size);
    std::vector<std::vector<Scalar>> factors(n_units);
    parallel_for(n_units, [&](Index u, Checkpoint& checkpoint) {
        std::vector<Scalar>& r = factors[u];
        r.assign(area(size, size), Scalar(0.0));
        Buffer packed(area(block_rows, ld));
        std::vector<Scalar> a(area(size, block_rows));
        const Index last = std::min(n, (u + 1) * unit);
        for (Index at = u * unit; at < last; at += block_rows) {
            checkpoint();
            const Index count = std::min(block_rows, last - at);
            load(rows, at, count, packed, ld, zero.data(), a.data());
            absorb_block(
                r.data(), a.data(), size, block_rows, [&](Index) { return count; }, checkpoint);
        }
    });
    for (Index u = 1; u < n_units; ++u)
        merge_triangular(factors[0].data(), factors[u].data(), size);
    return std::move(factors[0]);
}

template void merge_triangular(double*, const double*, Index);
template void merge_triangular(Extended*, const Extended*, Index);
template LeastSquares solve_triangular(const Extended*, Index, Index);

#define STYLOBATE_TRIANGULAR(Features)                                      \
    template std::vector<double> triangular<double>(const Rows<Features>&); \
    template std::vector<Extended> triangular<Extended>(const Rows<Features>&);
using SparseDouble32 = SparseFeatures<double, std::int32_t>;
using SparseDouble64 = SparseFeatures<double, std::int64_t>;
using SparseFloat32 = SparseFeatures<float, std::int32_t>;
using SparseFloat64 = SparseFeatures<float, std::int64_t>;
STYLOBATE_TRIANGULAR(DenseFeatures<double>)
STYLOBATE_TRIANGULAR(DenseFeatures<float>)
STYLOBATE_TRIANGULAR(SparseDouble32)
STYLOBATE_TRIANGULAR(SparseDouble64)
STYLOBATE_TRIANGULAR(SparseFloat32)
STYLOBATE_TRIANGULAR(SparseFloat64)

}  // namespace stylobate::scan
