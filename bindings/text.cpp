#include "scan/text.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "text_documents.hpp"

namespace stylobate::bindings {
namespace {

template <class T>
using Array = nb::ndarray<nb::numpy, T>;

template <class T>
Array<T> owned(std::unique_ptr<T[]>&& values, std::size_t n) {
    T* const data = values.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array<T>(data, {n}, owner);
}

template <class T>
Array<T> owned(const std::vector<T>& values) {
    auto copy = std::make_unique_for_overwrite<T[]>(values.size());
    std::copy(values.begin(), values.end(), copy.get());
    return owned(std::move(copy), values.size());
}

// (values, columns, offsets) of a CSR matrix
template <class Value, class Int>
nb::tuple matrix(const std::vector<scan::CountedRows>& parts, const std::uint32_t* place,
                 bool binary) {
    scan::CountMatrix<Value, Int> out;
    {
        GilReleased release;
        out = scan::assembled<Value, Int>(parts, place, binary);
    }
    const auto entries = static_cast<std::size_t>(out.offsets.back());
    return nb::make_tuple(owned(std::move(out.values), entries),
                          owned(std::move(out.columns), entries), owned(out.offsets));
}

nb::tuple matrix(const std::vector<scan::CountedRows>& parts, const std::uint32_t* place,
                 bool binary, bool floating) {
    const bool narrow = scan::entries_of(parts) <= 0x7fffffff;
    if (floating)
        return narrow ? matrix<double, std::int32_t>(parts, place, binary)
                      : matrix<double, std::int64_t>(parts, place, binary);
    return narrow ? matrix<std::int64_t, std::int32_t>(parts, place, binary)
                  : matrix<std::int64_t, std::int64_t>(parts, place, binary);
}

class Counter {
 public:
    void add(const TextAnalysis& analysis, const nb::sequence& texts) {
        const Documents documents(texts, analysis.lowercase());
        const scan::Analysis how = analysis.how();
        GilReleased release;
        counter_.add(documents.data(), documents.size(), how);
    }
    // Sorts the terms: documents that have each, and its occurrences.
    nb::tuple sorted() {
        {
            GilReleased release;
            order_ = counter_.sorted();
        }
        std::vector<std::int64_t> with(order_.size()), occurrences(order_.size());
        for (std::size_t k = 0; k < order_.size(); ++k) {
            with[k] = counter_.documents_with()[order_[k]];
            occurrences[k] = counter_.occurrences()[order_[k]];
        }
        return nb::make_tuple(owned(with), owned(occurrences));
    }
    nb::list terms(const Vector<std::int64_t>& kept) const {
        nb::list out;
        for (std::size_t k = 0; k < kept.shape(0); ++k) {
            const std::string_view term = counter_.terms()[number(kept.data()[k])];
            nb::object text = nb::steal(PyUnicode_DecodeUTF8(
                term.data(), static_cast<Py_ssize_t>(term.size()), "surrogatepass"));
            if (!text.is_valid()) throw nb::python_error();
            out.append(text);
        }
        return out;
    }
    nb::tuple counts(const Vector<std::int64_t>& kept, bool binary, bool floating) const {
        std::vector<std::uint32_t> place(counter_.terms().size(), scan::no_column);
        for (std::size_t k = 0; k < kept.shape(0); ++k)
            place[number(kept.data()[k])] = static_cast<std::uint32_t>(k);
        return matrix(counter_.parts(), place.data(), binary, floating);
    }

 private:
    std::uint32_t number(std::int64_t position) const {
        require(position >= 0 && position < static_cast<std::int64_t>(order_.size()),
                "there is no such term; sort them first");
        return order_[static_cast<std::size_t>(position)];
    }
    scan::TermCounter counter_;
    std::vector<std::uint32_t> order_;
};

class Vocabulary {
 public:
    explicit Vocabulary(const nb::sequence& words) : terms_(terms_of(words)) {
        require(terms_.size() == nb::len(words), "the terms of a vocabulary must differ");
    }
    nb::tuple count(const TextAnalysis& analysis, const nb::sequence& texts, bool binary,
                    bool floating) const {
        const Documents documents(texts, analysis.lowercase());
        const scan::Analysis how = analysis.how();
        std::vector<scan::CountedRows> parts;
        {
            GilReleased release;
            parts = scan::count_known(terms_, documents.data(), documents.size(), how);
        }
        return matrix(parts, nullptr, binary, floating);
    }

