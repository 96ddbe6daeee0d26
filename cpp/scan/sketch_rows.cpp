#include "scan/sketch_rows.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "scan/sketch_hash.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"

namespace stylobate::scan {

// ── rows that repeat

RowSet::RowSet(Index limit) : limit_(limit), parts_(n_parts) {
    if (limit < 0) throw InvalidArgument("the limit of a row set must not be negative");
    if (limit == 0) give_up();
}

bool RowSet::Part::insert(std::uint64_t hash) {
    if (hash == 0) {
        const bool is_new = !zero;
        zero = true;
        size += is_new;
        return is_new;
    }
    if (4 * static_cast<std::size_t>(size + 1) > 3 * places.size()) grow();
    const std::size_t mask = places.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
        if (places[at] == hash) return false;
        if (places[at] == 0) {
            places[at] = hash;
            ++size;
            return true;
        }
    }
}

void RowSet::Part::grow() {
    const std::vector<std::uint64_t> before = std::move(places);
    places.assign(std::max<std::size_t>(64, 2 * before.size()), 0);
    const std::size_t mask = places.size() - 1;
    for (const std::uint64_t hash : before) {
        if (hash == 0) continue;
        std::size_t at = hash & mask;
        while (places[at] != 0) at = (at + 1) & mask;
        places[at] = hash;
    }
}

void RowSet::absorb(const std::uint64_t* hashes, Index n, std::int64_t start) {
    rows_ += n;
    if (!exact_) return distinct_.absorb(hashes, n);
    std::mutex guard;
    // each part reads all hashes and takes its own: they lie in cache, the places do not
    parallel_for(n_parts, [&](Index part, Checkpoint& checkpoint) {
        constexpr Index step = 1 << 16;
        std::vector<std::int64_t> repeated;
        for (Index first = 0; first < n; first += step) {
            checkpoint();
            for (Index i = first, last = std::min(n, first + step); i < last; ++i)
                if (static_cast<Index>(hashes[i] >> 60) == part &&
                    !parts_[part].insert(hashes[i]) && repeated.size() < most_examples)
                    repeated.push_back(start + i);
        }
        const std::lock_guard<std::mutex> lock(guard);
        examples_.insert(examples_.end(), repeated.begin(), repeated.end());
    });
    keep_examples();
    Index size = 0;
    for (const Part& part : parts_) size += part.size;
    if (size > limit_) give_up();
}

void RowSet::keep_examples() {
    std::sort(examples_.begin(), examples_.end());
    if (examples_.size() > most_examples) examples_.resize(most_examples);
}

void RowSet::give_up() {
    exact_ = false;
    for (const Part& part : parts_) {
        const std::uint64_t zero = 0;
        if (part.zero) distinct_.absorb(&zero, 1);
        for (const std::uint64_t& hash : part.places)
            if (hash != 0) distinct_.absorb(&hash, 1);
    }
    parts_.clear();
}

void RowSet::merge(const RowSet& other) {
    if (&other == this) return merge(RowSet(other));
    if (exact_ && !other.exact_) give_up();
    rows_ += other.rows_;
    examples_.insert(examples_.end(), other.examples_.begin(), other.examples_.end());
    keep_examples();
    Index size = 0;
    for (Index p = 0; p < static_cast<Index>(other.parts_.size()); ++p) {
        const Part& theirs = other.parts_[p];
        const auto take = [&](std::uint64_t hash) {
            if (exact_)
                parts_[p].insert(hash);
            else
                distinct_.absorb(&hash, 1);
        };
        if (theirs.zero) take(0);
        for (const std::uint64_t hash : theirs.places)
            if (hash != 0) take(hash);
        if (exact_) size += parts_[p].size;
    }
    if (!other.exact_) distinct_.merge(other.distinct_);
    if (exact_ && size > limit_) give_up();
}

double RowSet::distinct() const {
    if (!exact_) return distinct_.estimate();
    Index size = 0;
    for (const Part& part : parts_) size += part.size;
    return static_cast<double>(size);
}

