#include "scan/resampling.hpp"

#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "bindings.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::scan;

Strata checked_strata(const std::optional<Vector<std::uint32_t>>& members,
                      const Vector<std::int64_t>& offsets, Index n) {
    Strata strata;
    for (std::size_t s = 0; s < offsets.shape(0); ++s) {
        const auto end = static_cast<Index>(offsets.data()[s]);
        require(s == 0 ? end == 0 : end >= strata.offsets.back(), "offsets must rise from 0");
        strata.offsets.push_back(end);
    }
    require(strata.offsets.size() >= 2 && strata.offsets.back() == n,
            "offsets must end with the number of rows");
    if (members) {
        require(static_cast<Index>(members->shape(0)) == n, "members must name every row");
        for (Index i = 0; i < n; ++i)
            require(static_cast<Index>(members->data()[i]) < n, "a member is no row");
        strata.members = members->data();
    }
    return strata;
}

Output run_resampled_areas(const Packed<std::uint32_t>& cells,
                           const Vector<std::int64_t>& thresholds,
                           const std::optional<Vector<double>>& weights,
                           const std::optional<Vector<std::uint32_t>>& members,
                           const Vector<std::int64_t>& offsets, bool precision, std::uint64_t seed,
                           Index n_resamples) {
    const std::size_t width = cells.shape(0);
    const auto n = static_cast<Index>(cells.shape(1));
    require(thresholds.shape(0) == width, "every model needs a number of thresholds");
    require(!weights || static_cast<Index>(weights->shape(0)) == n, "every row needs a weight");
    require(n_resamples >= 1 && n >= 1, "there must be rows and resamples");
    std::vector<RankedRows> models;
    for (std::size_t m = 0; m < width; ++m) {
        const auto count = static_cast<Index>(thresholds.data()[m]);
        models.push_back({cells.data() + static_cast<Index>(m) * n, count});
        for (Index i = 0; i < n; ++i)
            require(static_cast<Index>(models[m].cells[i]) < 2 * count, "a row has no threshold");
    }
    const Strata strata = checked_strata(members, offsets, n);
    std::vector<double> areas;
    {
        GilReleased release;
        areas = resampled_areas(models, weights ? weights->data() : nullptr, strata,
                                precision ? Area::precision : Area::roc, seed, n_resamples);
    }
    return array(std::move(areas), {static_cast<std::size_t>(n_resamples), width});
}

}  // namespace

void bind_resampling(nb::module_& module) {
    module.def("resampled_areas", &run_resampled_areas, nb::arg("cells"), nb::arg("thresholds"),
               nb::arg("weights").none(), nb::arg("members").none(), nb::arg("offsets"),
               nb::arg("precision"), nb::arg("seed"), nb::arg("n_resamples"),
               "Areas under the ROC (or precision-recall) curves of resampled rows.");
}

}  // namespace stylobate::bindings
