// Counts of values: exact while few differ, then of the frequent ones with a bound of the error.
//
// A value that is kept has been counted since it came in; before, it can have been seen at most
// `late` times. A value that is not kept has been seen at most `error()` times. Once more than
// `limit` values differ, only those that appear twice within a block of rows come in (a value
// passed over costs the bound 1 a block), and when twice `limit` are kept the rarer half leaves.
// After Manku & Motwani (2002), Approximate frequency counts over data streams, and Metwally,
// Agrawal & El Abbadi (2005), Efficient computation of frequent and top-k elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scan/column.hpp"

namespace stylobate::scan {

class Frequent {
 public:
    static constexpr Index default_limit = 10000;
    static constexpr std::uint32_t most_bytes = 256;  // kept of a text

    struct Entry {
        std::uint64_t hash = 0;
        std::uint64_t key = 0;  // of a number, or where the text begins
        std::int64_t count = 0;
        std::int64_t late = 0;
        std::uint64_t size = 0;  // of the text
    };

    explicit Frequent(Index limit = default_limit);

    // n ≤ block_rows values: by key, or by text where `texts` is given. `times` each, or once.
    void absorb(const std::uint64_t* hashes, const std::uint64_t* keys, const Text* texts,
                const std::int64_t* times, Index n);
    void merge(const Frequent& other);

    bool holds_texts() const { return texts_; }
    Index limit() const { return limit_; }
    bool is_exact() const { return exact_; }
    std::int64_t total() const { return total_; }
    std::int64_t error() const { return error_; }
    const std::vector<Entry>& entries() const { return entries_; }  // as they came in
    Text text(const Entry& entry) const;  // the first bytes of it where it is long

    // Puts entries back: an entry with its text, in order; then `restore` with the rest.
    void restore_entry(const Entry& entry, const Text& text);
    void restore(std::int64_t total, std::int64_t error, bool exact);

 private:
    Index find(std::uint64_t hash, const std::uint64_t* key, const Text* text) const;
    void insert(std::uint64_t hash, std::uint64_t key, const Text* text, std::int64_t count,
                std::int64_t late, std::uint64_t size);
    void absorb_some(const std::uint64_t* hashes, const std::uint64_t* keys, const Text* texts,
                     const std::int64_t* times, Index first, Index n);
    void prune(Index most);
    std::vector<std::uint16_t> candidates(const std::uint64_t* hashes, Index first, Index n);
    void filter(std::uint64_t hash);
    void index(Index entry);
    void rebuild(std::size_t slots);

    Index limit_;
    bool exact_ = true, texts_ = false;
    std::int64_t total_ = 0, error_ = 0;
    std::vector<Entry> entries_;
    std::string bytes_;                 // the texts, one after the other
    std::vector<std::uint64_t> known_;  // bits of the hashes kept: a filter once not exact
    std::vector<std::uint64_t> slots_;  // upper half of the hash, number of the entry + 1
};

}  // namespace stylobate::scan
