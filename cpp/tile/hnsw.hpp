// Hierarchical navigable small worlds (Malkov & Yashunin 2020): an approximate index of rows.
//
// Rows are numbered so that those of the higher layers come first: layer l holds the numbers below
// sizes[l], and every layer is an array of links indexed by them. While walking, rows are compared
// by codes of a few bits whose distances are whole numbers (or single floats); what was found is
// measured again from the rows themselves, in double precision.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"
#include "tile/hnsw_codes.hpp"

namespace stylobate::tile {

constexpr std::uint32_t no_link = 0xFFFFFFFFu;
constexpr Index most_numbers = Index{1} << 31;

// The links of one layer: `width` for each of `count` numbers, the last followed by `no_link`.
struct Layer {
    const std::uint32_t* links = nullptr;
    Index count = 0, width = 0;

    const std::uint32_t* of(Index number) const { return links + number * width; }
};

// All layers, the lowest, which holds every row and twice as many links, first.
std::vector<Layer> layers_of(const std::uint32_t* links, const std::uint32_t* upper,
                             const std::int64_t* sizes, Index count, Index degree);

// Numbers and layers: row order[i] has number i.
struct Numbering {
    std::vector<std::uint32_t> order;
    std::vector<std::int64_t> sizes;
};
Numbering hnsw_numbering(Index rows, Index degree, std::uint64_t seed);

struct Graph {
    std::vector<std::uint32_t> links, upper;
};

// Inserts the numbers in order, `effort` candidates looked at for each. Numbers of a round see the
// graph the rounds before left, and are linked in order: the same graph with any number of threads.
Graph hnsw_build(const CodeRows& codes, const std::vector<std::int64_t>& sizes, Index degree,
                 Index effort);

// What is asked of a graph: the k nearest of each query with `effort` candidates.
struct Walk {
    Index k = 1, effort = 1;
    // Not null: query i is row number numbers[i], which is none of its neighbours; hidden, nothing
    // is learnt from it or its links either, as if it were new.
    const std::uint32_t* numbers = nullptr;
    bool hidden = false;
};

template <class T>
struct Searched {
    const std::vector<Layer>& layers;
    const CodeRows& codes;
    const Coding& coding;
    const double* errors;        // of the codes, as `encode` gives them
    const std::uint32_t* order;  // numbers → rows
    MatrixView<T> rows;
};

// values and rows: queries × k, nearest first, ties by row; squared distances, or sums of absolute
// differences. Row −1 where fewer than k rows were reached.
template <class T>
void hnsw_nearest(const Searched<T>& graph, const MatrixView<T>& queries, const Walk& wish,
                  double* values, std::int64_t* rows);

}  // namespace stylobate::tile
