// Neighbour layouts: scales of neighbourhoods, and the epochs that place the rows.
#include "embed/neighbour_layout.hpp"

#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>

#include "bindings.hpp"
#include "embed/neighbour_scales.hpp"

namespace stylobate::bindings {
namespace {

using FloatRows = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::tuple neighbour_scales(const Packed<double>& distances, double connectivity, double target,
                           double mean) {
    const std::size_t n = distances.shape(0), k = distances.shape(1);
    require(k > 0, "there must be neighbours");
    std::vector<double> rho(n), sigma(n);
    {
        GilReleased release;
        layout::neighbour_scales(distances.data(), static_cast<Index>(n), static_cast<Index>(k),
                                 {connectivity, target, mean}, rho.data(), sigma.data());
    }
    return nb::make_tuple(owned(std::move(rho)), owned(std::move(sigma)));
}

// What stays the same over the epochs of a layout.
struct NeighbourLayout {
    Vector<std::int64_t> offsets;
    Vector<std::int32_t> columns;
    Vector<float> weights;
    Vector<std::uint64_t> keys;
    std::optional<Packed<float>> fixed;
    layout::LayoutOptions options;

    void run(FloatRows positions, FloatRows steps, Index first, Index last) const {
        const std::size_t n = positions.shape(0), d = positions.shape(1);
        require(steps.shape(0) == n && steps.shape(1) == d, "as many steps as positions");
        require(offsets.shape(0) == n + 1 && keys.shape(0) == n, "as many rows as positions");
        require(columns.shape(0) == weights.shape(0), "as many weights as columns");
        require(offsets.data()[n] == static_cast<std::int64_t>(columns.shape(0)),
                "the last offset must be the number of columns");
        require(!fixed || fixed->shape(1) == d, "fixed points have the same dimensions");
        const layout::LayoutGraph graph{static_cast<Index>(n),
                                        static_cast<Index>(d),
                                        offsets.data(),
                                        columns.data(),
                                        weights.data(),
                                        keys.data(),
                                        fixed ? fixed->data() : nullptr,
                                        static_cast<Index>(fixed ? fixed->shape(0) : n)};
        GilReleased release;
        layout::neighbour_layout(graph, options, first, last, positions.data(), steps.data());
    }
};

}  // namespace

void bind_neighbour_layout(nb::module_& module) {
    module.def("neighbour_scales", &neighbour_scales, nb::arg("distances").noconvert(),
               nb::arg("connectivity"), nb::arg("target"), nb::arg("mean"),
               "Distances of full members and scales of neighbourhoods.");
    nb::class_<NeighbourLayout>(module, "NeighbourLayout",
                                "Places rows by a weighted graph of their neighbours.")
        .def(
            "__init__",
            [](NeighbourLayout* self, Vector<std::int64_t> offsets, Vector<std::int32_t> columns,
               Vector<float> weights, Vector<std::uint64_t> keys,
               std::optional<Packed<float>> fixed, double a, double b, double learning_rate,
               double momentum, double repulsion, Index draws, Index epochs, std::uint64_t seed) {
                const layout::Curve curve{static_cast<float>(a), static_cast<float>(b)};
                new (self) NeighbourLayout{
                    std::move(offsets),
                    std::move(columns),
                    std::move(weights),
                    std::move(keys),
                    std::move(fixed),
                    {curve, learning_rate, momentum, repulsion, draws, epochs, seed}};
            },
            nb::arg("offsets").noconvert(), nb::arg("columns").noconvert(),
            nb::arg("weights").noconvert(), nb::arg("keys").noconvert(),
            nb::arg("fixed").noconvert().none(), nb::kw_only(), nb::arg("a"), nb::arg("b"),
            nb::arg("learning_rate"), nb::arg("momentum"), nb::arg("repulsion"), nb::arg("draws"),
            nb::arg("epochs"), nb::arg("seed"))
        .def("run", &NeighbourLayout::run, nb::arg("positions").noconvert(),
             nb::arg("steps").noconvert(), nb::arg("first"), nb::arg("last"),
             "Epochs first to last, exclusive; positions and last steps are changed in place.");
}

}  // namespace stylobate::bindings
