// Silhouettes and other qualities of clusters.
#include "cluster/silhouettes.hpp"

#include <limits>

#include "pairs.hpp"

namespace stylobate::bindings {
namespace {

using cluster::Clusterings;

void add(Clusterings& all, const Vector<std::int64_t>& part, const Packed<std::int64_t>& labels) {
    require(static_cast<Index>(part.shape(0)) == all.rows(), "one part for each row");
    all.add(part.data(), static_cast<Index>(labels.shape(1)), labels.data(),
            static_cast<Index>(labels.shape(0)));
}

Output silhouettes(const Pairs& pairs, const Clusterings& all, const std::string& map, double a,
                   double b, double p, bool zero_diagonal) {
    const tile::Mapping mapping{tile::map_named(map), a, b, p};
    std::vector<double> out(static_cast<std::size_t>(area(all.count(), all.rows())));
    {
        GilReleased release;
        const auto strips = pairs.core().strips();
        cluster::silhouettes({*strips}, all, mapping, zero_diagonal, out.data());
    }
    return array(std::move(out),
                 {static_cast<std::size_t>(all.count()), static_cast<std::size_t>(all.rows())});
}

void given_silhouettes(const Matrix<double>& distances, Index first, const Clusterings& all,
                       Filled<double> out) {
    require(static_cast<Index>(out.shape(0)) == all.count() &&
                static_cast<Index>(out.shape(1)) == all.rows(),
            "the output must have a row for each clustering and a column for each row");
    GilReleased release;
    const auto strips = cluster::given_strips(view(distances));
    cluster::silhouettes({*strips, first}, all, {}, false, out.data());
}

// diameters and separations
nb::tuple extents_of(tile::Strips& strips, Index first, const Clusterings& all) {
    const auto count = static_cast<std::size_t>(all.count());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> diameters(count, -infinity), separations(count, infinity);
    {
        GilReleased release;
        cluster::extents({strips, first}, all, diameters.data(), separations.data());
    }
    return nb::make_tuple(owned(std::move(diameters)), owned(std::move(separations)));
}

}  // namespace

void bind_silhouettes(nb::module_& module) {
    nb::class_<Clusterings>(module, "Clusterings", "Clusterings of as many rows.")
        .def(nb::init<Index>(), nb::arg("rows"))
        .def("add", &add, nb::arg("part").noconvert(), nb::arg("labels").noconvert(),
             "Clusterings with common parts: the part of every row, and of every clustering the "
             "cluster of each part.");
    module.def("silhouettes", &silhouettes, nb::arg("pairs"), nb::arg("clusterings"),
               nb::arg("map") = "identity", nb::arg("a") = 1.0, nb::arg("b") = 0.0,
               nb::arg("p") = 1.0, nb::arg("zero_diagonal") = false,
               "The silhouette of every row in every clustering.");
    module.def("given_silhouettes", &given_silhouettes, nb::arg("distances").noconvert(),
               nb::arg("first"), nb::arg("clusterings"), nb::arg("out").noconvert(),
               "Silhouettes of the rows from `first` on, from their distances to all.");
    module.def(
        "cluster_extents",
        [](const Pairs& pairs, const Clusterings& all) {
            const auto strips = pairs.core().strips();
            return extents_of(*strips, 0, all);
        },
        nb::arg("pairs"), nb::arg("clusterings"),
        "Of every clustering the largest value within a cluster and the smallest between two.");
    module.def(
        "given_cluster_extents",
        [](const Matrix<double>& distances, Index first, const Clusterings& all) {
            const auto strips = cluster::given_strips(view(distances));
            return extents_of(*strips, first, all);
        },
        nb::arg("distances").noconvert(), nb::arg("first"), nb::arg("clusterings"),
        "The same of the rows from `first` on, from their distances to all.");
}

}  // namespace stylobate::bindings
