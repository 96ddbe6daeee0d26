// Repulsion as a convolution on a grid, by Fourier transforms.
//
// Every point is one unit of charge, spread over 4 × 4 nodes by cubic B-splines. One transform of
// this density gives both components of the force, for the kernel y (1 + d/ν)^(−(ν + 3)/2) is
// sampled as a complex number: one component is the real part of the inverse transform, the other
// its imaginary part. Z is a sum over the spectrum (Parseval), so that it needs no transform at
// all. Cf. Linderman et al. (2019), who convolve four charges with Lagrange polynomials, and the
// particle–mesh Ewald method of molecular dynamics (Essmann et al., 1995).
#include <algorithm>
#include <cmath>

#include "embed/fourier_grid.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tsne {
namespace {

constexpr Index strip_rows = 8;  // at least spline_nodes: strips two apart share no node
constexpr Index chunk_points = 1024;

// Where a point lies: its first node, and the weights of four nodes along each axis.
struct Spread {
    Index row, column;
    float rows[spline_nodes], columns[spline_nodes];
};

void spline_weights(float u, float* w) {
    const float v = 1.0F - u;
    w[0] = v * v * v * (1.0F / 6.0F);
    w[3] = u * u * u * (1.0F / 6.0F);
    w[1] = (4.0F + u * u * (3.0F * u - 6.0F)) * (1.0F / 6.0F);
    w[2] = 1.0F - w[0] - w[1] - w[3];
}

class FourierRepulsion final : public Repulsion {
 public:
    explicit FourierRepulsion(double dof) : dof_(dof) {}

    double compute(const Map& map, float* forces) override {
        if (map.d > 2) throw InvalidArgument("grids of the map have at most 2 dimensions");
        measure(map);
        sort_into_strips(map);
        spread(map);
        transform_columns();
        const double z = multiply_rows() - static_cast<double>(map.n);
        restore_columns();
        interpolate(map, forces);
        return std::max(z, 0.0);
    }

 private:
    void measure(const Map& map) {
        double high[2] = {0.0, 0.0};
        low_[0] = low_[1] = 0.0;
        for (Index c = 0; c < map.d; ++c) {
            float least = map.points[c], most = map.points[c];
            for (Index i = 0; i < map.n; ++i) {
                least = std::min(least, map.points[i * map.d + c]);
                most = std::max(most, map.points[i * map.d + c]);
            }
            low_[c] = static_cast<double>(least);
            high[c] = static_cast<double>(most);
        }
        const double extent[2] = {high[0] - low_[0], high[1] - low_[1]};
        if (!std::isfinite(extent[0] + extent[1]))
            throw InvalidArgument(
                "the map has left the range of numbers; use a smaller "
                "learning_rate");
        const GridShape shape = grid_for(extent, dof_, shape_);
        if (!spectra_ || shape.spacing != shape_.spacing || shape.length[0] != shape_.length[0] ||
            shape.length[1] != shape_.length[1])
            spectra_ = std::make_unique<KernelSpectra>(shape, dof_);
        shape_ = shape;
        half_columns_ = (shape.used[1] + block - 1) / block * transforms_at_once;
        allocate();
    }

    void allocate() {
        const Index density = shape_.used[0] * plane_columns();
        const Index spectrum = shape_.row_groups() * transforms_at_once * row_size();
        const Index field = shape_.length[0] * row_size();
        density_.assign(static_cast<std::size_t>(density), 0.0F);
        if (spectrum_.size() * 2 < spectrum) spectrum_ = float_buffer(spectrum);
        if (field_.size() * 2 < field) field_ = float_buffer(field);
    }

    // At most length[1], which has room for twice the used columns and more.
    Index plane_columns() const { return 2 * half_columns_; }
    Index row_size() const { return plane_columns() / transforms_at_once * block; }

    Spread spread_of(const Map& map, Index i) const {
        Spread at{};
        const float* const y = map.points + i * map.d;
        place(y[0], 0, at.row, at.rows);
        place(map.d > 1 ? y[1] : 0.0F, 1, at.column, at.columns);
        return at;
    }

    void place(float y, int axis, Index& node, float* weights) const {
        const auto x = static_cast<float>((static_cast<double>(y) - low_[axis]) / shape_.spacing);
        node = std::clamp<Index>(static_cast<Index>(x), 0, shape_.used[axis] - spline_nodes);
        spline_weights(x - static_cast<float>(node), weights);
    }

