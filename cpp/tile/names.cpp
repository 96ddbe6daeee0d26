#include "tile/names.hpp"

#include <map>

#include "stylobate/errors.hpp"

namespace stylobate::tile {
namespace {

template <class Kind>
Kind found(const std::map<std::string, Kind>& names, const std::string& name) {
    const auto place = names.find(name);
    if (place == names.end())
        throw InvalidArgument("there is no measure, map or step '" + name + "'");
    return place->second;
}

}  // namespace

Measure measure_named(const std::string& name) {
    static const std::map<std::string, Measure> names = {{"squared", Measure::squared},
                                                         {"inner", Measure::inner},
                                                         {"manhattan", Measure::manhattan},
                                                         {"chebyshev", Measure::chebyshev},
                                                         {"power", Measure::power},
                                                         {"canberra", Measure::canberra},
                                                         {"hamming", Measure::hamming},
                                                         {"braycurtis", Measure::braycurtis},
                                                         {"nan_squared", Measure::nan_squared},
                                                         {"chi_square", Measure::chi_square},
                                                         {"gower", Measure::gower},
                                                         {"ruzicka", Measure::ruzicka},
                                                         {"haversine", Measure::haversine}};
    return found(names, name);
}

Map map_named(const std::string& name) {
    static const std::map<std::string, Map> names = {{"identity", Map::identity},
                                                     {"scale", Map::scale},
                                                     {"root", Map::root},
                                                     {"power_root", Map::power_root},
                                                     {"exponential", Map::exponential},
                                                     {"polynomial", Map::polynomial},
                                                     {"sigmoid", Map::sigmoid},
                                                     {"arc", Map::arc},
                                                     {"log_exponent", Map::log_exponent},
                                                     {"root_exponential", Map::root_exponential},
                                                     {"log_root_exponent", Map::log_root_exponent},
                                                     {"tophat", Map::tophat},
                                                     {"epanechnikov", Map::epanechnikov},
                                                     {"linear", Map::linear},
                                                     {"cosine", Map::cosine},
                                                     {"jaccard", Map::jaccard},
                                                     {"dice", Map::dice},
                                                     {"rogerstanimoto", Map::rogers_tanimoto},
                                                     {"russellrao", Map::russell_rao},
                                                     {"sokalsneath", Map::sokal_sneath},
                                                     {"yule", Map::yule}};
    return found(names, name);
}

Codes codes_named(const std::string& name) {
    static const std::map<std::string, Codes> names = {
        {"auto", Codes::where_quick}, {"never", Codes::never}, {"always", Codes::always}};
    return found(names, name);
}

KernelStep::Kind kernel_step_named(const std::string& name) {
    using Kind = KernelStep::Kind;
    static const std::map<std::string, Kind> names = {
        {"measure", Kind::measure}, {"constant", Kind::constant}, {"map", Kind::map},
        {"add", Kind::add},         {"multiply", Kind::multiply}, {"factors", Kind::factors}};
    return found(names, name);
}

}  // namespace stylobate::tile
