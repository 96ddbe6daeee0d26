// Rows as codes: what an approximate index compares while it looks for candidates.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"
#include "tile/code_measure.hpp"

namespace stylobate::tile {

// A column's value x has the code (x − low) · scale: rounded to 0 … 255, or a single float.
struct Coding {
    CodeMeasure measure = CodeMeasure::byte_squared;
    std::vector<double> low;
    double scale = 1.0;

    bool bytes() const {
        return measure == CodeMeasure::byte_squared || measure == CodeMeasure::byte_manhattan;
    }
    bool manhattan() const {
        return measure == CodeMeasure::byte_manhattan || measure == CodeMeasure::float_manhattan;
    }
    // Bytes of a row: whole cache lines, the rest zero.
    Index stride() const {
        const Index used = static_cast<Index>(low.size()) * (bytes() ? 1 : 4);
        return (used + 63) / 64 * 64;
    }
};

// Codes of rows, `stride` bytes apart.
struct CodeRows {
    CodeMeasure measure = CodeMeasure::byte_squared;
    const unsigned char* data = nullptr;
    Index rows = 0, stride = 0;

    const unsigned char* row(Index number) const { return data + number * stride; }
};

// Writes the code of one row; returns the distance between the row and what its code stands for.
template <class T>
double encode(const Coding& coding, const T* row, unsigned char* out);

// Rows with the same code are one node of a graph: members[starts[i]] … members[starts[i + 1] − 1]
// are the rows of node i, in order.
struct Nodes {
    std::vector<std::int64_t> starts;
    std::vector<std::uint32_t> members;
    std::vector<unsigned char> codes;  // of the nodes
    std::vector<double> errors;        // of the members
    Index count() const { return static_cast<Index>(starts.size()) - 1; }
};

// All rows as nodes, in the order of their first rows.
template <class T>
Nodes encode_rows(const Coding& coding, const MatrixView<T>& rows);

// The same nodes with order[i] as number i.
Nodes reordered(const Nodes& nodes, const std::vector<std::uint32_t>& order, Index stride);

}  // namespace stylobate::tile
