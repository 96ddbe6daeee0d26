// Bounds for groups of centres: how near to a row any centre of a group but its own may be.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/centre_sums.hpp"
#include "cluster/lloyd.hpp"
#include "cluster/row_bounds.hpp"

namespace stylobate::cluster {

// What one thread remembers of the groups it measured for a row.
struct GroupScratch {
    std::vector<Index> seen;            // groups
    std::vector<double> least, second;  // squares of a group's centres, the row's own left out
    std::vector<std::int32_t> nearest;  // the centre of the least

    explicit GroupScratch(Index groups)
        : least(static_cast<std::size_t>(groups)), second(least), nearest(least.size()) {
        seen.reserve(least.size());
    }
};

template <class T>
class GroupBounds {
 public:
    // Groups of about ten centres that are near to one another, or of one each.
    GroupBounds(const MatrixView<T>& x, const std::vector<double>& centres, Index k, bool single)
        : x_(x), groups_(single ? k : std::max<Index>(1, k / 10)) {
        group_of_.resize(static_cast<std::size_t>(k));
        for (Index c = 0; c < k; ++c) group_of_[c] = static_cast<std::int32_t>(single ? c : 0);
        if (!single && groups_ > 1) {
            const MatrixView<double> rows{centres.data(), k, x.cols, x.cols, 1};
            const MatrixView<double> start{centres.data(), groups_, x.cols, x.cols * (k / groups_),
                                           1};
            group_of_ = lloyd(rows, nullptr, start, {5, 0.0, Way::full}).labels;
        }
        members_.resize(static_cast<std::size_t>(groups_));
        for (Index c = 0; c < k; ++c)
            members_[group_of_[c]].push_back(static_cast<std::int32_t>(c));
        drift_.assign(static_cast<std::size_t>(groups_), 0.0);
        low_.resize(static_cast<std::size_t>(area(x.rows, groups_)));
    }
    Index count() const { return groups_; }

    // All centres but its own are at least so far from a row.
    void start(Index row, float lower) {
        for (Index g = 0; g < groups_; ++g)
            low_[row * groups_ + g] = rounded_down(static_cast<double>(lower) + drift_[g]);
    }

    void drift(const std::vector<double>& shifts) {
        std::vector<double> most(drift_.size(), 0.0);
        for (std::size_t c = 0; c < shifts.size(); ++c)
            most[group_of_[c]] = std::max(most[group_of_[c]], shifts[c]);
        for (std::size_t g = 0; g < most.size(); ++g) drift_[g] += most[g];
    }

    // The label of a row whose first bound does not hold; returns how many distances that took.
    double measure(Index row, const Centres<T>& centres, std::vector<std::int32_t>& labels,
                   const Drift& drift, RowBounds& bounds, std::vector<Change>& changes,
                   GroupScratch& room) {
        const std::int32_t old = labels[row];
        const T* const x = x_.row(row);
        const double own = square(x, centres.row(old), centres.cols);
        if (bounds.tighten(row, old, above(own), drift)) return 1.0;
        double best = own, measured = 1.0;
        std::int32_t label = old;
        float* const low = low_.data() + row * groups_;
        room.seen.clear();
        for (Index g = 0; g < groups_; ++g) {
            if (static_cast<double>(low[g]) - drift_[g] > static_cast<double>(above(best)))
                continue;
            measured += measure_group(g, x, centres, old, best, label, room);
        }
        double lower = std::numeric_limits<double>::infinity();
        for (const Index g : room.seen) {
            const double other = room.nearest[g] == label ? room.second[g] : room.least[g];
            low[g] = rounded_down(static_cast<double>(below(other)) + drift_[g]);
        }
        if (label != old) {
            const Index g = group_of_[old];
            low[g] = std::min(low[g], rounded_down(static_cast<double>(below(own)) + drift_[g]));
            changes.push_back({row, old, label});
            labels[row] = label;
        }
        for (Index g = 0; g < groups_; ++g)
            lower = std::min(lower, static_cast<double>(low[g]) - drift_[g]);
        const float rest = rounded_down(lower);
        const double ahead = static_cast<double>(rest) - static_cast<double>(above(best));
        bounds.set(row, label, rounded_down(ahead), rest, drift);
        return measured;
    }

 private:
    double measure_group(Index g, const T* x, const Centres<T>& centres, std::int32_t old,
                         double& best, std::int32_t& label, GroupScratch& room) const {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        double least = infinity, second = infinity;
        std::int32_t nearest = -1;
        for (const std::int32_t c : members_[g]) {
            if (c == old) continue;
            const double value = square(x, centres.row(c), centres.cols);
            if (value < least)
                second = least, least = value, nearest = c;
            else
                second = std::min(second, value);
            if (value < best || (value == best && c < label)) best = value, label = c;
        }
        room.seen.push_back(g);
        room.least[g] = least, room.second[g] = second, room.nearest[g] = nearest;
        return static_cast<double>(members_[g].size());
    }

    MatrixView<T> x_;
    Index groups_;
    std::vector<std::int32_t> group_of_;
    std::vector<std::vector<std::int32_t>> members_;
    std::vector<double> drift_;  // Σ of the largest shift in a group
    std::vector<float> low_;     // rows × groups: distance + drift as of when it was measured
};

}  // namespace stylobate::cluster
