#include "cluster/merges.hpp"

#include <algorithm>

#include "cluster/disjoint_sets.hpp"

namespace stylobate::cluster {

std::vector<double> linkage_matrix(Index n, std::vector<Merge> merges, bool by_height) {
    if (by_height)
        std::stable_sort(merges.begin(), merges.end(),
                         [](const Merge& a, const Merge& b) { return a.height < b.height; });
    DisjointSets sets(n);
    std::vector<Index> number(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) number[i] = i;
    std::vector<double> z;
    z.reserve(merges.size() * 4);
    Index next = n;
    for (const Merge& merge : merges) {
        const Index a = sets.find(merge.one), b = sets.find(merge.other);
        z.push_back(static_cast<double>(std::min(number[a], number[b])));
        z.push_back(static_cast<double>(std::max(number[a], number[b])));
        z.push_back(merge.height);
        sets.join(a, b);
        z.push_back(static_cast<double>(sets.size(sets.find(a))));
        number[sets.find(a)] = next++;
    }
    return z;
}

std::vector<Item> single_rows(Index n) {
    std::vector<Item> items(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) items[i].row = i;
    return items;
}

}  // namespace stylobate::cluster
