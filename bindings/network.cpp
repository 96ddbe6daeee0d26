#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "network/perceptron.hpp"
#include "network_targets.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::network;

template <class T>
using Changed = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Activation activation_of(const std::string& name) {
    if (name == "identity") return Activation::identity;
    if (name == "logistic") return Activation::logistic;
    if (name == "tanh") return Activation::tanh;
    require(name == "relu", "there is no activation of this name");
    return Activation::relu;
}

network::Output output_of(const std::string& name) {
    if (name == "identity") return network::Output::identity;
    if (name == "exp") return network::Output::exponential;
    if (name == "logistic") return network::Output::logistic;
    require(name == "softmax", "there is no output activation of this name");
    return network::Output::softmax;
}

Shape shape_of(const std::vector<Index>& units, const std::string& hidden,
               const std::string& output, Index parameters) {
    require(units.size() >= 2, "a perceptron has inputs and outputs");
    for (const Index count : units) require(count >= 1, "a layer has at least one unit");
    Shape shape{units, activation_of(hidden), output_of(output)};
    require(shape.parameters() == parameters, "the parameters do not fit the layers");
    return shape;
}

// Rows of either kind; the arrays outlive the view.
template <class T>
struct RowArrays {
    std::optional<Matrix<T>> dense;
    Optional<T> values;
    Optional<std::int32_t> columns;
    Optional<std::int64_t> offsets;

    Inputs<T> view_of(Index cols) const {
        if (dense) {
            const MatrixView<T> x = view(*dense);
            require(x.cols == cols, "x does not fit the first layer");
            require(x.rows_contiguous(), "the entries of a row must lie side by side");
            return {x.data, x.row_stride};
        }
        require(values && columns && offsets, "rows are dense or compressed");
        require(values->size() == columns->size() && offsets->size() >= 1,
                "the compressed rows do not fit together");
        const std::int64_t* o = offsets->data();
        require(o[0] == 0 && o[offsets->size() - 1] == static_cast<std::int64_t>(values->size()) &&
                    std::is_sorted(o, o + offsets->size()),
                "the offsets of the rows are wrong");
        for (std::size_t e = 0; e < columns->size(); ++e)
            require(columns->data()[e] >= 0 && columns->data()[e] < cols,
                    "a column number is out of range");
        return {nullptr, 0, values->data(), columns->data(), o};
    }
    Index rows() const { return static_cast<Index>(dense ? dense->shape(0) : offsets->size() - 1); }
};

template <class T>
Optimiser<T> optimiser_of(const nb::dict& from, const Changed<T>& first, const Changed<T>& second,
                          Index parameters) {
    Optimiser<T> o;
    const auto number = [&](const char* name) { return nb::cast<double>(from[name]); };
    o.method = nb::cast<std::string>(from["method"]) == "adam" ? Method::adam : Method::momentum;
    o.rate = number("rate"), o.first = number("first"), o.second = number("second");
    o.epsilon = number("epsilon"), o.decay = number("decay");
    o.nesterov = nb::cast<bool>(from["nesterov"]);
    o.steps = nb::cast<std::int64_t>(from["steps"]);
    const auto size = static_cast<std::size_t>(parameters);
    require(first.size() == size && (o.method != Method::adam || second.size() == size),
            "the optimiser's state does not fit the parameters");
    o.first_moments = first.data(), o.second_moments = second.data();
    return o;
}

constexpr Index window_rows = 1024;  // of a pass over rows as they stand

