// Ranks by distance against sorting by hand: equal distances, one row alone, any number of threads.
#include "embed/ranks.hpp"

#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace tests;

constexpr Index lines = 9, n = 301, k = 7;

// Some distances are equal, some differ in their last bits alone.
std::vector<double> distances(unsigned seed) {
    std::vector<double> d = random_weights(lines * n, seed);
    for (std::size_t at = 0; at < d.size(); ++at) {
        if (at % 3 == 0) d[at] = static_cast<double>(at % 5);
        if (at % 7 == 0) d[at] = 1.0 + static_cast<double>(at % 11) * 0x1p-52;
    }
    return d;
}

std::vector<std::int64_t> own_rows() {
    std::vector<std::int64_t> own(lines);
    for (Index i = 0; i < lines; ++i) own[i] = (i * 37) % n;
    return own;
}

std::vector<std::int64_t> ranks_by_hand(const double* d, Index own) {
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [d](Index a, Index b) { return d[a] < d[b]; });
    std::vector<std::int64_t> ranks(n, 0);
    std::int64_t rank = 0;
    for (const Index row : order)
        if (row != own) ranks[row] = ++rank;
    return ranks;
}

TEST(ranks_of_columns) {
    const auto d = distances(1);
    const auto own = own_rows();
    std::vector<std::int64_t> columns, ranks(lines * k);
    for (Index i = 0; i < lines; ++i)
        for (Index j = 0; j < k; ++j) columns.push_back((own[i] + 1 + 13 * j + i) % n);
    embed::column_ranks({{d.data(), lines, n, n, 1}, own.data()}, columns.data(), k, ranks.data());
    for (Index i = 0; i < lines; ++i) {
        const auto wanted = ranks_by_hand(d.data() + i * n, own[i]);
        for (Index j = 0; j < k; ++j)
            if (columns[i * k + j] != own[i]) CHECK(ranks[i * k + j] == wanted[columns[i * k + j]]);
    }
}

TEST(agreement_of_ranks) {
    const auto first = distances(2), second = distances(3);
    const auto own = own_rows();
    std::vector<std::int64_t> larger(n, 0);
    const auto found = embed::rank_agreement({{first.data(), lines, n, n, 1}, own.data()},
                                             {second.data(), lines, n, n, 1}, k);
    for (Index i = 0; i < lines; ++i) {
        const auto a = ranks_by_hand(first.data() + i * n, own[i]);
        const auto b = ranks_by_hand(second.data() + i * n, own[i]);
        std::int64_t kept = 0, intruded = 0, lost = 0;
        for (Index j = 0; j < n; ++j) {
            if (j == own[i]) continue;
            ++larger[std::max(a[j], b[j])];
            kept += a[j] <= k && b[j] <= k;
            if (b[j] <= k) intruded += std::max<std::int64_t>(0, a[j] - k);
            if (a[j] <= k) lost += std::max<std::int64_t>(0, b[j] - k);
        }
        CHECK(found.kept[i] == kept);
        CHECK(found.intruded[i] == intruded);
        CHECK(found.lost[i] == lost);
    }
    CHECK(found.larger == larger);
}

TEST(ranks_refuse_rows_that_are_not_there) {
    const auto d = distances(4);
    auto own = own_rows();
    own[2] = n;
    const MatrixView<double> view{d.data(), lines, n, n, 1};
    CHECK_THROWS(InvalidArgument, embed::rank_agreement({view, own.data()}, view, k));
}

}  // namespace
}  // namespace stylobate
