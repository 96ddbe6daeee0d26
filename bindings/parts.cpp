// Moments of parts of the rows, of unions of parts, and ridge regressions from them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>

#include "descend/normal_equations.hpp"
#include "rows.hpp"
#include "scan/moments.hpp"
#include "scan/unions.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::scan;
using Numbers = Vector<std::int64_t>;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Stack = std::tuple<Output, Output, Output, Output>;  // n_rows, weight, mean, scatter

Order order_of(const std::optional<Numbers>& numbers, Index n_rows) {
    if (!numbers) return {};
    const auto count = static_cast<Index>(numbers->shape(0));
    for (Index k = 0; k < count; ++k)
        require(numbers->data()[k] >= 0 && numbers->data()[k] < n_rows, "a row that is not there");
    return {numbers->data(), count};
}

std::vector<Part> parts_of(const Packed<std::int64_t>& bounds, Index n_rows) {
    require(bounds.shape(1) == 2, "a part has a first and a last row");
    std::vector<Part> parts;
    for (std::size_t k = 0; k < bounds.shape(0); ++k) {
        const Part part{bounds.data()[2 * k], bounds.data()[2 * k + 1]};
        require(0 <= part.first && part.first <= part.last && part.last <= n_rows,
                "a part must lie within the rows");
        parts.push_back(part);
    }
    return parts;
}

template <class Features>
Stack run_parts(Features x, const Targets& y, const Weights& w,
                const std::optional<Numbers>& numbers, const Packed<std::int64_t>& bounds) {
    const Rows<Features> whole = rows(x, y, w);
    const Order order = order_of(numbers, whole.count());
    const Rows<Features> data = whole.in_order(order);
    const std::vector<Part> parts = parts_of(bounds, data.count());
    const std::size_t count = parts.size(), q = static_cast<std::size_t>(data.cols()) - 1;
    std::vector<double> n_rows, weight, mean, scatter;
    {
        GilReleased release;
        mean.reserve(count * q);
        scatter.reserve(count * q * q);
        for (const Moments& each : moments_of_parts(data, parts)) {
            n_rows.push_back(static_cast<double>(each.n_rows));
            weight.push_back(each.weight);
            mean.insert(mean.end(), each.mean.begin(), each.mean.end());
            scatter.insert(scatter.end(), each.scatter.begin(), each.scatter.end());
        }
    }
    return {array(std::move(n_rows), {count}), array(std::move(weight), {count}),
            array(std::move(mean), {count, q}), array(std::move(scatter), {count, q, q})};
}

std::tuple<Output, Output, Output> run_merge(const Vector<double>& weight,
                                             const Packed<double>& mean, const Cube& scatter,
                                             const Numbers& offsets, const Numbers& members) {
    const std::size_t q = mean.shape(1);
    const auto count = static_cast<Index>(weight.shape(0));
    require(mean.shape(0) == weight.shape(0) && scatter.shape(0) == weight.shape(0) &&
                scatter.shape(1) == q && scatter.shape(2) == q,
            "weight, mean and scatter must be of the same parts");
    const std::size_t unions = offsets.shape(0) - 1;
    require(offsets.shape(0) >= 1 && offsets.data()[0] == 0 &&
                offsets.data()[unions] == static_cast<Index>(members.shape(0)),
            "offsets must span the members");
    std::vector<Index> starts(offsets.data(), offsets.data() + unions + 1);
    std::vector<Index> chosen(members.data(), members.data() + members.shape(0));
    for (std::size_t k = 0; k < unions; ++k) {
        require(starts[k] < starts[k + 1], "a union needs at least one part");
        require(starts[k + 1] <= static_cast<Index>(chosen.size()),
                "offsets must span the members");
        for (Index m = starts[k]; m < starts[k + 1]; ++m)
            require(chosen[m] >= 0 && chosen[m] < count &&
                        (m == starts[k] || chosen[m] > chosen[m - 1]),
                    "the parts of a union must be increasing numbers of parts");
    }
    Unions merged;
    {
        GilReleased release;
        merged =
            merge_parts({weight.data(), mean.data(), scatter.data(), count, static_cast<Index>(q)},
                        starts, chosen);
    }
    return {array(std::move(merged.weight), {unions}), array(std::move(merged.mean), {unions, q}),
            array(std::move(merged.scatter), {unions, q, q})};
}

std::tuple<Output, Output> run_ridges(const Cube& scatters, std::size_t targets,
                                      const Numbers& which, const Packed<double>& alpha) {
    const std::size_t q = scatters.shape(1), count = which.shape(0);
    require(scatters.shape(2) == q && targets <= q, "a scatter must be square, targets included");
    require(alpha.shape(0) == count && alpha.shape(1) == targets, "alpha must be fits × targets");
    std::vector<descend::RidgeFit> fits;
    for (std::size_t k = 0; k < count; ++k) {
        require(which.data()[k] >= 0 && which.data()[k] < static_cast<Index>(scatters.shape(0)),
                "a scatter that is not there");
        fits.push_back({which.data()[k], alpha.data() + k * targets});
    }
    const std::size_t p = q - targets;
    std::vector<double> coef(count * p * targets), bound(count);
    {
        GilReleased release;
        descend::solve_ridges({scatters.data(), static_cast<Index>(scatters.shape(0)),
                               static_cast<Index>(q), static_cast<Index>(targets)},
                              fits.data(), static_cast<Index>(count), coef.data(), bound.data());
    }
    return {array(std::move(coef), {count, p, targets}), array(std::move(bound), {count})};
}

