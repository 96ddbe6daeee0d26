#include "scan/column_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "scan/kernels.hpp"
#include "stylobate/buffer.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_safe = 1e-140, most_safe = 1e140;  // squares keep all their digits
constexpr Index least_cols = 8;                           // a whole vector of every machine

bool is_safe(double length) {
    return length > least_safe && length < most_safe;
}

// √(a² + b² + c²), also where a square would leave the range of doubles.
double joined(double a, double b, double c) {
    const double sum = a * a + b * b + c * c;
    return is_safe(std::sqrt(sum)) ? std::sqrt(sum) : std::hypot(std::hypot(a, b), c);
}

// Rows of doubles side by side, at least one vector wide.
struct Rows {
    const double* data;
    Index rows, ld, cols;
};

class Pass {
 public:
    explicit Pass(Index cols)
        : found_(cols), sum_(cols), first_(cols), second_(cols), scale_(cols, 1.0) {}

    // The moments of a block; what its columns are is the caller's business.
    const ColumnMoments& operator()(const Rows& x, const double* w, bool with_lengths) {
        ColumnMoments& f = found_;
        double* const out[5] = {sum_.data(), f.count.data(), f.weight.data(), f.low.data(),
                                f.high.data()};
        kernels().column_extent(x.data, x.rows, x.ld, x.cols, w, out);
        if (!with_lengths) return f;
        for (Index j = 0; j < x.cols; ++j) f.mean[j] = f.count[j] > 0 ? sum_[j] / f.weight[j] : 0.0;
        kernels().column_squares(x.data, x.rows, x.ld, x.cols, w, f.mean.data(), scale_.data(),
                                 first_.data(), second_.data());
        bool doubtful = false;
        for (Index j = 0; j < x.cols; ++j) {
            f.length[j] = length(j, 1.0);
            doubtful |= !is_safe(f.length[j]) && f.low[j] < f.high[j];
        }
        if (doubtful) rescale(x, w);
        for (Index j = 0; j < x.cols; ++j) {
            f.rest[j] = f.count[j] == 0 ? 0.0 : first_[j] / f.weight[j] / scale_[j];
            if (f.low[j] == f.high[j]) {
                f.mean[j] = f.low[j];
                f.length[j] = f.rest[j] = 0.0;
            }
        }
        if (doubtful) std::fill(scale_.begin(), scale_.end(), 1.0);
        return f;
    }

 private:
    double length(Index j, double unit) const {
        const double weight = found_.weight[j];
        if (!(weight > 0)) return 0.0;
        return unit * std::sqrt(std::max(0.0, second_[j] - first_[j] / weight * first_[j]));
    }

    void rescale(const Rows& x, const double* w) {
        ColumnMoments& f = found_;
        for (Index j = 0; j < x.cols; ++j) {
            const double size = std::max(f.high[j] - f.mean[j], f.mean[j] - f.low[j]);
            if (is_safe(f.length[j]) || !(size > 0) || !std::isfinite(size)) continue;
            int exponent = 0;
            std::frexp(size, &exponent);
            scale_[j] = std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
        }
        kernels().column_squares(x.data, x.rows, x.ld, x.cols, w, f.mean.data(), scale_.data(),
                                 first_.data(), second_.data());
        for (Index j = 0; j < x.cols; ++j) f.length[j] = length(j, 1.0 / scale_[j]);
    }

    ColumnMoments found_;
    std::vector<double> sum_, first_, second_, scale_;
};

// `folds` rows of `cols` columns were taken as one row: their columns belong together.
ColumnMoments unfolded(const ColumnMoments& wide, Index cols, Index folds) {
    ColumnMoments out(cols);
    for (Index k = 0; k < folds; ++k) {
        ColumnMoments part(cols);
        const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
            std::copy_n(from.begin() + k * cols, cols, to.begin());
        };
        copy(wide.count, part.count);
        copy(wide.weight, part.weight);
        copy(wide.mean, part.mean);
        copy(wide.rest, part.rest);
        copy(wide.length, part.length);
        copy(wide.low, part.low);
        copy(wide.high, part.high);
        out.merge(part);
    }
    return out;
}

template <class T>
void pack(const MatrixView<T>& x, double* out, Index ld) {
    const std::vector<double> zeros(x.cols);
    if constexpr (std::is_same_v<T, double>)
        kernels().pack_f64(x, zeros.data(), out, ld);
    else
        kernels().pack_f32(x, zeros.data(), out, ld);
}

