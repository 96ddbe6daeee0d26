// Boosting: bins, histograms and trees grown from them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "losses.hpp"
#include "tree/boost.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::boost;

template <class T>
nb::list run_find_edges(const Matrix<T>& x, const std::optional<Vector<double>>& weights,
                        const std::vector<bool>& categorical, Index max_bins, Index sample,
                        std::uint64_t seed) {
    require(categorical.size() == x.shape(1), "every column is of numbers or of categories");
    require(!weights || weights->shape(0) == x.shape(0), "every row needs a weight");
    require(max_bins >= 2 && max_bins <= most_bins, "there are 2 to 255 bins");
    require(sample >= 1 && x.shape(0) >= 1, "there must be rows");
    std::vector<std::vector<double>> edges;
    {
        GilReleased release;
        edges = find_edges(view(x), weights ? weights->data() : nullptr, categorical, max_bins,
                           sample, seed);
    }
    nb::list out;
    for (auto& each : edges) out.append(owned(std::move(each)));
    return out;
}

// Rows in bins, with the bins they lie in.
class Binned {
 public:
    template <class T>
    Binned(const Matrix<T>& x, const std::vector<Vector<double>>& edges,
           const std::vector<Vector<Bin>>& bin_of_code) {
        take_bins(edges, bin_of_code);
        require(edges.size() == x.shape(1), "every column needs edges or codes");
        require_rows(x.shape(0));
        GilReleased release;
        rows = std::make_unique<BinnedRows>(view(x), bins);
    }
    Binned(Index count, const std::vector<Vector<double>>& edges,
           const std::vector<Vector<Bin>>& bin_of_code, const std::string& folder) {
        take_bins(edges, bin_of_code);
        require(count >= 1, "too many or no rows");
        require_rows(static_cast<std::size_t>(count));
        GilReleased release;
        rows = std::make_unique<BinnedRows>(count, bins, folder);
    }
    template <class T>
    void fill(const Matrix<T>& x, Index first) {
        const auto count = static_cast<Index>(x.shape(0));
        require(static_cast<Index>(x.shape(1)) == bins.features(), "every column needs bins");
        require(first >= 0 && first <= rows->rows() && count <= rows->rows() - first,
                "there is no room for these rows");
        GilReleased release;
        rows->fill(view(x), bins, first);
    }
    nb::ndarray<nb::numpy, Bin> column(Index f) const {
        require(f >= 0 && f < rows->features(), "there is no such column");
        return owned(std::vector<Bin>(rows->column(f), rows->column(f) + rows->rows()));
    }
    Bins bins;
    std::unique_ptr<BinnedRows> rows;

 private:
    static void require_rows(std::size_t count) {
        require(count >= 1 && count < (std::size_t{1} << 31), "too many or no rows");
    }
    void take_bins(const std::vector<Vector<double>>& edges,
                   const std::vector<Vector<Bin>>& bin_of_code) {
        require(edges.size() == bin_of_code.size(), "every column needs edges or codes");
        for (std::size_t f = 0; f < edges.size(); ++f) {
            bins.edges.emplace_back(edges[f].data(), edges[f].data() + edges[f].shape(0));
            const auto& codes = bin_of_code[f];
            bins.bin_of_code.emplace_back(codes.data(), codes.data() + codes.shape(0));
            require(bins.count(static_cast<Index>(f)) <= most_bins, "a column has too many bins");
        }
    }
};

void require_classes(const Targets& targets) {
    if (targets.loss.kind != LossKind::multinomial) {
        require(targets.outputs == 1, "this loss has one output");
        return;
    }
    for (Index i = 0; i < targets.rows; ++i)
        require(targets.y[i] >= 0.0 && targets.y[i] < static_cast<double>(targets.outputs),
                "y holds a class that is none");
}

Targets targets_of(const NamedLoss& loss, const Vector<double>& y,
                   const std::optional<Vector<double>>& weights, Index outputs) {
    require(outputs >= 1, "there must be an output");
    require(!weights || weights->shape(0) == y.shape(0), "every row needs a weight");
    const Targets targets{y.data(), weights ? weights->data() : nullptr,
                          static_cast<Index>(y.shape(0)), outputs, loss_of(loss)};
    require_classes(targets);
    return targets;
}

class HistogramBooster {
 public:
    HistogramBooster(const nb::object& binned, Vector<double> y,
                     std::optional<Vector<double>> weights, const NamedLoss& loss,
                     const Packed<double>& scores, const nb::dict& rules, const std::string& folder)
        : held_{binned, nb::cast(y), nb::cast(weights)} {
        const auto& table = nb::cast<const Binned&>(binned);
        const auto outputs = static_cast<Index>(scores.shape(0));
        const Targets targets = targets_of(loss, y, weights, outputs);
        require(targets.rows == table.rows->rows() &&
                    (scores.shape(1) == y.shape(0) || scores.shape(1) == 1),
                "y, scores (or one for all rows) and rows must be as many");
        const BoostRules checked = rules_of(rules, table.rows->features());
        const auto columns = static_cast<Index>(scores.shape(1));
        const MatrixView<double> start{scores.data(), outputs, columns, columns, 1};
        GilReleased release;
        booster_ =
            std::make_unique<Booster>(*table.rows, table.bins, targets, checked, start, folder);
        if (packing_ >= 0) booster_->pack_as(static_cast<Packing>(packing_));
    }

