#include <nanobind/stl/vector.h>

#include <vector>

#include "bindings.hpp"
#include "scan/column_codes.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::bindings {
namespace {

using scan::OrderedCodes;
using scan::Text;

template <class T>
nb::list code_numbers(const std::vector<Vector<T>>& columns) {
    std::vector<OrderedCodes> found(columns.size());
    {
        GilReleased release;
        parallel_for(static_cast<Index>(columns.size()), [&](Index j, Checkpoint& checkpoint) {
            checkpoint();
            found[j] =
                scan::ordered_codes(columns[j].data(), static_cast<Index>(columns[j].shape(0)));
        });
    }
    nb::list out;
    for (OrderedCodes& each : found)
        out.append(nb::make_tuple(owned(std::move(each.first)), owned(std::move(each.codes))));
    return out;
}

// The texts of a list, in the memory of Python; false if there is anything but strings and None.
bool texts_of(const nb::list& column, std::vector<Text>& out) {
    static const char nothing = 0;
    for (const nb::handle each : column) {
        Text text;
        if (!each.is_none()) {
            if (!PyUnicode_Check(each.ptr())) return false;
            Py_ssize_t size = 0;
            text.data = PyUnicode_AsUTF8AndSize(each.ptr(), &size);
            if (text.data == nullptr) {  // lone surrogates
                PyErr_Clear();
                return false;
            }
            if (size == 0) text.data = &nothing;
            text.size = size;
        }
        out.push_back(text);
    }
    return true;
}

// Whether a text has at most so many bytes without blanks at its ends, or may have.
bool may_be_short(const Text& text, Index longest) {
    const auto blank = [](char byte) {
        return static_cast<signed char>(byte) <= ' ';
    };  // not ASCII, too
    return text.size <= longest || blank(text.data[0]) || blank(text.data[text.size - 1]);
}

// For each column (a row of each distinct text, each row's place, places of texts that are short).
nb::object code_texts(const std::vector<nb::list>& columns, Index longest) {
    std::vector<std::vector<Text>> texts(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j)
        if (!texts_of(columns[j], texts[j])) return nb::none();
    std::vector<OrderedCodes> found(columns.size());
    std::vector<std::vector<std::int64_t>> brief(columns.size());
    {
        GilReleased release;
        parallel_for(static_cast<Index>(columns.size()), [&](Index j, Checkpoint& checkpoint) {
            checkpoint();
            found[j] = scan::ordered_codes(texts[j].data(), static_cast<Index>(texts[j].size()));
            for (std::size_t k = 0; k < found[j].first.size(); ++k)
                if (may_be_short(texts[j][found[j].first[k]], longest))
                    brief[j].push_back(static_cast<std::int64_t>(k));
        });
    }
    nb::list out;
    for (std::size_t j = 0; j < columns.size(); ++j)
        out.append(nb::make_tuple(owned(std::move(found[j].first)),
                                  owned(std::move(found[j].codes)), owned(std::move(brief[j]))));
    return out;
}

nb::ndarray<nb::numpy, double> centred_ranks(const std::vector<Vector<std::int64_t>>& places,
                                             const std::vector<Index>& levels,
                                             const Vector<bool>& rows) {
    const std::size_t p = places.size(), n = rows.shape(0);
    require(levels.size() == p, "each column needs the number of its levels");
    const auto* const kept = reinterpret_cast<const std::uint8_t*>(rows.data());
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += kept[i] != 0;
    for (std::size_t j = 0; j < p; ++j)
        require(places[j].shape(0) == n && levels[j] >= 0, "columns and rows differ in length");
    std::vector<double> out(p * count);
    {
        GilReleased release;
        parallel_for(static_cast<Index>(p), [&](Index j, Checkpoint& checkpoint) {
            checkpoint();
            scan::centred_ranks(places[j].data(), kept, static_cast<Index>(n), levels[j],
                                out.data() + static_cast<std::size_t>(j) * count);
        });
    }
    return owned(std::move(out), {p, count});
}

}  // namespace

void bind_codes(nb::module_& module) {
    module.def("code_reals", &code_numbers<double>, nb::arg("columns"),
               "Of each column a row of each distinct value, in order, and each row's place.");
    module.def("code_wholes", &code_numbers<std::int64_t>, nb::arg("columns"));
    module.def("code_texts", &code_texts, nb::arg("columns"), nb::arg("longest"),
               "The same of lists of strings and None; None if there is anything else.");
    module.def("centred_ranks", &centred_ranks, nb::arg("places"), nb::arg("levels"),
               nb::arg("rows"), "Ranks less their mean among some rows, a row for each column.");
}

}  // namespace stylobate::bindings
