// Pairs of rows: nearest, within a radius, sums, whole matrices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
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
#include "tile/row_cache.hpp"
#include "tile/sums.hpp"
#include "tile/write.hpp"

namespace stylobate::bindings {
namespace {

using tile::Mapping;
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
        const Mapping mapping{tile::map_named(map), a, b, p};
        std::vector<double> sums(queries());
        {
            GilReleased release;
            tile::sum_rows(*core_.strips(), mapping, weights ? weights->data() : nullptr,
                           sums.data());
        }
        return owned(std::move(sums));
    }

    Output multiply(const Matrix<double>& v) const {
        const auto cols = v.shape(1);
        std::vector<double> out(
            static_cast<std::size_t>(area(core_.queries(), static_cast<Index>(cols))));
        {
            GilReleased release;
            tile::multiply_pairs(*core_.strips(), view(v), out.data());
        }
        return array(std::move(out), {queries(), cols});
    }

    template <class T>
    void write(Filled<T> out, const std::string& map, double a, double b, double p,
               bool symmetric) const {
        require(out.shape(0) == queries() && out.shape(1) == rows(),
                "the output must have a row for each query and a column for each row");
        require(!symmetric || queries() == rows(), "symmetric values need as many queries as rows");
        const Mapping mapping{tile::map_named(map), a, b, p};
        GilReleased release;
        tile::write(*core_.strips(), mapping, symmetric, out.data(), core_.rows());
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

// Rows of pairs' values, the last used kept within a limit of bytes.
template <class T>
class CachedRows {
 public:
    CachedRows(const Pairs& pairs, Index bytes)
        : pairs_(pairs),
          cache_(pairs.core().queries(), pairs.core().rows(), bytes,
                 [this](const Index* which, Index count, T* out) {
                     tile::write(*pairs_.core().strips(which, count), {}, false, out,
                                 pairs_.core().rows());
                 }) {}

    nb::list rows(const Vector<std::int64_t>& which) {
        const std::vector<Index> wanted(which.data(), which.data() + which.shape(0));
        std::vector<typename tile::RowCache<T>::Row> found;
        {
            GilReleased release;
            found = cache_.rows(wanted.data(), static_cast<Index>(wanted.size()));
        }
        nb::list arrays;
        for (const auto& each : found) arrays.append(shared(each));
        return arrays;
    }
    nb::dict counts() const {
        nb::dict all;
        all["hits"] = cache_.hits(), all["misses"] = cache_.misses();
        all["kept"] = cache_.kept(), all["capacity"] = cache_.capacity();
        return all;
    }

 private:
    using Row = typename tile::RowCache<T>::Row;

    // An array that keeps the row alive, whether the cache does or not.
    static nb::object shared(const Row& row) {
        auto held = std::make_unique<Row>(row);
        nb::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<Row*>(p); });
        return nb::cast(
            nb::ndarray<nb::numpy, const T, nb::ndim<1>>(row->data(), {row->size()}, owner));
    }

    Pairs pairs_;
    tile::RowCache<T> cache_;
};

template <class T>
void bind_dense(nb::class_<Pairs>& pairs) {
    pairs.def_static("dense", &Pairs::dense<T>, nb::arg("x").noconvert(), nb::arg("y").noconvert(),
                     nb::arg("measure"), nb::arg("p") = 2.0, nb::arg("weights").none() = nb::none(),
                     "Pairs of dense rows of one precision.");
    pairs.def_static("packed", &Pairs::packed<T>, nb::arg("x").noconvert(), nb::arg("y"),
                     nb::arg("p") = 2.0, nb::arg("weights").none() = nb::none(),
                     "Pairs of dense rows with rows packed before.");
    pairs.def("write", &Pairs::write<T>, nb::arg("out").noconvert(), nb::arg("map") = "identity",
              nb::arg("a") = 1.0, nb::arg("b") = 0.0, nb::arg("p") = 1.0,
              nb::arg("symmetric") = false, "out[i, j] = map(value of query i and row j).");
}

template <class T>
void bind_cache(nb::module_& module, const char* name) {
    nb::class_<CachedRows<T>>(module, name, "Rows of pairs' values, those used last kept.")
        .def(nb::init<const Pairs&, Index>(), nb::arg("pairs"), nb::arg("bytes"))
        .def("rows", &CachedRows<T>::rows, nb::arg("which").noconvert(),
             "The rows of these queries, read-only; missing ones are computed together.")
        .def("counts", &CachedRows<T>::counts, "Hits, misses, rows kept and at most kept.");
}

template <class I>
void bind_sparse(nb::class_<Pairs>& pairs) {
    pairs.def_static("sparse", &Pairs::sparse<I>, nb::arg("x_values").noconvert(),
                     nb::arg("x_indices").noconvert(), nb::arg("x_offsets").noconvert(),
                     nb::arg("y_values").noconvert(), nb::arg("y_indices").noconvert(),
                     nb::arg("y_offsets").noconvert(), nb::arg("cols"), nb::arg("measure"),
                     "Pairs of compressed rows with sorted columns.");
}

}  // namespace

void bind_tiles(nb::module_& module) {
    nb::class_<Pairs> pairs(module, "Pairs", "Every query with every row, never all at once.");
    bind_dense<double>(pairs);
    bind_dense<float>(pairs);
    bind_sparse<std::int32_t>(pairs);
    bind_sparse<std::int64_t>(pairs);
    pairs.def_static("kernel", &Pairs::kernel, nb::arg("measures"), nb::arg("steps"),
                     nb::arg("factors"),
                     "A kernel in postfix order of steps (kind, which, map, a, b, p).");
    pairs.def("multiply", &Pairs::multiply, nb::arg("v").noconvert(),
              "The matrix of all values times v, without the matrix.");
    pairs.def("counted", &Pairs::counted, nb::arg("map"), nb::arg("x_sums").noconvert(),
              nb::arg("y_sums").noconvert(), nb::arg("columns"),
              "Measures of 0-1 rows, from their inner products and sums.");
    pairs.def(
        "nearest", &Pairs::nearest, nb::arg("k"), nb::arg("skip_self") = false,
        nb::arg("codes") = "auto",
        "Values and rows of the k nearest of each query, nearest first, ties by row; `codes`: "
        "whether rows as bytes drop far pairs (auto, never, always), the answer is the same.");
    pairs.def("looked", &Pairs::looked,
              "Pairs each filter of the last nearest looked at, and pairs measured exactly.");
    pairs.def("within", &Pairs::within, nb::arg("radii").noconvert(), nb::arg("skip_self") = false,
              "Offsets, rows and values of the rows within each query's radius.");
    pairs.def("count", &Pairs::count, nb::arg("radii").noconvert(), nb::arg("skip_self") = false,
              "How many rows lie within each query's radius.");
    pairs.def("density_clusters", &Pairs::density_clusters, nb::arg("radius"), nb::arg("least"),
              nb::arg("weights").none() = nb::none(),
              "Labels of DBSCAN and which rows are core; neighbours are not stored.");
    pairs.def("spanning_tree", &Pairs::spanning_tree, nb::arg("core").none() = nb::none(),
              "Ends and lengths max(value, core, core) of a minimum spanning tree.");
    pairs.def("sum", &Pairs::sum, nb::arg("map") = "identity", nb::arg("a") = 1.0,
              nb::arg("b") = 0.0, nb::arg("p") = 1.0, nb::arg("weights").none() = nb::none(),
              "Weighted sums over all rows of the mapped values, for each query.");
    bind_cache<double>(module, "CachedRows");
    bind_cache<float>(module, "CachedRowsSingle");
}

}  // namespace stylobate::bindings
