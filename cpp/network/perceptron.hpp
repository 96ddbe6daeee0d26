// A stack of dense layers: outputs, gradients, epochs.
//
// A batch is two loops. The first goes over blocks of its rows: gather, all layers forward, loss,
// all layers backward; nothing of one row depends on another. The second goes over blocks of
// weights: the sums of gradients of the block over the batch, its step, and its packed copies,
// while they are in cache. No sum depends on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "network/dense_layer.hpp"
#include "network/optimiser.hpp"
#include "network/output.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::network {

struct Shape {
    std::vector<Index> units;  // inputs, hidden layers, outputs
    Activation hidden;
    Output output;

    Index weights() const;     // of all layers
    Index parameters() const;  // weights and biases
};

// Dense rows (entries side by side) or compressed ones, columns ascending.
template <class T>
struct Inputs {
    const T* dense = nullptr;
    Index stride = 0;
    const T* values = nullptr;
    const std::int32_t* columns = nullptr;
    const std::int64_t* offsets = nullptr;

    bool is_sparse() const { return dense == nullptr; }
};

template <class T>
class Perceptron {
 public:
    // `parameters`: the weights of all layers (inputs × outputs, row by row), then the biases.
    Perceptron(const Shape& shape, T* parameters, Index batch);

    // The outputs of rows 0 … n − 1.
    void predict(const Inputs<T>& x, Index n, T* out);
    // Batches of n rows in an order (null: as they stand); the mean over rows of their batch's
    // penalised loss.
    double epoch(const Inputs<T>& x, const Targets<T>& y, const std::int64_t* order, Index n,
                 Optimiser<T>& optimiser);

 private:
    struct Unit {                   // a block of rows of a layer's weights
        Index layer, from, to, at;  // at: of its weights among all parameters
        Block<T> tile;              // where the sums of its gradients are made
    };
    struct Rows {  // of the batch at hand
        const Inputs<T>& x;
        const std::int64_t* order;
        Index first, count;
        Index operator[](Index i) const { return order == nullptr ? first + i : order[first + i]; }
    };

    void hold_inputs(const Inputs<T>& x);
    void hold_sums(const Inputs<T>& x);
    void forward(const Rows& rows, Index from, Index to);
    void first_layer(const Rows& rows, Index from, Index to, bool floor);
    double backward(const Rows& rows, const Targets<T>& y, Index from, Index to);
    double losses(const Rows& rows, const Targets<T>& y);
    double move(const Rows& rows, Optimiser<T>& optimiser, const Step& step);
    const T* sum_gradients(const Rows& rows, Unit& unit);
    const T* sum_sparse(const Rows& rows, const Unit& unit);
    void move_bias(const Rows& rows, Index layer, Optimiser<T>& optimiser, Step step);
    template <class Body>
    void loop(Index chunks, const Body& body);

    Index last() const { return static_cast<Index>(layers_.size()) - 1; }

    Shape shape_;
    T* parameters_;
    Index batch_;
    std::vector<DenseLayer<T>> layers_;
    std::vector<Block<T>> values_, deltas_;  // of the batch; values_[0] are its inputs
    std::vector<Unit> units_;
    std::vector<T> sparse_sums_;  // of gradients of the first layer, where rows are compressed
    bool small_;                  // too little work for several threads
};

extern template class Perceptron<float>;
extern template class Perceptron<double>;

}  // namespace stylobate::network
