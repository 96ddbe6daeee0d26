// Steps of networks whose layers are passed one by one.
#include "bindings.hpp"
#include "network/segments.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::network;

template <class T>
using Changed = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
void bind(nb::module_& module) {
    module.def(
        "step_parameters",
        [](const Changed<T>& parameters, const Vector<T>& gradient, const Changed<T>& first,
           const Changed<T>& second, bool adaptive, const nb::dict& options,
           const Vector<std::int64_t>& ends, const Vector<double>& decays) {
            const auto number = [&](const char* name) { return nb::cast<double>(options[name]); };
            const auto flag = [&](const char* name) { return nb::cast<bool>(options[name]); };
            const std::size_t size = parameters.size();
            require(gradient.size() == size && first.size() == size &&
                        second.size() == (adaptive ? size : 0),
                    "the optimiser's state does not fit the parameters");
            require(ends.size() == decays.size() && ends.size() >= 1 &&
                        ends.data()[ends.size() - 1] == static_cast<std::int64_t>(size),
                    "the penalties do not fit the parameters");
            for (std::size_t k = 0; k < ends.size(); ++k)
                require(ends.data()[k] > (k == 0 ? 0 : ends.data()[k - 1]),
                        "the parts of the parameters must follow each other");
            const Step step{
                number("rate"),   number("first"), number("second"), number("epsilon"), 0.0, 1.0,
                flag("nesterov"), flag("forgets")};
            const Weights<T> weights{parameters.data(), first.data(),
                                     adaptive ? second.data() : nullptr, static_cast<Index>(size)};
            const Segments segments{ends.data(), decays.data(), static_cast<Index>(ends.size())};
            GilReleased release;
            return step_segments(adaptive, weights, gradient.data(), step, segments);
        },
        nb::arg("parameters").noconvert(), nb::arg("gradient").noconvert(),
        nb::arg("first").noconvert(), nb::arg("second").noconvert(), nb::arg("adaptive"),
        nb::arg("options"), nb::arg("ends"), nb::arg("decays"),
        "Moves parameters and what the optimiser remembers in place; returns the penalty of "
        "before.");
}

}  // namespace

void bind_network_steps(nb::module_& module) {
    bind<double>(module);
    bind<float>(module);
}

}  // namespace stylobate::bindings
