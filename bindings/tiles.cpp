// Pairs of rows: nearest, within a radius, sums, whole matrices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "measures.hpp"
#include "rows.hpp"
#include "tile/nearest.hpp"
#include "tile/sums.hpp"
#include "tile/within.hpp"
#include "tile/write.hpp"

namespace stylobate::bindings {
namespace {

using tile::Map;
using tile::Mapping;
using tile::Measure;
using tile::Strips;
template <class T>
using Filled = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Map map_of(const std::string& name) {
    static const std::map<std::string, Map> names = {{"identity", Map::identity},
                                                     {"scale", Map::scale},
                                                     {"root", Map::root},
                                                     {"power_root", Map::power_root},
                                                     {"exponential", Map::exponential},
                                                     {"polynomial", Map::polynomial},
                                                     {"sigmoid", Map::sigmoid},
                                                     {"arc", Map::arc},
                                                     {"log_exponent", Map::log_exponent},
                                                     {"root_exponential", Map::root_exponential},
                                                     {"log_root_exponent", Map::log_root_exponent},
                                                     {"tophat", Map::tophat},
                                                     {"epanechnikov", Map::epanechnikov},
                                                     {"linear", Map::linear},
                                                     {"cosine", Map::cosine},
                                                     {"jaccard", Map::jaccard},
                                                     {"dice", Map::dice},
                                                     {"rogerstanimoto", Map::rogers_tanimoto},
                                                     {"russellrao", Map::russell_rao},
                                                     {"sokalsneath", Map::sokal_sneath},
                                                     {"yule", Map::yule}};
    return named(names, name);
}

tile::Codes codes_of(const std::string& name) {
    static const std::map<std::string, tile::Codes> names = {{"auto", tile::Codes::where_quick},
                                                             {"never", tile::Codes::never},
                                                             {"always", tile::Codes::always}};
    return named(names, name);
}

// What pairs are measured by, ready to be asked; holds the arrays it looks at.
class Pairs {
 public:
    // The matrices are dense, of one precision; columns side by side.
    template <class T>
    static Pairs dense(const Matrix<T>& x, const Matrix<T>& y, const std::string& measure, double p,
                       const std::optional<Vector<double>>& weights) {
        Pairs pairs;
        pairs.measure_ = measure_of(measure);
        require(x.shape(1) == y.shape(1), "both sides must have as many columns");
        require(x.shape(1) <= 1 || (x.stride(1) == 1 && y.stride(1) == 1),
                "the columns of a row must lie side by side");
        require(!weights || weights->shape(0) == x.shape(1), "one weight for each column");
        pairs.hold(x, y);
        if (weights) pairs.held_.push_back(nb::cast(*weights));
        const double* const w = weights ? weights->data() : nullptr;
        pairs.make_ = [x = view(x), y = view(y), m = pairs.measure_, p, w] {
            return tile::dense_strips(x, y, m, p, w);
        };
        if (pairs.measure_ == Measure::squared || pairs.measure_ == Measure::inner) {
            if constexpr (sizeof(T) == 8)
                pairs.doubles_ = {view(x), view(y)};
            else
                pairs.floats_ = {view(x), view(y)};
        }
        pairs.queries_ = x.shape(0), pairs.rows_ = y.shape(0);
        return pairs;
    }

    template <class I>
    static Pairs sparse(const Vector<double>& x, const Vector<I>& x_indices,
                        const Vector<I>& x_offsets, const Vector<double>& y,
                        const Vector<I>& y_indices, const Vector<I>& y_offsets, Index cols,
                        const std::string& measure) {
        Pairs pairs;
        pairs.measure_ = measure_of(measure);
        compressed(x, x_indices, x_offsets, cols);  // checks the structure
        compressed(y, y_indices, y_offsets, cols);
        const auto major = [](const Vector<I>& o) { return static_cast<Index>(o.shape(0)) - 1; };
        const SparseView<double, I> a{x.data(), x_indices.data(), x_offsets.data(),
                                      major(x_offsets), cols};
        const SparseView<double, I> b{y.data(), y_indices.data(), y_offsets.data(),
                                      major(y_offsets), cols};
        for (const nb::object& each : {nb::cast(x), nb::cast(x_indices), nb::cast(x_offsets),
                                       nb::cast(y), nb::cast(y_indices), nb::cast(y_offsets)})
            pairs.held_.push_back(each);
        pairs.make_ = [a, b, m = pairs.measure_] { return tile::sparse_strips(a, b, m); };
        pairs.queries_ = static_cast<std::size_t>(a.major);
        pairs.rows_ = static_cast<std::size_t>(b.major);
        return pairs;
    }

    // Values of 0–1 rows: the map of their inner product and sums, of `columns` columns.
    Pairs counted(const std::string& map, const Vector<double>& x_sums,
                  const Vector<double>& y_sums, double columns) const {
        require(x_sums.shape(0) == queries_ && y_sums.shape(0) == rows_, "one sum for each row");
        Pairs pairs = *this;
        pairs.doubles_.reset(), pairs.floats_.reset();
        const Mapping mapping{map_of(map), 1.0, columns, 1.0};
        const std::vector<double> a(x_sums.data(), x_sums.data() + queries_),
            b(y_sums.data(), y_sums.data() + rows_);
        pairs.measure_ = Measure::hamming;  // smallest first, as any distance
        pairs.make_ = [make = make_, mapping, a, b] {
            return tile::mapped_strips(make(), mapping, a, b);
        };
        return pairs;
    }

