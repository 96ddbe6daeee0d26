#include "network/tabular_net.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "bindings.hpp"
#include "network_targets.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::network;

template <class T>
using Changed = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Categories = std::vector<std::pair<Index, Index>>;  // how many, and the width of vectors

network::Output output_of(const std::string& name) {
    if (name == "identity") return network::Output::identity;
    if (name == "logistic") return network::Output::logistic;
    require(name == "softmax", "there is no output of this name");
    return network::Output::softmax;
}

TabularShape shape_of(const nb::dict& from, std::size_t parameters) {
    const auto number = [&](const char* name) {
        const auto found = nb::cast<Index>(from[name]);
        require(found >= 0 && found < (Index{1} << 24), "a number of the network's shape is wrong");
        return found;
    };
    TabularShape shape{number("waved"),
                       number("plain"),
                       number("frequencies"),
                       number("waves"),
                       {},
                       nb::cast<std::vector<Index>>(from["hidden"]),
                       number("outputs"),
                       number("members"),
                       output_of(nb::cast<std::string>(from["output"]))};
    for (const auto& [count, width] : nb::cast<Categories>(from["categories"])) {
        require(count >= 0 && width >= 0 && count < (1 << 24) && width < (1 << 24),
                "categories have a count and a width");
        shape.categories.push_back({count, width});
    }
    require(!shape.hidden.empty() && shape.outputs >= 1 && shape.members >= 1,
            "a network has a hidden layer, an output and a member");
    for (const Index units : shape.hidden)
        require(units >= 1 && units < (1 << 24), "a layer has at least one unit");
    require(shape.inputs() >= 1, "a network has an input");
    require(static_cast<std::size_t>(TabularPlaces(shape).count) == parameters,
            "the parameters do not fit the network");
    return shape;
}

template <class T>
TabularRows<T> rows_of(const Packed<T>& numbers, const Packed<std::int32_t>& codes,
                       const TabularShape& shape) {
    require(static_cast<Index>(numbers.shape(1)) == shape.numbers(),
            "the numbers do not fit the network");
    require(codes.shape(1) == shape.categories.size() && codes.shape(0) == numbers.shape(0),
            "the categories do not fit the network");
    for (std::size_t i = 0; i < codes.size(); ++i)
        require(
            codes.data()[i] >= -1 && codes.data()[i] < shape.categories[i % codes.shape(1)].count,
            "the number of a category is out of range");
    return {numbers.data(), codes.data()};
}

TabularTraining training_of(const nb::dict& from, const Vector<double>& rates) {
    const auto number = [&](const char* name) { return nb::cast<double>(from[name]); };
    const double dropout = number("dropout");
    require(dropout >= 0.0 && dropout < 1.0, "dropout is a share below 1");
    return {rates.data(),
            static_cast<Index>(rates.size()),
            dropout,
            number("decay"),
            nb::cast<std::uint64_t>(from["seed"]),
            number("wave_rate"),
            number("table_rate"),
            number("factor_rate"),
            number("bias_rate")};
}

constexpr Index window_rows = 256;  // of a pass over rows as they stand

