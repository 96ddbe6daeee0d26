#include "scan/sketch_frequent.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "scan/sketch_cells.hpp"
#include "stylobate/errors.hpp"

namespace stylobate::scan {
namespace {

constexpr Index most_limit = 1 << 24;
constexpr Index least_block = 512;  // shorter ones would pay 1 of the bound for few values
constexpr std::uint64_t tag_mask = 0xffffffff00000000u;

// The values of one block, each once: where it is first, and how often.
class BlockCounts {
 public:
    struct Value {
        Index first;
        std::int64_t count;
    };
    template <class Same>
    void add(std::uint64_t hash, Index i, std::int64_t times, const Same& same) {
        for (std::size_t at = hash & (size - 1);; at = (at + 1) & (size - 1)) {
            if (places_[at] == 0) {
                places_[at] = static_cast<std::uint16_t>(values_.size() + 1);
                values_.push_back({i, times});
                return;
            }
            Value& known = values_[places_[at] - 1];
            if (same(known.first, i)) {
                known.count += times;
                return;
            }
        }
    }
    const std::vector<Value>& values() const { return values_; }

 private:
    static constexpr std::size_t size = 2 * block_rows;
    std::uint16_t places_[size] = {};
    std::vector<Value> values_;
};

Index kept(Index size) {
    return std::min<Index>(size, Frequent::most_bytes);
}

bool equal(const Text& a, const Text& b) {
    return a.size == b.size && std::memcmp(a.data, b.data, static_cast<std::size_t>(a.size)) == 0;
}

}  // namespace

Frequent::Frequent(Index limit) : limit_(limit) {
    if (limit < 1 || limit > most_limit)
        throw InvalidArgument("the limit of frequent values must be in [1, 2^24]");
}

Text Frequent::text(const Entry& entry) const {
    return {bytes_.data() + entry.key, kept(static_cast<Index>(entry.size))};
}

Index Frequent::find(std::uint64_t hash, const std::uint64_t* key, const Text* text) const {
    if (slots_.empty()) return -1;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
        const std::uint64_t slot = slots_[at];
        if (slot == 0) return -1;
        if ((slot & tag_mask) != (hash & tag_mask)) continue;
        const auto number = static_cast<Index>((slot & ~tag_mask) - 1);
        const Entry& entry = entries_[number];
        if (entry.hash != hash) continue;
        if (text == nullptr ? entry.key == *key
                            : entry.size == static_cast<std::uint64_t>(text->size) &&
                                  std::memcmp(bytes_.data() + entry.key, text->data,
                                              static_cast<std::size_t>(kept(text->size))) == 0)
            return number;
    }
}

// Sixteen bits a value at the limit: few that are not kept pass.
void Frequent::filter(std::uint64_t hash) {
    const std::uint64_t bit = hash >> 20 & (64 * known_.size() - 1);
    known_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
}

// Values that may be kept already or occur twice in the block; found without branches, since most
// values of a column that differ much are neither.
std::vector<std::uint16_t> Frequent::candidates(const std::uint64_t* hashes, Index first, Index n) {
    if (known_.empty()) {
        known_.resize(std::bit_ceil(static_cast<std::size_t>(limit_) + 64) / 4);
        for (const Entry& entry : entries_) filter(entry.hash);
    }
    constexpr std::uint64_t bits = 1 << 16;
    std::vector<std::uint64_t> seen(2 * bits / 64);
    std::uint64_t* const twice = seen.data() + bits / 64;
    for (Index i = first; i < n; ++i) {
        const std::uint64_t bit = hashes[i] >> 48, mask = std::uint64_t{1} << (bit & 63);
        twice[bit >> 6] |= seen[bit >> 6] & mask;
        seen[bit >> 6] |= mask;
    }
    std::vector<std::uint16_t> out(static_cast<std::size_t>(n - first) + 1);
    const std::uint64_t size = 64 * known_.size() - 1;
    Index found = 0;
    for (Index i = first; i < n; ++i) {
        const std::uint64_t bit = hashes[i] >> 48, kept = hashes[i] >> 20 & size;
        out[found] = static_cast<std::uint16_t>(i);
        found += ((twice[bit >> 6] >> (bit & 63)) | (known_[kept >> 6] >> (kept & 63))) & 1;
    }
    out.resize(found);
    return out;
}

void Frequent::index(Index entry) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = entries_[entry].hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = (entries_[entry].hash & tag_mask) | static_cast<std::uint64_t>(entry + 1);
}

void Frequent::rebuild(std::size_t slots) {
    slots_.assign(slots, 0);
    for (Index e = 0; e < static_cast<Index>(entries_.size()); ++e) index(e);
}

void Frequent::insert(std::uint64_t hash, std::uint64_t key, const Text* text, std::int64_t count,
                      std::int64_t late, std::uint64_t size) {
    if (text != nullptr) {
        key = bytes_.size();
        bytes_.append(text->data, static_cast<std::size_t>(kept(static_cast<Index>(size))));
    }
    entries_.push_back({hash, key, count, late, size});
    if (!known_.empty()) filter(hash);
    if (2 * entries_.size() > slots_.size())
        rebuild(std::max<std::size_t>(64, 2 * slots_.size()));
    else
        index(static_cast<Index>(entries_.size()) - 1);
}