template <class T>
ColumnMoments of_chunk(const MatrixView<T>& x, const double* w, bool with_lengths,
                       Checkpoint& checkpoint) {
    const Index cols = x.cols, ld = std::max(cols, least_cols);
    const bool dense = std::is_same_v<T, double> && x.col_stride == 1 && x.row_stride == cols;
    // few columns: several rows side by side fill the vectors
    const Index folds = dense && w == nullptr && cols < 2 * least_cols ? 2 * least_cols : 1;
    const bool direct = dense && cols * folds >= least_cols;
    const Index rows = std::max<Index>(64, 8192 / cols) / folds * folds;
    Pass pass(direct ? std::max(cols, least_cols) * (folds > 1 ? folds : 1) : ld);
    Pass rest(ld);
    ColumnMoments out(cols);
    Buffer packed = direct && folds == 1 ? Buffer() : Buffer::unset(rows * ld);
    std::fill(packed.data(), packed.data() + packed.size(),
              std::numeric_limits<double>::quiet_NaN());
    for (Index first = 0; first < x.rows; first += rows) {
        checkpoint();
        const Index count = std::min(rows, x.rows - first);
        const double* const weights = w == nullptr ? nullptr : w + first;
        MatrixView<T> block = x;
        block.data = x.data + first * x.row_stride;
        block.rows = count;
        Index done = 0;
        if constexpr (std::is_same_v<T, double>)
            if (direct) {
                done = count / folds * folds;
                const Rows wide{block.data, done / folds, cols * folds, cols * folds};
                const ColumnMoments& found = pass(wide, weights, with_lengths);
                if (done > 0) out.merge(folds == 1 ? found : unfolded(found, cols, folds));
            }
        if (done == count) continue;
        block.data += done * x.row_stride;
        block.rows -= done;
        pack(block, packed.data(), ld);
        out.merge(rest({packed.data(), block.rows, ld, ld},
                       weights == nullptr ? nullptr : weights + done, with_lengths));
    }
    return out;
}

}  // namespace

ColumnMoments::ColumnMoments(Index cols)
    : count(cols),
      weight(cols),
      mean(cols),
      length(cols),
      low(cols, infinity),
      high(cols, -infinity),
      rest(cols) {}

void ColumnMoments::merge(const ColumnMoments& other) {
    for (std::size_t j = 0; j < count.size(); ++j) {
        low[j] = std::min(low[j], other.low[j]);
        high[j] = std::max(high[j], other.high[j]);
        if (other.count[j] == 0) continue;
        if (count[j] == 0) {
            count[j] = other.count[j];
            weight[j] = other.weight[j];
            mean[j] = other.mean[j];
            rest[j] = other.rest[j];
            length[j] = other.length[j];
            continue;
        }
        const double both = weight[j] + other.weight[j], share = other.weight[j] / both;
        const double delta = (other.mean[j] - mean[j]) + (other.rest[j] - rest[j]);
        length[j] = joined(length[j], other.length[j], delta * std::sqrt(weight[j] * share));
        const double step = delta * share, before = mean[j];
        mean[j] = before + step;
        const double taken = mean[j] - before;  // two-sum: nothing of the step is lost
        rest[j] += (before - (mean[j] - taken)) + (step - taken);
        weight[j] = both;
        count[j] += other.count[j];
    }
}

void ColumnMoments::finish() {
    for (std::size_t j = 0; j < mean.size(); ++j)
        if (count[j] > 0) mean[j] = std::min(std::max(mean[j] + rest[j], low[j]), high[j]);
}

template <class T>
ColumnMoments column_moments(const MatrixView<T>& x, const double* weights, bool with_lengths) {
    ColumnMoments out(x.cols);
    if (x.rows == 0 || x.cols == 0) return out;
    const Index chunk = std::max<Index>(1024, (Index{1} << 19) / x.cols);
    const Index n_chunks = (x.rows + chunk - 1) / chunk;
    std::vector<ColumnMoments> parts(n_chunks, ColumnMoments(0));
    parallel_for(n_chunks, [&](Index c, Checkpoint& checkpoint) {
        MatrixView<T> part = x;
        part.data = x.data + c * chunk * x.row_stride;
        part.rows = std::min(chunk, x.rows - c * chunk);
        parts[c] = of_chunk(part, weights == nullptr ? nullptr : weights + c * chunk, with_lengths,
                            checkpoint);
    });
    for (const ColumnMoments& part : parts) out.merge(part);
    if (with_lengths) out.finish();
    return out;
}

template ColumnMoments column_moments(const MatrixView<double>&, const double*, bool);
template ColumnMoments column_moments(const MatrixView<float>&, const double*, bool);

}  // namespace stylobate::scan
