// Layouts of weighted graphs of neighbours: rows are drawn to their neighbours and pushed from rows
// drawn by chance (McInnes, Healy & Melville 2018, UMAP).
//
// Every row moves itself, from the positions of all rows at the start of an epoch; its chance numbers
// are a function of seed, epoch and the row's key. So the answer does not depend on the threads.
#pragma once

#include <cstdint>

#include "embed/layout_kernels.hpp"

namespace stylobate::layout {

struct LayoutOptions {
    Curve curve;
    double learning_rate;  // see LayoutEpoch
    double momentum;       // of the first epoch
    double repulsion;      // see LayoutEpoch
    Index draws;           // strangers of a row in an epoch
    Index epochs;          // of the whole layout
    std::uint64_t seed;
};

// Rows of a layout and what they are tied to. Without `fixed` columns are rows of the layout itself.
struct LayoutGraph {
    Index rows, dimensions;
    const std::int64_t* offsets;  // rows + 1
    const std::int32_t* columns;
    const float* weights;
    const std::uint64_t* keys;  // of the rows' random numbers
    const float* fixed;         // points that do not move, or null
    Index points;               // rows, or the number of those that do not move
};

// Epochs first … last − 1 of the layout; positions and last steps, rows × dimensions, are changed in
// place. Throws InvalidArgument where the graph is none.
void neighbour_layout(const LayoutGraph& graph, const LayoutOptions& options, Index first,
                      Index last, float* positions, float* steps);

}  // namespace stylobate::layout