void Frequent::absorb(const std::uint64_t* hashes, const std::uint64_t* keys, const Text* texts,
                      const std::int64_t* times, Index n) {
    if (n > block_rows) throw InvalidArgument("more values than a block has");
    texts_ = texts_ || texts != nullptr;
    if (texts != nullptr) keys = hashes;  // not looked at
    Index i = 0;
    for (; exact_ && i < n; ++i) {
        const Text* const text = texts == nullptr ? nullptr : texts + i;
        const std::int64_t count = times == nullptr ? 1 : times[i];
        const Index known = find(hashes[i], keys + i, text);
        if (known >= 0) {
            entries_[known].count += count;
        } else if (static_cast<Index>(entries_.size()) < limit_) {
            insert(hashes[i], text == nullptr ? keys[i] : 0, text, count, 0,
                   text == nullptr ? 0 : static_cast<std::uint64_t>(text->size));
        } else {
            exact_ = false;
            break;
        }
        total_ += count;
    }
    if (i < n) absorb_some(hashes, keys, texts, times, i, n);
}

void Frequent::absorb_some(const std::uint64_t* hashes, const std::uint64_t* keys,
                           const Text* texts, const std::int64_t* times, Index first, Index n) {
    prune(2 * limit_);  // before the block, so that whoever counts hashes can see all that was new
    BlockCounts block;
    const auto same = [&](Index a, Index b) {
        return hashes[a] == hashes[b] && (texts == nullptr || equal(texts[a], texts[b]));
    };
    const bool passes_over = n - first >= least_block && times == nullptr;
    bool passed_over = false;
    if (passes_over) {
        const std::vector<std::uint16_t> some = candidates(hashes, first, n);
        for (const std::uint16_t i : some) block.add(hashes[i], i, 1, same);
        total_ += n - first;
        passed_over = static_cast<Index>(some.size()) < n - first;
    } else {
        for (Index i = first; i < n; ++i) {
            const std::int64_t count = times == nullptr ? 1 : times[i];
            block.add(hashes[i], i, count, same);
            total_ += count;
        }
    }
    for (const auto& [i, count] : block.values()) {
        const Text* const text = texts == nullptr ? nullptr : texts + i;
        const Index known = find(hashes[i], keys + i, text);
        if (known >= 0)
            entries_[known].count += count;
        else if (count == 1 && passes_over)
            passed_over = true;
        else
            insert(hashes[i], text == nullptr ? keys[i] : 0, text, count, error_,
                   text == nullptr ? 0 : static_cast<std::uint64_t>(text->size));
    }
    error_ += passed_over;
}

// Where more than `most` values are kept, the `limit` that may be the most frequent stay.
void Frequent::prune(Index most) {
    if (static_cast<Index>(entries_.size()) <= most) return;
    const auto bound = [](const Entry& e) { return e.count + e.late; };
    std::vector<std::int64_t> bounds;
    for (const Entry& e : entries_) bounds.push_back(bound(e));
    const auto cut = bounds.begin() + limit_ - 1;
    std::nth_element(bounds.begin(), cut, bounds.end(), std::greater<>());
    const std::int64_t least = *cut;
    Index ties = limit_ - std::count_if(entries_.begin(), entries_.end(),
                                        [&](const Entry& e) { return bound(e) > least; });
    const std::vector<Entry> before = std::move(entries_);
    const std::string bytes = std::move(bytes_);
    entries_.clear();
    bytes_.clear();
    for (Entry entry : before) {
        if (bound(entry) > least || (bound(entry) == least && ties-- > 0)) {
            if (texts_) {
                const auto size = static_cast<std::size_t>(kept(static_cast<Index>(entry.size)));
                bytes_.append(bytes, entry.key, size);
                entry.key = bytes_.size() - size;
            }
            entries_.push_back(entry);
        } else {
            error_ = std::max(error_, bound(entry));
        }
    }
    rebuild(slots_.size());
    known_.clear();
}

void Frequent::merge(const Frequent& other) {
    if (&other == this) return merge(Frequent(other));
    if (limit_ != other.limit_)
        throw InvalidArgument("frequent values of different limits do not merge");
    texts_ = texts_ || other.texts_;
    const auto own = static_cast<Index>(entries_.size());
    std::vector<bool> met(entries_.size());
    for (const Entry& entry : other.entries_) {
        // a kept text begins as the whole one does, and is compared by what is kept
        Text text;
        if (texts_) text = {other.bytes_.data() + entry.key, static_cast<Index>(entry.size)};
        const Text* const given = texts_ ? &text : nullptr;
        const Index known = find(entry.hash, &entry.key, given);
        if (known >= 0 && known < own) {
            entries_[known].count += entry.count;
            entries_[known].late += entry.late;
            met[known] = true;
        } else {
            insert(entry.hash, entry.key, given, entry.count, entry.late + error_, entry.size);
        }
    }
    for (Index e = 0; e < own; ++e)
        if (!met[e]) entries_[e].late += other.error_;
    total_ += other.total_;
    error_ += other.error_;
    exact_ = exact_ && other.exact_ && static_cast<Index>(entries_.size()) <= limit_;
    if (!exact_) prune(2 * limit_);
}

void Frequent::restore_entry(const Entry& entry, const Text& text) {
    if (entry.count < 0 || entry.late < 0 ||
        static_cast<Index>(entries_.size()) >= 2 * limit_ + block_rows)
        throw InvalidArgument("these are not the counts of frequent values");
    texts_ = text.data != nullptr;
    insert(entry.hash, entry.key, text.data == nullptr ? nullptr : &text, entry.count, entry.late,
           entry.size);
}

void Frequent::restore(std::int64_t total, std::int64_t error, bool exact) {
    if (total < 0 || error < 0) throw InvalidArgument("these are not counts of frequent values");
    total_ = total;
    error_ = error;
    exact_ = exact;
}

}  // namespace stylobate::scan
