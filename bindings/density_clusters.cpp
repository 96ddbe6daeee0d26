// Clusters of dense rows: DBSCAN, OPTICS, hierarchies of density, trees of features.
#include "density_clusters.hpp"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>

#include "cluster/feature_tree.hpp"
#include "cluster/hierarchy.hpp"
#include "cluster/optics.hpp"
#include "tile/names.hpp"

namespace stylobate::bindings {
namespace {

using Integers = Vector<std::int64_t>;

nb::tuple dbscan_boxes(const Matrix<double>& x, const std::string& measure, double p, double radius,
                       double least, const RowWeights& weights) {
    const tile::TreeMetric metric{tile::measure_named(measure), p, {}};
    const cluster::Density wish =
        density_of(radius, least, weights, static_cast<Index>(x.shape(0)));
    cluster::DensityClusters found;
    {
        GilReleased release;
        found = cluster::dbscan_boxes(view(x), metric, wish);
    }
    return labels_and_core(std::move(found));
}

nb::ndarray<nb::numpy, std::int64_t> dbscan_matrix(const Matrix<double>& x, double radius,
                                                   const Vector<std::uint8_t>& core) {
    require(x.shape(0) == x.shape(1) && core.shape(0) == x.shape(0), "distances must be square");
    const MatrixView<double> distances = view(x);
    const std::vector<std::uint8_t> is_core(core.data(), core.data() + core.shape(0));
    std::vector<std::int64_t> labels;
    {
        GilReleased release;
        labels = cluster::dbscan_edges(is_core, [&](Index row, const auto& take) {
            for (Index j = 0; j < distances.cols; ++j)
                if (distances(row, j) <= radius) take(j);
        });
    }
    return owned(std::move(labels));
}

nb::ndarray<nb::numpy, std::int64_t> dbscan_graph(const Integers& offsets, const Integers& rows,
                                                  const Vector<std::uint8_t>& core) {
    const auto n = static_cast<Index>(core.shape(0)), total = static_cast<Index>(rows.shape(0));
    require(static_cast<Index>(offsets.shape(0)) == n + 1, "one list for each row");
    for (Index i = 0; i < n; ++i)
        require(0 <= offsets(i) && offsets(i) <= offsets(i + 1) && offsets(i + 1) <= total,
                "lists must lie within their rows");
    for (Index k = 0; k < total; ++k)
        require(rows(k) >= 0 && rows(k) < n, "lists show rows that are there");
    const std::vector<std::uint8_t> is_core(core.data(), core.data() + n);
    std::vector<std::int64_t> labels;
    {
        GilReleased release;
        labels = cluster::dbscan_edges(is_core, [&](Index row, const auto& take) {
            for (Index k = offsets.data()[row]; k < offsets.data()[row + 1]; ++k)
                take(rows.data()[k]);
        });
    }
    return owned(std::move(labels));
}

nb::tuple optics(const Matrix<double>& x, const std::string& measure, double p,
                 const Vector<double>& core, double radius) {
    require(core.shape(0) == x.shape(0), "one core distance for each row");
    const tile::TreeMetric metric{tile::measure_named(measure), p, {}};
    cluster::Reachabilities found;
    {
        GilReleased release;
        found = cluster::optics(view(x), metric, core.data(), radius);
    }
    return nb::make_tuple(owned(std::move(found.order)), owned(std::move(found.reach)),
                          owned(std::move(found.predecessor)));
}

nb::tuple single_linkage(const Integers& from, const Integers& to, const Vector<double>& height) {
    const std::size_t edges = from.shape(0);
    require(to.shape(0) == edges && height.shape(0) == edges, "edges have two ends and a height");
    for (std::size_t k = 0; k < edges; ++k)
        for (const std::int64_t end : {from(k), to(k)})
            require(end >= 0 && end <= static_cast<std::int64_t>(edges), "edges join rows");
    cluster::Merges made;
    {
        GilReleased release;
        made = cluster::single_linkage(static_cast<Index>(edges) + 1, from.data(), to.data(),
                                       height.data());
    }
    return nb::make_tuple(owned(std::move(made.left)), owned(std::move(made.right)),
                          owned(std::move(made.height)), owned(std::move(made.size)));
}

nb::tuple condensed_tree(const Integers& left, const Integers& right, const Vector<double>& height,
                         const Integers& size, Index smallest) {
    const std::size_t merges = left.shape(0);
    require(right.shape(0) == merges && height.shape(0) == merges && size.shape(0) == merges,
            "merges have two nodes, a height and a size");
    cluster::CondensedTree tree;
    {
        GilReleased release;
        tree = cluster::condensed(static_cast<Index>(merges) + 1, left.data(), right.data(),
                                  height.data(), size.data(), smallest);
    }
    return nb::make_tuple(owned(std::move(tree.parent)), owned(std::move(tree.child)),
                          owned(std::move(tree.lambda)), owned(std::move(tree.size)));
}

template <class T>
std::vector<T> copied(const Vector<T>& x) {
    return {x.data(), x.data() + x.shape(0)};
}

// Rows into a tree of features; the tree comes and goes as plain numbers.
class FeatureTree {
 public:
    FeatureTree(Index cols, double threshold, Index most)
        : tree_(cols, threshold, most), cols_(cols) {
        require(cols >= 1 && most >= 2, "a tree of features has columns and branches");
    }
    FeatureTree(const Integers& nodes, const Integers& children, const Vector<double>& counts,
                const Vector<double>& squares, const Vector<double>& sums, Index cols,
                double threshold, Index most)
        : tree_({copied(nodes), copied(children), copied(counts), copied(squares), copied(sums), 0},
                cols, threshold, most),
          cols_(cols) {}

