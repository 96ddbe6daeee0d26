// What is kept of whole rows: which are repeated, which cells are missing together, a sample.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "scan/sketch_distinct.hpp"
#include "stylobate/views.hpp"

namespace stylobate::scan {

// Rows that repeat an earlier one, by 64-bit hashes of rows: exact (up to a collision, of
// probability n² / 2^65) while at most `limit` rows differ, else estimated.
class RowSet {
 public:
    static constexpr Index default_limit = Index{1} << 24;  // 256 MiB
    static constexpr Index most_examples = 10;

    explicit RowSet(Index limit = default_limit);

    void absorb(const std::uint64_t* hashes, Index n, std::int64_t start);
    void merge(const RowSet& other);

    bool is_exact() const { return exact_; }
    std::int64_t rows() const { return rows_; }
    double distinct() const;
    const std::vector<std::int64_t>& examples() const { return examples_; }  // rows that repeat

 private:
    static constexpr Index n_parts = 16;
    // Hashes that begin with the same four bits; 0 marks a free place, and is kept apart.
    struct Part {
        std::vector<std::uint64_t> places;
        Index size = 0;
        bool zero = false;
        bool insert(std::uint64_t hash);  // false if it is there
        void grow();
    };
    void keep_examples();
    void give_up();

    Index limit_;
    bool exact_ = true;
    std::int64_t rows_ = 0;
    std::vector<Part> parts_;
    Distinct distinct_;
    std::vector<std::int64_t> examples_;
};

// How often each set of columns is missing together.
class Patterns {
 public:
    Patterns(Index columns, Index limit);

    // `missing[j]`: bits of the rows that miss column j, or null where none does.
    void absorb(const std::vector<const std::uint64_t*>& missing, Index n);
    void merge(const Patterns& other);

    struct Pattern {
        std::vector<std::int64_t> columns;
        std::int64_t rows = 0;
    };
    std::int64_t complete() const { return complete_; }
    std::int64_t others() const { return others_; }  // rows whose pattern is not kept
    std::vector<Pattern> patterns() const;           // the most frequent first

 private:
    using Words = std::vector<std::uint64_t>;
    struct Hash {
        std::size_t operator()(const Words& words) const;
    };
    void add(const Words& words, std::int64_t rows);
    Index columns_, limit_;
    std::int64_t complete_ = 0, others_ = 0;
    std::unordered_map<Words, std::int64_t, Hash> counts_;
};

// The random number of a row: the k rows with the least ones are a uniform sample of k rows,
// however the rows are cut into batches.
std::uint64_t row_priority(std::uint64_t seed, std::int64_t row);

// Rows start … start + n − 1 whose number is below `most`, and their numbers.
void sample_rows(std::uint64_t seed, std::int64_t start, Index n, std::uint64_t most,
                 std::vector<std::int64_t>& rows, std::vector<std::uint64_t>& priorities);

}  // namespace stylobate::scan