std::tuple<Output, Output> run_forms(const Cube& scatters, const Numbers& which, const Cube& coef) {
    const std::size_t q = scatters.shape(1), count = which.shape(0);
    const std::size_t p = coef.shape(1), targets = coef.shape(2);
    require(scatters.shape(2) == q && p + targets == q && coef.shape(0) == count,
            "a scatter must be of the columns and targets of the models");
    std::vector<Index> chosen(which.data(), which.data() + count);
    for (const Index k : chosen)
        require(0 <= k && k < static_cast<Index>(scatters.shape(0)), "a scatter that is not there");
    std::vector<descend::Forms> forms(count * targets);
    {
        GilReleased release;
        descend::quadratic_forms({scatters.data(), static_cast<Index>(scatters.shape(0)),
                                  static_cast<Index>(q), static_cast<Index>(targets)},
                                 chosen.data(), coef.data(), static_cast<Index>(count),
                                 forms.data());
    }
    std::vector<double> values, terms;
    for (const descend::Forms& each : forms) {
        values.push_back(each.value);
        terms.push_back(each.terms);
    }
    return {array(std::move(values), {count, targets}), array(std::move(terms), {count, targets})};
}

// First rows and one after the last of the runs of consecutive row numbers (k × 2); nothing if
// there are more than `most`.
std::optional<nb::ndarray<nb::numpy, std::int64_t>> run_runs(const Numbers& numbers, Index most) {
    std::vector<std::int64_t> bounds;
    const auto count = static_cast<Index>(numbers.shape(0));
    const std::int64_t* rows = numbers.data();
    for (Index first = 0; first < count;) {
        Index last = first + 1;
        while (last < count && rows[last] == rows[last - 1] + 1) ++last;
        if (static_cast<Index>(bounds.size()) >= 2 * most) return std::nullopt;
        bounds.push_back(rows[first]);
        bounds.push_back(rows[last - 1] + 1);
        first = last;
    }
    const std::size_t runs = bounds.size() / 2;
    return owned(std::move(bounds), {runs, 2});
}

template <class T>
void bind_dense(nb::module_& module) {
    module.def(
        "part_moments",
        [](const Matrix<T>& x, const Targets& y, const Weights& w,
           const std::optional<Numbers>& order, const Packed<std::int64_t>& bounds) {
            return run_parts(DenseFeatures<T>(view(x)), y, w, order, bounds);
        },
        nb::arg("x"), nb::arg("y").none(), nb::arg("weights").none(), nb::arg("order").none(),
        nb::arg("bounds"),
        "Rows of positive weight, Σw, mean and centred scatter of parts (first row, one after "
        "the last), of the rows as they lie or in an order.");
}

template <class T, class I>
void bind_sparse(nb::module_& module) {
    module.def(
        "part_moments_csr",
        [](const Vector<T>& values, const Vector<I>& indices, const Vector<I>& offsets, Index cols,
           const Targets& y, const Weights& w, const std::optional<Numbers>& order,
           const Packed<std::int64_t>& bounds) {
            return run_parts(compressed(values, indices, offsets, cols), y, w, order, bounds);
        },
        nb::arg("values"), nb::arg("indices"), nb::arg("offsets"), nb::arg("cols"),
        nb::arg("y").none(), nb::arg("weights").none(), nb::arg("order").none(), nb::arg("bounds"),
        "As part_moments, of compressed rows.");
}

}  // namespace

void bind_parts(nb::module_& module) {
    bind_dense<double>(module);
    bind_dense<float>(module);
    bind_sparse<double, std::int32_t>(module);
    bind_sparse<double, std::int64_t>(module);
    bind_sparse<float, std::int32_t>(module);
    bind_sparse<float, std::int64_t>(module);
    module.def("runs", &run_runs, nb::arg("rows"), nb::arg("most"),
               "The runs of consecutive numbers (first, one after the last); None beyond most.");
    module.def("merge_moments", &run_merge, nb::arg("weight"), nb::arg("mean"), nb::arg("scatter"),
               nb::arg("offsets"), nb::arg("members"),
               "Weight, mean and scatter of unions of parts without common rows.");
    module.def("quadratic_forms", &run_forms, nb::arg("scatters"), nb::arg("which"),
               nb::arg("coef"),
               "Scatter of the residuals of models (count × columns × targets) and the size of its "
               "terms.");
    module.def("solve_ridges", &run_ridges, nb::arg("scatters"), nb::arg("targets"),
               nb::arg("which"), nb::arg("alpha"),
               "Coefficients (fits × columns × targets) and bounds of the condition numbers.");
}

}  // namespace stylobate::bindings
