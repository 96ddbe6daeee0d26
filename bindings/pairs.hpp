// The core's pairs of rows as a class of Python, for the bindings that take them.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>

#include "cluster/pair_spanning_tree.hpp"
#include "density_clusters.hpp"
#include "kernel_form.hpp"
#include "measures.hpp"
#include "packed_table.hpp"
#include "rows.hpp"
#include "tile/kernel_products.hpp"
#include "tile/pairs.hpp"
#include "tile/sums.hpp"
#include "tile/write.hpp"

namespace stylobate::bindings {

template <class T>
using Filled = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The core's pairs, and the arrays they look at.
class Pairs {
 public:
    // The matrices are dense, of one precision; columns side by side.
    template <class T>
    static Pairs dense(const Matrix<T>& x, const Matrix<T>& y, const std::string& measure, double p,
                       const std::optional<Vector<double>>& weights) {
        require(!weights || weights->shape(0) == x.shape(1), "one weight for each column");
        const tile::MeasureChoice choice{tile::measure_named(measure), p,
                                         weights ? weights->data() : nullptr};
        Pairs pairs(tile::Pairs::dense(view(x), view(y), choice));
        pairs.hold(x, y);
        if (weights) pairs.hold(*weights);
        return pairs;
    }

    template <class T>
    static Pairs packed(const Matrix<T>& x, const PackedTable<T>& y, double p,
                        const std::optional<Vector<double>>& weights) {
        require(!weights || weights->shape(0) == x.shape(1), "one weight for each column");
        const tile::MeasureChoice choice{{}, p, weights ? weights->data() : nullptr};
        Pairs pairs(tile::Pairs::packed(view(x), y.rows(), choice));
        pairs.hold(x, y.table());
        if (weights) pairs.hold(*weights);
        return pairs;
    }

    template <class I>
    static Pairs sparse(const Vector<double>& x, const Vector<I>& x_indices,
                        const Vector<I>& x_offsets, const Vector<double>& y,
                        const Vector<I>& y_indices, const Vector<I>& y_offsets, Index cols,
                        const std::string& measure) {
        Pairs pairs(tile::Pairs::sparse(compressed(x, x_indices, x_offsets, cols).view(),
                                        compressed(y, y_indices, y_offsets, cols).view(),
                                        tile::measure_named(measure)));
        pairs.hold(x, x_indices, x_offsets, y, y_indices, y_offsets);
        return pairs;
    }

    static Pairs kernel(const std::vector<Pairs>& measures, const Steps& steps,
                        const std::vector<Factors>& factors) {
        std::vector<tile::Pairs> cores;
        for (const Pairs& each : measures) cores.push_back(each.core_);
        Pairs pairs(tile::Pairs::kernel(std::move(cores), kernel_form(steps, factors)));
        for (const Pairs& each : measures)
            pairs.held_.insert(pairs.held_.end(), each.held_.begin(), each.held_.end());
        return pairs;
    }

    // Values of 0–1 rows: the map of their inner product and sums, of `columns` columns.
    Pairs counted(const std::string& map, const Vector<double>& x_sums,
                  const Vector<double>& y_sums, double columns) const {
        Pairs pairs = *this;
        pairs.core_ = core_.counted(tile::map_named(map), copied(x_sums), copied(y_sums), columns);
        return pairs;
    }

    std::pair<Array<double>, Array<std::int64_t>> nearest(Index k, bool skip_self,
                                                          const std::string& codes) {
        const tile::Nearest wish{k, skip_self, tile::codes_named(codes)};
        const auto size = static_cast<std::size_t>(area(core_.queries(), std::max<Index>(k, 0)));
        std::vector<double> values(size);
        std::vector<std::int64_t> rows(size);
        {
            GilReleased release;
            looked_ = core_.nearest(wish, values.data(), rows.data());
        }
        const auto width = static_cast<std::size_t>(k);
        return {array(std::move(values), {queries(), width}),
                owned(std::move(rows), {queries(), width})};
    }

    // Of the last search for nearest rows: pairs each filter looked at, and pairs measured exactly.
    nb::dict looked() const {
        nb::dict counts;
        counts["codes"] = looked_.codes, counts["singles"] = looked_.singles;
        counts["products"] = looked_.products, counts["exact"] = looked_.exact;
        return counts;
    }