 private:
    scan::Terms terms_;
};

nb::tuple count_hashed(const TextAnalysis& analysis, const nb::sequence& texts, Index columns,
                       bool alternate, bool binary) {
    require(columns >= 1 && columns <= 0x7fffffff, "columns must be in [1, 2^31)");
    const Documents documents(texts, analysis.lowercase());
    const scan::Analysis how = analysis.how();
    std::vector<scan::CountedRows> parts;
    {
        GilReleased release;
        parts = scan::count_hashed(columns, alternate, documents.data(), documents.size(), how);
    }
    return matrix(parts, nullptr, binary, true);
}

template <class T>
using Writable = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value, class Int>
void weigh_rows(const Vector<Int>& offsets, const Vector<Int>& columns,
                const Writable<Value>& values, const std::optional<Vector<Value>>& idf,
                bool sublinear, const std::string& norm) {
    require(norm == "l1" || norm == "l2" || norm == "none", "the norm must be l1, l2 or none");
    require(offsets.shape(0) >= 1, "offsets must have an entry");
    const auto rows = static_cast<Index>(offsets.shape(0)) - 1;
    const Int* const at = offsets.data();
    require(columns.shape(0) == values.shape(0), "columns and values must be as many");
    require(at[0] == 0 && static_cast<std::size_t>(at[rows]) <= values.shape(0) &&
                std::is_sorted(at, at + rows + 1),
            "offsets must increase from 0 to the number of values");
    if (idf) {
        const auto width = static_cast<Int>(idf->shape(0));
        require(std::all_of(columns.data(), columns.data() + columns.shape(0),
                            [&](Int column) { return column >= 0 && column < width; }),
                "columns must be those of idf");
    }
    const auto kind = norm == "l1"   ? scan::RowNorm::l1
                      : norm == "l2" ? scan::RowNorm::l2
                                     : scan::RowNorm::none;
    GilReleased release;
    scan::weigh_rows(at, columns.data(), values.data(), rows, idf ? idf->data() : nullptr,
                     sublinear, kind);
}

template <class Value, class Int>
void bind_weights(nb::module_& module) {
    module.def("weigh_rows", &weigh_rows<Value, Int>, nb::arg("offsets").noconvert(),
               nb::arg("columns").noconvert(), nb::arg("values").noconvert(),
               nb::arg("idf").noconvert().none(), nb::arg("sublinear"), nb::arg("norm"),
               "Weighs the rows of a CSR matrix in place: 1 + log, idf, norm.");
}

}  // namespace

void bind_text(nb::module_& module) {
    nb::class_<TextAnalysis>(module, "TextAnalysis", "How a document becomes terms.")
        .def(nb::init<const std::string&, bool, Index, Index, Index, const nb::sequence&>(),
             nb::arg("unit"), nb::arg("lowercase"), nb::arg("shortest"), nb::arg("least"),
             nb::arg("most"), nb::arg("stop_words"));
    nb::class_<Counter>(module, "TermCounter", "Learns the terms of documents as it counts them.")
        .def(nb::init<>())
        .def("add", &Counter::add, nb::arg("analysis"), nb::arg("texts"), "Counts documents.")
        .def("sorted", &Counter::sorted,
             "Sorts the terms; the documents that have each, and its occurrences.")
        .def("terms", &Counter::terms, nb::arg("kept").noconvert(), "Terms by their positions.")
        .def("counts", &Counter::counts, nb::arg("kept").noconvert(), nb::arg("binary"),
             nb::arg("floating"), "Values, columns, offsets of the terms kept.");
    nb::class_<Vocabulary>(module, "TermVocabulary", "Terms whose columns are known.")
        .def(nb::init<const nb::sequence&>(), nb::arg("words"))
        .def("count", &Vocabulary::count, nb::arg("analysis"), nb::arg("texts"), nb::arg("binary"),
             nb::arg("floating"), "Values, columns, offsets of the counts.");
    module.def("count_hashed", &count_hashed, nb::arg("analysis"), nb::arg("texts"),
               nb::arg("columns"), nb::arg("alternate"), nb::arg("binary"),
               "Values, columns, offsets of terms counted by their hash.");
    module.def(
        "murmur3", [](const nb::bytes& term) { return scan::murmur3(term.c_str(), term.size()); },
        nb::arg("term"), "MurmurHash3 (32 bits, seed 0) of bytes.");
    bind_weights<double, std::int32_t>(module);
    bind_weights<double, std::int64_t>(module);
    bind_weights<float, std::int32_t>(module);
    bind_weights<float, std::int64_t>(module);
}

}  // namespace stylobate::bindings
