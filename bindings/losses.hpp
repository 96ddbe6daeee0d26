// Losses as Python hands them over: the name in the core and the numbers, (name, first, second).
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "descend/loss_choice.hpp"

namespace stylobate::bindings {

using NamedLoss = std::tuple<std::string, double, double>;

inline descend::LossChoice loss_of(const NamedLoss& given) {
    const auto& [name, first, second] = given;
    return {descend::loss_kind(name), first, second};
}

}  // namespace stylobate::bindings
