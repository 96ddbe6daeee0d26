// Documents → terms → counts: bags of words, or of n-grams of words or characters.
//
// Documents are read as they lie in memory (code points of 1, 2 or 4 bytes); a term is its UTF-8
// bytes. What a letter is and what its lower case comes from the caller, as a table.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "scan/text_terms.hpp"
#include "stylobate/views.hpp"

namespace stylobate::scan {

constexpr std::uint32_t code_points = 0x110000;

struct Document {
    const void* units = nullptr;  // code points
    Index length = 0;
    int width = 1;  // bytes per code point: 1, 2 or 4
};

// What each code point is. Lower case is one code point for one; the caller lowers a document that
// holds others by itself.
struct Alphabet {
    static constexpr std::uint8_t word = 1, space = 2;
    std::vector<std::uint8_t> kinds;          // of a code point: code_points entries
    std::vector<std::uint8_t> lowered_kinds;  // of its lower case
    std::vector<std::uint32_t> lower;         // of the first code points; others are their own
};

enum class Unit { words, characters, characters_in_words };

// How a document becomes terms.
struct Analysis {
    const Alphabet* alphabet = nullptr;
    const Terms* stop_words = nullptr;  // left out before n-grams are formed; may be null
    Unit unit = Unit::words;
    bool lowercase = true;
    Index shortest = 2;         // characters of a word
    Index least = 1, most = 1;  // words or characters of a term
};

// Rows of a sparse matrix of counts, as one chunk of documents gives them.
struct CountedRows {
    struct Entry {
        std::uint32_t column;
        std::int32_t count;
    };
    std::vector<Index> sizes;  // entries of each row
    std::vector<Entry> entries;
};

// A sparse matrix in the caller's types; columns increase within a row.
template <class Value, class Int>
struct CountMatrix {
    std::vector<Int> offsets;
    std::unique_ptr<Int[]> columns;
    std::unique_ptr<Value[]> values;
};

// Learns the terms of documents as it counts them.
class TermCounter {
 public:
    // Chunks do not depend on the threads and are merged in order.
    void add(const Document* documents, Index n, const Analysis& analysis);

    // Terms in the order of their code points: their numbers, as `terms` knows them.
    std::vector<std::uint32_t> sorted() const;
    const Terms& terms() const { return terms_; }
    const std::vector<std::int64_t>& documents_with() const { return documents_with_; }
    const std::vector<std::int64_t>& occurrences() const { return occurrences_; }
    const std::vector<CountedRows>& parts() const { return parts_; }

 private:
    Terms terms_;
    std::vector<std::int64_t> documents_with_, occurrences_;  // of each term
    std::vector<CountedRows> parts_;
};

// Counts terms of a vocabulary that is known; the others are passed over.
std::vector<CountedRows> count_known(const Terms& vocabulary, const Document* documents, Index n,
                                     const Analysis& analysis);

// Counts terms by |MurmurHash3| mod columns; `alternate`: its sign is that of the hash.
std::vector<CountedRows> count_hashed(Index columns, bool alternate, const Document* documents,
                                      Index n, const Analysis& analysis);

constexpr std::uint32_t no_column = 0xffffffffu;

Index entries_of(const std::vector<CountedRows>& parts);

// One matrix of all rows. `place`: the column of each number in the parts, or no_column; null
// where they are columns already. `binary`: 1 in place of each count.
template <class Value, class Int>
CountMatrix<Value, Int> assembled(const std::vector<CountedRows>& parts, const std::uint32_t* place,
                                  bool binary);

enum class RowNorm { none, l1, l2 };

// In place, on the rows of a CSR matrix: t → (1 + log t if sublinear) · idf, then divided by the
// norm of its row. idf may be null.
template <class Value, class Int>
void weigh_rows(const Int* offsets, const Int* columns, Value* values, Index rows, const Value* idf,
                bool sublinear, RowNorm norm);

}  // namespace stylobate::scan