    nb::list step() {
        {
            GilReleased release;
            last_ = booster_->step();
        }
        nb::list trees;
        for (const BoostedTree& tree : last_) trees.append(arrays_of(tree));
        return trees;
    }

    // Adds the last trees to the scores of other rows.
    void add_last(const Binned& other, nb::ndarray<double, nb::ndim<2>, nb::c_contig> scores) {
        require(scores.shape(0) == last_.size() &&
                    static_cast<Index>(scores.shape(1)) == other.rows->rows() &&
                    other.rows->features() == booster_->growth().bins().features(),
                "scores and rows must fit the trees");
        GilReleased release;
        for (std::size_t k = 0; k < last_.size(); ++k)
            last_[k].add(*other.rows, scores.data() + k * scores.shape(1));
    }

    double loss() const { return booster_->loss(); }
    Output scores() const {
        const auto rows = static_cast<std::size_t>(booster_->targets().rows);
        const auto& scores = booster_->scores();
        std::vector<double> copy(scores.data(), scores.data() + scores.size());
        const std::size_t outputs = copy.size() / rows;
        return array(std::move(copy), {outputs, rows});
    }

 private:
    BoostRules rules_of(const nb::dict& rules, Index features) {
        BoostRules out;
        const auto number = [&](const char* name) { return nb::cast<double>(rules[name]); };
        const auto whole = [&](const char* name) { return nb::cast<Index>(rules[name]); };
        out.learning_rate = number("learning_rate");
        out.huber_share = number("huber_share");
        out.first_tree = static_cast<std::uint64_t>(whole("first_tree"));
        GrowthRules& growth = out.growth;
        growth.max_leaves = whole("max_leaves");
        growth.max_depth = whole("max_depth");
        growth.min_samples_leaf = whole("min_samples_leaf");
        growth.l2 = number("l2");
        growth.feature_share = number("feature_share");
        growth.depth_wise = nb::cast<bool>(rules["depth_wise"]);
        growth.seed = nb::cast<std::uint64_t>(rules["seed"]);
        growth.monotone = nb::cast<std::vector<std::int8_t>>(rules["monotone"]);
        growth.together = nb::cast<std::vector<std::vector<std::uint8_t>>>(rules["together"]);
        packing_ = static_cast<int>(whole("packing"));
        const auto p = static_cast<std::size_t>(features);
        require(growth.monotone.empty() || growth.monotone.size() == p,
                "every column needs a direction");
        for (const auto& set : growth.together)
            require(set.size() == p, "every set is a mask of the columns");
        return out;
    }

    static nb::dict arrays_of(const BoostedTree& tree) {
        nb::dict out;
        const std::size_t nodes = tree.left.size();
        const auto put = [&](const char* name, auto values) {
            out[name] = owned(std::move(values));
        };
        put("children_left", tree.left);
        put("children_right", tree.right);
        put("feature", tree.feature);
        put("threshold", tree.threshold);
        put("missing_go_to_left", tree.missing_left);
        put("n_node_samples", tree.count);
        put("weighted_n_node_samples", tree.weight);
        put("impurity", tree.impurity);
        put("category_start", tree.category_start);
        put("categories", tree.categories);
        out["value"] =
            owned(std::vector<double>(tree.value), {nodes, std::size_t{1}, std::size_t{1}});
        return out;
    }

    std::vector<nb::object> held_;
    int packing_ = -1;
    std::unique_ptr<Booster> booster_;
    std::vector<BoostedTree> last_;
};

double run_boost_loss(const NamedLoss& loss, const Vector<double>& y,
                      const std::optional<Vector<double>>& weights, const Packed<double>& scores) {
    const Targets targets = targets_of(loss, y, weights, static_cast<Index>(scores.shape(0)));
    require(scores.shape(1) == y.shape(0) && y.shape(0) >= 1, "y and scores must be as many");
    GilReleased release;
    double sum = 0.0, total = 0.0;
    for (Index c = 0; c < chunks_of(targets.rows, chunk_rows); ++c)
        sum += pairs_at(targets, scores.data(), chunk_of(c, targets.rows, chunk_rows), nullptr);
    for (Index i = 0; i < targets.rows; ++i)
        total += targets.weights != nullptr ? targets.weights[i] : 1.0;
    return sum / total;
}

double run_quantile(const Vector<double>& values, const std::optional<Vector<double>>& weights,
                    double level) {
    require(!weights || weights->shape(0) == values.shape(0), "every value needs a weight");
    require(level >= 0.0 && level <= 1.0, "the level lies between 0 and 1");
    std::vector<double> copy(values.data(), values.data() + values.shape(0)), w;
    if (weights) w.assign(weights->data(), weights->data() + weights->shape(0));
    GilReleased release;
    return quantile_of(copy, w, level);
}

