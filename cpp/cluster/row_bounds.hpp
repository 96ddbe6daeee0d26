// Bounds that tell which rows stay with their centre although the centres have moved.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/centres.hpp"

namespace stylobate::cluster {

// How far centres have come in all iterations so far. With δ the shift of a centre in one of them:
// own[c] = Σ δ_c, others[c] = Σ max over j ≠ c of δ_j.
struct Drift {
    std::vector<double> own, others;
    std::vector<float> both, at_least;  // own + others, rounded up and down

    explicit Drift(Index k)
        : own(static_cast<std::size_t>(k)),
          others(own),
          both(own.size(), 0.0F),
          at_least(own.size(), 0.0F) {}

    void add(const std::vector<double>& shifts) {
        std::size_t first = 0;
        double largest = 0.0, second = 0.0;
        for (std::size_t c = 0; c < shifts.size(); ++c)
            if (shifts[c] > largest)
                second = largest, largest = shifts[c], first = c;
            else
                second = std::max(second, shifts[c]);
        for (std::size_t c = 0; c < shifts.size(); ++c) {
            own[c] += shifts[c];
            others[c] += c == first ? second : largest;
            both[c] = rounded_up(own[c] + others[c]);
            at_least[c] = rounded_down(own[c] + others[c]);
        }
    }
};

// Of each row a bound that does not have to be written again as long as it holds: a row stays with
// its centre while lead > both of the drift, where
//   lead = (distance to the other centres − distance to its own) + both,
//   far  = distance to the other centres + others, all as of when the row was measured.
struct RowBounds {
    std::vector<float> lead, far;

    // with_far: whether rows will be tightened
    RowBounds(Index n, bool with_far)
        : lead(static_cast<std::size_t>(n)), far(with_far ? lead.size() : 0) {}

    // ahead: how much nearer its own centre is; lower: how far the others are, at least
    void set(Index row, Index label, float ahead, float lower, const Drift& drift) {
        const float all = drift.at_least[label];
        const float safe = ahead * (ahead > 0.0F ? 1.0F - 0x1p-22F : 1.0F + 0x1p-22F);
        lead[row] = safe + all * (1.0F - 0x1p-22F);
        if (!far.empty()) set_far(row, label, lower, drift);
    }
    void set_far(Index row, Index label, float lower, const Drift& drift) {
        far[row] = rounded_down(static_cast<double>(lower) + drift.others[label]);
    }
    bool holds(Index row, Index label, const Drift& drift) const {
        return lead[row] > drift.both[label];
    }
    // The bound again after the distance to its own centre was measured: whether it holds now.
    bool tighten(Index row, Index label, float upper, const Drift& drift) {
        const double lower = static_cast<double>(far[row]) - drift.others[label];
        const double all = drift.own[label] + drift.others[label];
        lead[row] = rounded_down(lower - static_cast<double>(upper) + all);
        return holds(row, label, drift);
    }
};

}  // namespace stylobate::cluster