template <class T>
void bind(nb::module_& module) {
    module.def(
        "perceptron_epoch",
        [](const std::vector<Index>& units, const std::string& hidden, const std::string& output,
           const Changed<T>& parameters, std::optional<Matrix<T>> x, Optional<T> values,
           Optional<std::int32_t> columns, Optional<std::int64_t> offsets,
           std::optional<Packed<T>> y, Optional<std::int32_t> codes, Optional<double> weights,
           const Vector<std::int64_t>& order, Index batch, const Changed<T>& first,
           const Changed<T>& second, const nb::dict& options) {
            const Shape shape =
                shape_of(units, hidden, output, static_cast<Index>(parameters.size()));
            const RowArrays<T> arrays{x, values, columns, offsets};
            const Inputs<T> inputs = arrays.view_of(units.front());
            const TargetArrays<T> target_arrays{y, codes, weights};
            const Targets<T> targets = target_arrays.view_of(arrays.rows(), units.back());
            const auto n = static_cast<Index>(order.size());
            for (Index i = 0; i < n; ++i)
                require(order.data()[i] >= 0 && order.data()[i] < arrays.rows(),
                        "a row number is out of range");
            require(batch >= 1 && n >= 1, "a batch has at least one row");
            Optimiser<T> optimiser = optimiser_of<T>(options, first, second, shape.parameters());
            double loss = 0.0;
            {
                GilReleased release;
                Perceptron<T> network(shape, parameters.data(), std::min(batch, n));
                loss = network.epoch(inputs, targets, order.data(), n, optimiser);
            }
            return std::make_tuple(loss, optimiser.steps);
        },
        nb::arg("units"), nb::arg("hidden"), nb::arg("output"), nb::arg("parameters").noconvert(),
        nb::arg("x").none(), nb::arg("values").none(), nb::arg("columns").none(),
        nb::arg("offsets").none(), nb::arg("y").none(), nb::arg("codes").none(),
        nb::arg("weights").none(), nb::arg("order"), nb::arg("batch"), nb::arg("first").noconvert(),
        nb::arg("second").noconvert(), nb::arg("options"),
        "One pass over the rows in batches; parameters and state change in place. Returns the mean "
        "loss met and the number of steps.");
    module.def(
        "perceptron_gradient",
        [](const std::vector<Index>& units, const std::string& hidden, const std::string& output,
           const Changed<T>& parameters, std::optional<Matrix<T>> x, Optional<T> values,
           Optional<std::int32_t> columns, Optional<std::int64_t> offsets,
           std::optional<Packed<T>> y, Optional<std::int32_t> codes, Optional<double> weights) {
            const Shape shape =
                shape_of(units, hidden, output, static_cast<Index>(parameters.size()));
            const RowArrays<T> arrays{x, values, columns, offsets};
            const Inputs<T> inputs = arrays.view_of(units.front());
            const TargetArrays<T> target_arrays{y, codes, weights};
            const Targets<T> targets = target_arrays.view_of(arrays.rows(), units.back());
            std::vector<double> total(parameters.size(), 0.0);
            double loss = 0.0;
            {
                GilReleased release;
                Optimiser<T> optimiser;
                optimiser.method = Method::gradient;
                optimiser.total = total.data();
                Perceptron<T> network(shape, parameters.data(),
                                      std::min(window_rows, std::max<Index>(arrays.rows(), 1)));
                loss = network.epoch(inputs, targets, nullptr, arrays.rows(), optimiser);
            }
            return std::make_tuple(loss, owned(std::move(total)));
        },
        nb::arg("units"), nb::arg("hidden"), nb::arg("output"), nb::arg("parameters").noconvert(),
        nb::arg("x").none(), nb::arg("values").none(), nb::arg("columns").none(),
        nb::arg("offsets").none(), nb::arg("y").none(), nb::arg("codes").none(),
        nb::arg("weights").none(),
        "The weighted sums of the rows' losses and of their gradients, without a penalty.");
    module.def(
        "perceptron_outputs",
        [](const std::vector<Index>& units, const std::string& hidden, const std::string& output,
           const Changed<T>& parameters, std::optional<Matrix<T>> x, Optional<T> values,
           Optional<std::int32_t> columns, Optional<std::int64_t> offsets) {
            const Shape shape =
                shape_of(units, hidden, output, static_cast<Index>(parameters.size()));
            const RowArrays<T> arrays{x, values, columns, offsets};
            const Inputs<T> inputs = arrays.view_of(units.front());
            const Index n = arrays.rows(), k = units.back();
            std::vector<T> out(static_cast<std::size_t>(area(n, k)));
            {
                GilReleased release;
                Perceptron<T> network(shape, parameters.data(),
                                      std::min(window_rows, std::max<Index>(n, 1)));
                network.predict(inputs, n, out.data());
            }
            // one return type for both precisions, or the stubs' overloads would overlap
            return nb::cast(
                owned(std::move(out), {static_cast<std::size_t>(n), static_cast<std::size_t>(k)}));
        },
        nb::arg("units"), nb::arg("hidden"), nb::arg("output"), nb::arg("parameters").noconvert(),
        nb::arg("x").none(), nb::arg("values").none(), nb::arg("columns").none(),
        nb::arg("offsets").none(), "The outputs of all rows.");
}

}  // namespace

void bind_network(nb::module_& module) {
    bind<double>(module);
    bind<float>(module);
}

}  // namespace stylobate::bindings
