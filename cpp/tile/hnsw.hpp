// Hierarchical navigable small worlds (Malkov & Yashunin 2020): an approximate index of rows.
//
// Rows have codes of a byte for each column (or single floats); rows with one code are one node.
// Nodes are numbered so that those of the higher layers come first: layer l holds the numbers below
// sizes[l], and every layer is an array of links indexed by them. Walks compare codes, by whole
// numbers; the rows of what was found are measured again exactly, in double precision.
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

// All layers, the lowest, which holds every node and twice as many links, first.
std::vector<Layer> layers_of(const std::uint32_t* links, const std::uint32_t* upper,
                             const std::int64_t* sizes, Index count, Index degree);

// Numbers and layers: node order[i] has number i.
struct Numbering {
    std::vector<std::uint32_t> order;
    std::vector<std::int64_t> sizes;
};
// The nodes marked in `last` come last, in the lowest layer only.
Numbering hnsw_numbering(Index nodes, Index degree, std::uint64_t seed,
                         const std::vector<bool>& last = {});

struct Graph {
    std::vector<std::uint32_t> links, upper;
};

// Inserts the numbers in order, `effort` candidates looked at for each. Numbers of a round see the
// graph the rounds before left, and are linked in order: the same graph with any number of threads.
// Numbers from sizes[0] on are left out.
Graph hnsw_build(const CodeRows& codes, const std::vector<std::int64_t>& sizes, Index degree,
                 Index effort);

// Inserts the numbers first … sizes[0] − 1, of the lowest layer only, into a graph without them.
void hnsw_extend(const CodeRows& codes, const std::vector<std::int64_t>& sizes, Index degree,
                 Index effort, Index first, Graph& graph);

// What is asked of a graph: the k nearest of each query with `effort` candidates.
struct Walk {
    Index k = 1, effort = 1;
    // Not null: query i is row own[i] in node numbers[i], which is none of its neighbours.
    const std::int64_t* own = nullptr;
    const std::uint32_t* numbers = nullptr;
};

template <class T>
struct Searched {
    const std::vector<Layer>& layers;
    const CodeRows& codes;
    const Coding& coding;
    const std::int64_t* starts;  // these three as in Nodes
    const std::uint32_t* members;
    const double* errors;
    MatrixView<T> rows;
};

// values and rows: queries × k, nearest first, ties by row; squared distances, or sums of absolute
// differences. Row −1 where fewer than k rows were reached.
template <class T>
void hnsw_nearest(const Searched<T>& graph, const MatrixView<T>& queries, const Walk& wish,
                  double* values, std::int64_t* rows);

}  // namespace stylobate::tile
