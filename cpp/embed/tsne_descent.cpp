#include "embed/tsne_descent.hpp"

#include <algorithm>
#include <cmath>

#include "embed/tsne_kernels.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tsne {
namespace {

constexpr Index chunk_rows = 256;
constexpr float gain_up = 0.2F, gain_down = 0.8F, least_gain = 0.01F;

struct Totals {
    double cross_entropy = 0.0, squares = 0.0;
};

// body(i, totals) for all rows; totals of chunks are added in their order.
template <class Body>
Totals over_rows(Index n, const Body& body) {
    std::vector<Totals> parts(static_cast<std::size_t>((n + chunk_rows - 1) / chunk_rows));
    parallel_for(static_cast<Index>(parts.size()), [&](Index chunk, Checkpoint& checkpoint) {
        const Index end = std::min(n, (chunk + 1) * chunk_rows);
        for (Index i = chunk * chunk_rows; i < end; ++i) body(i, parts[chunk]);
        checkpoint();
    });
    Totals total;
    for (const Totals& part : parts) {
        total.cross_entropy += part.cross_entropy;
        total.squares += part.squares;
    }
    return total;
}

// Of points that all lie in one place or infinitely far apart nothing is left to share.
double safe(double z) {
    return z > 0.0 ? z : 1.0;
}

}  // namespace

Descent::Descent(const Edges& edges, const Map& start, double dof,
                 std::unique_ptr<Repulsion> repulsion)
    : edges_(edges),
      n_(start.n),
      d_(start.d),
      dof_(dof),
      repulsion_(std::move(repulsion)),
      points_(start.points, start.points + start.n * start.d) {
    moved_.resize(points_.size());
    forces_.resize(points_.size());
    restart();
    negative_entropy_ = over_rows(n_, [&](Index i, Totals& totals) {
                            for (auto k = edges_.offsets[i]; k < edges_.offsets[i + 1]; ++k) {
                                const auto p = static_cast<double>(edges_.values[k]);
                                if (p > 0.0) totals.cross_entropy += p * std::log(p);
                            }
                        }).cross_entropy;
}

void Descent::restart() {
    velocity_.assign(points_.size(), 0.0F);
    gains_.assign(points_.size(), 1.0F);
}

DescentReport Descent::run(Index steps, const DescentStep& step) {
    DescentReport report{0.0, 0.0};
    for (Index t = 0; t < steps; ++t) {
        const double z = safe(repulsion_->compute(map(), forces_.data()));
        report = take(step, z, t + 1 == steps);
    }
    return report;
}

DescentReport Descent::take(const DescentStep& step, double z, bool report) {
    const auto exaggeration = static_cast<float>(step.exaggeration);
    const auto inverse_z = static_cast<float>(1.0 / z);
    const auto factor = static_cast<float>(2.0 * (dof_ + 1.0) / dof_);
    const auto momentum = static_cast<float>(step.momentum);
    const auto rate = static_cast<float>(step.learning_rate);
    const auto longest = static_cast<float>(step.max_step);
    const Totals totals = over_rows(n_, [&](Index i, Totals& sums) {
        float attraction[largest_dimension];
        const auto from = edges_.offsets[i];
        const float* const y = points_.data() + i * d_;
        kernels().tsne_attraction(points_.data(), d_, static_cast<float>(dof_), y,
                                  edges_.columns + from, edges_.values + from,
                                  edges_.offsets[i + 1] - from, attraction);
        float length = 0.0F;
        for (Index c = 0; c < d_; ++c) {
            const Index at = i * d_ + c;
            float slope = factor * (exaggeration * attraction[c] - forces_[at] * inverse_z);
            float& gain = gains_[at];
            gain = velocity_[at] * slope < 0.0F ? gain + gain_up : gain * gain_down;
            gain = std::max(gain, least_gain);
            slope *= gain;
            velocity_[at] = momentum * velocity_[at] - rate * slope;
            length += velocity_[at] * velocity_[at];
            sums.squares += static_cast<double>(slope) * static_cast<double>(slope);
        }
        const float bound = length > longest * longest ? longest / std::sqrt(length) : 1.0F;
        for (Index c = 0; c < d_; ++c) {
            velocity_[i * d_ + c] *= bound;
            moved_[i * d_ + c] = y[c] + velocity_[i * d_ + c];
        }
        if (report) sums.cross_entropy += cross_entropy(i);
    });
    points_.swap(moved_);
    return {negative_entropy_ + totals.cross_entropy + std::log(z), std::sqrt(totals.squares)};
}

double Descent::cross_entropy(Index row) const {
    const float* const y = points_.data() + row * d_;
    double sum = 0.0;
    for (auto k = edges_.offsets[row]; k < edges_.offsets[row + 1]; ++k) {
        const float* const other = points_.data() + Index{edges_.columns[k]} * d_;
        double squares = 0.0;
        for (Index c = 0; c < d_; ++c) {
            const double t = static_cast<double>(y[c]) - static_cast<double>(other[c]);
            squares += t * t;
        }
        sum += static_cast<double>(edges_.values[k]) * std::log1p(squares / dof_);
    }
    return 0.5 * (dof_ + 1.0) * sum;
}

std::vector<float> Descent::gradient() {
    const double z = safe(repulsion_->compute(map(), forces_.data()));
    const double factor = 2.0 * (dof_ + 1.0) / dof_;
    std::vector<float> found(points_.size());
    over_rows(n_, [&](Index i, Totals&) {
        float attraction[largest_dimension];
        const auto from = edges_.offsets[i];
        kernels().tsne_attraction(points_.data(), d_, static_cast<float>(dof_),
                                  points_.data() + i * d_, edges_.columns + from,
                                  edges_.values + from, edges_.offsets[i + 1] - from, attraction);
        for (Index c = 0; c < d_; ++c)
            found[i * d_ + c] =
                static_cast<float>(factor * (static_cast<double>(attraction[c]) -
                                             static_cast<double>(forces_[i * d_ + c]) / z));
    });
    return found;
}

double Descent::divergence() {
    const double z = safe(repulsion_->compute(map(), forces_.data()));
    const Totals totals =
        over_rows(n_, [&](Index i, Totals& sums) { sums.cross_entropy += cross_entropy(i); });
    return negative_entropy_ + totals.cross_entropy + std::log(z);
}

}  // namespace stylobate::tsne
