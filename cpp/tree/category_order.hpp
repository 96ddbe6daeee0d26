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

// One category's rows in a node.
struct CategorySum {
    Index count = 0;
    double weight = 0.0;
    double key = 0.0;            // categories are ordered by it
    std::uint32_t position = 0;  // in that order
};

// Space that columns of one thread share.
struct ColumnSpace {
    Workspace work;
    std::vector<WideRecord> records, sorted, stored, lost;
    std::vector<double> values;             // of the rows, where a split is drawn
    std::vector<std::uint32_t> codes;       // present in the node, in order
    std::vector<CategorySum> category;      // of each code of the column, and of missing ones
    std::size_t missing = 0;                // where those are
    std::vector<double> sum;                // of each code's keys
    std::vector<std::uint64_t> tally;       // weights of rows and of ones of each code
    std::vector<double> key, mean, weight;  // of codes in the order of `codes`
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

// Sums of whole weights, and of those of the ones, for each category; both in one word.
template <class Labels, class Code>
void tally_categories(const Labels& labels, const Code& code_of, const Row* rows, Index m,
                      std::uint32_t categories, ColumnSpace& space) {
    // neighbouring rows of one category would wait for each other
    constexpr std::size_t ways = 2;
    space.tally.resize(std::max(space.tally.size(), ways * (std::size_t{categories} + 1)), 0);
    std::uint64_t* const tally = space.tally.data();
    for (Index i = 0; i < m; ++i) {
        const std::size_t code = std::min(code_of(rows[i]), categories);
        tally[ways * code + static_cast<std::size_t>(i) % ways] += labels.tally(rows[i]);
        ++space.category[code].count;
    }
    for (std::uint32_t code = 0; code <= categories; ++code) {
        const std::uint64_t both = tally[ways * code] + tally[ways * code + 1];
        tally[ways * code] = tally[ways * code + 1] = 0;
        if (both == 0) continue;
        if (code < categories) space.codes.push_back(code);
        space.category[code].weight = static_cast<double>(both >> 32);
        space.sum[code] = static_cast<double>(both & 0xFFFFFFFFu);
    }
}

// Sums of the node's rows for each category and for missing ones (place `categories`); gives the
// number of rows that are not missing.
template <class Labels, class Code>
Index sum_by_category(const Labels& labels, const Code& code_of, const Row* rows, Index m,
                      std::uint32_t categories, ColumnSpace& space) {
    const auto width = static_cast<std::size_t>(labels.keys());
    const std::size_t places = std::size_t{categories} + 1;
    if (space.category.size() < places) space.category.resize(places);
    if (space.sum.size() < places * width) space.sum.resize(places * width);
    for (const std::uint32_t code : space.codes) space.category[code].count = 0;  // of the last one
    space.category[space.missing].count = 0;
    space.missing = categories;
    space.codes.clear();
    if constexpr (requires { requires Labels::counts; }) {
        if (categories <= static_cast<std::uint32_t>(std::max(m, Index{64}))) {
            tally_categories(labels, code_of, rows, m, categories, space);
            return m - space.category[categories].count;
        }
    }
    space.key.resize(width);
    for (Index i = 0; i < m; ++i) {
        const std::uint32_t code = std::min(code_of(rows[i]), categories);
        CategorySum& category = space.category[code];
        double* const sums = space.sum.data() + code * width;
        if (category.count++ == 0) {
            if (code < categories) space.codes.push_back(code);
            category.weight = 0.0;
            std::fill(sums, sums + width, 0.0);
        }
        const double w = labels.weight(rows[i]);
        category.weight += w;
        labels.key(rows[i], space.key.data());
        for (std::size_t j = 0; j < width; ++j) sums[j] += w * space.key[j];
    }
    return m - space.category[categories].count;
}

// From sums to an order of space.codes.
inline void order_categories(Index width, ColumnSpace& space) {
    const auto k = static_cast<Index>(space.codes.size());
    if (width == 1) {
        for (const std::uint32_t code : space.codes)
            space.category[code].key = space.sum[code] / space.category[code].weight;
    } else {
        space.mean.clear();
        space.weight.clear();
        for (const std::uint32_t code : space.codes) {
            space.weight.push_back(space.category[code].weight);
            for (Index j = 0; j < width; ++j)
                space.mean.push_back(space.sum[static_cast<std::size_t>(code * width + j)] /
                                     space.weight.back());
        }
        const auto direction = widest_direction(space.mean.data(), space.weight.data(), k, width);
        for (Index c = 0; c < k; ++c)
            space.category[space.codes[static_cast<std::size_t>(c)]].key = std::inner_product(
                direction.begin(), direction.end(), space.mean.begin() + c * width, 0.0);
    }
    std::sort(space.codes.begin(), space.codes.end(), [&](std::uint32_t a, std::uint32_t b) {
        const double first = space.category[a].key, second = space.category[b].key;
        return first != second ? first < second : a < b;
    });
    for (std::size_t c = 0; c < space.codes.size(); ++c)
        space.category[space.codes[c]].position = static_cast<std::uint32_t>(c);
}

// The rows as records in the order of their categories, missing ones last.
template <class Code>
void records_by_category(const Code& code_of, const Row* rows, Index m, Index present,
                         ColumnSpace& space) {
    const std::size_t k = space.codes.size();
    space.records.resize(static_cast<std::size_t>(m));
    std::vector<Index> starts(k + 1, 0);
    for (std::size_t c = 0; c < k; ++c)
        starts[c + 1] = starts[c] + space.category[space.codes[c]].count;
    Index lost = present;
    for (Index i = 0; i < m; ++i) {
        const std::uint32_t code = code_of(rows[i]);
        if (code == missing_rank) {
            space.records[static_cast<std::size_t>(lost++)] = {missing_rank, rows[i]};
            continue;
        }
        const std::uint32_t at = space.category[code].position;
        space.records[static_cast<std::size_t>(starts[at]++)] = {at, rows[i]};
    }
}

// The best split between categories in order by their sums, for criteria that are told by one sum;
// with a cut, only there. Gives how many categories go left.
template <class Scanner>
Index best_of_sums(const Scanner& node, const Bounds& bounds, Index cut, Index present, Index all,
                   ColumnSpace& space, Found& best) {
    const auto k = static_cast<Index>(space.codes.size());
    best.missing_seen = present < all;
    best.constant = present == 0 || (present == all && k == 1);
    Index left = 0;
    if (best.constant) return left;
    for (const bool missing_left : {false, true}) {
        if (missing_left && !best.missing_seen) break;
        Scanner scan = node;
        scan.start(space.work);
        Index count = 0;
        if (missing_left) {
            scan.add_sum(space.category[space.missing].weight, space.sum[space.missing]);
            count = all - present;
        }
        // with missing rows on the right, all present ones may go left
        const Index ends = best.missing_seen && !missing_left ? k : k - 1;
        for (Index c = 0; c < ends; ++c) {
            const std::uint32_t code = space.codes[static_cast<std::size_t>(c)];
            scan.add_sum(space.category[code].weight, space.sum[code]);
            count += space.category[code].count;
            if (cut > 0 && c + 1 != cut && c + 1 != k) continue;
            const double before = best.gain;
            consider(count, all, scan, bounds, best);
            if (!(best.gain > before)) continue;
            left = c + 1;
            best.place = missing_left ? count - (all - present) : count;
            best.missing_left = missing_left;
            best.open_end = left == k;
        }
    }
    return left;
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
