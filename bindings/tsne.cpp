// t-SNE: affinities, descent, places of new points.
#include "tsne.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <string>

#include "bindings.hpp"
#include "embed/affinities.hpp"
#include "embed/tsne_descent.hpp"
#include "embed/tsne_kernels.hpp"
#include "embed/tsne_placement.hpp"

namespace stylobate::bindings {
namespace {

using Offsets = Vector<std::int64_t>;

tsne::Method method_of(const std::string& name) {
    if (name == "exact") return tsne::Method::exact;
    if (name == "barnes_hut") return tsne::Method::barnes_hut;
    require(name == "fft", "there is no such method");
    return tsne::Method::fourier;
}

// Offsets that ascend from 0 to the number of entries.
Index checked_rows(const Offsets& offsets, std::size_t entries) {
    require(offsets.shape(0) >= 1, "offsets must have one entry more than there are rows");
    const auto rows = static_cast<Index>(offsets.shape(0)) - 1;
    const std::int64_t* const at = offsets.data();
    require(at[0] == 0 && at[rows] == static_cast<std::int64_t>(entries),
            "offsets must run from 0 to the number of entries");
    for (Index i = 0; i < rows; ++i) require(at[i] <= at[i + 1], "offsets must ascend");
    return rows;
}

template <class I>
void check_columns(const Vector<I>& columns, Index count) {
    for (std::size_t k = 0; k < columns.shape(0); ++k)
        require(columns.data()[k] >= 0 && static_cast<Index>(columns.data()[k]) < count,
                "neighbours must be rows");
}

tsne::Map map_of(const Packed<float>& points) {
    require(points.shape(1) >= 1 && static_cast<Index>(points.shape(1)) <= tsne::largest_dimension,
            "a map has 1 to 32 dimensions");
    return {points.data(), static_cast<Index>(points.shape(0)),
            static_cast<Index>(points.shape(1))};
}

// Keeps the arrays of the edges alive.
class TsneDescent {
 public:
    TsneDescent(Offsets offsets, Vector<std::int32_t> columns, Vector<float> values,
                const Packed<float>& start, double dof, const std::string& method, double angle)
        : offsets_(std::move(offsets)), columns_(std::move(columns)), values_(std::move(values)) {
        const Index rows = checked_rows(offsets_, values_.shape(0));
        require(columns_.shape(0) == values_.shape(0), "columns and values differ in length");
        require(start.shape(0) == static_cast<std::size_t>(rows), "start and edges differ in rows");
        require(dof > 0.0, "degrees of freedom must be positive");
        check_columns(columns_, rows);
        const tsne::Map map = map_of(start);
        const tsne::Method way = method_of(method);
        require(way != tsne::Method::fourier || map.d <= 2, "fft takes 1 or 2 dimensions");
        require(way != tsne::Method::barnes_hut || map.d <= 3, "trees take 1 to 3 dimensions");
        GilReleased release;
        descent_ = std::make_unique<tsne::Descent>(
            tsne::Edges{offsets_.data(), columns_.data(), values_.data()}, map, dof,
            tsne::repulsion_by(way, dof, angle));
    }

    nb::tuple run(Index steps, double exaggeration, double momentum, double learning_rate,
                  double max_step) {
        tsne::DescentReport report{};
        {
            GilReleased release;
            report = descent_->run(steps, {exaggeration, momentum, learning_rate, max_step});
        }
        return nb::make_tuple(report.divergence, report.gradient_norm);
    }

    void restart() { descent_->restart(); }

    nb::ndarray<nb::numpy, float> gradient() {
        std::vector<float> found;
        {
            GilReleased release;
            found = descent_->gradient();
        }
        return shaped(std::move(found));
    }

    double divergence() {
        GilReleased release;
        return descent_->divergence();
    }

    nb::ndarray<nb::numpy, float> points() { return shaped(std::vector(descent_->points())); }

 private:
    nb::ndarray<nb::numpy, float> shaped(std::vector<float>&& values) {
        const auto d = static_cast<std::size_t>(descent_->dimension());
        const std::size_t n = values.size() / d;
        return owned(std::move(values), {n, d});
    }

