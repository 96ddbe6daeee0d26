// Targets of networks as the bindings take them: numbers or class numbers, and weights of rows.
#pragma once

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "bindings.hpp"
#include "network/output.hpp"

namespace stylobate::bindings {

template <class T>
using Optional = std::optional<Vector<T>>;

template <class T>
struct TargetArrays {
    std::optional<Packed<T>> values;
    Optional<std::int32_t> codes;
    Optional<double> weights;

    network::Targets<T> view_of(Index rows, Index outputs) const {
        const auto n = static_cast<std::size_t>(rows);
        require(values.has_value() != codes.has_value(), "targets are numbers or class numbers");
        require(!values || (values->shape(0) == n &&
                            values->shape(1) == static_cast<std::size_t>(outputs)),
                "x and y do not fit together");
        require(!codes || codes->size() == n, "x and y differ in rows");
        require(!weights || weights->size() == n, "x and weights differ in rows");
        for (std::size_t i = 0; codes && i < n; ++i)
            require(codes->data()[i] >= 0 && codes->data()[i] < std::max<Index>(outputs, 2),
                    "a class number is out of range");
        return {values ? values->data() : nullptr, codes ? codes->data() : nullptr,
                weights ? weights->data() : nullptr};
    }
};

}  // namespace stylobate::bindings
