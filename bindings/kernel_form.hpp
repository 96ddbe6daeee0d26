// Kernels as Python writes them: postfix steps of plain tuples.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "tile/kernel_strips.hpp"
#include "tile/names.hpp"

namespace stylobate::bindings {

using Steps = std::vector<std::tuple<std::string, Index, std::string, double, double, double>>;
using Factors = std::pair<Vector<double>, Vector<double>>;

inline tile::KernelForm kernel_form(const Steps& steps, const std::vector<Factors>& factors) {
    tile::KernelForm form;
    for (const auto& [kind, which, map, a, b, p] : steps)
        form.steps.push_back(
            {tile::kernel_step_named(kind), which, {tile::map_named(map), a, b, p}});
    for (const auto& [x, y] : factors)
        form.factors.push_back(
            {{x.data(), x.data() + x.shape(0)}, {y.data(), y.data() + y.shape(0)}});
    return form;
}

}  // namespace stylobate::bindings