    Offsets offsets_;
    Vector<std::int32_t> columns_;
    Vector<float> values_;
    std::unique_ptr<tsne::Descent> descent_;
};

nb::tuple tsne_repulsion(const Packed<float>& points, double dof, const std::string& method,
                         double angle) {
    const tsne::Map map = map_of(points);
    std::vector<float> forces(static_cast<std::size_t>(map.n * map.d));
    double z = 0.0;
    {
        GilReleased release;
        z = tsne::repulsion_by(method_of(method), dof, angle)->compute(map, forces.data());
    }
    return nb::make_tuple(owned(std::move(forces), {points.shape(0), points.shape(1)}), z);
}

nb::tuple gaussian_affinities(const Offsets& offsets, const Vector<double>& squares,
                              const std::vector<double>& perplexities) {
    const Index rows = checked_rows(offsets, squares.shape(0));
    require(!perplexities.empty(), "there must be a perplexity");
    std::vector<double> precisions(static_cast<std::size_t>(rows) * perplexities.size());
    std::vector<double> values;
    {
        GilReleased release;
        values = tsne::gaussian_affinities({offsets.data(), rows}, squares.data(), perplexities,
                                           precisions.data());
    }
    return nb::make_tuple(
        owned(std::move(values)),
        owned(std::move(precisions), {static_cast<std::size_t>(rows), perplexities.size()}));
}

nb::tuple symmetrized_affinities(const Offsets& offsets, const Vector<std::int64_t>& columns,
                                 const Vector<double>& values) {
    const Index rows = checked_rows(offsets, values.shape(0));
    require(columns.shape(0) == values.shape(0), "columns and values differ in length");
    check_columns(columns, rows);
    tsne::EdgeLists found;
    {
        GilReleased release;
        found = tsne::symmetrized({offsets.data(), rows}, columns.data(), values.data());
    }
    return nb::make_tuple(owned(std::move(found.offsets)), owned(std::move(found.columns)),
                          owned(std::move(found.values)));
}

nb::tuple place_points(const Packed<float>& points, const Offsets& offsets,
                       const Vector<std::int32_t>& columns, const Vector<float>& values,
                       const Packed<float>& starts, double dof, double z, Index max_iter,
                       double tolerance) {
    const tsne::Map map = map_of(points);
    const Index rows = checked_rows(offsets, values.shape(0));
    require(columns.shape(0) == values.shape(0), "columns and values differ in length");
    require(starts.shape(0) == static_cast<std::size_t>(rows) && starts.shape(1) == points.shape(1),
            "starts must have a row for each new point, of the map's dimension");
    require(z > 0.0 && dof > 0.0, "z and the degrees of freedom must be positive");
    check_columns(columns, map.n);
    std::vector<float> places(starts.data(), starts.data() + starts.size());
    std::vector<double> lengths;
    {
        GilReleased release;
        lengths = tsne::place_points(map, {offsets.data(), columns.data(), values.data()}, rows,
                                     {dof, z, max_iter, tolerance}, places.data());
    }
    return nb::make_tuple(owned(std::move(places), {starts.shape(0), starts.shape(1)}),
                          owned(std::move(lengths)));
}

}  // namespace

void bind_tsne(nb::module_& module) {
    nb::class_<TsneDescent>(module, "TsneDescent", "Gradient descent of t-SNE on given edges.")
        .def(nb::init<Offsets, Vector<std::int32_t>, Vector<float>, const Packed<float>&, double,
                      const std::string&, double>(),
             nb::arg("offsets").noconvert(), nb::arg("columns").noconvert(),
             nb::arg("values").noconvert(), nb::arg("start").noconvert(), nb::arg("dof"),
             nb::arg("method"), nb::arg("angle"))
        .def("run", &TsneDescent::run, nb::arg("steps"), nb::arg("exaggeration"),
             nb::arg("momentum"), nb::arg("learning_rate"), nb::arg("max_step"),
             "Take steps; the divergence before the last, and the length of its gradient.")
        .def("restart", &TsneDescent::restart, "Forget momentum and gains.")
        .def("gradient", &TsneDescent::gradient, "The gradient of the divergence.")
        .def("divergence", &TsneDescent::divergence, "Kullback and Leibler's, now.")
        .def("points", &TsneDescent::points, "A copy of the map.");
    module.def("tsne_repulsion", &tsne_repulsion, nb::arg("points").noconvert(), nb::arg("dof"),
               nb::arg("method"), nb::arg("angle"), "Forces of repulsion times Z, and Z.");
    module.def("gaussian_affinities", &gaussian_affinities, nb::arg("offsets").noconvert(),
               nb::arg("squares").noconvert(), nb::arg("perplexities"),
               "Probabilities of each row's neighbours from squared distances, and precisions.");
    module.def("symmetrized_affinities", &symmetrized_affinities, nb::arg("offsets").noconvert(),
               nb::arg("columns").noconvert(), nb::arg("values").noconvert(),
               "(P + P^T) / (2 n): offsets, columns, values.");
    module.def("place_points", &place_points, nb::arg("points").noconvert(),
               nb::arg("offsets").noconvert(), nb::arg("columns").noconvert(),
               nb::arg("values").noconvert(), nb::arg("starts").noconvert(), nb::arg("dof"),
               nb::arg("z"), nb::arg("max_iter"), nb::arg("tolerance"),
               "Places of new points in a map, and the lengths of the gradients left.");
}

}  // namespace stylobate::bindings
