// Scores of rows under each class, and what is made of them while they are in cache: the class with
// the highest, probabilities, or the scores themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "scan/rows.hpp"

namespace stylobate::scan {

enum class Answer { classes, scores, log_probabilities, probabilities };

// A score is bias[c] + Σⱼ weights[c][j]·zⱼ of z = x − center.
struct LinearScores {
    Index classes, cols;
    const double* bias;
    const double* weights;
};

// bias[c] − ½ Σⱼ (scale[c][j]·zⱼ − mean[c][j])²
struct DiagonalScores {
    Index classes, cols;
    const double* bias;
    const double* scale;
    const double* mean;
};

// bias[c] − ½ ‖F_c(z − mean[c])‖² with F_c lower triangular (cols × cols, row-major).
struct TriangularScores {
    Index classes, cols;
    const double* bias;
    const double* factors;
    const double* mean;
};

// Where the answers go: `codes` (n) for classes, else `values` (n × classes).
struct Answers {
    Answer what;
    std::int64_t* codes;
    double* values;
};

// True if the highest score of every row is a finite number.
template <class Model, class T>
bool class_scores(const DenseFeatures<T>& x, const double* center, const Model& model,
                  const Answers& answers);

}  // namespace stylobate::scan
