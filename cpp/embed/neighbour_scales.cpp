#include "embed/neighbour_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stylobate/parallel.hpp"

namespace stylobate::layout {
namespace {

constexpr Index chunk_rows = 256;
constexpr int most_halvings = 200;      // enough for any pair of doubles
constexpr double accuracy = 1e-12;      // of the sum, relative
constexpr double least_scale = 1e-3;    // as a share of a mean distance

// The distance of full members: of the neighbours at a distance above 0 the one whose number is
// `connectivity`, between two by interpolation.
double full_member(const double* d, Index k, double connectivity) {
    const Index zeros = std::upper_bound(d, d + k, 0.0) - d;
    const Index apart = k - zeros;
    if (apart == 0) return 0.0;
    const double* const positive = d + zeros;
    if (connectivity > static_cast<double>(apart)) return positive[apart - 1];
    const auto whole = static_cast<Index>(std::floor(connectivity));
    const double part = connectivity - static_cast<double>(whole);
    if (whole == 0) return part * positive[0];
    const double at = positive[whole - 1];
    return part > 0.0 && whole < apart ? at + part * (positive[whole] - at) : at;
}

double memberships(const double* d, Index k, double rho, double sigma) {
    double sum = 0.0;
    for (Index j = 0; j < k; ++j) sum += d[j] > rho ? std::exp((rho - d[j]) / sigma) : 1.0;
    return sum;
}

// The sum grows with σ: double or halve until it is enclosed, then bisect.
double solve(const double* d, Index k, double rho, double target) {
    double low = 0.0, high = std::numeric_limits<double>::infinity();
    double sigma = d[k - 1] > rho ? d[k - 1] - rho : 1.0;
    for (int step = 0; step < most_halvings; ++step) {
        const double sum = memberships(d, k, rho, sigma);
        if (std::fabs(sum - target) <= accuracy * target) break;
        (sum > target ? high : low) = sigma;
        const double next = std::isinf(high) ? 2.0 * sigma : 0.5 * (low + high);
        if (next == sigma || std::isinf(next) || next <= 0.0) break;
        sigma = next;
    }
    return sigma;
}

double scale(const double* d, Index k, double rho, const ScaleOptions& options) {
    // Where distances tell nothing (too many full members, or none apart) any scale fits as badly.
    double mean = 0.0;
    for (Index j = 0; j < k; ++j) mean += d[j] / static_cast<double>(k);
    const double least = least_scale * (rho > 0.0 ? mean : options.mean);
    const Index full = std::upper_bound(d, d + k, rho) - d;
    if (static_cast<double>(full) >= options.target) return least;
    if (full == k || static_cast<double>(k) <= options.target) return std::max(least, d[k - 1]);
    return std::max(least, solve(d, k, rho, options.target));
}

}  // namespace

void neighbour_scales(const double* distances, Index rows, Index neighbours,
                      const ScaleOptions& options, double* rho, double* sigma) {
    parallel_for((rows + chunk_rows - 1) / chunk_rows, [&](Index chunk, Checkpoint& checkpoint) {
        const Index end = std::min(rows, (chunk + 1) * chunk_rows);
        for (Index i = chunk * chunk_rows; i < end; ++i) {
            const double* const d = distances + i * neighbours;
            rho[i] = full_member(d, neighbours, options.connectivity);
            sigma[i] = scale(d, neighbours, rho[i], options);
            if (i % 32 == 0) checkpoint();
        }
    });
}

}  // namespace stylobate::layout
