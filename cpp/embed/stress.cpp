#include "embed/stress.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "embed/stress_kernels.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::stress {
namespace {

constexpr Index chunk_pairs = 1 << 16;  // about a quarter of a millisecond

Index chunks_of(Index n, Index size) {
    return (n + size - 1) / size;
}

double distance(const double* a, const double* b, Index k) {
    double sum = 0.0;
    for (Index c = 0; c < k; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return std::sqrt(sum);
}

}  // namespace

void stress_gradient(const Task& task, double* half, double* rows) {
    const Index n = task.n, k = task.k;
    std::vector<double> columns(static_cast<std::size_t>(n * k));
    for (Index j = 0; j < n; ++j)
        for (Index c = 0; c < k; ++c) columns[c * n + j] = task.fixed[j * k + c];
    const Points points{columns.data(), n, n, k};
    const auto row = kernels().stress_row;
    const Index size = std::max<Index>(1, chunk_pairs / std::max<Index>(n, 1));
    parallel_for(chunks_of(task.m, size), [&](Index chunk, Checkpoint& check) {
        const Index end = std::min(task.m, (chunk + 1) * size);
        for (Index i = chunk * size; i < end; ++i) {
            row(points, task.moving + i * k, task.delta.data + i * task.delta.row_stride,
                task.weights ? task.weights->data + i * task.weights->row_stride : nullptr,
                half + i * k, rows + 2 * i);
            check();
        }
    });
}

void isotonic(double* y, const double* weights, Index n) {
    // blocks of equal fitted values: their means, weights and ends
    std::vector<double> mean, weight;
    std::vector<Index> end;
    for (Index i = 0; i < n; ++i) {
        mean.push_back(y[i]), weight.push_back(weights ? weights[i] : 1.0), end.push_back(i + 1);
        while (mean.size() > 1 && mean[mean.size() - 2] >= mean.back()) {
            const std::size_t last = mean.size() - 1;
            const double sum = weight[last - 1] + weight[last];
            mean[last - 1] += (mean[last] - mean[last - 1]) * (weight[last] / sum);
            weight[last - 1] = sum, end[last - 1] = end[last];
            mean.pop_back(), weight.pop_back(), end.pop_back();
        }
    }
    Index i = 0;
    for (std::size_t b = 0; b < mean.size(); ++b)
        for (; i < end[b]; ++i) y[i] = mean[b];
}

void disparities(const OrderedPairs& pairs, const double* x, Index n, Index k, double* matrix) {
    std::vector<double> fitted(static_cast<std::size_t>(pairs.groups));
    std::vector<double> sizes(static_cast<std::size_t>(pairs.groups));
    const Index chunks = chunks_of(pairs.groups, chunk_pairs);
    parallel_for(chunks, [&](Index chunk, Checkpoint& check) {
        const Index end = std::min(pairs.groups, (chunk + 1) * chunk_pairs);
        for (Index g = chunk * chunk_pairs; g < end; ++g) {
            const Index begin = g == 0 ? 0 : pairs.ends[g - 1];
            double sum = 0.0;
            for (Index e = begin; e < pairs.ends[g]; ++e)
                sum += distance(x + pairs.first[e] * k, x + pairs.second[e] * k, k);
            sizes[g] = static_cast<double>(pairs.ends[g] - begin);
            fitted[g] = sum / sizes[g];
            if (g % 4096 == 0) check();
        }
    });
    isotonic(fitted.data(), sizes.data(), pairs.groups);
    double squares = 0.0;
    for (Index g = 0; g < pairs.groups; ++g) squares += sizes[g] * fitted[g] * fitted[g];
    const double scale =
        squares > 0.0
            ? std::sqrt(0.5 * static_cast<double>(n) * static_cast<double>(n - 1) / squares)
            : 1.0;
    parallel_for(chunks, [&](Index chunk, Checkpoint& check) {
        const Index end = std::min(pairs.groups, (chunk + 1) * chunk_pairs);
        for (Index g = chunk * chunk_pairs; g < end; ++g) {
            const double value = scale * fitted[g];
            for (Index e = g == 0 ? 0 : pairs.ends[g - 1]; e < pairs.ends[g]; ++e) {
                const Index i = pairs.first[e], j = pairs.second[e];
                matrix[i * n + j] = matrix[j * n + i] = value;
            }
            if (g % 4096 == 0) check();
        }
    });
}

}  // namespace stylobate::stress
