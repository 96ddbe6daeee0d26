// Three ways to the repulsion of all points of a map: exactly, by a tree, by Fourier transforms.
//
//   force of i = Σ_{j≠i} (1 + d_ij/ν)^(−(ν + 3)/2) (y_i − y_j),   Z = Σ_{i≠j} (1 + d_ij/ν)^(−(ν +
//   1)/2)
//
// with d the squared distances. Forces are those of the Kullback–Leibler divergence times Z.
#pragma once

#include <memory>
#include <vector>

#include "stylobate/views.hpp"

namespace stylobate::tsne {

struct Map {
    const float* points;  // n × d, the coordinates of a point side by side
    Index n, d;
};

class Repulsion {
 public:
    virtual ~Repulsion() = default;
    // Writes forces (n × d), returns Z.
    virtual double compute(const Map& map, float* forces) = 0;
};

enum class Method { exact, barnes_hut, fourier };

std::unique_ptr<Repulsion> exact_repulsion(double dof);
std::unique_ptr<Repulsion> tree_repulsion(double dof, double angle);  // 1 to 3 dimensions
std::unique_ptr<Repulsion> fourier_repulsion(double dof);             // 1 or 2 dimensions
std::unique_ptr<Repulsion> repulsion_by(Method method, double dof, double angle);

// Coordinate c of all points at c · stride, the list filled up with points far away.
struct SplitPoints {
    std::vector<float> values;
    Index stride = 0;
    explicit SplitPoints(const Map& map);
};

}  // namespace stylobate::tsne
