// What each file of bindings adds to the module. Included by module.cpp alone, so that a new file
// does not compile all others again.
#pragma once

#include <nanobind/nanobind.h>

namespace stylobate::bindings {

namespace nb = nanobind;

void bind_arrow(nb::module_& module);
void bind_assignments(nb::module_& module);
void bind_boosting(nb::module_& module);
void bind_bumps(nb::module_& module);
void bind_census(nb::module_& module);
void bind_classes(nb::module_& module);
void bind_codes(nb::module_& module);
void bind_gather(nb::module_& module);
void bind_decomposition(nb::module_& module);
void bind_density_clusters(nb::module_& module);
void bind_directions(nb::module_& module);
void bind_embedding(nb::module_& module);
void bind_factorization(nb::module_& module);
void bind_filters(nb::module_& module);
void bind_forest(nb::module_& module);
void bind_geodesics(nb::module_& module);
void bind_growth(nb::module_& module);
void bind_hnsw(nb::module_& module);
void bind_kmeans(nb::module_& module);
void bind_labels(nb::module_& module);
void bind_lasso(nb::module_& module);
void bind_linear_svm(nb::module_& module);
void bind_linkage(nb::module_& module);
void bind_logistic(nb::module_& module);
void bind_logistic_l1(nb::module_& module);
void bind_medoids(nb::module_& module);
void bind_mixtures(nb::module_& module);
void bind_multitask(nb::module_& module);
void bind_neighbour_layout(nb::module_& module);
void bind_batch_norm(nb::module_& module);
void bind_further_layers(nb::module_& module);
void bind_layers(nb::module_& module);
void bind_network(nb::module_& module);
void bind_network_steps(nb::module_& module);
void bind_parts(nb::module_& module);
void bind_penalized(nb::module_& module);
void bind_plain(nb::module_& module);
void bind_ranks(nb::module_& module);
void bind_resampling(nb::module_& module);
void bind_robust(nb::module_& module);
void bind_runtime(nb::module_& module);
void bind_scaling(nb::module_& module);
void bind_scan(nb::module_& module);
void bind_shap(nb::module_& module);
void bind_silhouettes(nb::module_& module);
void bind_sketches(nb::module_& module);
void bind_steps(nb::module_& module);
void bind_stochastic(nb::module_& module);
void bind_svm(nb::module_& module);
void bind_text(nb::module_& module);
void bind_tabular_net(nb::module_& module);
void bind_tiles(nb::module_& module);
void bind_tree(nb::module_& module);
void bind_trees(nb::module_& module);
void bind_vocabulary(nb::module_& module);

}  // namespace stylobate::bindings