// ── cells missing together

Patterns::Patterns(Index columns, Index limit) : columns_(columns), limit_(limit) {
    if (limit < 0) throw InvalidArgument("the number of patterns must not be negative");
}

std::size_t Patterns::Hash::operator()(const Words& words) const {
    std::uint64_t out = 0;
    for (const std::uint64_t word : words) out = mixed(out ^ word) + golden;
    return out;
}

void Patterns::add(const Words& words, std::int64_t rows) {
    const auto known = counts_.find(words);
    if (known != counts_.end())
        known->second += rows;
    else if (static_cast<Index>(counts_.size()) < limit_)
        counts_.emplace(words, rows);
    else
        others_ += rows;
}

void Patterns::absorb(const std::vector<const std::uint64_t*>& missing, Index n) {
    const Index row_words = (n + 63) / 64;
    const auto words = static_cast<std::size_t>((columns_ + 63) / 64);
    std::vector<std::uint64_t> any(row_words);
    for (const std::uint64_t* const bits : missing)
        if (bits != nullptr)
            for (Index w = 0; w < row_words; ++w) any[w] |= bits[w];
    Words pattern(words);
    Words last;
    std::int64_t repeats = 0, found = 0;
    for (Index w = 0; w < row_words; ++w)
        for (std::uint64_t rest = any[w]; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            std::fill(pattern.begin(), pattern.end(), 0);
            for (std::size_t j = 0; j < missing.size(); ++j)
                if (missing[j] != nullptr && (missing[j][w] >> bit & 1) != 0)
                    pattern[j / 64] |= std::uint64_t{1} << (j % 64);
            ++found;
            if (pattern == last) {
                ++repeats;
                continue;
            }
            if (repeats > 0) add(last, repeats);
            last = pattern;
            repeats = 1;
        }
    if (repeats > 0) add(last, repeats);
    complete_ += n - found;
}

void Patterns::merge(const Patterns& other) {
    if (&other == this) return merge(Patterns(other));
    if (columns_ != other.columns_ || limit_ != other.limit_)
        throw InvalidArgument("patterns of different columns or limits do not merge");
    complete_ += other.complete_;
    others_ += other.others_;
    std::vector<std::pair<Words, std::int64_t>> theirs(other.counts_.begin(), other.counts_.end());
    std::sort(theirs.begin(), theirs.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (const auto& [words, rows] : theirs) add(words, rows);
}

std::vector<Patterns::Pattern> Patterns::patterns() const {
    std::vector<std::pair<std::int64_t, const Words*>> order;
    for (const auto& [words, rows] : counts_) order.emplace_back(rows, &words);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : *a.second < *b.second;
    });
    std::vector<Pattern> out;
    for (const auto& [rows, words] : order) {
        Pattern each;
        each.rows = rows;
        for (Index j = 0; j < columns_; ++j)
            if (((*words)[static_cast<std::size_t>(j / 64)] >> (j % 64) & 1) != 0)
                each.columns.push_back(j);
        out.push_back(std::move(each));
    }
    return out;
}

// ── a sample

std::uint64_t row_priority(std::uint64_t seed, std::int64_t row) {
    return Philox(seed, 0).word(static_cast<std::uint64_t>(row));
}

void sample_rows(std::uint64_t seed, std::int64_t start, Index n, std::uint64_t most,
                 std::vector<std::int64_t>& rows, std::vector<std::uint64_t>& priorities) {
    const Philox random(seed, 0);
    const auto first = static_cast<std::uint64_t>(start),
               last = first + static_cast<std::uint64_t>(n);
    for (std::uint64_t group = first / 4; 4 * group < last; ++group) {
        const Philox::Block block = random({group, 0, 0, 0});
        for (std::uint64_t w = 0; w < 4; ++w) {
            const std::uint64_t row = 4 * group + w;
            if (row < first || row >= last || block[w] >= most) continue;
            rows.push_back(static_cast<std::int64_t>(row));
            priorities.push_back(block[w]);
        }
    }
}

}  // namespace stylobate::scan