    void insert(const Packed<double>& x) {
        require(static_cast<Index>(x.shape(1)) == cols_, "rows have as many columns as the tree");
        GilReleased release;
        parallel_for(1, [&](Index, Checkpoint& checkpoint) {
            for (std::size_t i = 0; i < x.shape(0); ++i) {
                tree_.insert(x.data() + i * x.shape(1));
                checkpoint();
            }
        });
    }

    nb::tuple state() const {
        cluster::FeatureTreeState all = tree_.state();
        return nb::make_tuple(owned(std::move(all.nodes)), owned(std::move(all.children)),
                              owned(std::move(all.counts)), owned(std::move(all.squares)),
                              owned(std::move(all.sums)), all.leaves);
    }

 private:
    cluster::FeatureTree tree_;
    Index cols_;
};

}  // namespace

void bind_density_clusters(nb::module_& module) {
    module.def("dbscan_boxes", &dbscan_boxes, nb::arg("x").noconvert(), nb::arg("measure"),
               nb::arg("p"), nb::arg("radius"), nb::arg("least"),
               nb::arg("weights").none() = nb::none(),
               "Labels and which rows are core, of measures that split into columns.");
    module.def("dbscan_matrix", &dbscan_matrix, nb::arg("x").noconvert(), nb::arg("radius"),
               nb::arg("core").noconvert(), "Labels from distances of every row to every row.");
    module.def("dbscan_graph", &dbscan_graph, nb::arg("offsets").noconvert(),
               nb::arg("rows").noconvert(), nb::arg("core").noconvert(),
               "Labels from lists of the rows that each row sees.");
    module.def("optics", &optics, nb::arg("x").noconvert(), nb::arg("measure"), nb::arg("p"),
               nb::arg("core").noconvert(), nb::arg("radius"),
               "Order, reachabilities and predecessors of the rows.");
    module.def("single_linkage", &single_linkage, nb::arg("from_").noconvert(),
               nb::arg("to").noconvert(), nb::arg("height").noconvert(),
               "The merges (left, right, height, size) along the edges of a spanning tree.");
    module.def("condensed_tree", &condensed_tree, nb::arg("left").noconvert(),
               nb::arg("right").noconvert(), nb::arg("height").noconvert(),
               nb::arg("size").noconvert(), nb::arg("smallest"),
               "Parents, children, lambdas and sizes of the clusters of at least so many rows.");
    nb::class_<FeatureTree>(module, "FeatureTree", "Clustering features in a balanced tree.")
        .def(nb::init<Index, double, Index>(), nb::arg("cols"), nb::arg("threshold"),
             nb::arg("most"))
        .def(nb::init<const Integers&, const Integers&, const Vector<double>&,
                      const Vector<double>&, const Vector<double>&, Index, double, Index>(),
             nb::arg("nodes").noconvert(), nb::arg("children").noconvert(),
             nb::arg("counts").noconvert(), nb::arg("squares").noconvert(),
             nb::arg("sums").noconvert(), nb::arg("cols"), nb::arg("threshold"), nb::arg("most"))
        .def("insert", &FeatureTree::insert, nb::arg("x").noconvert(), "Rows, one after the other.")
        .def("state", &FeatureTree::state,
             "Nodes, children, counts, squares, sums and the number of leaves.");
}

}  // namespace stylobate::bindings
