// The gains of all cuts between the bins of a feature.
//
// Compiled without fused operations: the formula is that of SplitSearch::gain to the last bit, as
// gains of sums ±1 are often equal. No standard headers, as in every kernel file.
#include "tree/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index together = 8;

double gain_of(double g, double h, const CutGains& node) {
    const double g2 = node.gradient - g, h2 = node.hessian - h, tiny = 1e-15;
    const double a = -g * node.unit / (h * node.hessian_unit + node.l2 + tiny);
    const double a2 = -g2 * node.unit / (h2 * node.hessian_unit + node.l2 + tiny);
    return (node.own - g * a - g2 * a2) * node.unit;
}

}  // namespace

Index best_gain(const double* gradient, const double* hessian, Index begin, Index end,
                const CutGains& node, double& gain) {
    const CutGains all = node;  // a copy nothing else can change
    double gains[256], tops[together];
    for (Index k = 0; k < together; ++k) tops[k] = gain;
    Index b = begin;
    for (; b + together <= end; b += together)
        for (Index k = 0; k < together; ++k) {
            const double found = gain_of(gradient[b + k], hessian[b + k], all);
            gains[b - begin + k] = found;
            tops[k] = found > tops[k] ? found : tops[k];
        }
    double top = gain;
    for (; b < end; ++b) {
        const double found = gain_of(gradient[b], hessian[b], all);
        gains[b - begin] = found;
        top = found > top ? found : top;
    }
    for (Index k = 0; k < together; ++k) top = tops[k] > top ? tops[k] : top;
    if (!(top > gain)) return -1;
    gain = top;
    Index best = 0;
    while (gains[best] != top) ++best;
    return begin + best;
}

}  // namespace stylobate::STYLOBATE_ISA
