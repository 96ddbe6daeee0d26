#include "network/perceptron.hpp"

#include <algorithm>

namespace stylobate::network {
namespace {

constexpr Index block_rows = 48;       // of a batch, which one thread takes through all layers
constexpr Index small_work = 1 << 21;  // products of a batch that are done before others wake up

}  // namespace

Index Shape::weights() const {
    Index count = 0;
    for (std::size_t l = 0; l + 1 < units.size(); ++l) count += area(units[l], units[l + 1]);
    return count;
}

Index Shape::parameters() const {
    Index count = weights();
    for (std::size_t l = 1; l < units.size(); ++l) count += units[l];
    return count;
}

template <class T>
Perceptron<T>::Perceptron(const Shape& shape, T* parameters, Index batch)
    : shape_(shape), parameters_(parameters), batch_(batch), small_(true) {
    const auto n = static_cast<Index>(shape.units.size()) - 1;
    T *weights = parameters, *bias = parameters + shape.weights();
    layers_.reserve(static_cast<std::size_t>(n));
    values_.emplace_back();  // made when rows are dense
    for (Index l = 0; l < n; ++l) {
        const Index inputs = shape.units[l], outputs = shape.units[l + 1];
        layers_.emplace_back(inputs, outputs, weights, bias, l == 0);
        values_.emplace_back(batch, outputs);
        deltas_.emplace_back(batch, outputs);
        DenseLayer<T>& layer = layers_.back();
        for (Index u = 0; u < layer.units(); ++u) {
            const Index from = u * layer.unit_rows, to = std::min(inputs, from + layer.unit_rows);
            units_.push_back({l, from, to, weights - parameters + from * outputs, {}});
        }
        weights += inputs * outputs, bias += outputs;
    }
    small_ = shape.weights() * batch < small_work;
    loop(static_cast<Index>(units_.size()), [&](Index u, Checkpoint&) {
        layers_[units_[u].layer].pack(units_[u].from, units_[u].to);
    });
}

template <class T>
template <class Body>
void Perceptron<T>::loop(Index chunks, const Body& body) {
    if (!small_) return parallel_for(chunks, body);
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {
        for (Index chunk = 0; chunk < chunks; ++chunk) body(chunk, checkpoint);
    });
}

template <class T>
void Perceptron<T>::hold_inputs(const Inputs<T>& x) {
    if (!x.is_sparse() && values_[0].stride() == 0)
        values_[0] = Block<T>(batch_, layers_[0].inputs());
}

// Memory of the sums of gradients, for all batches to come.
template <class T>
void Perceptron<T>::hold_sums(const Inputs<T>& x) {
    for (Unit& unit : units_) {
        const DenseLayer<T>& layer = layers_[static_cast<std::size_t>(unit.layer)];
        if (unit.layer == 0 && x.is_sparse())
            sparse_sums_.resize(static_cast<std::size_t>(layer.inputs() * layer.outputs()));
        else if (unit.tile.stride() == 0)
            unit.tile = Block<T>(unit.to - unit.from, layer.outputs());
    }
}

template <class T>
void Perceptron<T>::first_layer(const Rows& rows, Index from, Index to, bool floor) {
    const DenseLayer<T>& layer = layers_[0];
    Block<T>& z = values_[1];
    if (!rows.x.is_sparse()) {
        Block<T>& x = values_[0];
        for (Index i = from; i < to; ++i) {
            const T* row = rows.x.dense + rows[i] * rows.x.stride;
            std::copy(row, row + layer.inputs(), x.row(i));
        }
        return layer.forward(x.row(from), x.stride(), to - from, floor, z.row(from), z.stride());
    }
    for (Index i = from; i < to; ++i) {
        std::copy(layer.padded_bias(), layer.padded_bias() + layer.outputs(), z.row(i));
        for (std::int64_t e = rows.x.offsets[rows[i]]; e < rows.x.offsets[rows[i] + 1]; ++e)
            add(rows.x.values[e], layer.weights() + rows.x.columns[e] * layer.outputs(),
                layer.outputs(), z.row(i));
        if (floor) activate(Activation::relu, z.row(i), layer.outputs());
    }
}

template <class T>
void Perceptron<T>::forward(const Rows& rows, Index from, Index to) {
    for (Index l = 0; l <= last(); ++l) {
        const bool hidden = l < last(), floor = hidden && shape_.hidden == Activation::relu;
        Block<T>& z = values_[l + 1];
        const Index outputs = layers_[l].outputs();
        if (l == 0)
            first_layer(rows, from, to, floor);
        else
            layers_[l].forward(values_[l].row(from), values_[l].stride(), to - from, floor,
                               z.row(from), z.stride());
        for (Index i = from; i < to; ++i) {
            if (!hidden)
                finish_row(shape_.output, z.row(i), outputs);
            else if (!floor && shape_.hidden != Activation::identity)
                activate(shape_.hidden, z.row(i), outputs);
        }
    }
}

template <class T>
double Perceptron<T>::backward(const Rows& rows, const Targets<T>& y, Index from, Index to) {
    const Index outputs = layers_[last()].outputs();
    double loss = 0.0;
    for (Index i = from; i < to; ++i)
        loss += row_loss(shape_.output, values_[last() + 1].row(i), outputs, y, rows[i],
                         deltas_[last()].row(i));
    for (Index l = last(); l > 0; --l) {
        Block<T>&d = deltas_[l], &dx = deltas_[l - 1];
        layers_[l].backward(d.row(from), d.stride(), to - from, dx.row(from), dx.stride());
        for (Index i = from; i < to; ++i)
            slope(shape_.hidden, values_[l].row(i), dx.row(i), layers_[l].inputs());
    }
    return loss;
}

