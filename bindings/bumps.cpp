// Sums of bumps on points.
#include "tile/bumps.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <map>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "tile/boxes.hpp"

namespace stylobate::bindings {
namespace {

tile::Map kernel_of(const std::string& name) {
    using tile::Map;
    static const std::map<std::string, Map> names = {
        {"gaussian", Map::exponential}, {"exponential", Map::root_exponential},
        {"tophat", Map::tophat},        {"epanechnikov", Map::epanechnikov},
        {"linear", Map::linear},        {"cosine", Map::cosine}};
    const auto found = names.find(name);
    if (found == names.end()) throw InvalidArgument("there is no kernel '" + name + "'");
    return found->second;
}

Output log_bump_sums(const Matrix<double>& queries, const Matrix<double>& points,
                     const std::string& kernel, double width,
                     const std::optional<Vector<double>>& weights, double relative, double absolute,
                     bool ordered) {
    require(queries.shape(1) == points.shape(1), "both sides must have as many columns");
    require(points.shape(0) >= 1, "there must be a point");
    require(!weights || weights->shape(0) == points.shape(0), "one weight for each point");
    require(width > 0.0 && relative >= 0.0 && absolute >= 0.0,
            "the width must be positive, and errors not negative");
    const tile::Bumps bumps{kernel_of(kernel), width, relative, absolute, ordered};
    const double* const w = weights ? weights->data() : nullptr;
    if (w != nullptr) {
        bool any = false;
        for (std::size_t i = 0; i < points.shape(0); ++i) {
            require(w[i] >= 0.0, "weights must not be negative");
            any = any || w[i] > 0.0;
        }
        require(any, "some weight must be positive");
    }
    std::vector<double> sums(queries.shape(0));
    {
        nb::gil_scoped_release release;
        tile::log_bump_sums(view(queries), view(points), w, bumps, sums.data());
    }
    return array(std::move(sums), {queries.shape(0)});
}

nb::ndarray<nb::numpy, std::int64_t> box_order(const Matrix<double>& points) {
    std::vector<std::int64_t> order;
    {
        nb::gil_scoped_release release;
        const std::vector<Index> found = tile::box_order(view(points));
        order.assign(found.begin(), found.end());
    }
    return owned(std::move(order));
}

}  // namespace

void bind_bumps(nb::module_& module) {
    module.def("log_bump_sums", &log_bump_sums, nb::arg("queries").noconvert(),
               nb::arg("points").noconvert(), nb::arg("kernel"), nb::arg("width"),
               nb::arg("weights").none() = nb::none(), nb::arg("relative") = 0.0,
               nb::arg("absolute") = 0.0, nb::arg("ordered") = false,
               "log of the weighted sums of kernels around all points, for each query, by a tree "
               "of boxes; errors up to relative * sum + absolute * sum of weights. `ordered`: the "
               "points are in the order of box_order.");
    module.def("box_order", &box_order, nb::arg("points").noconvert(),
               "The order in which a tree of boxes holds the points.");
}

}  // namespace stylobate::bindings
