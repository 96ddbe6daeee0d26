#include <new>
#include <stdexcept>

#include "bindings.hpp"
#include "registration.hpp"
#include "scan/arrow.hpp"
#include "stylobate/errors.hpp"
#include "tree/spilled.hpp"

namespace stylobate::bindings {
namespace {

constexpr const char* no_memory =
    "The computation needs more memory than there is to be had; use fewer columns or smaller "
    "parts.";

// The one place where the core's errors become Python's.
void translate(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const InvalidArgument& refused) {
        PyErr_SetString(PyExc_ValueError, refused.what());
    } catch (const boost::NoSpace& failed) {
        PyErr_SetString(PyExc_OSError, failed.what());
    } catch (const scan::ProducerError& failed) {
        PyErr_SetString(PyExc_RuntimeError, failed.what());
    } catch (const Interrupted&) {
        // The hook that stopped the loop ran the signal handlers; what they raised is pending.
        if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const std::bad_alloc&) {
        PyErr_SetString(PyExc_MemoryError, no_memory);
    } catch (const std::length_error&) {  // what std::vector throws for more than it can address
        PyErr_SetString(PyExc_MemoryError, no_memory);
    }
}

}  // namespace
}  // namespace stylobate::bindings

NB_MODULE(_core, module) {
    // A process that ends while a daemon thread is in a loop leaves its objects behind, rightly.
    nb::set_leak_warnings(false);
    using namespace stylobate::bindings;
    module.doc() = "The compiled core of Stylobate. Not public: use the package's own modules.";
    nb::register_exception_translator(translate);
    bind_runtime(module);
    bind_arrow(module);
    bind_scan(module);
    bind_sketches(module);
    bind_parts(module);
    bind_plain(module);
    bind_census(module);
    bind_classes(module);
    bind_codes(module);
    bind_gather(module);
    bind_filters(module);
    bind_hnsw(module);
    bind_forest(module);
    bind_growth(module);
    bind_labels(module);
    bind_kmeans(module);
    bind_medoids(module);
    bind_linkage(module);
    bind_linear_svm(module);
    bind_density_clusters(module);
    bind_mixtures(module);
    bind_silhouettes(module);
    bind_decomposition(module);
    bind_directions(module);
    bind_factorization(module);
    bind_scaling(module);
    bind_embedding(module);
    bind_neighbour_layout(module);
    bind_batch_norm(module);
    bind_further_layers(module);
    bind_layers(module);
    bind_network(module);
    bind_network_steps(module);
    bind_tabular_net(module);
    bind_ranks(module);
    bind_geodesics(module);
    bind_lasso(module);
    bind_multitask(module);
    bind_logistic(module);
    bind_logistic_l1(module);
    bind_penalized(module);
    bind_resampling(module);
    bind_robust(module);
    bind_shap(module);
    bind_stochastic(module);
    bind_steps(module);
    bind_svm(module);
    bind_text(module);
    bind_assignments(module);
    bind_tiles(module);
    bind_bumps(module);
    bind_boosting(module);
    bind_tree(module);
    bind_trees(module);
    bind_vocabulary(module);
}
