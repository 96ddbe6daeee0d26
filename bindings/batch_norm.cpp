// Batch and layer normalisation.
#include "network/batch_norm.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "layer_arrays.hpp"
#include "network/layer_norm.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::network;

bool has(const Vector<double>& v, Index size) {
    return static_cast<Index>(v.size()) == size;
}

template <class T>
void bind(nb::module_& module) {
    module.def(
        "channel_moments",
        [](const Packed<T>& x, Index channels) {
            const Channels c = channels_of(x, channels);
            std::vector<double> means(static_cast<std::size_t>(channels)), variances(means);
            {
                GilReleased release;
                channel_moments(c, x.data(), means.data(), variances.data());
            }
            return std::make_tuple(owned(std::move(means)), owned(std::move(variances)));
        },
        nb::arg("x"), nb::arg("channels"), "Means and variances of the channels.");
    module.def(
        "normalize_channels",
        [](const Packed<T>& x, const Vector<double>& means, const Vector<double>& variances,
           double epsilon, const Vector<T>& scale, const Vector<T>& shift) {
            const Channels c = channels_of(x, static_cast<Index>(scale.size()));
            require(has(means, c.channels) && has(variances, c.channels) &&
                        shift.size() == scale.size(),
                    "the moments do not fit the channels");
            Fresh<T> out(rows_of(x), cols_of(x));
            {
                GilReleased release;
                normalize(c, x.data(), means.data(), variances.data(), epsilon, scale.data(),
                          shift.data(), out.data());
            }
            return std::move(out).given();
        },
        nb::arg("x"), nb::arg("means"), nb::arg("variances"), nb::arg("epsilon"), nb::arg("scale"),
        nb::arg("shift"), "Channels standardised, scaled and shifted.");
    module.def(
        "normalize_channels_back",
        [](const Packed<T>& x, const Vector<double>& means, const Vector<double>& variances,
           double epsilon, bool of_batch, const Vector<T>& scale, const Packed<T>& dy) {
            const Channels c = channels_of(x, static_cast<Index>(scale.size()));
            require(has(means, c.channels) && has(variances, c.channels),
                    "the moments do not fit the channels");
            require_like(dy, rows_of(x), cols_of(x));
            Fresh<T> dx(rows_of(x), cols_of(x)), d_scale(1, c.channels), d_shift(1, c.channels);
            {
                GilReleased release;
                normalize_back(c, x.data(), means.data(), variances.data(), epsilon, of_batch,
                               scale.data(), dy.data(), dx.data(), d_scale.data(), d_shift.data());
            }
            return std::make_tuple(std::move(dx).given(), std::move(d_scale).given(),
                                   std::move(d_shift).given());
        },
        nb::arg("x"), nb::arg("means"), nb::arg("variances"), nb::arg("epsilon"),
        nb::arg("of_batch"), nb::arg("scale"), nb::arg("dy"),
        "Derivatives by the entries, the scales and the shifts.");
}

template <class T>
void bind_rows(nb::module_& module) {
    module.def(
        "normalize_rows",
        [](const Packed<T>& x, double epsilon, const Vector<T>& scale, const Vector<T>& shift) {
            const Channels c = channels_of(x, static_cast<Index>(scale.size()));
            require(shift.size() == scale.size(), "the shifts do not fit the channels");
            Fresh<T> out(rows_of(x), cols_of(x));
            std::vector<double> means(x.shape(0)), inverses(x.shape(0));
            {
                GilReleased release;
                normalize_rows(c, x.data(), epsilon, scale.data(), shift.data(), out.data(),
                               means.data(), inverses.data());
            }
            return std::make_tuple(std::move(out).given(), owned(std::move(means)),
                                   owned(std::move(inverses)));
        },
        nb::arg("x"), nb::arg("epsilon"), nb::arg("scale"), nb::arg("shift"),
        "Rows standardised over their own entries, scaled and shifted; their means and inverse "
        "deviations.");
    module.def(
        "normalize_rows_back",
        [](const Packed<T>& x, const Vector<double>& means, const Vector<double>& inverses,
           const Vector<T>& scale, const Packed<T>& dy) {
            const Channels c = channels_of(x, static_cast<Index>(scale.size()));
            require(has(means, rows_of(x)) && has(inverses, rows_of(x)),
                    "the moments do not fit the rows");
            require_like(dy, rows_of(x), cols_of(x));
            Fresh<T> dx(rows_of(x), cols_of(x)), d_scale(1, c.channels), d_shift(1, c.channels);
            {
                GilReleased release;
                normalize_rows_back(c, x.data(), means.data(), inverses.data(), scale.data(),
                                    dy.data(), dx.data(), d_scale.data(), d_shift.data());
            }
            return std::make_tuple(std::move(dx).given(), std::move(d_scale).given(),
                                   std::move(d_shift).given());
        },
        nb::arg("x"), nb::arg("means"), nb::arg("inverses"), nb::arg("scale"), nb::arg("dy"),
        "Derivatives by the entries, the scales and the shifts.");
}

}  // namespace

void bind_batch_norm(nb::module_& module) {
    bind<double>(module);
    bind<float>(module);
    bind_rows<double>(module);
    bind_rows<float>(module);
}

}  // namespace stylobate::bindings
