// Python strings as documents of the core, cut and lowered as Python would.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "scan/text.hpp"

namespace stylobate::bindings {

// The interpreter's own answers, so that words and lower case are Python's of any version.
struct PythonAlphabet {
    scan::Alphabet table;
    std::vector<std::uint32_t> special;  // lower case depends on neighbours, or is several
};

inline bool lowers_simply(std::uint32_t point) {
    if (point == 0x3a3) return false;  // a capital sigma that ends a word
    const auto text = nb::steal(PyUnicode_FromOrdinal(static_cast<int>(point)));
    const nb::object lower = text.attr("lower")();
    return PyUnicode_GET_LENGTH(lower.ptr()) == 1 &&
           PyUnicode_READ_CHAR(lower.ptr(), 0) == Py_UNICODE_TOLOWER(point);
}

inline PythonAlphabet read_alphabet() {
    PythonAlphabet out;
    scan::Alphabet& table = out.table;
    table.kinds.resize(scan::code_points);
    std::uint32_t cased = 0;
    for (std::uint32_t c = 0; c < scan::code_points; ++c) {
        const bool word = Py_UNICODE_ISALNUM(c) || c == '_';
        const bool space = Py_UNICODE_ISSPACE(c);
        table.kinds[c] = static_cast<std::uint8_t>((word ? scan::Alphabet::word : 0) |
                                                   (space ? scan::Alphabet::space : 0));
        if (Py_UNICODE_TOLOWER(c) != c) cased = c + 1;
    }
    table.lowered_kinds = table.kinds;
    table.lower.resize(cased);
    for (std::uint32_t c = 0; c < cased; ++c) {
        table.lower[c] = Py_UNICODE_TOLOWER(c);
        table.lowered_kinds[c] = table.kinds[table.lower[c]];
        if (table.lower[c] != c && !lowers_simply(c)) out.special.push_back(c);
    }
    return out;
}

inline const PythonAlphabet& alphabet() {
    static const PythonAlphabet* const known = new PythonAlphabet(read_alphabet());
    return *known;
}

inline std::string utf8(nb::handle text) {
    require(PyUnicode_Check(text.ptr()), "terms must be strings");
    const auto bytes =
        nb::steal<nb::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
    if (!bytes.is_valid()) throw nb::python_error();
    return {bytes.c_str(), bytes.size()};
}

inline scan::Terms terms_of(const nb::sequence& words) {
    scan::Terms terms;
    for (const nb::handle word : words) terms.number_of(utf8(word));
    return terms;
}

class TextAnalysis {
 public:
    TextAnalysis(const std::string& unit, bool lowercase, Index shortest, Index least, Index most,
                 const nb::sequence& stop_words)
        : stops_(terms_of(stop_words)) {
        require(unit == "word" || unit == "char" || unit == "char_wb",
                "the unit must be word, char or char_wb");
        require(shortest >= 1, "words have at least one character");
        require(1 <= least && least <= most, "terms have at least one unit, and least <= most");
        how_.alphabet = &alphabet().table;
        how_.unit = unit == "word"   ? scan::Unit::words
                    : unit == "char" ? scan::Unit::characters
                                     : scan::Unit::characters_in_words;
        how_.lowercase = lowercase;
        how_.shortest = shortest;
        how_.least = least;
        how_.most = most;
    }

    scan::Analysis how() const {
        scan::Analysis out = how_;
        if (stops_.size() != 0) out.stop_words = &stops_;
        return out;
    }
    bool lowercase() const { return how_.lowercase; }

 private:
    scan::Terms stops_;
    scan::Analysis how_;
};

// Views of Python strings, which it keeps alive.
class Documents {
 public:
    Documents(const nb::sequence& texts, bool lowercase) : held_(nb::tuple(texts)) {
        views_.reserve(held_.size());
        for (const nb::handle text : held_) {
            require(PyUnicode_Check(text.ptr()), "documents must be strings");
            views_.push_back(view(text));
            if (lowercase && is_special(views_.back())) {
                lowered_.push_back(text.attr("lower")());
                views_.back() = view(lowered_.back());
            }
        }
    }
    const scan::Document* data() const { return views_.data(); }
    Index size() const { return static_cast<Index>(views_.size()); }

 private:
    static scan::Document view(nb::handle text) {
#if PY_VERSION_HEX < 0x030c0000
        if (PyUnicode_READY(text.ptr()) != 0) throw nb::python_error();
#endif
        return {PyUnicode_DATA(text.ptr()), static_cast<Index>(PyUnicode_GET_LENGTH(text.ptr())),
                static_cast<int>(PyUnicode_KIND(text.ptr()))};
    }

    static bool is_special(const scan::Document& document) {
        if (document.width == 2) return holds<std::uint16_t>(document);
        if (document.width == 4) return holds<std::uint32_t>(document);
        return false;  // none is below 256
    }
    template <class Char>
    static bool holds(const scan::Document& document) {
        const auto* const first = static_cast<const Char*>(document.units);
        const auto& special = alphabet().special;
        return std::any_of(special.begin(), special.end(), [&](std::uint32_t point) {
            const auto* const last = first + document.length;
            return std::find(first, last, static_cast<Char>(point)) != last;
        });
    }

    nb::tuple held_;
    std::vector<nb::object> lowered_;
    std::vector<scan::Document> views_;
};

}  // namespace stylobate::bindings
