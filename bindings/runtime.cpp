#include "bindings.hpp"
#include "stylobate/blas.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"
#include "stylobate/simd.hpp"

// For threadpoolctl, which finds and calls these in the loaded library by name.
extern "C" {
__attribute__((visibility("default"))) int stylobate_get_threads() {
    return stylobate::threads();
}
__attribute__((visibility("default"))) void stylobate_set_threads(int count) {
    stylobate::set_threads(count < 1 ? 1 : count);
}
}

namespace stylobate::bindings {
namespace {

// Runs Python's signal handlers; true if one raised (the exception stays pending for translate).
bool signals_raise() {
    if (interpreter_is_ending()) return true;  // so that the workers stop, too
    GilTaken gil;
    return PyErr_CheckSignals() != 0;
}

template <class Function>
void take_pointer(nb::dict functions, const char* name, Function& slot) {
    nb::object capsule = functions[name];
    slot = reinterpret_cast<Function>(
        PyCapsule_GetPointer(capsule.ptr(), PyCapsule_GetName(capsule.ptr())));
    if (slot == nullptr) throw nb::python_error();
}

Output uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t start, std::size_t count) {
    std::vector<double> values(count);
    {
        GilReleased release;
        constexpr Index chunk = 1 << 14;
        const Philox random(seed, stream);
        const auto n = static_cast<Index>(count);
        parallel_for((n + chunk - 1) / chunk, [&](Index c, Checkpoint&) {
            for (Index i = c * chunk; i < n && i < (c + 1) * chunk; ++i)
                values[i] = random.uniform(start + static_cast<std::uint64_t>(i));
        });
    }
    return array(std::move(values), {count});
}

}  // namespace

void bind_runtime(nb::module_& module) {
    set_interrupt_hook(&signals_raise);
    module.def(
        "set_threads", &set_threads, nb::arg("count"),
        "Threads a native loop may use, 0 for the default; returns what was asked for before.");
    module.def(
        "threads",
        [] {
            const ThreadLimit limit(threads_in_context());
            return threads();
        },
        "Threads a native loop may use.");
    module.attr("threads_here") = nb::borrow(threads_variable());
    module.def("isa", &isa_name, "The instruction set in use: base, avx2, avx512 or vnni.");
    module.def(
        "install_blas",
        [](nb::dict functions) {
            Blas table;
            take_pointer(functions, "dtrsm", table.dtrsm);
            install_blas(table);
        },
        nb::arg("functions"), "Take over the function pointers of scipy.linalg.cython_blas.");
    module.def("uniform", &uniform, nb::arg("seed"), nb::arg("stream"), nb::arg("start"),
               nb::arg("count"),
               "Uniform numbers on [0, 1) from a Philox stream, any stretch of it.");
}

}  // namespace stylobate::bindings
