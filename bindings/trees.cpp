// Trees of rows: kd-tree and ball tree, asked as pairs are.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "density_clusters.hpp"
#include "measures.hpp"
#include "tile/partition.hpp"
#include "tile/tree.hpp"

namespace stylobate::bindings {
namespace {

using Queries = std::optional<Matrix<double>>;

class Tree {
 public:
    static Tree kd(const Matrix<double>& x, const std::string& measure, double p) {
        return Tree(x, measure, p, std::nullopt, &tile::kd_tree);
    }
    static Tree ball(const Matrix<double>& x, const std::string& measure, double p,
                     const std::optional<Vector<double>>& weights) {
        return Tree(x, measure, p, weights, &tile::ball_tree);
    }

    std::pair<Array<double>, Array<std::int64_t>> nearest(const Queries& queries, Index k,
                                                          bool skip_self) const {
        const Asked asked(*this, queries);
        require(k >= 1 && k <= tree_->rows() - (skip_self ? 1 : 0),
                "k must be in [1, number of rows a query sees]");
        const auto size = static_cast<std::size_t>(area(static_cast<Index>(asked.count), k));
        std::vector<double> values(size);
        std::vector<std::int64_t> rows(size);
        {
            GilReleased release;
            tree_->nearest(asked.view(), {k, skip_self}, values.data(), rows.data());
        }
        const auto width = static_cast<std::size_t>(k);
        return {array(std::move(values), {asked.count, width}),
                owned(std::move(rows), {asked.count, width})};
    }

    nb::tuple within(const Queries& queries, const Vector<double>& radii, bool skip_self) const {
        const Asked asked(*this, queries);
        require(radii.shape(0) == asked.count, "one radius for each query");
        tile::Lists lists;
        {
            GilReleased release;
            lists = tree_->within(asked.view(), {radii.data(), skip_self});
        }
        const std::size_t total = lists.rows.size();
        return nb::make_tuple(owned(std::move(lists.offsets), {asked.count + 1}),
                              owned(std::move(lists.rows), {total}),
                              array(std::move(lists.values), {total}));
    }

    Array<std::int64_t> count(const Queries& queries, const Vector<double>& radii,
                              bool skip_self) const {
        const Asked asked(*this, queries);
        require(radii.shape(0) == asked.count, "one radius for each query");
        std::vector<std::int64_t> counts(asked.count);
        {
            GilReleased release;
            tree_->count(asked.view(), {radii.data(), skip_self}, counts.data());
        }
        return owned(std::move(counts), {asked.count});
    }

    // labels, core
    nb::tuple density_clusters(double radius, double least, const RowWeights& weights) const {
        return bindings::density_clusters(tree_->rows(), 1, radius, least, weights,
                                          [&](const tile::Within& wish, const tile::Hit& hit) {
                                              tree_->visit(nullptr, wish, hit);
                                          });
    }

    // Sums of the columns of x over the rows within the radius of each query, and their numbers.
    std::pair<Array<double>, Array<std::int64_t>> sums_within(const Matrix<double>& x,
                                                              const Matrix<double>& queries,
                                                              double radius) const {
        const Asked asked(*this, queries);
        const std::size_t cols = x.shape(1);
        require(static_cast<Index>(x.shape(0)) == tree_->rows(), "x has as many rows as the tree");
        const MatrixView<double> values = bindings::view(x);
        std::vector<double> sums(asked.count * cols, 0.0);
        std::vector<std::int64_t> counts(asked.count, 0);
        const std::vector<double> radii(asked.count, radius);
        {
            GilReleased release;
            tree_->visit(asked.view(), {radii.data(), false}, [&](Index query, Index row, Index) {
                double* const sum = sums.data() + query * static_cast<Index>(cols);
                for (Index l = 0; l < values.cols; ++l) sum[l] += values(row, l);
                ++counts[query];
            });
        }
        return {array(std::move(sums), {asked.count, cols}), owned(std::move(counts))};
    }

 private:
    // Queries of a call, or the tree's own rows.
    struct Asked {
        std::optional<MatrixView<double>> given;
        std::size_t count;

        Asked(const Tree& tree, const Queries& queries)
            : count(static_cast<std::size_t>(tree.tree_->rows())) {
            if (!queries) return;
            given = bindings::view(*queries);
            count = queries->shape(0);
            require(given->cols == tree.tree_->cols(),
                    "queries must have as many columns as the tree's rows");
        }
        const MatrixView<double>* view() const { return given ? &*given : nullptr; }
    };

    template <class Make>
    Tree(const Matrix<double>& x, const std::string& measure, double p,
         const std::optional<Vector<double>>& weights, const Make& make) {
        require(x.shape(0) >= 1 && x.shape(1) >= 1, "a tree needs at least one row and column");
        require(!weights || weights->shape(0) == x.shape(1), "one weight for each column");
        tile::TreeMetric metric{tile::measure_named(measure), p, {}};
        require(metric.measure != tile::Measure::haversine || x.shape(1) == 3,
                "haversine takes half latitude, half longitude and cosine of the latitude");
        if (weights) metric.weights.assign(weights->data(), weights->data() + x.shape(1));
        GilReleased release;
        tree_ = make(bindings::view(x), metric);
    }

    std::shared_ptr<const tile::Tree> tree_;
};

Array<std::int64_t> leaf_order(const Matrix<double>& x) {
    require(x.shape(0) >= 1 && x.shape(1) >= 1, "a tree needs at least one row and column");
    std::vector<std::int64_t> order;
    {
        GilReleased release;
        order = tile::Partition(view(x)).order();
    }
    return owned(std::move(order), {x.shape(0)});
}

}  // namespace

void bind_trees(nb::module_& module) {
    nb::class_<Tree>(module, "Tree", "Rows in a tree, which looks at few of them for a query.")
        .def_static("kd", &Tree::kd, nb::arg("x").noconvert(), nb::arg("measure"),
                    nb::arg("p") = 2.0, "Cells: squared, manhattan, chebyshev, power.")
        .def_static("ball", &Tree::ball, nb::arg("x").noconvert(), nb::arg("measure"),
                    nb::arg("p") = 2.0, nb::arg("weights").none() = nb::none(),
                    "Balls: also canberra, hamming and haversine.")
        .def("nearest", &Tree::nearest, nb::arg("queries").noconvert().none(), nb::arg("k"),
             nb::arg("skip_self") = false, "As Pairs.nearest; None for the tree's own rows.")
        .def("within", &Tree::within, nb::arg("queries").noconvert().none(),
             nb::arg("radii").noconvert(), nb::arg("skip_self") = false, "As Pairs.within.")
        .def("density_clusters", &Tree::density_clusters, nb::arg("radius"), nb::arg("least"),
             nb::arg("weights").none() = nb::none(), "As Pairs.density_clusters.")
        .def("sums_within", &Tree::sums_within, nb::arg("x").noconvert(),
             nb::arg("queries").noconvert(), nb::arg("radius"),
             "Sums of rows of x within the radius of each query, and how many they are.")
        .def("count", &Tree::count, nb::arg("queries").noconvert().none(),
             nb::arg("radii").noconvert(), nb::arg("skip_self") = false, "As Pairs.count.");
    module.def("leaf_order", &leaf_order, nb::arg("x").noconvert(),
               "The rows as leaves of 16 hold them; a node of m leaves has (m + 1) // 2 first.");
}

}  // namespace stylobate::bindings
