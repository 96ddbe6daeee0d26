#include <algorithm>
#include <cmath>

#include "scan/keys.hpp"
#include "scan/text.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index chunk_rows = 4096;

// Entries of a chunk that keep a column.
Index kept(const CountedRows& rows, const std::uint32_t* place) {
    if (place == nullptr) return static_cast<Index>(rows.entries.size());
    return std::count_if(rows.entries.begin(), rows.entries.end(),
                         [&](const auto& entry) { return place[entry.column] != no_column; });
}

// Writes the rows of a chunk, columns in order; `end` of each row counts from `at`.
template <class Value, class Int>
void write_rows(const CountedRows& part, const std::uint32_t* place, bool binary, Index at,
                Int* offsets, CountMatrix<Value, Int>& out) {
    struct Record {
        std::uint32_t key;  // column
        std::int32_t count;
    };
    std::vector<Record> row, scratch;
    std::size_t entry = 0;
    for (const Index size : part.sizes) {
        row.clear();
        for (const std::size_t end = entry + static_cast<std::size_t>(size); entry < end; ++entry) {
            const auto [number, count] = part.entries[entry];
            const std::uint32_t column = place == nullptr ? number : place[number];
            if (column != no_column) row.push_back({column, count});
        }
        scratch.resize(row.size());
        sort_by_key<Record, 8>(row.data(), scratch.data(), static_cast<Index>(row.size()));
        for (const auto& [column, count] : row) {
            out.columns[at] = static_cast<Int>(column);
            out.values[at++] = binary ? Value(1) : static_cast<Value>(count);
        }
        *offsets++ = static_cast<Int>(at);
    }
}

// What one row's values are divided by; 0 leaves them.
template <class Value>
double norm_of(const Value* values, Index n, RowNorm norm) {
    double sum = 0.0;
    if (norm == RowNorm::l1)
        for (Index k = 0; k < n; ++k) sum += std::fabs(static_cast<double>(values[k]));
    if (norm == RowNorm::l2) {
        for (Index k = 0; k < n; ++k)
            sum += static_cast<double>(values[k]) * static_cast<double>(values[k]);
        sum = std::sqrt(sum);
    }
    return sum;
}

}  // namespace

template <class Value, class Int>
CountMatrix<Value, Int> assembled(const std::vector<CountedRows>& parts, const std::uint32_t* place,
                                  bool binary) {
    const auto chunks = static_cast<Index>(parts.size());
    std::vector<Index> begins(chunks + 1, 0), rows(chunks + 1, 0);
    parallel_for(chunks, [&](Index c, Checkpoint&) { begins[c + 1] = kept(parts[c], place); });
    for (Index c = 0; c < chunks; ++c) {
        begins[c + 1] += begins[c];
        rows[c + 1] = rows[c] + static_cast<Index>(parts[c].sizes.size());
    }
    CountMatrix<Value, Int> out;
    const auto entries = static_cast<std::size_t>(begins[chunks]);
    out.offsets.assign(rows[chunks] + 1, 0);
    out.columns = std::make_unique_for_overwrite<Int[]>(entries);
    out.values = std::make_unique_for_overwrite<Value[]>(entries);
    parallel_for(chunks, [&](Index c, Checkpoint&) {
        write_rows(parts[c], place, binary, begins[c], out.offsets.data() + rows[c] + 1, out);
    });
    return out;
}

template <class Value, class Int>
void weigh_rows(const Int* offsets, const Int* columns, Value* values, Index rows, const Value* idf,
                bool sublinear, RowNorm norm) {
    parallel_for((rows + chunk_rows - 1) / chunk_rows, [&](Index c, Checkpoint& checkpoint) {
        for (Index i = c * chunk_rows; i < std::min(rows, (c + 1) * chunk_rows); ++i) {
            if (i % 256 == 0) checkpoint();
            Value* const row = values + offsets[i];
            const Int* const at = columns + offsets[i];
            const auto n = static_cast<Index>(offsets[i + 1] - offsets[i]);
            if (sublinear)
                for (Index k = 0; k < n; ++k) row[k] = std::log(row[k]) + Value(1);
            if (idf != nullptr)
                for (Index k = 0; k < n; ++k) row[k] *= idf[at[k]];
            const double length = norm_of(row, n, norm);
            if (length == 0.0) continue;
            const auto divisor = static_cast<Value>(length);
            for (Index k = 0; k < n; ++k) row[k] /= divisor;
        }
    });
}

#define STYLOBATE_TEXT(Value, Int)                                              \
    template CountMatrix<Value, Int> assembled(const std::vector<CountedRows>&, \
                                               const std::uint32_t*, bool);
STYLOBATE_TEXT(std::int64_t, std::int32_t)
STYLOBATE_TEXT(std::int64_t, std::int64_t)
STYLOBATE_TEXT(double, std::int32_t)
STYLOBATE_TEXT(double, std::int64_t)
#undef STYLOBATE_TEXT
#define STYLOBATE_TEXT(Value, Int) \
    template void weigh_rows(const Int*, const Int*, Value*, Index, const Value*, bool, RowNorm);
STYLOBATE_TEXT(float, std::int32_t)
STYLOBATE_TEXT(float, std::int64_t)
STYLOBATE_TEXT(double, std::int32_t)
STYLOBATE_TEXT(double, std::int64_t)
#undef STYLOBATE_TEXT

}  // namespace stylobate::scan
