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

void check_weights(const std::optional<Vector<double>>& weights, std::size_t count) {
    require(!weights || weights->shape(0) == count, "one weight for each point");
    if (!weights) return;
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
        require(weights->data()[i] >= 0.0, "weights must not be negative");
        any = any || weights->data()[i] > 0.0;
    }
    require(any, "some weight must be positive");
}

tile::Bumps bumps_of(const std::string& kernel, double width, double relative, double absolute) {
    require(width > 0.0 && relative >= 0.0 && absolute >= 0.0,
            "the width must be positive, and errors not negative");
    return {kernel_of(kernel), width, relative, absolute};
}

Output log_bump_sums(const Matrix<double>& queries, const Matrix<double>& points,
                     const std::string& kernel, double width,
                     const std::optional<Vector<double>>& weights, double relative,
                     double absolute) {
    require(queries.shape(1) == points.shape(1), "both sides must have as many columns");
    require(points.shape(0) >= 1, "there must be a point");
    check_weights(weights, points.shape(0));
    const tile::Bumps bumps = bumps_of(kernel, width, relative, absolute);
    std::vector<double> sums(queries.shape(0));
    {
        GilReleased release;
        tile::log_bump_sums(view(queries), view(points), weights ? weights->data() : nullptr, bumps,
                            sums.data());
    }
    return array(std::move(sums), {queries.shape(0)});
}

// A NumPy array that takes over the buffer's memory.
Output owned_buffer(Buffer&& values, std::initializer_list<std::size_t> shape) {
    auto held = std::make_unique<Buffer>(std::move(values));
    double* const data = held->data();
    nb::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<Buffer*>(p); });
    return Output(data, shape, owner);
}

template <class T>
nb::tuple arranged_points(const Matrix<T>& points, const std::optional<Vector<double>>& weights) {
    require(points.shape(0) >= 1, "there must be a point");
    check_weights(weights, points.shape(0));
    std::optional<tile::ArrangedPoints> made;
    {
        GilReleased release;
        made.emplace(view(points), weights ? weights->data() : nullptr);
    }
    const auto depth = static_cast<std::size_t>(made->depth),
               ld = static_cast<std::size_t>(made->ld);
    nb::object scaled = nb::none();
    if (weights) scaled = nb::cast(owned_buffer(std::move(made->weights), {ld}));
    return nb::make_tuple(owned_buffer(std::move(made->columns), {depth, ld}), scaled, made->rows,
                          made->largest);
}

Output log_arranged_sums(const Matrix<double>& queries, const Packed<double>& columns,
                         const std::optional<Vector<double>>& weights, Index rows, double largest,
                         const std::string& kernel, double width, double relative,
                         double absolute) {
    const std::size_t ld = columns.shape(1);
    require(queries.shape(1) == columns.shape(0), "both sides must have as many columns");
    require(rows >= 1 && ld % 8 == 0 && rows <= static_cast<Index>(ld) &&
                rows > static_cast<Index>(ld) - 8,
            "points must be arranged");
    check_weights(weights, ld);
    const tile::Bumps bumps = bumps_of(kernel, width, relative, absolute);
    const tile::BoxPoints points{
        columns.data(),         weights ? weights->data() : nullptr,  rows,
        static_cast<Index>(ld), static_cast<Index>(columns.shape(0)), largest};
    std::vector<double> sums(queries.shape(0));
    {
        GilReleased release;
        tile::log_bump_sums(view(queries), points, bumps, sums.data());
    }
    return array(std::move(sums), {queries.shape(0)});
}

}  // namespace

void bind_bumps(nb::module_& module) {
    module.def("log_bump_sums", &log_bump_sums, nb::arg("queries").noconvert(),
               nb::arg("points").noconvert(), nb::arg("kernel"), nb::arg("width"),
               nb::arg("weights").none() = nb::none(), nb::arg("relative") = 0.0,
               nb::arg("absolute") = 0.0,
               "log of the weighted sums of kernels around all points, for each query, by a tree "
               "of boxes; errors up to relative * sum + absolute * sum of weights.");
    const char* const arranged =
        "Points as a tree of boxes holds them: their columns, weights (None: all 1), number, and "
        "the largest weight.";
    module.def("arranged_points", &arranged_points<double>, nb::arg("points").noconvert(),
               nb::arg("weights").none() = nb::none(), arranged);
    module.def("arranged_points", &arranged_points<float>, nb::arg("points").noconvert(),
               nb::arg("weights").none() = nb::none(), arranged);
    module.def("log_arranged_sums", &log_arranged_sums, nb::arg("queries").noconvert(),
               nb::arg("columns").noconvert(), nb::arg("weights").none(), nb::arg("rows"),
               nb::arg("largest"), nb::arg("kernel"), nb::arg("width"), nb::arg("relative") = 0.0,
               nb::arg("absolute") = 0.0, "log_bump_sums of what arranged_points gave.");
}

}  // namespace stylobate::bindings
