// k-means: iterations, starts, one dimension.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings.hpp"
#include "cluster/line.hpp"
#include "cluster/lloyd.hpp"
#include "cluster/starts.hpp"
#include "rows.hpp"

namespace stylobate::bindings {
namespace {

cluster::Way way_of(const std::string& name) {
    if (name == "full") return cluster::Way::full;
    if (name == "hamerly") return cluster::Way::hamerly;
    if (name == "yinyang") return cluster::Way::yinyang;
    require(name == "elkan", "there is no such way");
    return cluster::Way::elkan;
}

const double* row_weights(const Weights& weights, std::size_t rows) {
    require(!weights || weights->shape(0) == rows, "x and weights differ in rows");
    return weights ? weights->data() : nullptr;
}

template <class T>
nb::tuple lloyd(const Matrix<T>& x, const Packed<double>& centers, const Weights& weights,
                Index max_iter, double tol, const std::string& way) {
    const auto k = static_cast<Index>(centers.shape(0)), p = static_cast<Index>(centers.shape(1));
    const double* const w = row_weights(weights, x.shape(0));
    const cluster::LloydOptions options{max_iter, tol, way_of(way)};
    cluster::LloydRun run;
    {
        GilReleased release;
        run = cluster::lloyd(view(x), w, {centers.data(), k, p, p, 1}, options);
    }
    if (run.centres.empty()) run.centres.assign(centers.data(), centers.data() + k * p);
    return nb::make_tuple(owned(std::move(run.labels)),
                          owned(std::move(run.centres), {centers.shape(0), centers.shape(1)}),
                          run.inertia, run.iterations, run.strict, owned(std::move(run.trace)),
                          run.measured);
}

template <class T>
nb::tuple best_candidate(const Matrix<T>& x, const std::vector<Index>& candidates,
                         const Weights& weights, const Weights& closest) {
    const double* const w = row_weights(weights, x.shape(0));
    const double* const known = row_weights(closest, x.shape(0));
    require(!candidates.empty(), "there must be candidates");
    for (const Index each : candidates)
        require(each >= 0 && each < static_cast<Index>(x.shape(0)), "candidates must be rows");
    require(view(x).rows_contiguous(), "the columns of a row must lie side by side");
    cluster::BestCandidate found;
    {
        GilReleased release;
        found = cluster::best_candidate(view(x), w, candidates, known);
    }
    return nb::make_tuple(found.which, owned(std::move(found.closest)), found.potential);
}

template <class T>
void bind_precision(nb::module_& module) {
    module.def("lloyd", &lloyd<T>, nb::arg("x").noconvert(), nb::arg("centers").noconvert(),
               nb::arg("weights").noconvert().none(), nb::arg("max_iter"), nb::arg("tol"),
               nb::arg("way"),
               "Lloyd's iterations: labels, centres, inertia, iterations, whether the labels "
               "repeat, the trace, and how many distances were computed.");
    module.def("best_candidate", &best_candidate<T>, nb::arg("x").noconvert(),
               nb::arg("candidates"), nb::arg("weights").noconvert().none(),
               nb::arg("closest").noconvert().none(),
               "Of candidate rows the one that leaves the least Σ w · squared distance to the "
               "nearest centre, these distances, and the sum.");
}

}  // namespace

void bind_kmeans(nb::module_& module) {
    bind_precision<double>(module);
    bind_precision<float>(module);
    module.def(
        "best_stretches",
        [](const Vector<double>& values, const Vector<double>& weights, Index k) {
            require(values.shape(0) == weights.shape(0), "values and weights differ in length");
            GilReleased release;
            return cluster::best_stretches(values.data(), weights.data(),
                                           static_cast<Index>(values.shape(0)), k);
        },
        nb::arg("values").noconvert(), nb::arg("weights").noconvert(), nb::arg("k"),
        "The first of each of k clusters of sorted values, of the least inertia.");
}

}  // namespace stylobate::bindings
