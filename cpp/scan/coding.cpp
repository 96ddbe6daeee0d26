#include <algorithm>
#include <cstring>

#include "scan/counting.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index chunk_rows = Index{1} << 16;

std::uint64_t mixed(std::uint64_t x) {  // the finaliser of splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

std::uint64_t hash_of(const std::uint8_t* item, Index bytes) {
    std::uint64_t hash = static_cast<std::uint64_t>(bytes);
    for (; bytes >= 8; bytes -= 8, item += 8) {
        std::uint64_t word;
        std::memcpy(&word, item, 8);
        if (word != 0) hash = mixed(hash ^ word) + static_cast<std::uint64_t>(bytes);
    }
    std::uint64_t word = 0;
    std::memcpy(&word, item, static_cast<std::size_t>(bytes));
    return mixed(hash ^ word);
}

// Values by their rows, numbered as they come; open addressing, at most half full.
class Dictionary {
 public:
    Dictionary(const std::uint8_t* items, Index bytes)
        : items_(items), bytes_(bytes), slots_(64, none) {}

    std::int32_t number_of(Index row) {
        const std::uint64_t hash = hash_of(item(row), bytes_);
        std::size_t slot = find(hash, row);
        if (slots_[slot] != none) return slots_[slot];
        slots_[slot] = static_cast<std::int32_t>(first_.size());
        first_.push_back(row);
        hashes_.push_back(hash);
        if (2 * first_.size() > slots_.size()) grow();
        return static_cast<std::int32_t>(first_.size()) - 1;
    }
    const std::vector<std::int64_t>& first() const { return first_; }

 private:
    static constexpr std::int32_t none = -1;

    const std::uint8_t* item(Index row) const { return items_ + row * bytes_; }
    std::size_t find(std::uint64_t hash, Index row) const {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
            const std::int32_t held = slots_[slot];
            if (held == none ||
                (hashes_[held] == hash &&
                 std::memcmp(item(first_[held]), item(row), static_cast<std::size_t>(bytes_)) == 0))
                return slot;
        }
    }
    void grow() {
        slots_.assign(2 * slots_.size(), none);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t k = 0; k < first_.size(); ++k) {
            std::size_t slot = hashes_[k] & mask;
            while (slots_[slot] != none) slot = (slot + 1) & mask;
            slots_[slot] = static_cast<std::int32_t>(k);
        }
    }

    const std::uint8_t* items_;
    Index bytes_;
    std::vector<std::int32_t> slots_;
    std::vector<std::int64_t> first_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace

Codes code_items(const std::uint8_t* items, Index rows, Index bytes) {
    const Index chunks = (rows + chunk_rows - 1) / chunk_rows;
    const auto end = [&](Index c) { return std::min(rows, (c + 1) * chunk_rows); };
    Codes out;
    out.codes.resize(rows);
    // each chunk numbers its own values; then all chunks' values are numbered, and the rows told
    std::vector<std::vector<std::int64_t>> firsts(chunks);
    parallel_for(chunks, [&](Index c, Checkpoint&) {
        Dictionary seen(items, bytes);
        for (Index i = c * chunk_rows; i < end(c); ++i) out.codes[i] = seen.number_of(i);
        firsts[c] = seen.first();
    });
    Dictionary all(items, bytes);
    std::vector<std::vector<std::int32_t>> number(chunks);
    for (Index c = 0; c < chunks; ++c)
        for (const std::int64_t row : firsts[c]) number[c].push_back(all.number_of(row));
    parallel_for(chunks, [&](Index c, Checkpoint&) {
        for (Index i = c * chunk_rows; i < end(c); ++i) out.codes[i] = number[c][out.codes[i]];
    });
    out.first = all.first();
    return out;
}

}  // namespace stylobate::scan