    std::pair<Array<double>, Array<std::int64_t>> nearest(Index k, bool skip_self,
                                                          const std::string& codes) {
        const tile::Nearest wish{k, skip_self, codes_of(codes)};
        require(k >= 1 && k <= static_cast<Index>(rows_) - (skip_self ? 1 : 0),
                "k must be in [1, number of rows a query sees]");
        const bool inner = measure_ == Measure::inner;
        const auto width = static_cast<std::size_t>(k);
        const auto size = static_cast<std::size_t>(area(static_cast<Index>(queries_), k));
        std::vector<double> values(size);
        std::vector<std::int64_t> rows(size);
        tile::Looked looked;
        {
            GilReleased release;
            if (doubles_)
                looked = tile::nearest_dense(doubles_->first, doubles_->second, inner, wish,
                                             values.data(), rows.data());
            else if (floats_)
                looked = tile::nearest_dense(floats_->first, floats_->second, inner, wish,
                                             values.data(), rows.data());
            else
                tile::nearest(*make_(), inner, wish, values.data(), rows.data());
        }
        looked_ = looked;
        return {array(std::move(values), {queries_, width}),
                owned(std::move(rows), {queries_, width})};
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
        const tile::Within wish = checked(radii, skip_self);
        tile::Lists lists;
        {
            GilReleased release;
            if (doubles_)
                lists = tile::within_dense(doubles_->first, doubles_->second, wish);
            else if (floats_)
                lists = tile::within_dense(floats_->first, floats_->second, wish);
            else
                lists = tile::within(*make_(), wish);
        }
        const std::size_t total = lists.rows.size();
        return nb::make_tuple(owned(std::move(lists.offsets), {queries_ + 1}),
                              owned(std::move(lists.rows), {total}),
                              array(std::move(lists.values), {total}));
    }

    Array<std::int64_t> count(const Vector<double>& radii, bool skip_self) const {
        const tile::Within wish = checked(radii, skip_self);
        std::vector<std::int64_t> counts(queries_);
        {
            GilReleased release;
            if (doubles_)
                tile::count_dense(doubles_->first, doubles_->second, wish, counts.data());
            else if (floats_)
                tile::count_dense(floats_->first, floats_->second, wish, counts.data());
            else
                tile::count_within(*make_(), wish, counts.data());
        }
        return owned(std::move(counts), {queries_});
    }

    Output sum(const std::string& map, double a, double b, double p,
               const std::optional<Vector<double>>& weights) const {
        require(!weights || weights->shape(0) == rows_, "one weight for each row");
        const Mapping mapping{map_of(map), a, b, p};
        std::vector<double> sums(queries_);
        {
            GilReleased release;
            tile::sum_rows(*make_(), mapping, weights ? weights->data() : nullptr, sums.data());
        }
        return array(std::move(sums), {queries_});
    }

    template <class T>
    void write(Filled<T> out, const std::string& map, double a, double b, double p,
               bool symmetric) const {
        require(out.shape(0) == queries_ && out.shape(1) == rows_,
                "the output must have a row for each query and a column for each row");
        require(!symmetric || queries_ == rows_, "symmetric values need as many queries as rows");
        const Mapping mapping{map_of(map), a, b, p};
        GilReleased release;
        tile::write(*make_(), mapping, symmetric, out.data(), static_cast<Index>(rows_));
    }

 private:
    template <class X>
    void hold(const X& x, const X& y) {
        held_.push_back(nb::cast(x));
        held_.push_back(nb::cast(y));
    }

    tile::Within checked(const Vector<double>& radii, bool skip_self) const {
        require(radii.shape(0) == queries_, "one radius for each query");
        require(measure_ != Measure::inner, "an inner product has no radius");
        return {radii.data(), skip_self};
    }

    Measure measure_ = Measure::squared;
    std::size_t queries_ = 0, rows_ = 0;
    std::function<std::unique_ptr<Strips>()> make_;
    std::optional<std::pair<MatrixView<double>, MatrixView<double>>> doubles_;
    std::optional<std::pair<MatrixView<float>, MatrixView<float>>> floats_;
    std::vector<nb::object> held_;
    tile::Looked looked_;
};

template <class T>
void bind_dense(nb::class_<Pairs>& pairs) {
    pairs.def_static("dense", &Pairs::dense<T>, nb::arg("x").noconvert(), nb::arg("y").noconvert(),
                     nb::arg("measure"), nb::arg("p") = 2.0, nb::arg("weights").none() = nb::none(),
                     "Pairs of dense rows of one precision.");
    pairs.def("write", &Pairs::write<T>, nb::arg("out").noconvert(), nb::arg("map") = "identity",
              nb::arg("a") = 1.0, nb::arg("b") = 0.0, nb::arg("p") = 1.0,
              nb::arg("symmetric") = false, "out[i, j] = map(value of query i and row j).");
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
    pairs.def("sum", &Pairs::sum, nb::arg("map") = "identity", nb::arg("a") = 1.0,
              nb::arg("b") = 0.0, nb::arg("p") = 1.0, nb::arg("weights").none() = nb::none(),
              "Weighted sums over all rows of the mapped values, for each query.");
}

}  // namespace stylobate::bindings
