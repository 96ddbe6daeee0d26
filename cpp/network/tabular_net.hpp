// Outputs, gradients and epochs of a network for tables.
//
// A batch is two loops, as in perceptron.hpp. The first goes over blocks of its rows: inputs, then
// for one member after the other forward, loss and backward. The second goes over blocks of
// parameters: sums of gradients over the batch, and the step. No sum depends on the number of
// threads.
#pragma once

#include <cstdint>
#include <vector>

#include "network/dense_layer.hpp"
#include "network/optimiser.hpp"
#include "network/tabular_kernels.hpp"
#include "network/tabular_shape.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::network {

// Rows: numbers without gaps, and numbers of categories (−1: none of them).
template <class T>
struct TabularRows {
    const T* numbers;
    const std::int32_t* codes;
};

// How training goes: rates[s] is that of step s, which the kinds of parameters multiply by factors
// of their own; weights also shrink by rate × decay.
struct TabularTraining {
    const double* rates;
    Index steps;
    double dropout, decay;
    std::uint64_t seed;
    double wave_rate, table_rate, factor_rate, bias_rate;
};

template <class T>
class TabularNet {
 public:
    TabularNet(const TabularShape& shape, T* parameters, Index batch);

    // The mean over members of the outputs of rows 0 … n − 1, of n × outputs.
    void predict(const TabularRows<T>& x, Index n, double* out);
    // Steps along n rows in an order (null: as they stand), cut into as many even batches; the
    // mean over rows and members of the loss (of the method `gradient`: the sum over rows).
    double epoch(const TabularRows<T>& x, const Targets<T>& y, const std::int64_t* order, Index n,
                 const TabularTraining& training, Optimiser<T>& optimiser);

 private:
    enum class Kind { layer, head, factors, waves, table };
    struct Unit {  // parameters whose gradients are summed and moved together
        Kind kind;
        Index which, from, to;  // the layer, member, number or category; rows of a layer's weights
        Block<T> sums;
    };
    struct Batch {
        const TabularRows<T>& x;
        const std::int64_t* order;
        Index first, count;
        Index operator[](Index i) const { return order == nullptr ? first + i : order[first + i]; }
    };

    void make_units();
    void put_inputs(const Batch& batch, Index from, Index to);
    void put_waves(Index j, T x, T* out);
    void forward(Index member, Index from, Index to, const TabularTraining* training);
    double backward(const Batch& batch, const Targets<T>& y, Index member, Index from, Index to);
    double losses(const Batch& batch, const Targets<T>& y, const TabularTraining& training);
    void move(const Batch& batch, const TabularTraining& training, Optimiser<T>& optimiser,
              const Step& step);
    void move_layer(const Batch& batch, Unit& unit, const TabularTraining& training,
                    Optimiser<T>& optimiser, Step step);
    void move_head(const Batch& batch, Unit& unit, const TabularTraining& training,
                   Optimiser<T>& optimiser, Step step);
    void move_weights(T* weights, Index count, const T* sums, const TabularTraining& training,
                      Optimiser<T>& optimiser, Step step, Index inputs);
    void move_bias(const Block<T>& d, Index first_row, Index members, Index rows,
                   DenseLayer<T>& layer, Optimiser<T>& optimiser, const Step& step);
    void move_factors(const Batch& batch, Unit& unit, Optimiser<T>& optimiser, const Step& step);
    void move_waves(const Batch& batch, Unit& unit, Optimiser<T>& optimiser, const Step& step);
    void move_table(const Batch& batch, Unit& unit, Optimiser<T>& optimiser, const Step& step);
    const T* packed_sums(const Block<T>& x, Index first_row, Index from, Index to,
                         const Block<T>& d, Index members, Index rows, Index outputs,
                         Block<T>& sums);
    T* factors(Index member) { return parameters_ + places_.factors + member * shape_.inputs(); }
    Index row_of(Index member, Index i) const { return member * padded_ + i; }
    Index last() const { return static_cast<Index>(layers_.size()) - 1; }
    template <class Body>
    void loop(Index chunks, const Body& body);

    TabularShape shape_;
    TabularPlaces places_;
    T* parameters_;
    Index batch_, padded_;  // rows of a batch, and how many a member's part is long
    std::vector<DenseLayer<T>> layers_, heads_;
    Block<T> inputs_;                                 // of the batch's rows, shared by members
    Block<T> input_deltas_;                           // their derivatives, summed over members
    Block<T> scaled_, scaled_deltas_;                 // of rows of members, times their factors
    std::vector<Block<T>> values_, slopes_, deltas_;  // of the hidden layers
    Block<T> outputs_, output_deltas_;
    std::vector<Unit> units_;
    std::uint64_t key_ = 0;  // of the batch's dropout
    bool small_;
};

extern template class TabularNet<float>;
extern template class TabularNet<double>;

}  // namespace stylobate::network
