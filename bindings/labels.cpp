#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <tuple>

#include "bindings.hpp"
#include "scan/counting.hpp"
#include "scan/ranking.hpp"

namespace stylobate::bindings {
namespace {

using Weights = std::optional<Vector<double>>;

constexpr std::size_t most_rows = 0x7fffffffu;  // rows are numbered in 32 bits

const double* checked(const Weights& weights, std::size_t rows) {
    require(!weights || weights->shape(0) == rows, "the weights differ in rows");
    return weights ? weights->data() : nullptr;
}

// whole, low, rows (width × width), weights; rows are None where the range is too wide
template <class T>
nb::tuple count_pairs(const Vector<T>& a, const Vector<T>& b, const Weights& weights,
                      Index most_width) {
    const std::size_t n = a.shape(0);
    require(b.shape(0) == n, "both sides must have as many rows");
    require(most_width >= 1 && most_width <= 4096, "the width must be in [1, 4096]");
    const double* const w = checked(weights, n);
    scan::PairCounts counts;
    {
        GilReleased release;
        counts = scan::count_pairs(a.data(), b.data(), w, static_cast<Index>(n), most_width);
    }
    if (!counts.counted) return nb::make_tuple(counts.whole, nb::none(), nb::none(), nb::none());
    const auto width = static_cast<std::size_t>(counts.width);
    nb::object sums = nb::none();
    if (w != nullptr) sums = nb::cast(array(std::move(counts.weights), {width, width}));
    return nb::make_tuple(true, counts.low, owned(std::move(counts.rows), {width, width}), sums);
}

// None, or (lesser, greater, rows that have the greater as bytes)
template <class T>
nb::object two_values(const Vector<T>& labels) {
    const std::size_t n = labels.shape(0);
    std::vector<std::uint8_t> greater(n);
    std::optional<std::pair<T, T>> found;
    {
        GilReleased release;
        found = scan::two_values(labels.data(), static_cast<Index>(n), greater.data());
    }
    if (!found) return nb::none();
    return nb::make_tuple(found->first, found->second, owned(std::move(greater), {n}));
}

nb::tuple code_items(const Packed<std::uint8_t>& items) {
    const std::size_t n = items.shape(0);
    require(n < most_rows, "there are too many rows");
    scan::Codes coded;
    {
        GilReleased release;
        coded = scan::code_items(items.data(), static_cast<Index>(n),
                                 static_cast<Index>(items.shape(1)));
    }
    const std::size_t values = coded.first.size();
    return nb::make_tuple(owned(std::move(coded.codes), {n}),
                          owned(std::move(coded.first), {values}));
}

template <class T>
scan::Ranked<T> ranked(const Vector<T>& scores, const Vector<std::uint8_t>& positive,
                       const Weights& weights) {
    const std::size_t n = scores.shape(0);
    require(positive.shape(0) == n, "scores and labels differ in rows");
    require(n < most_rows, "there are too many rows");
    return {scores.data(), positive.data(), checked(weights, n), static_cast<Index>(n)};
}

// None if a score is not finite, else (positive, negative, area)
template <class T, scan::RankedArea (*compute)(const scan::Ranked<T>&)>
nb::object ranked_area(const Vector<T>& scores, const Vector<std::uint8_t>& positive,
                       const Weights& weights) {
    const scan::Ranked<T> rows = ranked(scores, positive, weights);
    scan::RankedArea found;
    {
        GilReleased release;
        found = compute(rows);
    }
    if (!found.finite) return nb::none();
    return nb::make_tuple(found.positive, found.negative, found.area);
}

// None if a score is not finite, else (thresholds, positive, negative)
template <class T>
nb::object ranked_curve(const Vector<T>& scores, const Vector<std::uint8_t>& positive,
                        const Weights& weights) {
    const scan::Ranked<T> rows = ranked(scores, positive, weights);
    scan::RankedCurve curve;
    {
        GilReleased release;
        curve = scan::ranked_curve(rows);
    }
    if (!curve.finite) return nb::none();
    const std::size_t n = curve.thresholds.size();
    return nb::make_tuple(array(std::move(curve.thresholds), {n}),
                          array(std::move(curve.positive), {n}),
                          array(std::move(curve.negative), {n}));
}

template <class T>
void bind_labels_of(nb::module_& module) {
    module.def("count_pairs", &count_pairs<T>, nb::arg("a").noconvert(), nb::arg("b").noconvert(),
               nb::arg("weights").none(), nb::arg("most_width"),
               "Whether all labels are whole, the least, and rows and weights of each pair.");
    module.def("two_values", &two_values<T>, nb::arg("labels").noconvert(),
               "Both values and which rows have the greater; None if there are more.");
}

template <class T>
void bind_ranking_of(nb::module_& module) {
    module.def("ranked_pairs", &ranked_area<T, &scan::ranked_pairs<T>>,
               nb::arg("scores").noconvert(), nb::arg("positive").noconvert(),
               nb::arg("weights").none(),
               "Weight of the positive and negative rows, and of the pairs in order (ties half); "
               "None if a score is not finite.");
    module.def("ranked_precision", &ranked_area<T, &scan::ranked_precision<T>>,
               nb::arg("scores").noconvert(), nb::arg("positive").noconvert(),
               nb::arg("weights").none(),
               "Weight of the positive and negative rows, and the precision summed over the "
               "positive weight gained; None if a score is not finite.");
    module.def(
        "ranked_curve", &ranked_curve<T>, nb::arg("scores").noconvert(),
        nb::arg("positive").noconvert(), nb::arg("weights").none(),
        "Distinct scores, highest first, and the positive and negative weight down to each.");
}

}  // namespace

void bind_labels(nb::module_& module) {
    bind_labels_of<std::int64_t>(module);
    bind_labels_of<std::int32_t>(module);
    bind_labels_of<std::int16_t>(module);
    bind_labels_of<std::int8_t>(module);
    bind_labels_of<std::uint64_t>(module);
    bind_labels_of<std::uint32_t>(module);
    bind_labels_of<std::uint16_t>(module);
    bind_labels_of<std::uint8_t>(module);
    bind_labels_of<double>(module);
    bind_labels_of<float>(module);
    bind_ranking_of<double>(module);
    bind_ranking_of<float>(module);
    module.def(
        "code_items", &code_items, nb::arg("items").noconvert(),
        "A number for each row's bytes, in order of appearance, and each value's first row.");
}

}  // namespace stylobate::bindings
