#include "embed/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <utility>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::embed {
namespace {

constexpr Index lines_per_task = 4;

void require_lines(const SeenFrom& seen) {
    const Index n = seen.distances.cols;
    if (n > Index{0xffffffff}) throw InvalidArgument("more rows than can be ranked");
    for (Index i = 0; i < seen.distances.rows; ++i)
        if (seen.own[i] < 0 || seen.own[i] >= n)
            throw InvalidArgument("lines must be seen from rows that are there");
}

const double* line(const MatrixView<double>& distances, Index i) {
    return distances.data + i * distances.row_stride;
}

// Rows nearer than row c, or as near with a smaller number.
std::int64_t rows_before(const double* d, Index n, Index c, Index own) {
    const double limit = d[c];
    std::int64_t count = 0;
    for (Index j = 0; j < c; ++j) count += d[j] <= limit;
    for (Index j = c + 1; j < n; ++j) count += d[j] < limit;
    if (own == c) return count;
    return count - (own < c ? d[own] <= limit : d[own] < limit);
}

// Bits that have the order of the numbers.
std::uint64_t ordered_bits(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // −0 is 0
    const std::uint64_t sign = std::uint64_t{1} << 63;
    return bits & sign ? ~bits : bits | sign;
}

// Sorts the rows of a line: by the upper half of their bits in three passes of counting, then the
// few that share it by all bits.
class Sorter {
 public:
    explicit Sorter(Index n) : n_(n), keys_(n), room_(n) {}

    // Each is a row's number in its lower half.
    const std::vector<std::uint64_t>& sort(const double* d) {
        for (auto& count : counts_) count.fill(0);
        for (Index j = 0; j < n_; ++j) {
            const std::uint64_t upper = ordered_bits(d[j]) >> 32;
            keys_[j] = upper << 32 | static_cast<std::uint64_t>(j);
            for (int pass = 0; pass < passes; ++pass) ++counts_[pass][digit(upper << 32, pass)];
        }
        for (int pass = 0; pass < passes; ++pass) distribute(pass);
        finish_runs(d);
        return keys_;
    }

 private:
    static constexpr int passes = 3, bits = 11;
    static std::size_t digit(std::uint64_t key, int pass) {
        return key >> (32 + pass * bits) & ((1u << bits) - 1);
    }

    void distribute(int pass) {
        auto& starts = counts_[pass];
        if (starts[digit(keys_[0], pass)] == static_cast<std::uint32_t>(n_)) return;  // all alike
        std::uint32_t next = 0;
        for (auto& start : starts) start = std::exchange(next, next + start);
        for (const std::uint64_t key : keys_) room_[starts[digit(key, pass)]++] = key;
        keys_.swap(room_);
    }

    void finish_runs(const double* d) {
        const auto before = [d](std::uint64_t a, std::uint64_t b) {
            const auto i = static_cast<std::uint32_t>(a), j = static_cast<std::uint32_t>(b);
            return d[i] < d[j] || (d[i] == d[j] && i < j);
        };
        for (Index begin = 0; begin < n_;) {
            Index end = begin + 1;
            while (end < n_ && keys_[end] >> 32 == keys_[begin] >> 32) ++end;
            const auto from = keys_.begin() + begin, to = keys_.begin() + end;
            if (end - begin > 1 && !std::is_sorted(from, to, before)) std::sort(from, to, before);
            begin = end;
        }
    }

    Index n_;
    std::vector<std::uint64_t> keys_, room_;
    std::array<std::array<std::uint32_t, 1 << bits>, passes> counts_;
};

// Compares the ranks of lines one after the other; counts of larger ranks add up.
class Comparison {
 public:
    std::vector<std::int64_t> larger;

    Comparison(Index n, Index k) : larger(n, 0), k_(k), sorter_(n), ranks_(n) {}

    void compare(const double* first, const double* second, Index own, Index i,
                 RankAgreement& out) {
        std::uint32_t rank = 0;
        for (const std::uint64_t key : sorter_.sort(first)) {
            const auto row = static_cast<std::uint32_t>(key);
            if (row != own) ranks_[row] = ++rank;
        }
        std::int64_t kept = 0, intruded = 0, lost = 0;
        std::uint32_t r = 0;
        const auto k = static_cast<std::uint32_t>(k_);
        for (const std::uint64_t key : sorter_.sort(second)) {
            const auto row = static_cast<std::uint32_t>(key);
            if (row == own) continue;
            const std::uint32_t before = ranks_[row];
            ++r;
            ++larger[std::max(before, r)];
            if (r <= k && before <= k)
                ++kept;
            else if (r <= k)
                intruded += before - k;
            else if (before <= k)
                lost += r - k;
        }
        out.kept[i] = kept, out.intruded[i] = intruded, out.lost[i] = lost;
    }

 private:
    Index k_;
    Sorter sorter_;
    std::vector<std::uint32_t> ranks_;
};

}  // namespace

void column_ranks(const SeenFrom& seen, const std::int64_t* columns, Index k, std::int64_t* ranks) {
    require_lines(seen);
    const Index m = seen.distances.rows, n = seen.distances.cols;
    for (Index at = 0; at < m * k; ++at)
        if (columns[at] < 0 || columns[at] >= n)
            throw InvalidArgument("ranks are of rows that are there");
    parallel_for((m + lines_per_task - 1) / lines_per_task, [&](Index t, Checkpoint& check) {
        for (Index i = t * lines_per_task; i < std::min(m, (t + 1) * lines_per_task); ++i) {
            const double* const d = line(seen.distances, i);
            for (Index j = 0; j < k; ++j) {
                ranks[i * k + j] = 1 + rows_before(d, n, columns[i * k + j], seen.own[i]);
                check();
            }
        }
    });
}

RankAgreement rank_agreement(const SeenFrom& first, const MatrixView<double>& second, Index k) {
    require_lines(first);
    const Index m = first.distances.rows, n = first.distances.cols;
    if (second.rows != m || second.cols != n || k < 1 || k >= n)
        throw InvalidArgument("both distances must be of the same rows, and k smaller than them");
    const auto lines = static_cast<std::size_t>(m);
    RankAgreement out{std::vector<std::int64_t>(lines), std::vector<std::int64_t>(lines),
                      std::vector<std::int64_t>(lines), std::vector<std::int64_t>(n, 0)};
    std::mutex lock;
    // what a comparison costs to open is a few lines of memory: as many lines share it
    const Index step = std::max<Index>(lines_per_task, m / 64);
    parallel_for((m + step - 1) / step, [&](Index t, Checkpoint& check) {
        Comparison comparison(n, k);
        for (Index i = t * step; i < std::min(m, (t + 1) * step); ++i) {
            comparison.compare(line(first.distances, i), line(second, i), first.own[i], i, out);
            check();
        }
        const std::lock_guard<std::mutex> guard(lock);  // counts do not depend on the order
        for (Index r = 0; r < n; ++r) out.larger[r] += comparison.larger[r];
    });
    return out;
}

}  // namespace stylobate::embed
