#include "embed/affinities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tsne {
namespace {

constexpr Index chunk_rows = 256;
constexpr int most_steps = 200;
constexpr double entropy_tolerance = 1e-11;

struct Gaussian {
    double sum, entropy, slope;  // slope: d entropy / d log β
};

// Distances are taken from the least one, so that the largest term is 1.
Gaussian gaussian_of(const double* squares, Index count, double least, double beta) {
    double sum = 0.0, first = 0.0, second = 0.0;
    for (Index j = 0; j < count; ++j) {
        const double d = squares[j] - least, p = std::exp(-beta * d);
        sum += p;
        first += p * d;
        second += p * d * d;
    }
    const double mean = first / sum, variance = std::max(second / sum - mean * mean, 0.0);
    return {sum, std::log(sum) + beta * mean, -beta * beta * variance};
}

// Newton's method in log β, kept between bounds; entropy falls with β.
double precision_of(const double* squares, Index count, double perplexity) {
    const double target = std::log(perplexity), inf = std::numeric_limits<double>::infinity();
    const double least = *std::min_element(squares, squares + count);
    double mean = 0.0;
    for (Index j = 0; j < count; ++j) mean += squares[j] - least;
    mean /= static_cast<double>(count);
    double beta = mean > 0.0 ? 1.0 / mean : 1.0, low = 0.0, high = inf;
    if (!(mean > 0.0) || !std::isfinite(mean)) return beta;
    for (int step = 0; step < most_steps; ++step) {
        const Gaussian found = gaussian_of(squares, count, least, beta);
        const double error = found.entropy - target;
        if (std::fabs(error) <= entropy_tolerance) break;
        (error > 0.0 ? low : high) = beta;
        double next = beta * std::exp(std::clamp(-error / found.slope, -3.0, 3.0));
        if (!(next > low && next < high))
            next = high == inf ? 4.0 * beta : (low == 0.0 ? 0.25 * beta : 0.5 * (low + high));
        if (next == beta || next > 1e280 || next < 1e-280) break;
        beta = next;
    }
    return beta;
}

}  // namespace

std::vector<double> gaussian_affinities(const Lists& lists, const double* squares,
                                        const std::vector<double>& perplexities,
                                        double* precisions) {
    std::vector<double> values(static_cast<std::size_t>(lists.offsets[lists.rows]));
    const auto several = static_cast<Index>(perplexities.size());
    const Index chunks = (lists.rows + chunk_rows - 1) / chunk_rows;
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        const Index end = std::min(lists.rows, (chunk + 1) * chunk_rows);
        for (Index i = chunk * chunk_rows; i < end; ++i) {
            checkpoint();
            const Index from = lists.offsets[i], count = lists.offsets[i + 1] - from;
            if (count == 0) continue;
            const double* const d = squares + from;
            const double least = *std::min_element(d, d + count);
            for (Index s = 0; s < several; ++s) {
                const double beta = precision_of(d, count, perplexities[s]);
                const double sum = gaussian_of(d, count, least, beta).sum;
                if (precisions != nullptr) precisions[i * several + s] = beta;
                for (Index j = 0; j < count; ++j)
                    values[from + j] +=
                        std::exp(-beta * (d[j] - least)) / (sum * static_cast<double>(several));
            }
        }
    });
    return values;
}

EdgeLists symmetrized(const Lists& lists, const std::int64_t* columns, const double* values) {
    const Index n = lists.rows, entries = lists.offsets[n];
    if (n > std::numeric_limits<std::int32_t>::max())
        throw InvalidArgument("a map has at most 2147483647 points");
    using Edge = std::pair<std::int32_t, double>;
    std::vector<std::int64_t> starts(static_cast<std::size_t>(n) + 1);
    for (Index i = 0; i < n; ++i) starts[i + 1] += lists.offsets[i + 1] - lists.offsets[i];
    for (Index k = 0; k < entries; ++k) ++starts[columns[k] + 1];
    for (Index i = 0; i < n; ++i) starts[i + 1] += starts[i];
    std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
    std::vector<Edge> edges(static_cast<std::size_t>(2 * entries));
    for (Index i = 0; i < n; ++i)
        for (Index k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k) {
            edges[next[i]++] = {static_cast<std::int32_t>(columns[k]), values[k]};
            edges[next[columns[k]]++] = {static_cast<std::int32_t>(i), values[k]};
        }
    EdgeLists found;
    found.offsets.assign(static_cast<std::size_t>(n) + 1, 0);
    const Index chunks = (n + chunk_rows - 1) / chunk_rows;
    // An edge seen from both rows is in the list twice: equal columns lie side by side once sorted.
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        for (Index i = chunk * chunk_rows; i < std::min(n, (chunk + 1) * chunk_rows); ++i) {
            const auto begin = edges.begin() + starts[i], end = edges.begin() + starts[i + 1];
            std::stable_sort(begin, end,
                             [](const Edge& a, const Edge& b) { return a.first < b.first; });
            Index distinct = 0;
            for (auto at = begin; at != end; ++at) {
                if (distinct > 0 && begin[distinct - 1].first == at->first)
                    begin[distinct - 1].second += at->second;
                else
                    begin[distinct++] = *at;
            }
            found.offsets[i + 1] = distinct;
            checkpoint();
        }
    });
    for (Index i = 0; i < n; ++i) found.offsets[i + 1] += found.offsets[i];
    found.columns.resize(static_cast<std::size_t>(found.offsets[n]));
    found.values.resize(found.columns.size());
    const double scale = 0.5 / static_cast<double>(n);
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        for (Index i = chunk * chunk_rows; i < std::min(n, (chunk + 1) * chunk_rows); ++i)
            for (Index k = found.offsets[i]; k < found.offsets[i + 1]; ++k) {
                const Edge& edge = edges[starts[i] + k - found.offsets[i]];
                found.columns[k] = edge.first;
                found.values[k] = static_cast<float>(edge.second * scale);
            }
        checkpoint();
    });
    return found;
}

}  // namespace stylobate::tsne
