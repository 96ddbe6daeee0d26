#include "cluster/line.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "stylobate/buffer.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::cluster {
namespace {

using Wide = long double;

// Σ w (x − mean)² of any stretch, from sums about a value amid all.
class Costs {
 public:
    Costs(const double* values, const double* weights, Index n)
        : weight_(static_cast<std::size_t>(n + 1)), sum_(weight_), square_(weight_) {
        const Wide amid = values[n / 2];
        for (Index i = 0; i < n; ++i) {
            const Wide x = static_cast<Wide>(values[i]) - amid, w = weights[i];
            weight_[i + 1] = weight_[i] + w;
            sum_[i + 1] = sum_[i] + w * x;
            square_[i + 1] = square_[i] + w * x * x;
        }
    }
    // Of values begin … end − 1.
    Wide operator()(Index begin, Index end) const {
        const Wide w = weight_[end] - weight_[begin], s = sum_[end] - sum_[begin];
        return std::max<Wide>(square_[end] - square_[begin] - s * s / w, 0.0L);
    }

 private:
    std::vector<Wide> weight_, sum_, square_;
};

// One more cluster: out[e] = min over b of before[b] + cost(b, e). The best b does not fall as e
// grows, so the middle e narrows the search of both halves.
class Layer {
 public:
    Layer(const Costs& costs, const std::vector<Wide>& before, Index clusters,
          std::vector<Wide>& out, std::int32_t* first, Checkpoint& checkpoint)
        : costs_(costs),
          before_(before),
          clusters_(clusters),
          out_(out),
          first_(first),
          checkpoint_(checkpoint) {}

    void solve(Index low, Index high, Index from, Index to) {
        if (low > high) return;
        checkpoint_();
        const Index e = low + (high - low) / 2;
        Wide best = std::numeric_limits<Wide>::infinity();
        Index at = from;
        for (Index b = std::max(from, clusters_ - 1); b <= std::min(to, e - 1); ++b) {
            const Wide value = before_[b] + costs_(b, e);
            if (value < best) best = value, at = b;
        }
        out_[e] = best, first_[e] = static_cast<std::int32_t>(at);
        solve(low, e - 1, from, at);
        solve(e + 1, high, at, to);
    }

 private:
    const Costs& costs_;
    const std::vector<Wide>& before_;
    Index clusters_;
    std::vector<Wide>& out_;
    std::int32_t* first_;
    Checkpoint& checkpoint_;
};

}  // namespace

std::vector<Index> best_stretches(const double* values, const double* weights, Index n, Index k) {
    if (n < 1 || k < 1 || k > n || n > std::numeric_limits<std::int32_t>::max())
        throw InvalidArgument("there must be as many values as clusters, at least");
    const Costs costs(values, weights, n);
    std::vector<std::int32_t> firsts(static_cast<std::size_t>(area(k, n + 1)));
    std::vector<Wide> before(static_cast<std::size_t>(n + 1)), out(before);
    for (Index e = 1; e <= n; ++e) before[e] = costs(0, e);
    for (Index c = 2; c <= k; ++c)
        parallel_for(1, [&](Index, Checkpoint& checkpoint) {
            std::int32_t* const first = firsts.data() + (c - 1) * (n + 1);
            Layer(costs, before, c, out, first, checkpoint).solve(c, n, c - 1, n - 1);
            std::swap(before, out);
        });
    std::vector<Index> begins(static_cast<std::size_t>(k));
    Index end = n;
    for (Index c = k; c >= 1; --c) {
        begins[c - 1] = c == 1 ? 0 : firsts[(c - 1) * (n + 1) + end];
        end = begins[c - 1];
    }
    return begins;
}

}  // namespace stylobate::cluster