template <class T>
void bind(nb::module_& module) {
    module.def(
        "tabular_epoch",
        [](const nb::dict& shape_from, const Changed<T>& parameters, const Packed<T>& numbers,
           const Packed<std::int32_t>& categories, std::optional<Packed<T>> y,
           Optional<std::int32_t> codes, Optional<double> weights,
           const Vector<std::int64_t>& order, const Vector<double>& rates, const Changed<T>& first,
           const Changed<T>& second, const nb::dict& options) {
            const TabularShape shape = shape_of(shape_from, parameters.size());
            const TabularRows<T> rows = rows_of<T>(numbers, categories, shape);
            const TargetArrays<T> arrays{y, codes, weights};
            const Targets<T> targets =
                arrays.view_of(static_cast<Index>(numbers.shape(0)), shape.outputs);
            const auto n = static_cast<Index>(order.size()),
                       steps = static_cast<Index>(rates.size());
            for (Index i = 0; i < n; ++i)
                require(
                    order.data()[i] >= 0 && order.data()[i] < static_cast<Index>(numbers.shape(0)),
                    "a row number is out of range");
            require(steps >= 1 && steps <= n, "a step has at least one row");
            require(first.size() == parameters.size() && second.size() == parameters.size(),
                    "the optimiser's state does not fit the parameters");
            const TabularTraining training = training_of(options, rates);
            Optimiser<T> optimiser;
            optimiser.first = nb::cast<double>(options["beta_1"]);
            optimiser.second = nb::cast<double>(options["beta_2"]);
            optimiser.steps = nb::cast<std::int64_t>(options["steps"]);
            optimiser.first_moments = first.data(), optimiser.second_moments = second.data();
            double loss = 0.0;
            {
                GilReleased release;
                TabularNet<T> network(shape, parameters.data(), (n + steps - 1) / steps);
                loss = network.epoch(rows, targets, order.data(), n, training, optimiser);
            }
            return std::make_tuple(loss, optimiser.steps);
        },
        nb::arg("shape"), nb::arg("parameters").noconvert(), nb::arg("numbers"),
        nb::arg("categories"), nb::arg("y").none(), nb::arg("codes").none(),
        nb::arg("weights").none(), nb::arg("order"), nb::arg("rates"), nb::arg("first").noconvert(),
        nb::arg("second").noconvert(), nb::arg("options"),
        "One pass over the rows in as many batches as rates; parameters and state change in place. "
        "Returns the mean loss met and the number of steps.");
    module.def(
        "tabular_gradient",
        [](const nb::dict& shape_from, const Changed<T>& parameters, const Packed<T>& numbers,
           const Packed<std::int32_t>& categories, std::optional<Packed<T>> y,
           Optional<std::int32_t> codes, Optional<double> weights, const nb::dict& options) {
            const TabularShape shape = shape_of(shape_from, parameters.size());
            const TabularRows<T> rows = rows_of<T>(numbers, categories, shape);
            const TargetArrays<T> arrays{y, codes, weights};
            const Targets<T> targets =
                arrays.view_of(static_cast<Index>(numbers.shape(0)), shape.outputs);
            const auto n = static_cast<Index>(numbers.shape(0));
            require(n >= 1, "there is no row");
            std::vector<double> total(parameters.size(), 0.0);
            const double rate = 0.0;
            TabularTraining training{&rate, 1, 0.0, 0.0, 0, 1.0, 1.0, 1.0, 1.0};
            training.dropout = nb::cast<double>(options["dropout"]);
            training.seed = nb::cast<std::uint64_t>(options["seed"]);
            double loss = 0.0;
            {
                GilReleased release;
                Optimiser<T> optimiser;
                optimiser.method = Method::gradient;
                optimiser.total = total.data();
                TabularNet<T> network(shape, parameters.data(), n);
                loss = network.epoch(rows, targets, nullptr, n, training, optimiser);
            }
            for (double& each : total) each /= static_cast<double>(shape.members);
            return std::make_tuple(loss, owned(std::move(total)));
        },
        nb::arg("shape"), nb::arg("parameters").noconvert(), nb::arg("numbers"),
        nb::arg("categories"), nb::arg("y").none(), nb::arg("codes").none(),
        nb::arg("weights").none(), nb::arg("options"),
        "The weighted sums of the rows' losses, averaged over members, and of their gradients.");
    module.def(
        "tabular_outputs",
        [](const nb::dict& shape_from, const Vector<T>& parameters, const Packed<T>& numbers,
           const Packed<std::int32_t>& categories) {
            const TabularShape shape = shape_of(shape_from, parameters.size());
            const TabularRows<T> rows = rows_of<T>(numbers, categories, shape);
            const std::size_t n = numbers.shape(0), k = static_cast<std::size_t>(shape.outputs);
            std::vector<double> out(n * k);
            std::vector<T> held(parameters.data(), parameters.data() + parameters.size());
            {
                GilReleased release;
                const auto count = static_cast<Index>(n);
                TabularNet<T> network(shape, held.data(),
                                      std::min(window_rows, std::max<Index>(count, 1)));
                network.predict(rows, count, out.data());
            }
            return array(std::move(out), {n, k});
        },
        nb::arg("shape"), nb::arg("parameters").noconvert(), nb::arg("numbers"),
        nb::arg("categories"), "The outputs of all rows, averaged over members.");
}

}  // namespace

void bind_tabular_net(nb::module_& module) {
    bind<double>(module);
    bind<float>(module);
}

}  // namespace stylobate::bindings