template <class T>
void Perceptron<T>::predict(const Inputs<T>& x, Index n, T* out) {
    hold_inputs(x);
    const Index outputs = layers_[last()].outputs();
    for (Index first = 0; first < n; first += batch_) {
        const Rows rows{x, nullptr, first, std::min(batch_, n - first)};
        loop((rows.count + block_rows - 1) / block_rows, [&](Index b, Checkpoint&) {
            const Index from = b * block_rows, to = std::min(rows.count, from + block_rows);
            forward(rows, from, to);
            for (Index i = from; i < to; ++i)
                std::copy_n(values_[last() + 1].row(i), outputs, out + (first + i) * outputs);
        });
    }
}

template <class T>
double Perceptron<T>::losses(const Rows& rows, const Targets<T>& y) {
    const Index blocks = (rows.count + block_rows - 1) / block_rows;
    std::vector<double> parts(static_cast<std::size_t>(blocks));
    loop(blocks, [&](Index b, Checkpoint&) {
        const Index from = b * block_rows, to = std::min(rows.count, from + block_rows);
        forward(rows, from, to);
        parts[static_cast<std::size_t>(b)] = backward(rows, y, from, to);
    });
    double loss = 0.0;
    for (const double part : parts) loss += part;
    return loss;
}

template <class T>
const T* Perceptron<T>::sum_sparse(const Rows& rows, const Unit& unit) {
    const Index outputs = layers_[0].outputs();
    T* sums = sparse_sums_.data() + unit.at;
    std::fill(sums, sums + (unit.to - unit.from) * outputs, T(0));
    for (Index i = 0; i < rows.count; ++i) {
        const std::int32_t* end = rows.x.columns + rows.x.offsets[rows[i] + 1];
        const std::int32_t* c = std::lower_bound(rows.x.columns + rows.x.offsets[rows[i]], end,
                                                 static_cast<std::int32_t>(unit.from));
        for (; c != end && *c < unit.to; ++c)
            add(rows.x.values[c - rows.x.columns], deltas_[0].row(i), outputs,
                sums + (*c - unit.from) * outputs);
    }
    return sums;
}

// The sums of a unit's gradients over the batch, in rows as its weights stand.
template <class T>
const T* Perceptron<T>::sum_gradients(const Rows& rows, Unit& unit) {
    if (unit.layer == 0 && rows.x.is_sparse()) return sum_sparse(rows, unit);
    const Index outputs = layers_[unit.layer].outputs(), count = unit.to - unit.from;
    Block<T>&x = values_[unit.layer], &d = deltas_[unit.layer], &padded = unit.tile;
    product({x.row(0) + unit.from, 1, x.stride(), d.row(0), d.stride(), strip<T>,
             rounded(count, row_unit), rows.count, outputs, nullptr, false, false, padded.data(),
             padded.stride()});
    T* sums = padded.data();  // rows move up to stand side by side
    for (Index i = 1; i < count; ++i)
        std::copy(padded.row(i), padded.row(i) + outputs, sums + i * outputs);
    return sums;
}

template <class T>
void Perceptron<T>::move_bias(const Rows& rows, Index l, Optimiser<T>& optimiser, Step step) {
    DenseLayer<T>& layer = layers_[l];
    std::vector<double> total(static_cast<std::size_t>(layer.outputs()), 0.0);
    for (Index i = 0; i < rows.count; ++i) {
        const T* d = deltas_[l].row(i);
        for (Index j = 0; j < layer.outputs(); ++j) total[j] += static_cast<double>(d[j]);
    }
    const std::vector<T> sums(total.begin(), total.end());
    step.decay = 0.0;
    optimiser.move(parameters_, layer.bias() - parameters_, layer.outputs(), sums.data(), step);
    layer.pack_bias();
}

template <class T>
double Perceptron<T>::move(const Rows& rows, Optimiser<T>& optimiser, const Step& step) {
    std::vector<double> squares(units_.size());
    const bool packs = optimiser.method != Method::gradient;
    loop(static_cast<Index>(units_.size()), [&](Index u, Checkpoint&) {
        Unit& unit = units_[static_cast<std::size_t>(u)];
        DenseLayer<T>& layer = layers_[static_cast<std::size_t>(unit.layer)];
        const T* sums = sum_gradients(rows, unit);
        squares[static_cast<std::size_t>(u)] = optimiser.move(
            parameters_, unit.at, (unit.to - unit.from) * layer.outputs(), sums, step);
        if (packs) layer.pack(unit.from, unit.to);
        if (unit.from == 0) move_bias(rows, unit.layer, optimiser, step);
    });
    double total = 0.0;
    for (const double part : squares) total += part;
    return total;
}

template <class T>
double Perceptron<T>::epoch(const Inputs<T>& x, const Targets<T>& y, const std::int64_t* order,
                            Index n, Optimiser<T>& optimiser) {
    hold_inputs(x);
    hold_sums(x);
    double total = 0.0;
    for (Index first = 0; first < n; first += batch_) {
        const Rows rows{x, order, first, std::min(batch_, n - first)};
        double weight = 0.0;
        for (Index i = 0; i < rows.count; ++i) weight += y.weight(rows[i]);
        if (!(weight > 0.0)) continue;  // rows that do not count
        const double loss = losses(rows, y);
        const double squares = move(rows, optimiser, optimiser.next(weight));
        const bool moves = optimiser.method != Method::gradient;
        total += moves ? (loss + 0.5 * optimiser.decay * squares) / weight *
                             static_cast<double>(rows.count)
                       : loss;
    }
    return optimiser.method == Method::gradient ? total : total / static_cast<double>(n);
}

template class Perceptron<float>;
template class Perceptron<double>;

}  // namespace stylobate::network
