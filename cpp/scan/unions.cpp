#include "scan/unions.hpp"

#include <algorithm>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index shared_after = 8;  // unions per part beyond which beginnings and ends are shared

struct View {
    double weight;
    const double* mean;
    const double* scatter;
};

// One set of moments that grows.
struct Growing {
    double* weight;
    double* mean;
    double* scatter;
    Index q;

    void start(const View& first) {
        *weight = first.weight;
        std::copy(first.mean, first.mean + q, mean);
        std::copy(first.scatter, first.scatter + q * q, scatter);
    }

    // Chan, Golub & LeVeque (1979): S = S₁ + S₂ + n₁n₂/(n₁+n₂) δδᵀ. `delta`: room for q numbers.
    void merge(const View& other, double* delta) {
        if (other.weight == 0.0) return;
        if (*weight == 0.0) return start(other);
        const double n = *weight + other.weight, share = other.weight / n;
        const double cross = *weight * share;
        for (Index j = 0; j < q; ++j) delta[j] = other.mean[j] - mean[j];
        for (Index j = 0; j < q; ++j) {
            double* row = scatter + j * q;
            const double* more = other.scatter + j * q;
            const double d = delta[j];
            // δᵢδⱼ first: the same number on both sides of the diagonal
            for (Index i = 0; i < q; ++i) row[i] += more[i] + cross * (d * delta[i]);
            mean[j] += share * d;
        }
        *weight = n;
    }
};

// Room for several sets.
struct Sets {
    Sets(Index count, Index columns)
        : q(columns), weight(count), mean(count * columns), scatter(count * columns * columns) {}
    Index q;
    std::vector<double> weight, mean, scatter;

    Growing at(Index k) { return {&weight[k], mean.data() + k * q, scatter.data() + k * q * q, q}; }
    View view(Index k) const {
        return {weight[k], mean.data() + k * q, scatter.data() + k * q * q};
    }
};

class Merger {
 public:
    Merger(const MomentsStack& parts, bool share)
        : parts_(parts), heads_(share ? parts.count : 0, parts.q), tails_(heads_) {
        if (!share) return;
        std::vector<double> delta(parts.q);
        for (Index k = 0; k < parts.count; ++k) {
            const Index other = parts.count - 1 - k;
            extend(heads_, k, k - 1, part(k), delta);
            extend(tails_, k, k - 1, part(other), delta);
        }
    }

    void merge(const Index* members, Index count, Growing out) const {
        std::vector<double> delta(parts_.q);
        Index head = 0, tail = 0;  // members that are the first, and the last, of all parts
        if (!heads_.weight.empty()) {
            while (head < count && members[head] == head) ++head;
            while (head + tail < count && members[count - 1 - tail] == parts_.count - 1 - tail)
                ++tail;
        }
        bool started = false;
        const auto add = [&](const View& more) {
            started ? out.merge(more, delta.data()) : out.start(more);
            started = true;
        };
        if (head > 0) add(heads_.view(head - 1));
        for (Index m = head; m < count - tail; ++m) add(part(members[m]));
        if (tail > 0) add(tails_.view(tail - 1));
    }

 private:
    View part(Index k) const {
        const Index q = parts_.q;
        return {parts_.weight[k], parts_.mean + k * q, parts_.scatter + k * q * q};
    }

    static void extend(Sets& sets, Index at, Index before, const View& more,
                       std::vector<double>& delta) {
        if (before < 0) return sets.at(at).start(more);
        sets.at(at).start(sets.view(before));
        sets.at(at).merge(more, delta.data());
    }

    MomentsStack parts_;
    Sets heads_, tails_;  // the first k + 1 parts, and the last, merged
};

}  // namespace

Unions merge_parts(const MomentsStack& parts, const std::vector<Index>& offsets,
                   const std::vector<Index>& members) {
    const auto count = static_cast<Index>(offsets.size()) - 1;
    Sets merged(count, parts.q);
    const Merger merger(parts, static_cast<Index>(members.size()) > shared_after * parts.count);
    parallel_for(count, [&](Index k, Checkpoint&) {
        merger.merge(members.data() + offsets[k], offsets[k + 1] - offsets[k], merged.at(k));
    });
    return {std::move(merged.weight), std::move(merged.mean), std::move(merged.scatter)};
}

}  // namespace stylobate::scan
