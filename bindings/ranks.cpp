// Ranks by distance, before and after an embedding.
#include "embed/ranks.hpp"

#include <cstdint>

#include "bindings.hpp"

namespace stylobate::bindings {
namespace {

using Distances = Packed<double>;

MatrixView<double> lines(const Distances& d) {
    const auto cols = static_cast<Index>(d.shape(1));
    return {d.data(), static_cast<Index>(d.shape(0)), cols, cols, 1};
}

embed::SeenFrom seen_from(const Distances& d, const Vector<std::int64_t>& own) {
    require(own.shape(0) == d.shape(0), "one own row for each line of distances");
    return {lines(d), own.data()};
}

nb::ndarray<nb::numpy, std::int64_t> column_ranks(const Distances& d,
                                                  const Vector<std::int64_t>& own,
                                                  const Packed<std::int64_t>& columns) {
    require(columns.shape(0) == d.shape(0), "some columns for each line of distances");
    std::vector<std::int64_t> ranks(columns.shape(0) * columns.shape(1));
    {
        GilReleased release;
        embed::column_ranks(seen_from(d, own), columns.data(), static_cast<Index>(columns.shape(1)),
                            ranks.data());
    }
    return owned(std::move(ranks), {columns.shape(0), columns.shape(1)});
}

// kept, intruded, lost, larger
nb::tuple rank_agreement(const Distances& first, const Distances& second,
                         const Vector<std::int64_t>& own, Index k) {
    embed::RankAgreement found;
    {
        GilReleased release;
        found = embed::rank_agreement(seen_from(first, own), lines(second), k);
    }
    return nb::make_tuple(owned(std::move(found.kept)), owned(std::move(found.intruded)),
                          owned(std::move(found.lost)), owned(std::move(found.larger)));
}

}  // namespace

void bind_ranks(nb::module_& module) {
    module.def("column_ranks", &column_ranks, nb::arg("distances").noconvert(),
               nb::arg("own").noconvert(), nb::arg("columns").noconvert(),
               "Ranks of some columns in each line of distances; the own row has none.");
    module.def("rank_agreement", &rank_agreement, nb::arg("first").noconvert(),
               nb::arg("second").noconvert(), nb::arg("own").noconvert(), nb::arg("k"),
               "Of each line how many of the k nearest are kept, excess ranks of intruders and of "
               "lost ones, and how many pairs have each larger rank.");
}

}  // namespace stylobate::bindings
