// Blocks of rows whose entries lie side by side in lanes, and their scores under each class of a
// model: shared by those who answer with the scores and those who go on from them.
#pragma once

#include <algorithm>
#include <type_traits>

#include "scan/class_scores.hpp"

namespace stylobate::scan {

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

template <class Model>
using Ready = std::conditional_t<std::is_same_v<Model, TriangularScores>, Tiles, Plain>;

// `groups` groups of rows, transposed, with room for what is computed on the way.
template <class Model, class T>
class LaneBlock {
 public:
    LaneBlock(Index groups, Index cols)
        : groups_(groups),
          zero_(cols),
          z_(area(rows(), cols)),
          scratch_(std::is_same_v<Model, TriangularScores> ? area(rows(), cols) : 0) {}

    Index rows() const { return groups_ * lane_rows; }
    const double* lanes() const { return z_.data(); }

    // Rows first … first + count − 1 less the centre; returns where they lie as they are.
    RowsInPlace read(const DenseFeatures<T>& x, Index first, Index count, const double* center) {
        const Index p = x.cols(), ld = padded_stride(p);
        RowsInPlace there = x.in_place(first);
        if (there.data == nullptr) {
            if (rows_.size() == 0) rows_ = Buffer(area(rows(), ld));
            x.pack(first, count, zero_.data(), rows_.data(), ld);
            there = {rows_.data(), ld};
        }
        kernels().lane_pack(there.data, count, there.stride, p, center, z_.data());
        return there;
    }

    // out[c·rows() + k]: the score of row k under class c.
    void score(const Model& model, const Ready<Model>& ready, double* out) {
        if constexpr (std::is_same_v<Model, LinearScores>)
            kernels().lane_linear(z_.data(), groups_, model.cols, model.weights, model.bias,
                                  model.classes, out, rows());
        else if constexpr (std::is_same_v<Model, DiagonalScores>)
            kernels().lane_squares(z_.data(), groups_, model.cols, model.scale, model.mean,
                                   model.bias, model.classes, out, rows());
        else
            for (Index c = 0; c < model.classes; ++c)
                kernels().lane_triangular(z_.data(), groups_, model.cols,
                                          model.mean + c * model.cols,
                                          ready.packed.data() + c * ready.stride, model.bias[c],
                                          scratch_.data(), out + c * rows());
    }

 private:
    Index groups_;
    Buffer zero_, z_, scratch_, rows_;
};

}  // namespace stylobate::scan
