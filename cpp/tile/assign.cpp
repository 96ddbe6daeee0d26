#include "tile/assign.hpp"

#include <algorithm>
#include <limits>

#include "stylobate/errors.hpp"
#include "tile/assign_sums.hpp"

namespace stylobate::tile {

void check_centres(Index columns, const MatrixView<double>& centres) {
    if (centres.rows < 1) throw InvalidArgument("there must be at least one centre");
    if (centres.rows > std::numeric_limits<std::int32_t>::max())
        throw InvalidArgument("there are too many centres");
    if (centres.cols != columns) throw InvalidArgument("rows and centres differ in columns");
    if (!centres.rows_contiguous())
        throw InvalidArgument("the columns of a centre must lie side by side");
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index centres_at_once = 64;  // a strip of their distances stays in the first cache

// The centres as queries of tiles, in the coordinates of the packed rows.
class Centres {
 public:
    Centres(const MatrixView<double>& centres, const std::vector<double>& origin)
        : raw(centres),
          ld(round_up(centres.cols, 8)),
          product(by_product(Measure::squared, centres.cols)),
          shifted(area(centres.rows, ld)) {
        const Index unit = kernels().tile_queries(), k = centres.rows;
        packed_ = Aligned<double>(area(round_up(k, unit), centres.cols));
        norms_.resize(static_cast<std::size_t>(round_up(k, unit)));
        for (Index i = 0; i < k; i += unit)
            pack_panel(centres, i, std::min(unit, k - i), unit,
                       origin.empty() ? nullptr : origin.data(), product ? -2.0 : 1.0,
                       packed_.data() + i * centres.cols, &norms_[i]);
        for (Index i = 0; i < k; ++i)
            for (Index l = 0; l < centres.cols; ++l)
                shifted[i * ld + l] = centres(i, l) - (origin.empty() ? 0.0 : origin[l]);
        largest = *std::max_element(norms_.begin(), norms_.begin() + k);
    }
    const double* packed(Index first) const { return packed_.data() + first * raw.cols; }
    const double* norms(Index first) const { return &norms_[first]; }

    MatrixView<double> raw;
    Index ld;
    bool product;
    Buffer shifted;        // centres × ld, less the origin
    double largest = 0.0;  // squared norm

 private:
    Aligned<double> packed_;
    std::vector<double> norms_;
};

// What one thread needs for a panel of rows.
struct Scratch {
    Aligned<double> strip, panel, best, second, label;
    std::vector<double> norms, row;
    std::vector<TileBits> bits;
    Buffer transposed;

    Scratch(Index depth, Index ld)
        : strip(round_up(centres_at_once, kernels().tile_queries()) * panel_rows<double>()),
          panel(area(panel_rows<double>(), depth)),
          best(panel_rows<double>()),
          second(panel_rows<double>()),
          label(panel_rows<double>()),
          norms(static_cast<std::size_t>(panel_rows<double>())),
          row(static_cast<std::size_t>(depth)),
          bits(static_cast<std::size_t>(centres_at_once)),
          transposed(area(panel_rows<double>(), ld)) {}
};

struct Panel {
    const double *data, *norms;
    Index row0, rows;
};

template <class T>
const double* as_doubles(const MatrixView<T>& x, Index i, std::vector<double>& scratch) {
    if constexpr (sizeof(T) == sizeof(double))
        if (x.rows_contiguous()) return x.row(i);
    for (Index l = 0; l < x.cols; ++l) scratch[l] = static_cast<double>(x(i, l));
    return scratch.data();
}

// ‖x − c‖² of a panel's rows and some centres. Small ones are taken from the differences.
template <class T>
void distances(const MatrixView<T>& x, const Panel& panel, const Centres& centres, Index first,
               Index count, Scratch& scratch) {
    const Index unit = kernels().tile_queries(), width = panel_rows<double>(), depth = x.cols;
    double* const c = scratch.strip.data();
    const Index panels = (count + unit - 1) / unit;
    if (!centres.product)
        return kernels().tile_direct(static_cast<int>(Measure::squared), centres.packed(first),
                                     panels, panel.data, depth, nullptr, 2.0, c);
    kernels().tile_product_f64(centres.packed(first), panels, panel.data, depth, panel.norms, c);
    const Index found = kernels().tile_squares(c, count, centres.norms(first), panel.norms,
                                               suspicious_share, scratch.bits.data());
    for (Index f = 0; f < found; ++f) {
        const TileBits& some = scratch.bits[f];
        for (unsigned long long bits = some.bits; bits != 0; bits &= bits - 1) {
            const Index j = __builtin_ctzll(bits);
            if (j >= panel.rows) break;
            c[some.row * width + j] =
                kernels().squared_distance_f64(as_doubles(x, panel.row0 + j, scratch.row),
                                               centres.raw.row(first + some.row), depth);
        }
    }
}

// Of rows whose two nearest centres rounding may have exchanged: the nearest by the differences, so
// that labels do not depend on the way distances are computed.
template <class T>
void decide_ties(const MatrixView<T>& x, const Panel& panel, const Centres& centres,
                 Scratch& scratch) {
    const double share = 2.0 * static_cast<double>(x.cols + 16) * 0x1p-52;
    for (Index r = 0; r < panel.rows; ++r) {
        double &best = scratch.best[r], &second = scratch.second[r];
        const double size = centres.product ? panel.norms[r] + centres.largest : second;
        if (second - best > share * size || second == infinity) continue;
        const double* const row = as_doubles(x, panel.row0 + r, scratch.row);
        best = second = infinity;
        for (Index c = 0; c < centres.raw.rows; ++c) {
            const double value = kernels().squared_distance_f64(row, centres.raw.row(c), x.cols);
            if (value < best)
                second = best, best = value, scratch.label[r] = static_cast<double>(c);
            else if (value < second)
                second = value;
        }
    }
}

template <class T>
void assign_panel(const MatrixView<T>& x, const Panel& panel, const Centres& centres,
                  Scratch& scratch) {
    const Index width = panel_rows<double>();
    std::fill_n(scratch.best.data(), width, infinity);
    std::fill_n(scratch.second.data(), width, infinity);
    std::fill_n(scratch.label.data(), width, 0.0);
    for (Index c = 0; c < centres.raw.rows; c += centres_at_once) {
        const Index count = std::min(centres_at_once, centres.raw.rows - c);
        distances(x, panel, centres, c, count, scratch);
        kernels().tile_two_nearest(scratch.strip.data(), count, static_cast<double>(c),
                                   scratch.best.data(), scratch.second.data(),
                                   scratch.label.data());
    }
    decide_ties(x, panel, centres, scratch);
}

// fetch(first row, rows, scratch): their panel, however it comes about.
template <class T, class Fetch>
CentreSums assign_dense(const MatrixView<T>& x, const std::vector<double>& origin,
                        const double* weights, const MatrixView<double>& given,
                        const RowAssignments& out, const Fetch& fetch) {
    check_centres(x.cols, given);
    const Centres centres(given, origin);
    const Index width = panel_rows<double>(), ld = centres.ld;
    const auto body = [&](Index begin, Index end, ChunkSums& sums, Checkpoint& checkpoint) {
        Scratch scratch(x.cols, ld);
        for (Index row0 = begin; row0 < end; row0 += width) {
            const Panel panel = fetch(row0, std::min(width, end - row0), scratch);
            assign_panel(x, panel, centres, scratch);
            const double* const w = weights == nullptr ? nullptr : weights + row0;
            kernels().tile_add_rows(panel.data, panel.rows, x.cols, scratch.label.data(), w,
                                    centres.shifted.data(), ld, scratch.transposed.data(),
                                    sums.sums.data());
            for (Index r = 0; r < panel.rows; ++r) {
                const auto label = static_cast<Index>(scratch.label[r]);
                sums.count(label, w == nullptr ? 1.0 : w[r], scratch.best[r]);
                put(out, row0 + r, label, scratch.best[r], scratch.second[r]);
            }
            checkpoint();
        }
    };
    return over_chunks(x.rows, given, ld, body);
}

}  // namespace

template <class T>
CentreSums assign(const MatrixView<T>& x, const double* weights, const MatrixView<double>& centres,
                  const RowAssignments& out) {
    std::vector<double> origin;
    if (by_product(Measure::squared, x.cols)) origin = centre_rows(x);
    const double* const shift = origin.empty() ? nullptr : origin.data();
    return assign_dense(x, origin, weights, centres, out,
                        [&](Index row0, Index rows, Scratch& scratch) {
                            pack_panel(x, row0, rows, panel_rows<double>(), shift, 1.0,
                                       scratch.panel.data(), scratch.norms.data());
                            return Panel{scratch.panel.data(), scratch.norms.data(), row0, rows};
                        });
}

template <class T>
CentreSums assign(const PackedRows<T>& x, const double* weights, const MatrixView<double>& centres,
                  const RowAssignments& out) {
    if (x.measure != Measure::squared)
        throw InvalidArgument("the rows are packed for another measure than squared distances");
    return assign_dense(x.rows, x.centre, weights, centres, out,
                        [&](Index row0, Index rows, Scratch&) {
                            return Panel{x.panels.panel(row0), x.panels.norms(row0), row0, rows};
                        });
}

template CentreSums assign(const MatrixView<double>&, const double*, const MatrixView<double>&,
                           const RowAssignments&);
template CentreSums assign(const MatrixView<float>&, const double*, const MatrixView<double>&,
                           const RowAssignments&);
template CentreSums assign(const PackedRows<double>&, const double*, const MatrixView<double>&,
                           const RowAssignments&);
template CentreSums assign(const PackedRows<float>&, const double*, const MatrixView<double>&,
                           const RowAssignments&);

}  // namespace stylobate::tile
