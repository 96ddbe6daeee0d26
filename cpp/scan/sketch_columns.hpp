// Everything that is kept of a column, and of the rows of a table, in one pass over batches.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "scan/column.hpp"
#include "scan/sketch_cells.hpp"
#include "scan/sketch_distinct.hpp"
#include "scan/sketch_frequent.hpp"
#include "scan/sketch_quantiles.hpp"
#include "scan/sketch_rows.hpp"
#include "scan/sketch_shape.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {

// Lengths of texts, in bytes and in characters of UTF-8.
struct Lengths {
    std::int64_t count = 0, empty = 0;
    std::int64_t bytes = 0, least_bytes = 0, most_bytes = 0;
    std::int64_t characters = 0, least_characters = 0, most_characters = 0;

    void absorb(const Text& text, std::int64_t times);
    void merge(const Lengths& other);
};

struct SketchSizes {
    Index quantiles = Quantiles::default_k;
    int distinct_bits = Distinct::default_bits;
    Index frequent = Frequent::default_limit;
    std::uint64_t seed = 0;
    bool with_shape = true, with_quantiles = true, with_values = true;  // what is kept
};

// What the rows of a batch tell together; written by one column at a time.
struct RowNotes {
    std::uint64_t* hashes = nullptr;   // one for each row: sums, so that columns come in any order
    std::uint64_t salt = 1;            // of the column
    std::uint64_t* missing = nullptr;  // a bit for each row
};

class ColumnSketch {
 public:
    explicit ColumnSketch(const SketchSizes& sizes = {});

    void absorb(const ColumnView& view, const RowNotes& notes, Checkpoint& checkpoint);
    void merge(const ColumnSketch& other);

    SketchSizes sizes;
    KeyKind kind = KeyKind::none;  // none until a cell of a kind is met
    std::int64_t rows = 0, missing = 0;
    Shape shape;
    Quantiles quantiles;
    Frequent frequent;
    Distinct distinct;  // fed only while `frequent` does not know all values
    Lengths lengths;

    bool distinct_is_exact() const { return frequent.is_exact(); }
    double distinct_values() const;

 private:
    void learn_kind(KeyKind found);
    void absorb_numbers(const ColumnView& view, const RowNotes& notes, Checkpoint& checkpoint);
    void absorb_texts(const ColumnView& view, const RowNotes& notes, Checkpoint& checkpoint);
    void absorb_words(const ColumnView& view, const RowNotes& notes, Checkpoint& checkpoint);
    void absorb_missing(const ColumnView& view, const RowNotes& notes);
    void count_values(const std::uint64_t* hashes, const std::uint64_t* keys, const Text* texts,
                      const std::int64_t* times, Index n);
};

// Sketches of all columns of a table, and of its rows where they are asked for.
class TableSketch {
 public:
    TableSketch(Index columns, const SketchSizes& sizes, bool rows, Index most_rows,
                Index most_patterns);

    // Rows start … of the table, all columns of one length.
    void absorb(const std::vector<const ColumnView*>& columns, std::int64_t start);
    void merge(const TableSketch& other);

    std::vector<ColumnSketch> columns;
    bool has_rows;
    std::int64_t rows = 0;
    RowSet row_set;
    Patterns patterns;
};

}  // namespace stylobate::scan
