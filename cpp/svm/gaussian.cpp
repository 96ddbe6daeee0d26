#include "svm/gaussian.hpp"

#include <algorithm>
#include <cmath>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "svm/kernels.hpp"
#include "tile/kernels.hpp"
#include "tile/panels.hpp"

namespace stylobate::svm {
namespace {

constexpr Index chunk_queries = 96;            // a multiple of every panel of queries
constexpr double binary = 1.4426950408889634;  // 1 / log 2: values are powers of two
constexpr Index group_panels = 16;  // panels of rows a chunk passes over between checkpoints

Index panel_width() {
    return tile::kernels().tile_bytes() / static_cast<Index>(sizeof(float));
}

}  // namespace

// Rows side by side in panels, their exponents −γ‖x‖² / log 2 as bias.
struct SingleGaussian::Packed {
    Index count = 0, width = 0;
    tile::Aligned<float> values, bias;
};

SingleGaussian::SingleGaussian(const MatrixView<double>& x, double gamma)
    : rows_(x.rows), cols_(x.cols), gamma_(gamma), x_(area(x.rows, x.cols)), norms_(x.rows) {
    std::vector<double> centre(static_cast<std::size_t>(cols_), 0.0);
    for (Index i = 0; i < rows_; ++i)
        for (Index l = 0; l < cols_; ++l) centre[l] += x(i, l);
    for (double& each : centre) each /= static_cast<double>(std::max<Index>(rows_, 1));
    for (Index i = 0; i < rows_; ++i) {
        double square = 0.0;
        for (Index l = 0; l < cols_; ++l) {
            const auto value = static_cast<float>(x(i, l) - centre[l]);
            x_[i * cols_ + l] = value;
            square += static_cast<double>(value) * value;
        }
        norms_[i] = static_cast<float>(-gamma * binary * square);
        widest_ = std::max(widest_, square);
    }
}

double SingleGaussian::error() const {
    // Two rounded norms, a rounded table and a product of `cols` rounded steps.
    return 6e-8 * gamma_ * widest_ * (6.0 + std::sqrt(static_cast<double>(cols_)));
}

SingleGaussian::Packed SingleGaussian::packed(const Index* rows, Index n) const {
    const Index width = panel_width(), panels = (n + width - 1) / width, depth = cols_ + 1;
    Packed out;
    out.count = n, out.width = width;
    out.values = tile::Aligned<float>(panels * width * depth);
    out.bias = tile::Aligned<float>(panels * width);
    for (Index p = 0; p < panels; ++p)
        for (Index w = 0; w < width; ++w) {
            const Index place = p * width + w, row = rows[std::min(place, n - 1)];
            float* const to = out.values.data() + p * width * depth + w;
            for (Index l = 0; l < cols_; ++l) to[l * width] = x_[row * cols_ + l];
            to[cols_ * width] = 1.0f;
            out.bias[place] = norms_[row];
        }
    return out;
}

// start(first query of a chunk, queries)(first row, rows, exponents) for every tile
template <class Start>
void SingleGaussian::over_tiles(const Index* queries, Index n, const Packed& packed, bool upper,
                                const Start& start) const {
    const Index unit = tile::kernels().tile_queries(), width = packed.width, depth = cols_ + 1;
    const auto twice = static_cast<float>(2.0 * gamma_ * binary);
    parallel_for((n + chunk_queries - 1) / chunk_queries, [&](Index chunk, Checkpoint& checkpoint) {
        const Index q0 = chunk * chunk_queries, count = std::min(chunk_queries, n - q0);
        const Index panels = (count + unit - 1) / unit;
        tile::Aligned<float> left(panels * unit * depth), tile(panels * unit * width);
        for (Index i = 0; i < panels * unit; ++i) {
            const Index row = queries[q0 + std::min(i, count - 1)];
            float* const to = left.data() + i / unit * unit * depth + i % unit;
            for (Index l = 0; l < cols_; ++l) to[l * unit] = twice * x_[row * cols_ + l];
            to[cols_ * unit] = norms_[row];
        }
        auto consume = start(q0, count);
        for (Index r0 = upper ? q0 / width * width : 0; r0 < packed.count; r0 += width) {
            tile::kernels().tile_product_f32(left.data(), panels, packed.values.data() + r0 * depth,
                                             depth, packed.bias.data() + r0, tile.data());
            consume(r0, std::min(width, packed.count - r0), tile.data());
            if (r0 / width % group_panels == 0) checkpoint();
        }
    });
}

// consume(first query of the chunk, queries, first row, rows, values) for every tile
template <class Consume>
void SingleGaussian::over_values(const Index* queries, Index n, const Packed& packed, bool upper,
                                 const Consume& consume) const {
    over_tiles(queries, n, packed, upper, [&](Index q0, Index count) {
        return [&, q0, count](Index r0, Index width, float* tile) {
            kernels().svm_powers_of_two(tile, count * packed.width);
            consume(q0, count, r0, width, tile);
        };
    });
}

void SingleGaussian::multiply(const Index* queries, Index n_queries, const Index* rows,
                              Index n_rows, const double* v, double* out) const {
    std::fill_n(out, n_queries, 0.0);
    if (n_rows == 0) return;
    const Packed packed = this->packed(rows, n_rows);
    std::vector<double> weights(area(n_rows + packed.width, 1), 0.0);  // the last panel is padded
    std::copy_n(v, n_rows, weights.begin());
    over_tiles(queries, n_queries, packed, false, [&](Index q0, Index count) {
        return [&, q0, count, sums = std::vector<double>(count * sum_lanes)](
                   Index r0, Index, const float* tile) mutable {
            kernels().svm_add_weighted_powers(tile, count, packed.width, weights.data() + r0,
                                              sums.data());
            if (r0 + packed.width < packed.count) return;
            for (Index i = 0; i < count; ++i)
                for (Index h = 0; h < sum_lanes; ++h) out[q0 + i] += sums[i * sum_lanes + h];
        };
    });
}

void SingleGaussian::write(const Index* queries, Index n_queries, const Index* rows, Index n_rows,
                           float* out, Index stride) const {
    if (n_rows == 0) return;
    const Packed packed = this->packed(rows, n_rows);
    over_values(queries, n_queries, packed, false,
                [&](Index q0, Index count, Index r0, Index width, const float* tile) {
                    for (Index i = 0; i < count; ++i)
                        std::copy_n(tile + i * packed.width, width, out + (q0 + i) * stride + r0);
                });
}

void SingleGaussian::write_symmetric(const Index* rows, Index n, float* out) const {
    if (n == 0) return;
    const Packed packed = this->packed(rows, n);
    // Tiles cover every pair on and right of the diagonal; a pair left of it is the mirror image
    // of one tile alone, so no two threads write one place.
    over_values(rows, n, packed, true,
                [&](Index q0, Index count, Index r0, Index width, const float* tile) {
                    const bool beyond = r0 >= q0 + count;
                    for (Index i = 0; i < count; ++i) {
                        const Index from = beyond ? 0 : std::clamp<Index>(q0 + i - r0, 0, width);
                        std::copy(tile + i * packed.width + from, tile + i * packed.width + width,
                                  out + (q0 + i) * n + r0 + from);
                    }
                    for (Index j = 0; j < width; ++j) {
                        const Index until =
                            beyond ? count : std::clamp<Index>(r0 + j - q0, 0, count);
                        float* const to = out + (r0 + j) * n + q0;
                        for (Index i = 0; i < until; ++i) to[i] = tile[i * packed.width + j];
                    }
                });
}

}  // namespace stylobate::svm
