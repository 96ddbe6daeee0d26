// Splits by categories: the categories of a node in an order whose prefixes are worth trying.
//
// With one key (a number, or one of two classes) they are ordered by its mean: some prefix is then
// the best of all 2^k subsets (Breiman et al. 1984) for squared errors, Poisson's deviance, Gini's
// index and entropy. With several keys (classes, outputs) they are ordered along the direction in
// which their means differ most (Coppersmith, Hong & Hosking 1999): good, not proved best.
#pragma once

#include <numeric>

#include "tree/criteria.hpp"
#include "tree/scan.hpp"

namespace stylobate::tree {

// Space that columns of one thread share.
struct ColumnSpace {
    Workspace work;
    std::vector<WideRecord> records, sorted, stored, lost;
    std::vector<std::uint32_t> codes;     // present in the node, in order
    std::vector<std::uint32_t> position;  // of each code of the column, plus one; 0: not there
    std::vector<double> weight, mean, key;
};

// The direction in which rows (k × width, with weights) spread most around their mean, by the
// power method from the widest coordinate.
inline std::vector<double> widest_direction(const double* means, const double* weights, Index k,
                                            Index width) {
    const auto size = static_cast<std::size_t>(width);
    std::vector<double> centre(size, 0.0), scatter(size * size, 0.0), direction(size), next(size);
    const double total = std::accumulate(weights, weights + k, 0.0);
    for (Index c = 0; c < k; ++c)
        for (Index j = 0; j < width; ++j)
            centre[static_cast<std::size_t>(j)] += weights[c] * means[c * width + j] / total;
    for (Index c = 0; c < k; ++c)
        for (std::size_t a = 0; a < size; ++a)
            for (std::size_t b = 0; b < size; ++b)
                scatter[a * size + b] += weights[c] *
                                         (means[c * width + static_cast<Index>(a)] - centre[a]) *
                                         (means[c * width + static_cast<Index>(b)] - centre[b]);
    std::size_t widest = 0;
    for (std::size_t a = 1; a < size; ++a)
        if (scatter[a * size + a] > scatter[widest * size + widest]) widest = a;
    for (std::size_t a = 0; a < size; ++a) direction[a] = scatter[a * size + widest];
    for (int round = 0; round < 32; ++round) {
        double length = 0.0;
        for (std::size_t a = 0; a < size; ++a) {
            next[a] = std::inner_product(direction.begin(), direction.end(),
                                         scatter.begin() + static_cast<Index>(a * size), 0.0);
            length = std::max(length, std::fabs(next[a]));
        }
        if (length == 0.0) break;
        for (std::size_t a = 0; a < size; ++a) direction[a] = next[a] / length;
    }
    return direction;
}

// Fills space.codes with the node's categories in order, and space.records with the rows in the
// order of their categories, missing ones last; gives the number of rows that are not missing.
template <class Labels>
Index order_by_category(const Labels& labels, const std::uint32_t* codes_of, const Row* global,
                        const Row* rows, Index m, std::uint32_t categories, ColumnSpace& space) {
    const Index width = labels.keys();
    space.position.resize(std::max<std::size_t>(space.position.size(), categories), 0);
    space.codes.clear();
    space.weight.clear();
    space.mean.clear();
    std::vector<double> key(static_cast<std::size_t>(width));
    for (Index i = 0; i < m; ++i) {
        const std::uint32_t code = codes_of[global[rows[i]]];
        if (code == missing_rank) continue;
        auto& position = space.position[code];
        if (position == 0) {
            space.codes.push_back(code);
            position = static_cast<std::uint32_t>(space.codes.size());
            space.weight.push_back(0.0);
            space.mean.resize(space.mean.size() + static_cast<std::size_t>(width), 0.0);
        }
        const double w = labels.weight(rows[i]);
        space.weight[position - 1] += w;
        labels.key(rows[i], key.data());
        for (Index j = 0; j < width; ++j)
            space.mean[static_cast<std::size_t>((position - 1) * width + j)] +=
                w * key[static_cast<std::size_t>(j)];
    }
    const auto k = static_cast<Index>(space.codes.size());
    for (Index c = 0; c < k * width; ++c)
        space.mean[static_cast<std::size_t>(c)] /=
            space.weight[static_cast<std::size_t>(c / width)];
    space.key.assign(space.mean.begin(), space.mean.begin() + (width == 1 ? k : 0));
    if (width > 1) {
        const auto direction = widest_direction(space.mean.data(), space.weight.data(), k, width);
        for (Index c = 0; c < k; ++c)
            space.key.push_back(std::inner_product(direction.begin(), direction.end(),
                                                   space.mean.begin() + c * width, 0.0));
    }
    std::vector<std::uint32_t> order(static_cast<std::size_t>(k));
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return space.key[a] != space.key[b] ? space.key[a] < space.key[b]
                                            : space.codes[a] < space.codes[b];
    });
    const auto found = space.codes;
    for (Index c = 0; c < k; ++c) {
        space.codes[static_cast<std::size_t>(c)] = found[order[static_cast<std::size_t>(c)]];
        space.position[space.codes[static_cast<std::size_t>(c)]] =
            static_cast<std::uint32_t>(c + 1);
    }
    space.records.resize(static_cast<std::size_t>(m));
    std::vector<Index> starts(static_cast<std::size_t>(k) + 2, 0);
    const auto place = [&](Index i) {
        const std::uint32_t code = codes_of[global[rows[i]]];
        return code == missing_rank ? static_cast<std::size_t>(k)
                                    : static_cast<std::size_t>(space.position[code] - 1);
    };
    for (Index i = 0; i < m; ++i) ++starts[place(i) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    const Index present = starts[static_cast<std::size_t>(k)];
    for (Index i = 0; i < m; ++i) {
        const std::size_t at = place(i);
        const auto rank =
            at == static_cast<std::size_t>(k) ? missing_rank : static_cast<std::uint32_t>(at);
        space.records[static_cast<std::size_t>(starts[at]++)] = {rank, rows[i]};
    }
    for (const std::uint32_t code : space.codes) space.position[code] = 0;
    return present;
}

// The words of a split that sends the first `left` categories of the order left, and those the
// node does not have to the larger side.
inline std::vector<std::uint32_t> category_words(const std::vector<std::uint32_t>& codes,
                                                 Index left, std::uint32_t categories,
                                                 bool others_left) {
    std::vector<std::uint32_t> words((categories + 31) / 32, others_left ? ~0u : 0u);
    if (others_left && categories % 32 != 0) words.back() = (1u << categories % 32) - 1u;
    for (Index c = 0; c < static_cast<Index>(codes.size()); ++c) {
        const std::uint32_t code = codes[static_cast<std::size_t>(c)];
        const std::uint32_t bit = 1u << code % 32;
        words[code / 32] = c < left ? words[code / 32] | bit : words[code / 32] & ~bit;
    }
    return words;
}

}  // namespace stylobate::tree
