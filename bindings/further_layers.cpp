// Parametric rectifiers, local response normalisation, dropout and embeddings.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>

#include "layer_arrays.hpp"
#include "network/dropout.hpp"
#include "network/embedding.hpp"
#include "network/parametric_relu.hpp"
#include "network/response_norm.hpp"

namespace stylobate::bindings {
namespace {

using namespace stylobate::network;

template <class T>
void bind_rectifier(nb::module_& module) {
    module.def(
        "parametric_relu",
        [](const Packed<T>& x, const Vector<T>& slopes) {
            const Channels c = channels_of(x, static_cast<Index>(slopes.size()));
            Fresh<T> out(rows_of(x), cols_of(x));
            {
                GilReleased release;
                parametric_relu(c, x.data(), slopes.data(), out.data());
            }
            return std::move(out).given();
        },
        nb::arg("x"), nb::arg("slopes"), "Entries, those below zero times the slope of a channel.");
    module.def(
        "parametric_relu_back",
        [](const Packed<T>& x, const Vector<T>& slopes, const Packed<T>& dy) {
            const Channels c = channels_of(x, static_cast<Index>(slopes.size()));
            require_like(dy, rows_of(x), cols_of(x));
            Fresh<T> dx(rows_of(x), cols_of(x)), d_slopes(1, c.channels);
            {
                GilReleased release;
                parametric_relu_back(c, x.data(), slopes.data(), dy.data(), dx.data(),
                                     d_slopes.data());
            }
            return std::make_tuple(std::move(dx).given(), std::move(d_slopes).given());
        },
        nb::arg("x"), nb::arg("slopes"), nb::arg("dy"), "Derivatives by the entries and slopes.");
}

Response response_of(Index size, double alpha, double beta, double k) {
    require(size >= 1 && size % 2 == 1 && k > 0.0, "the window of channels is wrong");
    return {size / 2, alpha / static_cast<double>(size), beta, k};
}

template <class T>
void bind_response(nb::module_& module) {
    module.def(
        "response_norm",
        [](const Packed<T>& x, Index channels, Index size, double alpha, double beta, double k) {
            const Channels c = channels_of(x, channels);
            const Response r = response_of(size, alpha, beta, k);
            Fresh<T> out(rows_of(x), cols_of(x)), base(rows_of(x), cols_of(x));
            {
                GilReleased release;
                response_norm(c, r, x.data(), out.data(), base.data());
            }
            return std::make_tuple(std::move(out).given(), std::move(base).given());
        },
        nb::arg("x"), nb::arg("channels"), nb::arg("size"), nb::arg("alpha"), nb::arg("beta"),
        nb::arg("k"), "Channels divided by a power of their neighbours' squares, and its base.");
    module.def(
        "response_norm_back",
        [](const Packed<T>& x, const Packed<T>& base, Index channels, Index size, double alpha,
           double beta, double k, const Packed<T>& dy) {
            const Channels c = channels_of(x, channels);
            const Response r = response_of(size, alpha, beta, k);
            require_like(base, rows_of(x), cols_of(x));
            require_like(dy, rows_of(x), cols_of(x));
            Fresh<T> dx(rows_of(x), cols_of(x));
            {
                GilReleased release;
                response_norm_back(c, r, x.data(), base.data(), dy.data(), dx.data());
            }
            return std::move(dx).given();
        },
        nb::arg("x"), nb::arg("base"), nb::arg("channels"), nb::arg("size"), nb::arg("alpha"),
        nb::arg("beta"), nb::arg("k"), nb::arg("dy"), "Derivatives by the entries.");
}

template <class T>
void bind_dropout(nb::module_& module) {
    module.def(
        "drop_entries",
        [](const Packed<T>& x, double rate, std::uint64_t seed) {
            require(rate >= 0.0 && rate < 1.0, "the rate is not in [0, 1)");
            Fresh<T> out(rows_of(x), cols_of(x));
            {
                GilReleased release;
                drop(x.data(), rows_of(x) * cols_of(x), rate, seed, out.data());
            }
            return std::move(out).given();
        },
        nb::arg("x"), nb::arg("rate"), nb::arg("seed"),
        "Entries, some of them set to zero by the seed and their places, the others scaled.");
}

using Categories = std::vector<std::pair<Index, Index>>;  // columns, and how many codes each has

template <class T>
Embedded embedded_of(const Packed<T>& x, const Categories& categories, Index size) {
    Embedded found{{}, {}, {}, size};
    require(size >= 1, "vectors have at least one number");
    std::vector<bool> coded(x.shape(1), false);
    for (const auto& [column, count] : categories) {
        require(column >= 0 && column < cols_of(x) && count >= 1, "a column of codes is wrong");
        require(!coded[static_cast<std::size_t>(column)], "a column of codes is named twice");
        coded[static_cast<std::size_t>(column)] = true;
        found.columns.push_back(column);
        found.categories.push_back(count);
    }
    for (Index column = 0; column < cols_of(x); ++column)
        if (!coded[static_cast<std::size_t>(column)]) found.plain.push_back(column);
    return found;
}

template <class T>
void bind_embedding(nb::module_& module) {
    module.def(
        "first_wrong_code",
        [](const Packed<T>& x, const Categories& categories) {
            const Embedded e = embedded_of(x, categories, 1);
            GilReleased release;
            const WrongCode found = first_wrong_code(e, x.data(), rows_of(x), cols_of(x));
            return std::make_pair(found.row, found.place);
        },
        nb::arg("x"), nb::arg("categories"),
        "The first row, and the place of its column, that holds no code; -1 if all do.");
    module.def(
        "embed_codes",
        [](const Packed<T>& x, const Categories& categories, const std::vector<Packed<T>>& tables) {
            require(tables.size() == categories.size() && !tables.empty(),
                    "there is not one table for each column of codes");
            const Embedded e = embedded_of(x, categories, cols_of(tables[0]));
            std::vector<const T*> data;
            for (std::size_t k = 0; k < tables.size(); ++k) {
                require_like(tables[k], e.categories[k], e.size);
                data.push_back(tables[k].data());
            }
            require(first_wrong_code(e, x.data(), rows_of(x), cols_of(x)).row < 0,
                    "a column of codes holds something else");
            Fresh<T> out(rows_of(x), e.outputs());
            {
                GilReleased release;
                embed(e, data, x.data(), rows_of(x), cols_of(x), out.data());
            }
            return std::move(out).given();
        },
        nb::arg("x"), nb::arg("categories"), nb::arg("tables"),
        "Columns that hold no codes, then the vectors of those that do.");
    module.def(
        "embed_codes_back",
        [](const Packed<T>& x, const Categories& categories, Index size, const Packed<T>& dy) {
            const Embedded e = embedded_of(x, categories, size);
            require_like(dy, rows_of(x), e.outputs());
            require(first_wrong_code(e, x.data(), rows_of(x), cols_of(x)).row < 0,
                    "a column of codes holds something else");
            Fresh<T> dx(rows_of(x), cols_of(x));
            std::vector<Fresh<T>> d_tables;
            std::vector<T*> data;
            for (const Index count : e.categories) {
                d_tables.emplace_back(count, size);
                data.push_back(d_tables.back().data());
            }
            {
                GilReleased release;
                embed_back(e, x.data(), dy.data(), rows_of(x), cols_of(x), dx.data(), data);
            }
            std::vector<nb::object> given;
            for (Fresh<T>& each : d_tables) given.push_back(std::move(each).given());
            return std::make_tuple(std::move(dx).given(), given);
        },
        nb::arg("x"), nb::arg("categories"), nb::arg("size"), nb::arg("dy"),
        "Derivatives by the entries (zero for codes) and by the tables.");
}

template <class T>
void bind(nb::module_& module) {
    bind_rectifier<T>(module);
    bind_response<T>(module);
    bind_dropout<T>(module);
    bind_embedding<T>(module);
}

}  // namespace

void bind_further_layers(nb::module_& module) {
    bind<double>(module);
    bind<float>(module);
}

}  // namespace stylobate::bindings
