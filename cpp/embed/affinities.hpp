// Similarities of rows from their nearest neighbours: Gaussians of a given perplexity.
#pragma once

#include <cstdint>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tsne {

// Neighbours of each row: those of row i are at offsets[i] … offsets[i + 1].
struct Lists {
    const std::int64_t* offsets;
    Index rows;
};

// For each row, probabilities p_j ∝ exp(−β d_j) of its squared distances, with β such that their
// entropy is the logarithm of the perplexity; averaged over several perplexities. Where no β gives
// the perplexity (too few neighbours, or too many at the least distance) it is the nearest that one
// does. `precisions`, if not null: rows × perplexities.
std::vector<double> gaussian_affinities(const Lists& lists, const double* squares,
                                        const std::vector<double>& perplexities,
                                        double* precisions);

// Edges of an undirected graph, each in both of its rows; columns ascend.
struct EdgeLists {
    std::vector<std::int64_t> offsets;
    std::vector<std::int32_t> columns;
    std::vector<float> values;
};

// (P + Pᵀ) / (2 n), of n × n lists.
EdgeLists symmetrized(const Lists& lists, const std::int64_t* columns, const double* values);

}  // namespace stylobate::tsne