    // Counts, then a list of the points of each strip of rows, in their order.
    void sort_into_strips(const Map& map) {
        const Index strips = (shape_.used[0] + strip_rows - 1) / strip_rows;
        starts_.assign(static_cast<std::size_t>(strips) + 1, 0);
        strip_of_.resize(static_cast<std::size_t>(map.n));
        order_.resize(static_cast<std::size_t>(map.n));
        for (Index i = 0; i < map.n; ++i) {
            const auto x = static_cast<float>(
                (static_cast<double>(map.points[i * map.d]) - low_[0]) / shape_.spacing);
            const Index node =
                std::clamp<Index>(static_cast<Index>(x), 0, shape_.used[0] - spline_nodes);
            strip_of_[i] = static_cast<int>(node / strip_rows);
            ++starts_[strip_of_[i] + 1];
        }
        for (Index s = 0; s < strips; ++s) starts_[s + 1] += starts_[s];
        std::vector<Index> next(starts_.begin(), starts_.end() - 1);
        for (Index i = 0; i < map.n; ++i) order_[next[strip_of_[i]]++] = static_cast<int>(i);
    }

    void spread(const Map& map) {
        const Index strips = static_cast<Index>(starts_.size()) - 1, width = plane_columns();
        for (Index parity = 0; parity < 2; ++parity)
            parallel_for((strips + 1 - parity) / 2, [&](Index half, Checkpoint&) {
                const Index strip = 2 * half + parity;
                for (Index k = starts_[strip]; k < starts_[strip + 1]; ++k) {
                    const Spread at = spread_of(map, order_[k]);
                    for (Index r = 0; r < spline_nodes; ++r) {
                        float* const row = density_.data() + (at.row + r) * width + at.column;
                        for (Index c = 0; c < spline_nodes; ++c)
                            row[c] += at.rows[r] * at.columns[c];
                    }
                }
            });
    }

    // Along the columns: two real columns make one complex one, of which they are the parts.
    void transform_columns() {
        const Index rows = shape_.length[0], width = plane_columns(), stride = row_size();
        parallel_for(half_columns_ / transforms_at_once, [&](Index b, Checkpoint&) {
            Buffer first = float_buffer(rows * block), second = float_buffer(rows * block);
            for (Index i = 0; i < shape_.used[0]; ++i) {
                const float* const from = density_.data() + i * width + b * transforms_at_once;
                std::copy_n(from, transforms_at_once, floats(first) + i * block);
                std::copy_n(from + half_columns_, transforms_at_once,
                            floats(first) + i * block + transforms_at_once);
            }
            const float* const found = kernels().tsne_fourier(spectra_->plan(0).passes(),
                                                              floats(first), floats(second), false);
            float* const left = floats(spectrum_) + b * block;
            float* const right = left + half_columns_ / transforms_at_once * block;
            for (Index k = 0; k < shape_.half_rows(); ++k)
                separate(found + k * block, found + (k == 0 ? 0 : rows - k) * block,
                         left + k * stride, right + k * stride);
        });
    }

    static void separate(const float* p, const float* opposite, float* left, float* right) {
        constexpr Index im = transforms_at_once;
        for (Index l = 0; l < transforms_at_once; ++l) {
            left[l] = 0.5F * (p[l] + opposite[l]);
            left[im + l] = 0.5F * (p[im + l] - opposite[im + l]);
            right[l] = 0.5F * (p[im + l] + opposite[im + l]);
            right[im + l] = 0.5F * (opposite[l] - p[l]);
        }
    }

    // Along the rows, times the kernels, and back; eight rows of frequencies at a time with their
    // opposites. Returns Σ value · |spectrum|².
    double multiply_rows() {
        const Index groups = shape_.row_groups();
        std::vector<double> sums(static_cast<std::size_t>(groups));
        parallel_for(groups, [&](Index g, Checkpoint&) { sums[g] = multiply_group(g); });
        double sum = 0.0;
        for (const double each : sums) sum += each;
        return sum;
    }