// Sums of gradients and Hessians and counts, features × bins (the one for missing values last).
nb::tuple run_gradient_histogram(const Binned& binned, const Vector<float>& gradient,
                                 const Vector<float>& hessian) {
    const BinnedRows& rows = *binned.rows;
    const Index n = rows.rows(), features = rows.features();
    require(static_cast<Index>(gradient.shape(0)) == n && static_cast<Index>(hessian.shape(0)) == n,
            "every row needs a gradient and a Hessian");
    Array<Pair> pairs(n);
    for (Index i = 0; i < n; ++i) pairs[i] = {gradient.data()[i], hessian.data()[i]};
    const auto size = static_cast<std::size_t>(features * bin_slots);
    std::vector<double> g(size, 0.0), h(size, 0.0), c(size, 0.0);
    {
        GilReleased release;
        PackedPairs packed(n);
        const Packing wide = Packing::wide;
        packed.pack(pairs, 0, n, false, &wide);
        Histogram histogram(features);
        for (const auto& block : rows.blocks())
            add_rows(rows, block, packed, nullptr, 0, n, true, histogram);
        for (Index f = 0; f < features; ++f)
            for (Index b = 0; b <= rows.count(f); ++b) {
                const Index from = f * bin_slots + b;
                const auto to = static_cast<std::size_t>(
                    b == rows.count(f) ? f * bin_slots + bin_slots - 1 : from);
                g[to] = histogram.gradient[from] * packed.gradient_unit();
                h[to] = histogram.hessian[from] * packed.hessian_unit();
                c[to] = static_cast<double>(histogram.count[from]);
            }
    }
    const auto p = static_cast<std::size_t>(features), slots = static_cast<std::size_t>(bin_slots);
    return nb::make_tuple(array(std::move(g), {p, slots}), array(std::move(h), {p, slots}),
                          array(std::move(c), {p, slots}));
}

}  // namespace

void bind_boosting(nb::module_& module) {
    using nb::arg;
    const auto edges = [&]<class T>(T) {
        module.def("find_bin_edges", &run_find_edges<T>, arg("x").noconvert(),
                   arg("weights").none(), arg("categorical"), arg("max_bins"), arg("sample"),
                   arg("seed"), "Edges between the bins of every column.");
    };
    edges(double{});
    edges(float{});
    module.def(
        "rows_of_sample",
        [](Index n, Index sample, std::uint64_t seed) {
            require(n >= 1 && sample >= 1, "there must be rows");
            return owned(rows_of_sample(n, sample, seed));
        },
        arg("n"), arg("sample"), arg("seed"), "The rows that edges of bins are found from.");
    nb::class_<Binned> binned(module, "BinnedRows", "Rows as numbers of bins.");
    const auto construct = [&]<class T>(T) {
        binned.def(nb::init<const Matrix<T>&, const std::vector<Vector<double>>&,
                            const std::vector<Vector<Bin>>&>(),
                   arg("x").noconvert(), arg("edges"), arg("bin_of_code"));
        binned.def("fill", &Binned::fill<T>, arg("x").noconvert(), arg("first"),
                   "Puts the bins of more rows where the first of them belongs.");
    };
    construct(double{});
    construct(float{});
    binned.def(nb::init<Index, const std::vector<Vector<double>>&, const std::vector<Vector<Bin>>&,
                        const std::string&>(),
               arg("rows"), arg("edges"), arg("bin_of_code"), arg("folder"));
    binned.def("column", &Binned::column, arg("feature"), "Bins of a column; the last is missing.");
    nb::class_<HistogramBooster>(module, "HistogramBooster", "Boosting of histogram trees.")
        .def(nb::init<const nb::object&, Vector<double>, std::optional<Vector<double>>,
                      const NamedLoss&, const Packed<double>&, const nb::dict&,
                      const std::string&>(),
             arg("binned"), arg("y"), arg("weights").none(), arg("loss"), arg("scores"),
             arg("rules"), arg("folder") = "")
        .def("step", &HistogramBooster::step, "Arrays of one more tree for every output.")
        .def("add_last", &HistogramBooster::add_last, arg("binned"), arg("scores").noconvert(),
             "Adds the last trees to the scores of other rows.")
        .def_prop_ro("loss", &HistogramBooster::loss, "Mean loss of the rows now.")
        .def_prop_ro("scores", &HistogramBooster::scores, nb::rv_policy::move, "Outputs × rows.");
    module.def("boost_loss", &run_boost_loss, arg("loss"), arg("y"), arg("weights").none(),
               arg("scores"), "Mean loss at given scores.");
    module.def("weighted_quantile", &run_quantile, arg("values"), arg("weights").none(),
               arg("level"), "A quantile, linear between neighbours where there are no weights.");
    module.def("gradient_histogram", &run_gradient_histogram, arg("binned"), arg("gradient"),
               arg("hessian"), "Sums of gradients and Hessians and counts of every bin.");
}

}  // namespace stylobate::bindings
