// Centres, exact distances to them, and a filter of products that leaves few of those to compute.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tile/packed_rows.hpp"

namespace stylobate::cluster {

using tile::kernels;

inline double square(const double* x, const double* y, Index n) {
    return kernels().squared_distance_f64(x, y, n);
}
inline double square(const float* x, const float* y, Index n) {
    return kernels().squared_distance_f32(x, y, n);
}

// Bounds are floats on the safe side: by more than the rounding of exact distances as well.
inline float rounded_up(double bound) {
    return static_cast<float>(bound * (bound > 0.0 ? 1.0 + 0x1p-21 : 1.0 - 0x1p-21) + 1e-30);
}
inline float rounded_down(double bound) {
    return static_cast<float>(bound * (bound > 0.0 ? 1.0 - 0x1p-21 : 1.0 + 0x1p-21) - 1e-30);
}
inline float above(double square) {
    return rounded_up(std::sqrt(std::max(square, 0.0)));
}
inline float below(double square) {
    return rounded_down(std::sqrt(std::max(square, 0.0)));
}

// k centres as numbers of type T.
template <class T>
struct Centres {
    Index count = 0, cols = 0;
    std::vector<T> values;

    Centres() = default;
    Centres(const double* from, Index k, Index p)
        : count(k), cols(p), values(from, from + area(k, p)) {}
    const T* row(Index c) const { return values.data() + c * cols; }
};

// The nearest centre of a row and squared distances to it and to the next.
struct Nearest {
    Index label = 0;
    double best = std::numeric_limits<double>::infinity(), second = best;

    void see(Index centre, double value) {
        if (value < best)
            second = best, best = value, label = centre;
        else if (value < second)
            second = value;
    }
};

template <class T>
Nearest nearest_of(const T* row, const Centres<T>& centres) {
    Nearest found;
    for (Index c = 0; c < centres.count; ++c)
        found.see(c, square(row, centres.row(c), centres.cols));
    return found;
}

inline void tile_nearest(const double* q, Index k, const double* norms, const double* r, Index p,
                         double* best, double* second, double* label) {
    kernels().tile_nearest_f64(q, k, norms, r, p, best, second, label);
}
inline void tile_nearest(const float* q, Index k, const float* norms, const float* r, Index p,
                         float* best, float* second, float* label) {
    kernels().tile_nearest_f32(q, k, norms, r, p, best, second, label);
}

// A panel of rows and what is found of them: labels, a bound from below of the distance to all
// other centres, and the same less one from above of the distance to the nearest.
template <class F>
struct PanelScratch {
    tile::Aligned<F> panel, best, second, label;
    std::vector<F> norms;
    std::vector<double> squares;
    std::vector<std::int32_t> labels;
    std::vector<float> lead, lower;
    std::vector<int> doubtful;
    Index rechecked = 0;

    explicit PanelScratch(Index depth)
        : panel(area(tile::panel_rows<F>(), depth)),
          best(tile::panel_rows<F>()),
          second(tile::panel_rows<F>()),
          label(tile::panel_rows<F>()),
          norms(static_cast<std::size_t>(tile::panel_rows<F>())),
          squares(norms.size()),
          labels(norms.size()),
          lead(norms.size()),
          lower(norms.size()),
          doubtful(norms.size()) {}

    // What exact distances tell of row r.
    void set(Index r, const Nearest& found) {
        labels[r] = static_cast<std::int32_t>(found.label);
        lower[r] = below(found.second);
        lead[r] =
            rounded_down(static_cast<double>(lower[r]) - static_cast<double>(above(found.best)));
        ++rechecked;
    }
};

// Products of rows and centres in the precision of F, with a bound on their error (as in
// tile/filter.hpp); rows whose two nearest centres it cannot tell apart are measured exactly.
template <class T, class F>
class CentreFilter {
 public:
    CentreFilter(const Centres<T>& centres, const std::vector<double>& origin)
        : centres_(centres), origin_(origin) {
        const Index unit = kernels().tile_queries(), k = centres.count, p = centres.cols;
        const Index padded = tile::round_up(k, unit);
        packed_ = tile::Aligned<F>(area(padded, p));
        norms_.assign(static_cast<std::size_t>(padded), std::numeric_limits<F>::infinity());
        std::vector<double> norms(static_cast<std::size_t>(padded));
        const MatrixView<T> view{centres.values.data(), k, p, p, 1};
        for (Index i = 0; i < k; i += unit)
            tile::pack_panel(view, i, std::min(unit, k - i), unit, origin.data(), -2.0,
                             packed_.data() + i * p, &norms[i]);
        for (Index i = 0; i < k; ++i)
            norms_[i] = static_cast<F>(norms[i]), largest_ = std::max(largest_, norms[i]);
    }
    static Index width() { return tile::panel_rows<F>(); }

    // Packs rows less the origin; ‖·‖² of what the precision keeps of them goes to norms.
    void pack(const tile::SelectedRows<T>& rows, Index first, Index count, F* panel, F* norms,
              PanelScratch<F>& s) const {
        tile::pack_panel(rows, first, count, width(), origin_.data(), 1.0, panel, s.squares.data());
        std::copy(s.squares.begin(), s.squares.end(), norms);
    }

    // Of `count` rows of a table from `first` on, whose panel and norms are at hand.
    void measure(const tile::SelectedRows<T>& rows, Index first, Index count, const F* panel,
                 const F* norms, PanelScratch<F>& s) const {
        const Index p = centres_.cols;
        tile_nearest(packed_.data(), centres_.count, norms_.data(), panel, p, s.best.data(),
                     s.second.data(), s.label.data());
        leads(norms, s);
        for (Index r = 0; r < count; ++r) {
            s.labels[r] = static_cast<std::int32_t>(s.label[r]);
            if (s.doubtful[r] != 0) recheck(rows, first, r, s);
        }
    }

 private:
    // p + 1 fused steps, the rounding of entries, norms and sums (see tile/filter.hpp).
    double share() const {
        return static_cast<double>(centres_.cols + 32) *
               static_cast<double>(std::numeric_limits<F>::epsilon());
    }

    void leads(const float* norms, PanelScratch<float>& s) const {
        kernels().tile_leads(
            s.best.data(), s.second.data(), norms, static_cast<float>(largest_ * (1.0 + 1e-6)),
            static_cast<float>(share()), s.lead.data(), s.lower.data(), s.doubtful.data());
    }
    void leads(const double* norms, PanelScratch<double>& s) const {
        for (Index r = 0; r < width(); ++r) {
            const double size = norms[r] + largest_, off = share() * size;
            const double near = s.best[r] + norms[r], next = s.second[r] + norms[r];
            s.lower[r] = below(next - off);
            s.lead[r] = rounded_down(static_cast<double>(s.lower[r]) -
                                     static_cast<double>(above(near + off)));
            s.doubtful[r] = !(next - near > 2.0 * off) || !(size > 1e-280);
        }
    }

    void recheck(const tile::SelectedRows<T>& rows, Index first, Index r,
                 PanelScratch<F>& s) const {
        s.set(r, nearest_of(rows.row(first + r), centres_));
    }

    const Centres<T>& centres_;
    const std::vector<double>& origin_;
    tile::Aligned<F> packed_;
    std::vector<F> norms_;
    double largest_ = 0.0;
};

}  // namespace stylobate::cluster
