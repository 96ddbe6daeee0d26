// Multidimensional scaling.
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "embed/stress.hpp"

namespace stylobate::bindings {
namespace {

using Ends = Vector<std::int64_t>;
using Places = Vector<std::int32_t>;
using Square = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// half gradients (m × k) and sums (m × 2)
nb::tuple stress_gradient(const Packed<double>& moving, const Packed<double>& fixed,
                          const Packed<double>& delta,
                          const std::optional<Packed<double>>& weights) {
    const auto m = moving.shape(0), k = moving.shape(1), n = fixed.shape(0);
    require(k > 0 && fixed.shape(1) == k, "both sides need as many coordinates");
    require(delta.shape(0) == m && delta.shape(1) == n, "one dissimilarity for each pair");
    require(!weights || (weights->shape(0) == m && weights->shape(1) == n),
            "one weight for each pair");
    const auto rows_of = [&](const Packed<double>& x) {
        return MatrixView<double>{x.data(), static_cast<Index>(m), static_cast<Index>(n),
                                  static_cast<Index>(n), 1};
    };
    std::vector<double> half(m * k), sums(m * 2);
    {
        const MatrixView<double> given = weights ? rows_of(*weights) : MatrixView<double>{};
        GilReleased release;
        stress::stress_gradient(
            {moving.data(), fixed.data(), static_cast<Index>(m), static_cast<Index>(n),
             static_cast<Index>(k), rows_of(delta), weights ? &given : nullptr},
            half.data(), sums.data());
    }
    return nb::make_tuple(owned(std::move(half), {m, k}), owned(std::move(sums), {m, 2}));
}

Output isotonic(const Vector<double>& y, const std::optional<Vector<double>>& weights) {
    require(!weights || weights->shape(0) == y.shape(0), "one weight for each value");
    std::vector<double> fitted(y.data(), y.data() + y.shape(0));
    {
        GilReleased release;
        stress::isotonic(fitted.data(), weights ? weights->data() : nullptr,
                         static_cast<Index>(fitted.size()));
    }
    return owned(std::move(fitted));
}

void check_pairs(const Places& first, const Places& second, const Ends& ends, Index n) {
    const auto count = static_cast<Index>(first.shape(0));
    require(static_cast<Index>(second.shape(0)) == count, "two points for each pair");
    for (Index e = 0; e < count; ++e)
        require(first(e) >= 0 && first(e) < n && second(e) >= 0 && second(e) < n,
                "a pair points outside the points");
    Index before = 0;
    for (std::size_t g = 0; g < ends.shape(0); ++g) {
        require(ends(g) > before, "groups of pairs must grow");
        before = ends(g);
    }
    require(before == count, "the groups must hold all pairs");
}

void disparities(const Places& first, const Places& second, const Ends& ends,
                 const Packed<double>& x, Square matrix) {
    const auto n = static_cast<Index>(x.shape(0)), k = static_cast<Index>(x.shape(1));
    require(static_cast<Index>(matrix.shape(0)) == n && static_cast<Index>(matrix.shape(1)) == n,
            "the matrix must have a row and a column for each point");
    GilReleased release;
    check_pairs(first, second, ends, n);
    stress::disparities({first.data(), second.data(), static_cast<Index>(first.shape(0)),
                         ends.data(), static_cast<Index>(ends.shape(0))},
                        x.data(), n, k, matrix.data());
}

}  // namespace

void bind_scaling(nb::module_& module) {
    module.def("stress_gradient", &stress_gradient, nb::arg("moving").noconvert(),
               nb::arg("fixed").noconvert(), nb::arg("delta").noconvert(),
               nb::arg("weights").noconvert() = nb::none(),
               "Half the gradient of each point's stress, and sums of w (d - delta)^2 and w d^2.");
    module.def("isotonic", &isotonic, nb::arg("y").noconvert(),
               nb::arg("weights").noconvert() = nb::none(),
               "The increasing sequence nearest to y.");
    module.def("disparities", &disparities, nb::arg("first").noconvert(),
               nb::arg("second").noconvert(), nb::arg("ends").noconvert(), nb::arg("x").noconvert(),
               nb::arg("matrix").noconvert(),
               "Fills in the increasing function of dissimilarities nearest to the distances.");
}

}  // namespace stylobate::bindings
