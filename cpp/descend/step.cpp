#include "descend/step.hpp"

#include <cstdint>

#include "descend/loss_blocks.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::descend {
namespace {

constexpr Index block_rows = 192;           // rows per packed block: they stay in cache
constexpr Index unit_rows = 2048;           // rows one chunk of the loop absorbs
constexpr Index max_units = 256;            // all units' sums are kept until merged in order …
constexpr Index max_state_bytes = 1 << 25;  // … within this much memory
constexpr Index wide_columns = 640;         // beyond this, cut the product and not the rows

// Sums over some rows; row j of `hessian` holds its entries i ≤ j.
struct Sums {
    Sums(Index cols, bool with_hessian)
        : ld(padded_stride(cols)), gradient(cols), hessian(with_hessian ? area(cols, ld) : 0) {}
    Index ld;
    double value = 0.0;
    Buffer gradient, hessian;

    void add(const Sums& other) {
        value += other.value;
        for (Index j = 0; j < gradient.size(); ++j) gradient[j] += other.gradient[j];
        for (Index j = 0; j < hessian.size(); ++j) hessian[j] += other.hessian[j];
    }
};

template <class Features>
struct Pass {
    const Features& x;
    const double* y;
    const double* weights;
    const LinearLoss& model;
    Index p = x.cols(), cols = p + 1, ld = padded_stride(cols);

    void pack(Index first, Index count, double* rows) const {
        x.pack(first, count, model.center, rows, ld);
        for (Index k = 0; k < count; ++k) rows[k * ld + p] = 1.0;
    }

    // Adds value and gradient of packed rows; leaves the rows times √(wℓ″) if a Hessian is asked,
    // without those of no curvature (margins beyond the hinge, residuals beyond Huber's threshold).
    // Returns how many it leaves.
    Index absorb(Index first, Index count, double* rows, Sums& sums) const {
        double z[block_rows];
        LossBlock at;
        scan::kernels().row_products(rows, count, ld, p, model.coef, z);
        for (Index k = 0; k < count; ++k) z[k] += model.intercept;
        differentiate(model.loss, y + first, z, count, at);
        double value = 0.0;
        for (Index k = 0; k < count; ++k) {
            const double w = weights == nullptr ? 1.0 : weights[first + k];
            value += w == 0.0 ? 0.0 : w * at.value[k];
            at.gradient[k] = w == 0.0 ? 0.0 : w * at.gradient[k];
            at.curvature[k] = w == 0.0 ? 0.0 : std::sqrt(w * std::max(at.curvature[k], 0.0));
        }
        sums.value += value;
        scan::kernels().add_rows(rows, count, ld, cols, at.gradient, sums.gradient.data());
        if (!model.with_hessian) return 0;
        Index left = 0;
        for (Index k = 0; k < count; ++k) {
            if (at.curvature[k] == 0.0) continue;
            const double* from = rows + k * ld;
            double* to = rows + left++ * ld;
            for (Index j = 0; j < cols; ++j) to[j] = at.curvature[k] * from[j];
        }
        return left;
    }

    // Units of rows, each with its own sums, merged in order.
    Sums tall() const {
        const Index n = x.rows();
        const Index state = (model.with_hessian ? cols * ld : cols) * Index{sizeof(double)};
        const Index most = std::clamp(max_state_bytes / state, Index{8}, max_units);
        const Index unit = std::max(unit_rows, (n + most - 1) / most);
        const Index n_units = (n + unit - 1) / unit;
        std::vector<Sums> parts;
        parts.reserve(n_units);
        for (Index u = 0; u < n_units; ++u) parts.emplace_back(cols, model.with_hessian);
        parallel_for(n_units, [&](Index u, Checkpoint& checkpoint) {
            Buffer rows(area(block_rows, ld));
            const Index last = std::min(n, (u + 1) * unit);
            for (Index at = u * unit; at < last; at += block_rows) {
                checkpoint();
                const Index count = std::min(block_rows, last - at);
                pack(at, count, rows.data());
                const Index left = absorb(at, count, rows.data(), parts[u]);
                if (left == 0) continue;
                const scan::Range next =
                    x.range(at + count, std::min(block_rows, last - at - count));
                scan::kernels().gram(rows.data(), left, ld, 0, cols, parts[u].hessian.data(), ld,
                                     next.at, next.bytes);
            }
        });
        for (Index u = 1; u < n_units; ++u) parts[0].add(parts[u]);
        return std::move(parts[0]);
    }

    // Many columns: one Hessian, block after block; its column groups are computed side by side.
    Sums wide() const {
        constexpr Index group = 64;
        const Index n = x.rows(), n_groups = (cols + group - 1) / group;
        Sums sums(cols, true);
        Buffer rows(area(block_rows, ld));
        for (Index at = 0; at < n; at += block_rows) {
            const Index count = std::min(block_rows, n - at);
            pack(at, count, rows.data());
            const Index left = absorb(at, count, rows.data(), sums);
            parallel_for(n_groups, [&](Index g, Checkpoint& checkpoint) {
                checkpoint();
                const Index j0 = (n_groups - 1 - g) * group;  // the longest first
                scan::kernels().gram(rows.data(), left, ld, j0, std::min(cols, j0 + group),
                                     sums.hessian.data(), ld, nullptr, 0);
            });
        }
        return sums;
    }
};

}  // namespace

template <class Features>
Step step(const Features& x, const double* y, const double* weights, const LinearLoss& model) {
    const Pass<Features> pass{x, y, weights, model};
    const Index cols = pass.cols;
    Step result;
    result.gradient.assign(cols, 0.0);
    if (model.with_hessian) result.hessian.assign(area(cols, cols), 0.0);
    if (x.rows() == 0) return result;
    const Sums sums = model.with_hessian && cols > wide_columns ? pass.wide() : pass.tall();
    result.value = sums.value;
    for (Index j = 0; j < cols; ++j) {
        result.gradient[j] = sums.gradient[j];
        if (!model.with_hessian) continue;
        for (Index i = 0; i <= j; ++i)
            result.hessian[i * cols + j] = result.hessian[j * cols + i] =
                sums.hessian[j * sums.ld + i];
    }
    return result;
}

template Step step(const scan::DenseFeatures<double>&, const double*, const double*,
                   const LinearLoss&);
template Step step(const scan::DenseFeatures<float>&, const double*, const double*,
                   const LinearLoss&);
template Step step(const scan::SparseFeatures<double, std::int32_t>&, const double*, const double*,
                   const LinearLoss&);
template Step step(const scan::SparseFeatures<double, std::int64_t>&, const double*, const double*,
                   const LinearLoss&);
template Step step(const scan::SparseFeatures<float, std::int32_t>&, const double*, const double*,
                   const LinearLoss&);
template Step step(const scan::SparseFeatures<float, std::int64_t>&, const double*, const double*,
                   const LinearLoss&);

}  // namespace stylobate::descend
