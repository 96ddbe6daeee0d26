// A network for tables: columns, layers, and where its parameters stand.
//
// A row becomes inputs: each number and some learnt waves of it, plain numbers (marks, two values),
// categories as zeros and ones or as learnt vectors. Every member of the ensemble scales the inputs
// by factors of its own, sends them through hidden layers all members share, and has its own last
// layer.
#pragma once

#include <cstdint>
#include <vector>

#include "network/output.hpp"

namespace stylobate::network {

struct TabularShape {
    struct Category {
        Index count, width;  // of categories; of their learnt vectors, 0: zeros and ones
        Index inputs() const { return width == 0 ? count : width; }
    };

    Index waved, plain;        // numbers of either kind; the waved ones stand in front
    Index frequencies, waves;  // of a waved number: cosines, and combinations of them
    std::vector<Category> categories;
    std::vector<Index> hidden;  // units of the layers, at least one layer
    Index outputs, members;
    Output output;

    Index numbers() const { return waved + plain; }
    Index wave_parameters() const { return 2 * frequencies + waves * frequencies + waves; }
    Index inputs() const {
        Index count = waved * (1 + waves) + plain;
        for (const Category& category : categories) count += category.inputs();
        return count;
    }
};

// Parameters in the order they stand: of every waved number its frequencies, shifts, combinations
// (waves × frequencies) and their constants; tables of categories; the members' factors; weights,
// then biases of the hidden layers; weights, then biases of the members' last layers.
struct TabularPlaces {
    std::vector<Index> tables, weights, biases;  // of categories; of hidden layers
    Index waves = 0, factors = 0, head_weights = 0, head_biases = 0, count = 0;

    explicit TabularPlaces(const TabularShape& shape) {
        count = shape.waved * shape.wave_parameters();
        for (const auto& category : shape.categories) {
            tables.push_back(count);
            count += category.count * category.width;
        }
        factors = count;
        count += shape.members * shape.inputs();
        Index inputs = shape.inputs();
        for (const Index units : shape.hidden) {
            weights.push_back(count);
            count += inputs * units;
            inputs = units;
        }
        for (const Index units : shape.hidden) {
            biases.push_back(count);
            count += units;
        }
        head_weights = count;
        count += shape.members * inputs * shape.outputs;
        head_biases = count;
        count += shape.members * shape.outputs;
    }
};

}  // namespace stylobate::network
