// Names of the core's measures: for tiles and trees.
#pragma once

#include <map>
#include <string>

#include "bindings.hpp"
#include "tile/measure.hpp"

namespace stylobate::bindings {

template <class T>
using Array = nb::ndarray<nb::numpy, T>;

template <class Kind>
Kind named(const std::map<std::string, Kind>& names, const std::string& name) {
    const auto found = names.find(name);
    if (found == names.end()) throw InvalidArgument("there is no measure or map '" + name + "'");
    return found->second;
}

inline tile::Measure measure_of(const std::string& name) {
    static const std::map<std::string, tile::Measure> names = {
        {"squared", tile::Measure::squared},
        {"inner", tile::Measure::inner},
        {"manhattan", tile::Measure::manhattan},
        {"chebyshev", tile::Measure::chebyshev},
        {"power", tile::Measure::power},
        {"canberra", tile::Measure::canberra},
        {"hamming", tile::Measure::hamming},
        {"braycurtis", tile::Measure::braycurtis},
        {"nan_squared", tile::Measure::nan_squared},
        {"chi_square", tile::Measure::chi_square},
        {"gower", tile::Measure::gower},
        {"ruzicka", tile::Measure::ruzicka},
        {"haversine", tile::Measure::haversine}};
    return named(names, name);
}

}  // namespace stylobate::bindings
