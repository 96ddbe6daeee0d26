#include "scan/census.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"

namespace stylobate::bindings {

void bind_census(nb::module_& module) {
    using scan::TextCensus;
    nb::class_<TextCensus>(module, "TextCensus",
                           "What the bytes of a text file of cells hold, block by block.")
        .def(nb::init<std::uint8_t, std::vector<std::string>>(), nb::arg("delimiter"),
             nb::arg("spellings"))
        .def(
            "add",
            [](TextCensus& census, const Vector<std::uint8_t>& block, bool last) {
                GilReleased release;
                census.add(block.data(), block.shape(0), last);
            },
            nb::arg("block"), nb::arg("last"))
        .def_ro("bytes", &TextCensus::bytes)
        .def_ro("feeds", &TextCensus::feeds)
        .def_ro("returns", &TextCensus::returns)
        .def_ro("pairs", &TextCensus::pairs)
        .def_ro("quotes", &TextCensus::quotes)
        .def_ro("zeros", &TextCensus::zeros)
        .def_ro("first_zero_line", &TextCensus::first_zero_line)
        .def_ro("invalid", &TextCensus::invalid)
        .def_ro("first_invalid_line", &TextCensus::first_invalid_line)
        .def_ro("longest_line", &TextCensus::longest_line)
        .def_ro("current_line", &TextCensus::current_line)
        .def_ro("odd_columns", &TextCensus::odd_columns)
        .def_ro("open_quote", &TextCensus::open_quote)
        .def_ro("found", &TextCensus::found);
}

}  // namespace stylobate::bindings
