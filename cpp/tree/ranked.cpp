#include "tree/ranked.hpp"

#include <algorithm>
#include <cmath>

#include "scan/keys.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::tree {
namespace {

struct Placed {
    std::uint64_t key;
    Row row;
};

void require(bool condition, const char* message) {
    if (!condition) throw InvalidArgument(message);
}

}  // namespace

RankedColumns::RankedColumns(const MatrixView<double>& x, const std::int32_t* categories,
                             Wanted wanted)
    : x_(x), wanted_(wanted) {
    require(x.rows >= 1 && x.cols >= 1, "a tree needs at least one row and column");
    require(x.rows < static_cast<Index>(larger_bit), "too many rows for one tree");
    const auto cols = static_cast<std::size_t>(x.cols);
    categories_.assign(cols, 0);
    bool any = false;
    for (std::size_t j = 0; categories != nullptr && j < cols; ++j) {
        require(categories[j] >= 0, "a column cannot have less than no categories");
        categories_[j] = static_cast<std::uint32_t>(categories[j]);
        any = any || categories[j] > 0;
    }
    wanted_.ranks = wanted.ranks || any;
    present_.assign(cols, 0);
    const auto size = static_cast<std::size_t>(x.rows) * cols;
    if (wanted_.order) order_.resize(size);
    if (wanted_.ranks) ranks_.resize(size);
    // a few columns at once, so that a line of the table's memory is fetched for all of them
    constexpr Index together = 4;
    parallel_for((x.cols + together - 1) / together, [&](Index chunk, Checkpoint& checkpoint) {
        const Index first = chunk * together, last = std::min(first + together, x.cols);
        std::vector<double> values(static_cast<std::size_t>((last - first) * x.rows));
        for (Index i = 0; i < x.rows; ++i)
            for (Index j = first; j < last; ++j)
                values[static_cast<std::size_t>((j - first) * x.rows + i)] = x(i, j);
        for (Index j = first; j < last; ++j) {
            checkpoint();
            if (this->categories(j) > 0)
                rank_codes(j);
            else
                rank_numbers(j, values.data() + (j - first) * x.rows);
        }
    });
}

RankedColumns::RankedColumns(const SparseColumns& x)
    : x_{nullptr, x.minor, x.major, 0, 0}, wanted_{false, true} {
    require(x.minor < static_cast<Index>(larger_bit), "too many rows for one tree");
    sparse_.emplace(x);
    categories_.assign(static_cast<std::size_t>(x.major), 0);
    for (Index j = 0; j < x.major; ++j) present_.push_back(x.minor - sparse_->missing(j));
}

void RankedColumns::rank_codes(Index j) {
    std::uint32_t* const codes = ranks_.data() + j * rows();
    const double count = categories(j);
    for (Index i = 0; i < rows(); ++i) {
        const double code = x_(i, j);
        require(std::isnan(code) || (code >= 0.0 && code < count && code == std::floor(code)),
                "codes of categories must be whole numbers below their count");
        codes[i] = std::isnan(code) ? missing_rank : static_cast<std::uint32_t>(code);
        present_[static_cast<std::size_t>(j)] += std::isnan(code) ? 0 : 1;
    }
}

void RankedColumns::rank_numbers(Index j, const double* values) {
    const Index n = rows();
    std::vector<Placed> placed(static_cast<std::size_t>(n)), scratch(placed.size());
    Index present = 0, lost = n;
    for (Index i = 0; i < n; ++i) {
        const double value = values[i];
        if (std::isnan(value)) {
            placed[static_cast<std::size_t>(--lost)] = {0, static_cast<Row>(i)};
            continue;
        }
        placed[static_cast<std::size_t>(present++)] = {~scan::key_of(value), static_cast<Row>(i)};
    }
    std::reverse(placed.begin() + lost, placed.end());  // missing rows in their order, too
    scan::sort_by_key(placed.data(), scratch.data(), present);
    present_[static_cast<std::size_t>(j)] = present;
    std::uint32_t rank = 0;
    for (Index k = 0; k < n; ++k) {
        const auto& here = placed[static_cast<std::size_t>(k)];
        const bool larger =
            k > 0 && (k == present ||
                      (k < present && here.key != placed[static_cast<std::size_t>(k - 1)].key));
        rank += larger ? 1 : 0;
        if (wanted_.order)
            order_[static_cast<std::size_t>(j * n + k)] = here.row | (larger ? larger_bit : 0);
        if (wanted_.ranks)
            ranks_[static_cast<std::size_t>(j * n) + here.row] = k < present ? rank : missing_rank;
    }
}

}  // namespace stylobate::tree
