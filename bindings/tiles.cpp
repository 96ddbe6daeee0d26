// Pairs of rows: nearest, within a radius, sums, whole matrices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>

#include "pairs.hpp"
#include "tile/row_cache.hpp"

namespace stylobate::bindings {
namespace {

// Rows of pairs' values, the last used kept within a limit of bytes.
template <class T>
class CachedRows {
 public:
    CachedRows(const Pairs& pairs, Index bytes)
        : pairs_(pairs),
          cache_(pairs.core().queries(), pairs.core().rows(), bytes,
                 [this](const Index* which, Index count, T* out) {
                     tile::write(*pairs_.core().strips(which, count), {}, tile::Half::none, out,
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
              nb::arg("symmetric") = false, nb::arg("lower") = false,
              "out[i, j] = map(value of query i and row j); if `lower`, of symmetric values what "
              "lies above the diagonal is not written.");
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
    pairs.def("multiply", &Pairs::multiply, nb::arg("v").noconvert(), nb::arg("symmetric") = false,
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
