#include "descend/multitask.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings.hpp"

namespace stylobate::bindings {
namespace {

// Coefficients, correlations, sweeps, primal, gap, KKT violation.
std::tuple<Output, Output, Index, double, double, double> descend_blocks(
    const Packed<double>& gram, const Packed<double>& products, double squares,
    const Packed<double>& start, double l1, double l2, double tol, Index max_epochs) {
    const std::size_t p = gram.shape(0), t = products.shape(1);
    require(gram.shape(1) == p && products.shape(0) == p, "gram and products differ in columns");
    require(start.shape(0) == p && start.shape(1) == t, "start must have the shape of products");
    require(l1 >= 0.0 && l2 >= 0.0 && tol >= 0.0 && max_epochs >= 0, "penalties must not be < 0");
    std::vector<double> w(start.data(), start.data() + p * t);
    std::vector<double> c(products.data(), products.data() + p * t);
    Index epochs = 0;
    descend::BlockProof proof;
    {
        GilReleased release;
        for (std::size_t j = 0; j < p; ++j)  // c = XᵀY − XᵀX·W
            for (std::size_t k = 0; k < t; ++k)
                if (w[j * t + k] != 0.0)
                    for (std::size_t i = 0; i < p; ++i)
                        c[i * t + k] -= gram.data()[j * p + i] * w[j * t + k];
        const descend::BlockProblem problem{
            gram.data(), products.data(), squares, static_cast<Index>(p), static_cast<Index>(t), l1,
            l2};
        parallel_for(1, [&](Index, Checkpoint& checkpoint) {
            epochs = descend::descend_blocks(problem, w, c, tol, max_epochs, checkpoint);
        });
        proof = descend::prove_blocks(problem, w.data(), c.data());
    }
    return {array(std::move(w), {p, t}),
            array(std::move(c), {p, t}),
            epochs,
            proof.primal,
            proof.gap,
            proof.kkt};
}

std::tuple<double, double, double> prove_blocks(const Packed<double>& products, double squares,
                                                const Packed<double>& w, const Packed<double>& c,
                                                double l1, double l2) {
    const std::size_t p = products.shape(0), t = products.shape(1);
    require(w.shape(0) == p && w.shape(1) == t && c.shape(0) == p && c.shape(1) == t,
            "coefficients, correlations and products differ in shape");
    GilReleased release;
    const auto proof = descend::prove_blocks(
        {nullptr, products.data(), squares, static_cast<Index>(p), static_cast<Index>(t), l1, l2},
        w.data(), c.data());
    return {proof.primal, proof.gap, proof.kkt};
}

}  // namespace

void bind_multitask(nb::module_& module) {
    module.def("descend_blocks", &descend_blocks, nb::arg("gram"), nb::arg("products"),
               nb::arg("squares"), nb::arg("start"), nb::arg("l1"), nb::arg("l2"), nb::arg("tol"),
               nb::arg("max_epochs"),
               "Block coordinate descent: coefficients, correlations, sweeps, primal, gap, KKT.");
    module.def("prove_blocks", &prove_blocks, nb::arg("products"), nb::arg("squares"), nb::arg("w"),
               nb::arg("c"), nb::arg("l1"), nb::arg("l2"),
               "Primal, gap and KKT violation at coefficients w with correlations c.");
}

}  // namespace stylobate::bindings
