#include "scan/class_scores.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index groups = 4;
constexpr Index block_rows = groups * lane_rows;
constexpr Index unit_rows = 64 * block_rows;  // rows one chunk of the loop answers

// What a model needs beside itself: computed once, read by all threads.
struct Plain {
    explicit Plain(const LinearScores&) {}
    explicit Plain(const DiagonalScores&) {}
};

// Factors as the kernel reads them: a few rows at a time, each as long as the last of them.
struct Tiles {
    explicit Tiles(const TriangularScores& model) {
        const Index p = model.cols;
        for (Index i0 = 0; i0 < p; i0 += lane_outputs)
            stride += std::min(i0 + lane_outputs, p) * lane_outputs;
        packed = Buffer(area(model.classes, stride));
        double* to = packed.data();
        for (Index c = 0; c < model.classes; ++c)
            for (Index i0 = 0; i0 < p; i0 += lane_outputs)
                for (Index j = 0; j < std::min(i0 + lane_outputs, p); ++j)
                    for (Index i = i0; i < i0 + lane_outputs; ++i)
                        *to++ = i < p && j <= i ? model.factors[(c * p + i) * p + j] : 0.0;
    }
    Index stride = 0;
    Buffer packed;
};

void evaluate(const LinearScores& model, const Plain&, const double* z, double*, double* out) {
    kernels().lane_linear(z, groups, model.cols, model.weights, model.bias, model.classes, out,
                          block_rows);
}

void evaluate(const DiagonalScores& model, const Plain&, const double* z, double*, double* out) {
    kernels().lane_squares(z, groups, model.cols, model.scale, model.mean, model.bias,
                           model.classes, out, block_rows);
}

void evaluate(const TriangularScores& model, const Tiles& tiles, const double* z, double* scratch,
              double* out) {
    for (Index c = 0; c < model.classes; ++c)
        kernels().lane_triangular(z, groups, model.cols, model.mean + c * model.cols,
                                  tiles.packed.data() + c * tiles.stride, model.bias[c], scratch,
                                  out + c * block_rows);
}

// Scores less their logarithm of Σ exp, in place; `total` and `scratch` are room for one row of
// classes and for all of them.
void normalise(double* scores, Index classes, const double* best, Answer what, double* total,
               double* scratch) {
    for (Index c = 0; c < classes; ++c)
        for (Index k = 0; k < block_rows; ++k) scores[c * block_rows + k] -= best[k];
    kernels().exp(scores, classes * block_rows, scratch);
    std::fill(total, total + block_rows, 0.0);
    for (Index c = 0; c < classes; ++c)
        for (Index k = 0; k < block_rows; ++k) total[k] += scratch[c * block_rows + k];
    if (what == Answer::probabilities) {
        for (Index c = 0; c < classes; ++c)
            for (Index k = 0; k < block_rows; ++k)
                scores[c * block_rows + k] = scratch[c * block_rows + k] / total[k];
        return;
    }
    for (Index k = 0; k < block_rows; ++k) total[k] = std::log(total[k]);
    for (Index c = 0; c < classes; ++c)
        for (Index k = 0; k < block_rows; ++k) scores[c * block_rows + k] -= total[k];
}

// Rows first … first + count − 1, transposed; `rows` has room for those that cannot be read where
// they lie.
template <class T>
void read_lanes(const DenseFeatures<T>& x, Index first, Index count, const double* center,
                Buffer& rows, const double* zero, double* z) {
    const Index p = x.cols(), ld = padded_stride(p);
    const RowsInPlace there = x.in_place(first);
    if (there.data != nullptr)
        return kernels().lane_pack(there.data, count, there.stride, p, center, z);
    if (rows.size() == 0) rows = Buffer(area(block_rows, ld));
    x.pack(first, count, center, rows.data(), ld);
    kernels().lane_pack(rows.data(), count, ld, p, zero, z);
}

template <class Model>
using Ready = std::conditional_t<std::is_same_v<Model, TriangularScores>, Tiles, Plain>;

}  // namespace

template <class Model, class T>
bool class_scores(const DenseFeatures<T>& x, const double* center, const Model& model,
                  const Answers& answers) {
    const Index n = x.rows(), p = x.cols(), classes = model.classes;
    const Ready<Model> ready(model);
    std::atomic<bool> finite{true};
    parallel_for((n + unit_rows - 1) / unit_rows, [&](Index u, Checkpoint& checkpoint) {
        Buffer rows, zero(p), z(area(block_rows, p));
        Buffer scratch(std::is_same_v<Model, TriangularScores> ? area(block_rows, p) : 0);
        Buffer scores(area(block_rows, classes)), room(area(block_rows, classes));
        Buffer best(block_rows), which(block_rows), total(block_rows);
        const Index end = std::min(n, (u + 1) * unit_rows);
        for (Index first = u * unit_rows; first < end; first += block_rows) {
            checkpoint();
            const Index count = std::min(block_rows, end - first);
            read_lanes(x, first, count, center, rows, zero.data(), z.data());
            evaluate(model, ready, z.data(), scratch.data(), scores.data());
            kernels().lane_highest(scores.data(), block_rows, classes, best.data(), which.data());
            for (Index k = 0; k < count; ++k)
                if (!std::isfinite(best[k])) finite.store(false, std::memory_order_relaxed);
            if (answers.what == Answer::classes) {
                std::copy(which.data(), which.data() + count, answers.codes + first);
                continue;
            }
            if (answers.what != Answer::scores)
                normalise(scores.data(), classes, best.data(), answers.what, total.data(),
                          room.data());
            for (Index k = 0; k < count; ++k)
                for (Index c = 0; c < classes; ++c)
                    answers.values[(first + k) * classes + c] = scores[c * block_rows + k];
        }
    });
    return finite;
}

#define STYLOBATE_INSTANTIATE(Model)                                                      \
    template bool class_scores(const DenseFeatures<double>&, const double*, const Model&, \
                               const Answers&);                                           \
    template bool class_scores(const DenseFeatures<float>&, const double*, const Model&,  \
                               const Answers&);
STYLOBATE_INSTANTIATE(LinearScores)
STYLOBATE_INSTANTIATE(DiagonalScores)
STYLOBATE_INSTANTIATE(TriangularScores)
#undef STYLOBATE_INSTANTIATE

}  // namespace stylobate::scan
