// Gradient descent of t-SNE: momentum, and a gain for every coordinate.
//
//   KL(P ‖ Q) = Σ p log p + (ν + 1)/2 Σ p log(1 + d/ν) + log Z
//   gradient of i = 2 (ν + 1)/ν (Σ_j p_ij (1 + d_ij/ν)⁻¹ (y_i − y_j) − force of i / Z)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "embed/repulsion.hpp"

namespace stylobate::tsne {

struct Edges {
    const std::int64_t* offsets;
    const std::int32_t* columns;
    const float* values;
};

struct DescentStep {
    double exaggeration;  // factor of the attraction
    double momentum, learning_rate;
    double max_step;  // no point moves farther in one step
};

struct DescentReport {
    double divergence;     // before the last step
    double gradient_norm;  // of the last step, gains included
};

class Descent {
 public:
    Descent(const Edges& edges, const Map& start, double dof, std::unique_ptr<Repulsion> repulsion);
    DescentReport run(Index steps, const DescentStep& step);
    void restart();  // forget momentum and gains
    // The gradient without exaggeration; n × d.
    std::vector<float> gradient();
    double divergence();
    const std::vector<float>& points() const { return points_; }
    Index dimension() const { return d_; }

 private:
    Map map() const { return {points_.data(), n_, d_}; }
    DescentReport take(const DescentStep& step, double z, bool report);
    double cross_entropy(Index row) const;

    Edges edges_;
    Index n_, d_;
    double dof_, negative_entropy_ = 0.0;
    std::unique_ptr<Repulsion> repulsion_;
    std::vector<float> points_, moved_, forces_, velocity_, gains_;
};

}  // namespace stylobate::tsne
