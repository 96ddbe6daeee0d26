// Leading directions of rows.
#include <optional>

#include "bindings.hpp"
#include "rows.hpp"
#include "scan/gram_product.hpp"

namespace stylobate::bindings {
namespace {

template <class T>
Output run_gram_product(const Matrix<T>& x, const Weights& w, const Vector<double>& center,
                        const Packed<double>& directions) {
    const std::size_t p = x.shape(1), width = directions.shape(1);
    require(center.shape(0) == p && directions.shape(0) == p,
            "center and directions must have one row per column of x");
    require(!w || w->shape(0) == x.shape(0), "weights must have one entry per row");
    std::vector<double> out;
    {
        GilReleased release;
        out = scan::gram_product(scan::DenseFeatures<T>(view(x)), w ? w->data() : nullptr,
                                 center.data(), directions.data(), static_cast<Index>(width));
    }
    return array(std::move(out), {p, width});
}

template <class T>
void bind_gram_product(nb::module_& module) {
    module.def("gram_product", &run_gram_product<T>, nb::arg("x").noconvert(), nb::arg("w").none(),
               nb::arg("center"), nb::arg("directions"),
               "Σ w (x − center)(x − center)ᵀ times directions, in one read of the rows.");
}

}  // namespace

void bind_directions(nb::module_& module) {
    bind_gram_product<double>(module);
    bind_gram_product<float>(module);
}

}  // namespace stylobate::bindings
