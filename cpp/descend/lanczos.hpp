// The ratio of the extreme eigenvalues of a symmetric matrix known by its products.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::descend {

// How many eigenvalues of a symmetric tridiagonal matrix lie below x (Sturm's sequence).
inline Index eigenvalues_below(const std::vector<double>& diagonal,
                               const std::vector<double>& beside, double x) {
    Index count = 0;
    double pivot = 1.0;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
        const double coupling = k > 0 ? beside[k - 1] * beside[k - 1] / pivot : 0.0;
        pivot = diagonal[k] - x - coupling;
        if (pivot == 0.0) pivot = -std::numeric_limits<double>::min();
        count += pivot < 0.0;
    }
    return count;
}

// λmax/λmin from at most `most` steps of Lanczos' method with full orthogonalisation: exact for so
// few unknowns, from below for more; at most 1/ε.
template <class Times>
double lanczos_condition(Index size, const Times& times, Index most = 16) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    std::vector<std::vector<double>> basis;
    std::vector<double> diagonal, beside, v(size), next(size);
    for (Index i = 0; i < size; ++i)  // no eigenvector is orthogonal to it but by accident
        v[i] = 1.0 + 0.5 * std::sin(static_cast<double>(7 * i + 1));
    double length = 0.0;
    for (const double e : v) length += e * e;
    length = std::sqrt(length);
    while (static_cast<Index>(basis.size()) < std::min(size, most)) {
        for (double& e : v) e /= length;
        basis.push_back(v);
        times(v.data(), next.data());
        for (int twice = 0; twice < 2; ++twice)
            for (std::size_t b = 0; b < basis.size(); ++b) {
                double dot = 0.0;
                for (Index i = 0; i < size; ++i) dot += basis[b][i] * next[i];
                for (Index i = 0; i < size; ++i) next[i] -= dot * basis[b][i];
                if (b + 1 < basis.size()) continue;
                if (twice == 0)
                    diagonal.push_back(dot);
                else
                    diagonal.back() += dot;
            }
        length = 0.0;
        for (const double e : next) length += e * e;
        length = std::sqrt(length);
        if (!(length > 1e-14 * std::fabs(diagonal[0]))) break;
        beside.push_back(length);
        std::swap(v, next);
    }
    double bound = 0.0;
    for (std::size_t k = 0; k < diagonal.size(); ++k)
        bound = std::max(bound, std::fabs(diagonal[k]) + (k < beside.size() ? beside[k] : 0.0) +
                                    (k > 0 ? beside[k - 1] : 0.0));
    if (!(bound > 0.0)) return 1.0;
    const auto eigenvalue = [&](Index rank) {  // the smallest x with more than `rank` below
        double low = -bound, high = bound * (1.0 + epsilon);
        for (int halving = 0; halving < 100; ++halving) {
            const double middle = 0.5 * (low + high);
            (eigenvalues_below(diagonal, beside, middle) > rank ? high : low) = middle;
        }
        return high;
    };
    const double largest = eigenvalue(static_cast<Index>(diagonal.size()) - 1);
    return largest / std::max(eigenvalue(0), epsilon * largest);
}

}  // namespace stylobate::descend
