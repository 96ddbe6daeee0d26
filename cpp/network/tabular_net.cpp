#include "network/tabular_net.hpp"

#include <algorithm>
#include <cmath>

namespace stylobate::network {
namespace {

constexpr Index block_rows = 48;       // of a batch, which one thread takes through all members
constexpr Index small_work = 1 << 21;  // products of a batch that are done before others wake up

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

Index blocks_of(Index rows) {
    return (rows + block_rows - 1) / block_rows;
}

}  // namespace

template <class T>
TabularNet<T>::TabularNet(const TabularShape& shape, T* parameters, Index batch)
    : shape_(shape),
      places_(shape),
      parameters_(parameters),
      batch_(batch),
      padded_(rounded(batch, block_rows)) {
    const Index width = shape.inputs(), rows = padded_ * shape.members;
    inputs_ = Block<T>(batch, width), input_deltas_ = Block<T>(batch, width);
    scaled_ = Block<T>(rows, width), scaled_deltas_ = Block<T>(rows, width);
    Index inputs = width, work = 0;
    for (std::size_t l = 0; l < shape.hidden.size(); ++l) {
        const Index units = shape.hidden[l];
        layers_.emplace_back(inputs, units, parameters + places_.weights[l],
                             parameters + places_.biases[l], false);
        values_.emplace_back(rows, units), slopes_.emplace_back(rows, units);
        deltas_.emplace_back(rows, units);
        work += area(inputs, units);
        inputs = units;
    }
    outputs_ = Block<T>(rows, shape.outputs), output_deltas_ = Block<T>(rows, shape.outputs);
    const Index k = shape.outputs;
    for (Index m = 0; m < shape.members; ++m)
        heads_.emplace_back(inputs, k, parameters + places_.head_weights + m * inputs * k,
                            parameters + places_.head_biases + m * k, false);
    small_ = work * shape.members * batch < small_work;
    make_units();
    for (DenseLayer<T>& layer : layers_) layer.pack(0, layer.inputs());
    for (DenseLayer<T>& head : heads_) head.pack(0, inputs);
}

template <class T>
void TabularNet<T>::make_units() {
    for (Index l = 0; l <= last(); ++l) {
        constexpr Index step = DenseLayer<T>::unit_rows;
        const DenseLayer<T>& layer = layers_[l];
        for (Index from = 0; from < layer.inputs(); from += step)
            units_.push_back({Kind::layer, l, from, std::min(layer.inputs(), from + step),
                              Block<T>(step, layer.outputs())});
    }
    const Index tail = shape_.hidden.back();
    for (Index m = 0; m < shape_.members; ++m) {
        units_.push_back({Kind::head, m, 0, tail, Block<T>(tail, shape_.outputs)});
        units_.push_back({Kind::factors, m, 0, 0, Block<T>(1, shape_.inputs())});
    }
    for (Index j = 0; shape_.waves > 0 && j < shape_.waved; ++j)
        units_.push_back({Kind::waves, j, 0, 0, Block<T>(1, shape_.wave_parameters())});
    for (std::size_t c = 0; c < shape_.categories.size(); ++c) {
        const auto [count, width] = shape_.categories[c];
        if (width > 0)
            units_.push_back(
                {Kind::table, static_cast<Index>(c), 0, 0, Block<T>(1, area(count, width))});
    }
}

template <class T>
template <class Body>
void TabularNet<T>::loop(Index chunks, const Body& body) {
    if (!small_) return parallel_for(chunks, body);
    parallel_for(1, [&](Index, Checkpoint& checkpoint) {
        for (Index chunk = 0; chunk < chunks; ++chunk) body(chunk, checkpoint);
    });
}

// --- forward -------------------------------------------------------------------------------------

// A number, and combinations of cosines of it.
template <class T>
void TabularNet<T>::put_waves(Index j, T x, T* out) {
    const Index f = shape_.frequencies;
    const T* at = parameters_ + j * shape_.wave_parameters();
    const T *weights = at + 2 * f, *constants = weights + shape_.waves * f;
    std::vector<T> circle(static_cast<std::size_t>(2 * f));
    tabular::angles(at, at + f, x, circle.data(), circle.data() + f, f);
    out[0] = x;
    for (Index w = 0; w < shape_.waves; ++w) {
        T sum = constants[w];
        for (Index h = 0; h < f; ++h) sum += weights[w * f + h] * circle[h];
        out[1 + w] = sum;
    }
}

template <class T>
void TabularNet<T>::put_inputs(const Batch& batch, Index from, Index to) {
    const auto categories = static_cast<Index>(shape_.categories.size());
    for (Index i = from; i < to; ++i) {
        const T* x = batch.x.numbers + batch[i] * shape_.numbers();
        const std::int32_t* codes = batch.x.codes + batch[i] * categories;
        T* out = inputs_.row(i);
        for (Index j = 0; j < shape_.waved; ++j, out += 1 + shape_.waves) {
            if (shape_.waves > 0)
                put_waves(j, x[j], out);
            else
                *out = x[j];
        }
        for (Index j = 0; j < shape_.plain; ++j) *out++ = x[shape_.waved + j];
        for (Index c = 0; c < categories; ++c) {
            const auto& category = shape_.categories[static_cast<std::size_t>(c)];
            std::fill(out, out + category.inputs(), T(0));
            if (codes[c] >= 0 && category.width == 0) out[codes[c]] = T(1);
            if (codes[c] >= 0 && category.width > 0)
                std::copy_n(parameters_ + places_.tables[static_cast<std::size_t>(c)] +
                                codes[c] * category.width,
                            category.width, out);
            out += category.inputs();
        }
    }
}

// One member's layers for rows from … to; with dropout where it is being trained.
template <class T>
void TabularNet<T>::forward(Index member, Index from, Index to, const TabularTraining* training) {
    const T* factor = factors(member);
    const Index first = row_of(member, from), count = to - from;
    for (Index i = from; i < to; ++i)
        tabular::scaled(inputs_.row(i), factor, scaled_.row(row_of(member, i)), shape_.inputs());
    const Block<T>* x = &scaled_;
    for (Index l = 0; l <= last(); ++l) {
        Block<T>&a = values_[l], &slope = slopes_[l];
        layers_[l].forward(x->row(first), x->stride(), count, false, a.row(first), a.stride());
        for (Index i = first; i < first + count; ++i) {
            tabular::mish(a.row(i), slope.row(i), shape_.hidden[l]);
            if (training == nullptr || !(training->dropout > 0.0)) continue;
            const auto key = mixed(key_ + static_cast<std::uint64_t>(i * (last() + 1) + l));
            tabular::drop({static_cast<unsigned int>(key >> 32),
                           static_cast<unsigned int>(training->dropout * 16777216.0),
                           1.0 / (1.0 - training->dropout)},
                          a.row(i), slope.row(i), shape_.hidden[l]);
        }
        x = &a;
    }
    heads_[member].forward(x->row(first), x->stride(), count, false, outputs_.row(first),
                           outputs_.stride());
    for (Index i = first; i < first + count; ++i)
        finish_row(shape_.output, outputs_.row(i), shape_.outputs);
}

// The losses of a member's rows; derivatives down to the inputs, which are added up.
template <class T>
double TabularNet<T>::backward(const Batch& batch, const Targets<T>& y, Index member, Index from,
                               Index to) {
    const Index first = row_of(member, from), count = to - from;
    double loss = 0.0;
    for (Index i = from; i < to; ++i) {
        const Index at = row_of(member, i);
        loss += row_loss(shape_.output, outputs_.row(at), shape_.outputs, y, batch[i],
                         output_deltas_.row(at));
    }
    const DenseLayer<T>* layer = &heads_[member];
    const Block<T>* d = &output_deltas_;
    for (Index l = last(); l >= 0; --l) {
        Block<T>& dx = deltas_[l];
        layer->backward(d->row(first), d->stride(), count, dx.row(first), dx.stride());
        for (Index i = first; i < first + count; ++i)
            tabular::scaled(dx.row(i), slopes_[l].row(i), dx.row(i), shape_.hidden[l]);
        layer = &layers_[l], d = &dx;
    }
    layer->backward(d->row(first), d->stride(), count, scaled_deltas_.row(first),
                    scaled_deltas_.stride());
    for (Index i = from; i < to; ++i) {
        T* sum = input_deltas_.row(i);
        if (member == 0) std::fill(sum, sum + shape_.inputs(), T(0));
        tabular::add_scaled(scaled_deltas_.row(row_of(member, i)), factors(member), sum,
                            shape_.inputs());
    }
    return loss;
}

template <class T>
void TabularNet<T>::predict(const TabularRows<T>& x, Index n, double* out) {
    const Index k = shape_.outputs;
    for (Index start = 0; start < n; start += batch_) {
        const Batch batch{x, nullptr, start, std::min(batch_, n - start)};
        loop(blocks_of(batch.count), [&](Index b, Checkpoint& checkpoint) {
            const Index from = b * block_rows, to = std::min(batch.count, from + block_rows);
            put_inputs(batch, from, to);
            std::fill(out + (start + from) * k, out + (start + to) * k, 0.0);
            for (Index m = 0; m < shape_.members; ++m) {
                checkpoint();
                forward(m, from, to, nullptr);
                for (Index i = from; i < to; ++i)
                    for (Index j = 0; j < k; ++j)
                        out[(start + i) * k + j] +=
                            static_cast<double>(outputs_.row(row_of(m, i))[j]);
            }
            for (Index i = (start + from) * k; i < (start + to) * k; ++i)
                out[i] /= static_cast<double>(shape_.members);
        });
    }
}

template <class T>
double TabularNet<T>::losses(const Batch& batch, const Targets<T>& y,
                             const TabularTraining& training) {
    std::vector<double> parts(static_cast<std::size_t>(blocks_of(batch.count)), 0.0);
    loop(blocks_of(batch.count), [&](Index b, Checkpoint& checkpoint) {
        const Index from = b * block_rows, to = std::min(batch.count, from + block_rows);
        put_inputs(batch, from, to);
        for (Index m = 0; m < shape_.members; ++m) {
            checkpoint();
            forward(m, from, to, &training);
            parts[static_cast<std::size_t>(b)] += backward(batch, y, m, from, to);
        }
    });
    double loss = 0.0;
    for (const double part : parts) loss += part;
    return loss / static_cast<double>(shape_.members);
}

// --- steps ---------------------------------------------------------------------------------------

// Σ over rows of members of xᵀd for columns from … to of x, in rows as weights stand.
template <class T>
const T* TabularNet<T>::packed_sums(const Block<T>& x, Index first_row, Index from, Index to,
                                    const Block<T>& d, Index members, Index rows, Index outputs,
                                    Block<T>& sums) {
    for (Index m = 0; m < members; ++m)
        product({x.row(first_row + m * padded_) + from, 1, x.stride(),
                 d.row(first_row + m * padded_), d.stride(), strip<T>, rounded(to - from, row_unit),
                 rows, outputs, nullptr, m > 0, false, sums.data(), sums.stride()});
    T* packed = sums.data();
    for (Index i = 1; i < to - from; ++i)
        std::copy(sums.row(i), sums.row(i) + outputs, packed + i * outputs);
    return packed;
}

template <class T>
void TabularNet<T>::move_weights(T* weights, Index count, const T* sums,
                                 const TabularTraining& training, Optimiser<T>& optimiser,
                                 Step step, Index inputs) {
    if (optimiser.method != Method::gradient) {
        const T shrunk = static_cast<T>(1.0 - optimiser.rate * training.decay);
        for (Index i = 0; i < count; ++i) weights[i] *= shrunk;
    }
    step.rate /= std::sqrt(static_cast<double>(inputs));
    optimiser.move(parameters_, weights - parameters_, count, sums, step);
}

template <class T>
void TabularNet<T>::move_bias(const Block<T>& d, Index first_row, Index members, Index rows,
                              DenseLayer<T>& layer, Optimiser<T>& optimiser, const Step& step) {
    Block<T> sums(1, layer.outputs());
    for (Index m = 0; m < members; ++m)
        for (Index i = 0; i < rows; ++i)
            add(T(1), d.row(first_row + m * padded_ + i), layer.outputs(), sums.data());
    optimiser.move(parameters_, layer.bias() - parameters_, layer.outputs(), sums.data(), step);
    layer.pack_bias();
}

template <class T>
void TabularNet<T>::move_layer(const Batch& batch, Unit& unit, const TabularTraining& training,
                               Optimiser<T>& optimiser, Step step) {
    DenseLayer<T>& layer = layers_[unit.which];
    const Block<T>& x = unit.which == 0 ? scaled_ : values_[unit.which - 1];
    const Block<T>& d = deltas_[unit.which];
    const T* sums = packed_sums(x, 0, unit.from, unit.to, d, shape_.members, batch.count,
                                layer.outputs(), unit.sums);
    move_weights(layer.weights() + unit.from * layer.outputs(),
                 (unit.to - unit.from) * layer.outputs(), sums, training, optimiser, step,
                 layer.inputs());
    layer.pack(unit.from, unit.to);
    if (unit.from > 0) return;
    step.rate *= training.bias_rate;
    move_bias(d, 0, shape_.members, batch.count, layer, optimiser, step);
}

template <class T>
void TabularNet<T>::move_head(const Batch& batch, Unit& unit, const TabularTraining& training,
                              Optimiser<T>& optimiser, Step step) {
    DenseLayer<T>& head = heads_[unit.which];
    const Index first = row_of(unit.which, 0);
    const T* sums = packed_sums(values_[last()], first, 0, unit.to, output_deltas_, 1, batch.count,
                                shape_.outputs, unit.sums);
    move_weights(head.weights(), unit.to * shape_.outputs, sums, training, optimiser, step,
                 head.inputs());
    head.pack(0, unit.to);
    step.rate *= training.bias_rate;
    move_bias(output_deltas_, first, 1, batch.count, head, optimiser, step);
}

template <class T>
void TabularNet<T>::move_factors(const Batch& batch, Unit& unit, Optimiser<T>& optimiser,
                                 const Step& step) {
    T* sums = unit.sums.data();
    std::fill(sums, sums + shape_.inputs(), T(0));
    for (Index i = 0; i < batch.count; ++i)
        tabular::add_scaled(scaled_deltas_.row(row_of(unit.which, i)), inputs_.row(i), sums,
                            shape_.inputs());
    optimiser.move(parameters_, factors(unit.which) - parameters_, shape_.inputs(), sums, step);
}

template <class T>
void TabularNet<T>::move_waves(const Batch& batch, Unit& unit, Optimiser<T>& optimiser,
                               const Step& step) {
    const Index f = shape_.frequencies, j = unit.which, count = shape_.wave_parameters();
    const Index column = j * (1 + shape_.waves);
    T *at = parameters_ + j * count, *sums = unit.sums.data();
    T *constants = sums + 2 * f + shape_.waves * f, full_turn = static_cast<T>(2.0 * std::acos(-1));
    std::fill(sums, sums + count, T(0));
    std::vector<T> circle(static_cast<std::size_t>(3 * f));
    T *cosine = circle.data(), *sine = cosine + f, *back = sine + f;
    for (Index i = 0; i < batch.count; ++i) {
        const T x = inputs_.row(i)[column], *d = input_deltas_.row(i) + column + 1;
        tabular::angles(at, at + f, x, cosine, sine, f);
        std::fill(back, back + f, T(0));
        for (Index w = 0; w < shape_.waves; ++w) {
            add(d[w], cosine, f, sums + (2 + w) * f);
            add(d[w], at + (2 + w) * f, f, back);
            constants[w] += d[w];
        }
        for (Index h = 0; h < f; ++h) back[h] *= -full_turn * sine[h];
        add(x, back, f, sums);
        add(T(1), back, f, sums + f);
    }
    optimiser.move(parameters_, at - parameters_, count, sums, step);
}

template <class T>
void TabularNet<T>::move_table(const Batch& batch, Unit& unit, Optimiser<T>& optimiser,
                               const Step& step) {
    const auto c = static_cast<std::size_t>(unit.which);
    const auto [count, width] = shape_.categories[c];
    const auto categories = static_cast<Index>(shape_.categories.size());
    Index column = shape_.inputs();
    for (std::size_t k = c; k < shape_.categories.size(); ++k)
        column -= shape_.categories[k].inputs();
    T* sums = unit.sums.data();
    std::fill(sums, sums + count * width, T(0));
    for (Index i = 0; i < batch.count; ++i) {
        const std::int32_t code = batch.x.codes[batch[i] * categories + unit.which];
        if (code >= 0) add(T(1), input_deltas_.row(i) + column, width, sums + code * width);
    }
    optimiser.move(parameters_, places_.tables[c], count * width, sums, step);
}

template <class T>
void TabularNet<T>::move(const Batch& batch, const TabularTraining& training,
                         Optimiser<T>& optimiser, const Step& step) {
    loop(static_cast<Index>(units_.size()), [&](Index u, Checkpoint&) {
        Unit& unit = units_[static_cast<std::size_t>(u)];
        Step own = step;
        if (unit.kind == Kind::layer) return move_layer(batch, unit, training, optimiser, own);
        if (unit.kind == Kind::head) return move_head(batch, unit, training, optimiser, own);
        own.rate *= unit.kind == Kind::waves   ? training.wave_rate
                    : unit.kind == Kind::table ? training.table_rate
                                               : training.factor_rate;
        if (unit.kind == Kind::factors) return move_factors(batch, unit, optimiser, own);
        if (unit.kind == Kind::waves) return move_waves(batch, unit, optimiser, own);
        move_table(batch, unit, optimiser, own);
    });
}

template <class T>
double TabularNet<T>::epoch(const TabularRows<T>& x, const Targets<T>& y, const std::int64_t* order,
                            Index n, const TabularTraining& training, Optimiser<T>& optimiser) {
    double total = 0.0, weights = 0.0;
    for (Index s = 0; s < training.steps; ++s) {
        const Index first = s * n / training.steps, end = (s + 1) * n / training.steps;
        const Batch batch{x, order, first, end - first};
        double weight = 0.0;
        for (Index i = 0; i < batch.count; ++i) weight += y.weight(batch[i]);
        if (!(weight > 0.0)) continue;  // rows that do not count
        optimiser.rate = training.rates[s];
        key_ = mixed(training.seed ^ mixed(static_cast<std::uint64_t>(optimiser.steps)));
        total += losses(batch, y, training);
        weights += weight;
        move(batch, training, optimiser,
             optimiser.next(weight * static_cast<double>(shape_.members)));
    }
    return optimiser.method == Method::gradient || !(weights > 0.0) ? total : total / weights;
}

template class TabularNet<float>;
template class TabularNet<double>;

}  // namespace stylobate::network