    // offsets, rows, values
    nb::tuple within(const Vector<double>& radii, bool skip_self) const {
        require(radii.shape(0) == queries(), "one radius for each query");
        tile::Lists lists;
        {
            GilReleased release;
            lists = core_.within({radii.data(), skip_self});
        }
        return nb::make_tuple(owned(std::move(lists.offsets)), owned(std::move(lists.rows)),
                              owned(std::move(lists.values)));
    }

    Array<std::int64_t> count(const Vector<double>& radii, bool skip_self) const {
        require(radii.shape(0) == queries(), "one radius for each query");
        std::vector<std::int64_t> counts(queries());
        {
            GilReleased release;
            core_.count({radii.data(), skip_self}, counts.data());
        }
        return owned(std::move(counts));
    }

    Output sum(const std::string& map, double a, double b, double p,
               const std::optional<Vector<double>>& weights) const {
        require(!weights || weights->shape(0) == rows(), "one weight for each row");
        const tile::Mapping mapping{tile::map_named(map), a, b, p};
        std::vector<double> sums(queries());
        {
            GilReleased release;
            tile::sum_rows(*core_.strips(), mapping, weights ? weights->data() : nullptr,
                           sums.data());
        }
        return owned(std::move(sums));
    }

    Output multiply(const Matrix<double>& v, bool symmetric) const {
        require(!symmetric || queries() == rows(), "symmetric values need as many queries as rows");
        const auto cols = v.shape(1);
        std::vector<double> out(
            static_cast<std::size_t>(area(core_.queries(), static_cast<Index>(cols))));
        {
            GilReleased release;
            tile::multiply_pairs(*core_.strips(), view(v), symmetric, out.data());
        }
        return array(std::move(out), {queries(), cols});
    }

    template <class T>
    void write(Filled<T> out, const std::string& map, double a, double b, double p, bool symmetric,
               bool lower) const {
        require(out.shape(0) == queries() && out.shape(1) == rows(),
                "the output must have a row for each query and a column for each row");
        require(!symmetric || queries() == rows(), "symmetric values need as many queries as rows");
        const tile::Mapping mapping{tile::map_named(map), a, b, p};
        const tile::Half half = !symmetric ? tile::Half::none
                                : lower    ? tile::Half::lower
                                           : tile::Half::mirrored;
        GilReleased release;
        tile::write(*core_.strips(), mapping, half, out.data(), core_.rows());
    }

    // labels, core
    nb::tuple density_clusters(double radius, double least, const RowWeights& weights) const {
        require(queries() == rows(), "clusters are of one table");
        const Index segments = tile::Sharing(core_.queries()).segments;
        return bindings::density_clusters(
            core_.rows(), segments, radius, least, weights,
            [&](const tile::Within& wish, const tile::Hit& hit) { core_.visit(wish, hit); });
    }

    // from, to, lengths
    nb::tuple spanning_tree(const std::optional<Vector<double>>& core) const {
        require(!core || core->shape(0) == rows(), "one core value for each row");
        std::vector<std::int64_t> from, to;
        std::vector<double> lengths;
        {
            GilReleased release;
            for (const auto& edge :
                 cluster::pair_spanning_tree(core_, core ? core->data() : nullptr)) {
                from.push_back(edge.from), to.push_back(edge.to);
                lengths.push_back(edge.length);
            }
        }
        return nb::make_tuple(owned(std::move(from)), owned(std::move(to)),
                              owned(std::move(lengths)));
    }

    const tile::Pairs& core() const { return core_; }

 private:
    explicit Pairs(tile::Pairs core) : core_(std::move(core)) {}

    template <class... X>
    void hold(const X&... arrays) {
        (held_.push_back(nb::cast(arrays)), ...);
    }
    static std::vector<double> copied(const Vector<double>& x) {
        return {x.data(), x.data() + x.shape(0)};
    }
    std::size_t queries() const { return static_cast<std::size_t>(core_.queries()); }
    std::size_t rows() const { return static_cast<std::size_t>(core_.rows()); }

    tile::Pairs core_;
    std::vector<nb::object> held_;
    tile::Looked looked_;
};

}  // namespace stylobate::bindings
