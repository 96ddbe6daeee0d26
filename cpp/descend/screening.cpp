#include "descend/screening.hpp"

#include <algorithm>
#include <cmath>

namespace stylobate::descend {
namespace {

constexpr double product_rounding = 1e-14;  // of ‖x‖‖r‖, of a sum of products
constexpr double gap_rounding = 1e-13;      // of the objective, of a gap

}  // namespace

Screen::Screen(const double* squares, const std::vector<double>& means, double weight)
    : squares_(means.size()), errors_(means.size()), dropped_(means.size(), 0) {
    for (std::size_t j = 0; j < means.size(); ++j) {
        const double centred = squares[j] - weight * means[j] * means[j];
        squares_[j] = std::max(centred, 0.0) + product_rounding * squares[j];
        errors_[j] = product_rounding * std::sqrt(squares[j]);
    }
}

void Screen::reset() {
    std::fill(dropped_.begin(), dropped_.end(), 0);
    count_ = 0;
}

void Screen::apply(const Proof& proof, const ElasticNet& penalty, bool positive,
                   double residual_squares, const std::vector<double>& w,
                   const std::vector<double>& c) {
    const double radius = std::sqrt(2.0 * (proof.gap + gap_rounding * proof.primal));
    const double length = std::sqrt(residual_squares);
    for (std::size_t j = 0; j < c.size(); ++j) {
        if (dropped_[j] != 0) continue;
        const double at = proof.scale * (c[j] - proof.shrink * w[j]);
        const double reach =
            radius * std::sqrt(squares_[j] + proof.shrink) + proof.scale * errors_[j] * length;
        if ((positive ? at : std::fabs(at)) + reach < penalty.l1) dropped_[j] = 1, ++count_;
    }
}

}  // namespace stylobate::descend
