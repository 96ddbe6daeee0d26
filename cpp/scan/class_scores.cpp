#include "scan/class_scores.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "scan/lane_blocks.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index groups = 4;
constexpr Index block_rows = groups * lane_rows;
constexpr Index unit_rows = 64 * block_rows;  // rows one chunk of the loop answers

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

}  // namespace

template <class Model, class T>
bool class_scores(const DenseFeatures<T>& x, const double* center, const Model& model,
                  const Answers& answers) {
    const Index n = x.rows(), classes = model.classes;
    const Ready<Model> ready(model);
    std::atomic<bool> finite{true};
    parallel_for((n + unit_rows - 1) / unit_rows, [&](Index u, Checkpoint& checkpoint) {
        LaneBlock<Model, T> block(groups, model.cols);
        Buffer scores(area(block_rows, classes)), room(area(block_rows, classes));
        Buffer best(block_rows), which(block_rows), total(block_rows);
        const Index end = std::min(n, (u + 1) * unit_rows);
        for (Index first = u * unit_rows; first < end; first += block_rows) {
            checkpoint();
            const Index count = std::min(block_rows, end - first);
            block.read(x, first, count, center);
            block.score(model, ready, scores.data());
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
