#include <limits>

#include "tile/assign_sums.hpp"

namespace stylobate::tile {
namespace {

// Compressed rows against the centres, whose columns lie in panels as those of rows do.
template <class I>
class SparseAssignment {
 public:
    SparseAssignment(const SparseView<double, I>& x, const MatrixView<double>& centres)
        : x_(x), centres_(centres), width_(panel_rows<double>()) {
        panels_.pack(centres, 0, centres.rows, nullptr);
    }

    // Room for one thread.
    struct Scratch {
        std::vector<Index> slots;
        std::vector<double> values, dense;
        Scratch(Index columns, Index padded)
            : values(static_cast<std::size_t>(padded)),
              dense(static_cast<std::size_t>(columns), 0.0) {}
    };
    Scratch scratch() const { return {x_.minor, round_up(centres_.rows, width_)}; }

    // Distances of one row to all centres, in scratch.values.
    void distances(Index row, Scratch& scratch) const {
        const Index begin = x_.offsets[row], end = x_.offsets[row + 1];
        scratch.slots.assign(x_.indices + begin, x_.indices + end);
        double norm = 0.0;
        for (Index e = begin; e < end; ++e) norm += x_.values[e] * x_.values[e];
        for (Index c = 0; c < centres_.rows; c += width_)
            kernels().tile_sparse_product(x_.values + begin, scratch.slots.data(), end - begin,
                                          panels_.panel(c), &scratch.values[c]);
        for (Index c = 0; c < centres_.rows; ++c) {
            const double sizes = norm + *panels_.norms(c);
            double& value = scratch.values[c];
            value = sizes - 2.0 * value;
            if (!(value > suspicious_share * sizes)) value = exact(row, c, scratch);
        }
    }

 private:
    double exact(Index row, Index centre, Scratch& scratch) const {
        const Index begin = x_.offsets[row], end = x_.offsets[row + 1];
        for (Index e = begin; e < end; ++e) scratch.dense[x_.indices[e]] = x_.values[e];
        const double value = kernels().squared_distance_f64(scratch.dense.data(),
                                                            centres_.row(centre), centres_.cols);
        for (Index e = begin; e < end; ++e) scratch.dense[x_.indices[e]] = 0.0;
        return value;
    }

    SparseView<double, I> x_;
    MatrixView<double> centres_;
    Index width_;
    RowPanels panels_;
};

struct TwoNearest {
    Index label = 0;
    double best = std::numeric_limits<double>::infinity(), second = best;

    void see(Index centre, double value) {
        if (value < best)
            second = best, best = value, label = centre;
        else if (value < second)
            second = value;
    }
};

}  // namespace

template <class I>
CentreSums assign(const SparseView<double, I>& x, const double* weights,
                  const MatrixView<double>& centres, const RowAssignments& out) {
    check_centres(x.minor, centres);
    const SparseAssignment<I> rows(x, centres);
    const auto body = [&](Index begin, Index end, ChunkSums& sums, Checkpoint& checkpoint) {
        auto scratch = rows.scratch();
        for (Index row = begin; row < end; ++row) {
            rows.distances(row, scratch);
            TwoNearest near;
            for (Index c = 0; c < centres.rows; ++c) near.see(c, scratch.values[c]);
            const double w = weights == nullptr ? 1.0 : weights[row];
            double* const to = sums.sums.data() + near.label * centres.cols;
            for (Index e = x.offsets[row]; e < static_cast<Index>(x.offsets[row + 1]); ++e)
                to[x.indices[e]] += w * x.values[e];
            sums.count(near.label, w, near.best);
            put(out, row, near.label, near.best, near.second);
            checkpoint();
        }
    };
    CentreSums all = over_chunks(x.major, centres, centres.cols, body);
    for (Index i = 0; i < centres.rows; ++i)
        for (Index l = 0; l < centres.cols; ++l)
            all.deviations[i * centres.cols + l] -= all.weight[i] * centres(i, l);
    return all;
}

template CentreSums assign(const SparseView<double, std::int32_t>&, const double*,
                           const MatrixView<double>&, const RowAssignments&);
template CentreSums assign(const SparseView<double, std::int64_t>&, const double*,
                           const MatrixView<double>&, const RowAssignments&);

}  // namespace stylobate::tile