    double multiply_group(Index g) {
        const Index rows = shape_.length[0], columns = shape_.length[1], stride = row_size();
        const Index blocks = stride / block, size = columns * block;
        const FourierPasses passes = spectra_->plan(1).passes();
        Buffer memory = Buffer::unset(2 * size);
        float* const data = floats(memory);
        float *const work = data + size, *const direct = work + size,
                     *const opposite = direct + size;
        kernels().tsne_rows_to_lanes(floats(spectrum_) + g * transforms_at_once * stride, stride,
                                     blocks, data);
        std::fill(data + blocks * transforms_at_once * block, data + size, 0.0F);
        const float* const spectrum = kernels().tsne_fourier(passes, data, work, false);
        float lane_sums[transforms_at_once] = {};
        kernels().tsne_multiply(spectrum, columns, spectra_->rows(g), direct, opposite, lane_sums);
        float* const spare = spectrum == data ? work : data;
        const float* const along = kernels().tsne_fourier(passes, direct, spare, true);
        write_rows(along, g, false);
        const float* const back = kernels().tsne_fourier(passes, opposite, data, true);
        write_rows(back, g, true);
        double sum = 0.0;
        for (Index l = 0; l < transforms_at_once; ++l) {
            const Index row = g * transforms_at_once + l;
            if (row < shape_.half_rows())
                sum +=
                    (row == 0 || 2 * row == rows ? 1.0 : 2.0) * static_cast<double>(lane_sums[l]);
        }
        return sum;
    }

    // Rows beyond the half, and those that are their own opposite, go nowhere.
    void write_rows(const float* lanes, Index g, bool opposite) {
        const Index rows = shape_.length[0], stride = row_size();
        const Index blocks = stride / block;
        std::vector<float> nowhere(static_cast<std::size_t>(stride));
        float* to[transforms_at_once];
        for (Index l = 0; l < transforms_at_once; ++l) {
            const Index row = g * transforms_at_once + l;
            const bool own = row == 0 || 2 * row == rows;
            const bool kept = row < shape_.half_rows() && !(opposite && own);
            to[l] = kept ? floats(field_) + (opposite ? rows - row : row) * stride : nowhere.data();
        }
        kernels().tsne_lanes_to_rows(lanes, blocks, to);
    }

    // Back along the columns; both components as planes, in the memory of the field's rows.
    void restore_columns() {
        const Index rows = shape_.length[0], stride = row_size(), width = plane_columns();
        for (auto& plane : planes_) plane.resize(static_cast<std::size_t>(shape_.used[0] * width));
        const Index blocks = stride / block;
        parallel_for(blocks, [&](Index b, Checkpoint&) {
            Buffer first = Buffer::unset((rows * block + 1) / 2);
            Buffer second = Buffer::unset((rows * block + 1) / 2);
            for (Index i = 0; i < rows; ++i)
                std::copy_n(floats(field_) + i * stride + b * block, block,
                            floats(first) + i * block);
            const float* const found = kernels().tsne_fourier(spectra_->plan(0).passes(),
                                                              floats(first), floats(second), true);
            for (Index i = 0; i < shape_.used[0]; ++i)
                for (Index part = 0; part < 2; ++part)
                    std::copy_n(found + i * block + part * transforms_at_once, transforms_at_once,
                                planes_[part].data() + i * width + b * transforms_at_once);
        });
    }

    void interpolate(const Map& map, float* forces) const {
        const Index chunks = (map.n + chunk_points - 1) / chunk_points, width = plane_columns();
        parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
            const Index end = std::min(map.n, (chunk + 1) * chunk_points);
            for (Index k = chunk * chunk_points; k < end; ++k) {
                const Index i = order_[k];
                const Spread at = spread_of(map, i);
                for (Index part = 0; part < map.d; ++part) {
                    float sum = 0.0F;
                    for (Index r = 0; r < spline_nodes; ++r) {
                        const float* const row =
                            planes_[part].data() + (at.row + r) * width + at.column;
                        float along = 0.0F;
                        for (Index c = 0; c < spline_nodes; ++c) along += at.columns[c] * row[c];
                        sum += at.rows[r] * along;
                    }
                    forces[i * map.d + part] = sum;
                }
            }
            checkpoint();
        });
    }

    double dof_;
    double low_[2] = {0.0, 0.0};
    GridShape shape_;
    Index half_columns_ = 0;
    std::unique_ptr<KernelSpectra> spectra_;
    std::vector<float> density_, planes_[2];
    Buffer spectrum_, field_;
    std::vector<Index> starts_;
    std::vector<int> strip_of_, order_;
};

}  // namespace

std::unique_ptr<Repulsion> fourier_repulsion(double dof) {
    return std::make_unique<FourierRepulsion>(dof);
}

}  // namespace stylobate::tsne
