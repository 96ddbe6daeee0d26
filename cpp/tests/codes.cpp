// Rows as bytes: their codes, products of codes in every instruction set, and that no answer shows
// whether they were used.
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "reference.hpp"
#include "stylobate/buffer.hpp"
#include "tile/kernels.hpp"
#include "tile/nearest.hpp"

namespace stylobate {
namespace {

using namespace tests;
using tile::Codes;
using tile::Looked;
using tile::Nearest;

constexpr Isa every_isa[] = {Isa::base, Isa::avx2, Isa::avx512, Isa::vnni};

template <class Body>
void for_every_set(const Body& body) {
    for (const Isa which : every_isa)
        if (const tile::Kernels* set = tile::kernels_of(which)) body(*set);
}

void check_code(const tile::Kernels& set, Index n, double factor, double smallest, unsigned seed) {
    const Matrix<double> x = random_matrix<double>(1, n, Layout::rows, seed);
    std::vector<signed char> codes(static_cast<std::size_t>(n));
    const RowCode code = set.tile_encode(x.view.data, n, factor, smallest, codes.data());
    const double scale = static_cast<double>(code.scale);
    double largest = 0.0, sum = 0.0, squares = 0.0;
    long double error = 0.0;
    for (Index l = 0; l < n; ++l) {
        const double value = x.view.data[l] * factor, kept = static_cast<double>(codes[l]);
        largest = std::max(largest, std::fabs(value));
        sum += kept, squares += kept * kept;
        CHECK(codes[l] >= -127);
        CHECK(std::fabs(value / scale - kept) <= 0.5 + 1e-5);
        const long double off = static_cast<long double>(value) - scale * kept;
        error += off * off;
    }
    CHECK_CLOSE(scale, std::max(smallest, largest / 127.0), 1e-7 * scale);
    CHECK(code.sum == sum);
    CHECK(code.squares == squares);
    CHECK_CLOSE(code.error, error, 1e-12 * static_cast<double>(error) + 1e-30);
}

void check_products(const tile::Kernels& set, Index rows, Index fours, unsigned seed) {
    const Index unit = set.tile_queries(), width = set.tile_bytes() / 4;
    const Index padded = (rows + unit - 1) / unit * unit;
    std::mt19937 random(seed);
    const auto draw = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    std::vector<signed char> q(static_cast<std::size_t>(padded * fours * 4));
    std::vector<unsigned char> r(static_cast<std::size_t>(width * fours * 4));
    for (auto& code : q) code = static_cast<signed char>(draw(0, 9) == 0 ? -127 : draw(-127, 127));
    for (auto& code : r) code = static_cast<unsigned char>(draw(0, 9) == 0 ? 255 : draw(0, 255));
    std::vector<CodeQuery> marks(static_cast<std::size_t>(padded));
    for (auto& mark : marks)
        mark = {static_cast<float>(draw(1, 8)), static_cast<float>(draw(-64, 64)) * 1024.0f,
                static_cast<float>(draw(-64, 64)) * 4096.0f, draw(-99999, 99999)};
    marks[0].limit = std::numeric_limits<float>::infinity();
    std::vector<float> offsets(static_cast<std::size_t>(width)), inverses(offsets);
    for (Index j = 0; j < width; ++j)
        offsets[j] = static_cast<float>(draw(-4096, 4096)) * 16.0f,
        inverses[j] = static_cast<float>(draw(1, 16)) / 8.0f;
    std::vector<float> c(static_cast<std::size_t>(padded * width));
    std::vector<TileBits> bits(static_cast<std::size_t>(padded));
    const Index found = set.tile_codes(q.data(), rows, r.data(), fours, offsets.data(),
                                       inverses.data(), marks.data(), c.data(), bits.data());
    Index f = 0;
    for (Index i = 0; i < rows; ++i) {
        unsigned long long want = 0;
        std::vector<double> values;
        for (Index j = 0; j < width; ++j) {
            std::int64_t product = marks[i].start;
            for (Index l = 0; l < fours; ++l)
                for (Index h = 0; h < 4; ++h)
                    product += q[(i / unit * fours * unit + l * unit + i % unit) * 4 + h] *
                               r[(l * width + j) * 4 + h];
            // all numbers are small whole ones, so that floats hold them
            values.push_back(static_cast<double>(offsets[j]) -
                             static_cast<double>(marks[i].scale) * static_cast<double>(product));
            const double excess = values.back() - static_cast<double>(marks[i].lift * inverses[j]);
            if (excess <= static_cast<double>(marks[i].limit)) want |= 1ull << j;
        }
        if (want == 0) continue;
        CHECK(f < found && bits[f].row == i && bits[f].bits == want);
        for (Index j = 0; j < width; ++j)
            CHECK(static_cast<double>(c[i * width + j]) == values[static_cast<std::size_t>(j)]);
        ++f;
    }
    CHECK(f == found);
}

enum class Kind { normal, offset, tiny, huge, vanishing, copies, outlier, ragged, broken, lattice };
constexpr Kind kinds[] = {Kind::normal, Kind::offset,  Kind::tiny,   Kind::huge,   Kind::vanishing,
                          Kind::copies, Kind::outlier, Kind::ragged, Kind::broken, Kind::lattice};

template <class T>
Matrix<T> rows_of(Kind kind, Index rows, Index cols, unsigned seed) {
    Matrix<T> x = random_matrix<T>(rows, cols, Layout::padded_rows, seed);
    constexpr bool wide = sizeof(T) > 4;
    for (Index i = 0; i < rows; ++i)
        for (Index l = 0; l < cols; ++l) {
            T& cell = x.at(i, l);
            cell -= static_cast<T>(10 * (l % 7));
            if (kind == Kind::offset) cell += static_cast<T>(1e6);
            if (kind == Kind::tiny) cell *= static_cast<T>(wide ? 1e-150 : 1e-30);
            if (kind == Kind::huge) cell *= static_cast<T>(wide ? 1e140 : 1e17);
            if (kind == Kind::vanishing) cell *= static_cast<T>(wide ? 1e-170 : 1e-40);
            if (kind == Kind::copies) cell = i % 5 == 0 ? static_cast<T>(l) : x.at(i / 3, l);
            if (kind == Kind::outlier && i == 3) cell *= static_cast<T>(1e9);
            if (kind == Kind::ragged) cell *= static_cast<T>(std::exp2((i * 13) % 41 - 20));
            if (kind == Kind::broken && i % 11 == 4)
                cell = l == 0 ? std::numeric_limits<T>::quiet_NaN()
                              : std::numeric_limits<T>::infinity();
            if (kind == Kind::lattice) cell = std::round(cell);
        }
    return x;
}

struct Answer {
    std::vector<double> values;
    std::vector<std::int64_t> rows;
    Looked looked;
};

template <class T>
Answer ask(const Matrix<T>& x, const Matrix<T>& y, bool inner, const Nearest& wish) {
    Answer answer;
    answer.values.resize(static_cast<std::size_t>(x.view.rows * wish.k));
    answer.rows.resize(answer.values.size());
    answer.looked = tile::nearest_dense<T>(x.view, y.view, inner, wish, answer.values.data(),
                                           answer.rows.data());
    return answer;
}

// NaN is the same as NaN.
bool same(const Answer& a, const Answer& b) {
    for (std::size_t e = 0; e < a.values.size(); ++e)
        if (!(a.values[e] == b.values[e] ||
              (a.values[e] != a.values[e] && b.values[e] != b.values[e])))
            return false;
    return a.rows == b.rows;
}

template <class T>
void check_answers(Kind kind, Index queries, Index rows, Index cols, Index k) {
    const Matrix<T> x = rows_of<T>(kind, queries, cols, 1), y = rows_of<T>(kind, rows, cols, 2);
    for (const bool inner : {false, true}) {
        const Answer with = ask(x, y, inner, {k, false, Codes::always});
        CHECK(same(with, ask(x, y, inner, {k, false, Codes::never})));
        CHECK(same(with, ask(x, y, inner, {k, false, Codes::where_quick})));
        if (kind == Kind::normal) CHECK(with.looked.codes == queries * rows);
    }
    if (rows <= k) return;
    CHECK(same(ask(y, y, false, {k, true, Codes::always}),
               ask(y, y, false, {k, true, Codes::never})));
}

}  // namespace

TEST(codes_of_a_row) {
    for_every_set([](const tile::Kernels& set) {
        for (const Index n : {8, 16, 72})
            for (const double factor : {1.0, 0.125}) {
                check_code(set, n, factor, 1e-9, static_cast<unsigned>(n));
                check_code(set, n, factor, 3.0, static_cast<unsigned>(n));
            }
        const double nothing[8] = {};
        signed char codes[8];
        const RowCode zero = set.tile_encode(nothing, 8, 1.0, 0.5, codes);
        CHECK(zero.scale == 0.5f && zero.squares == 0.0 && zero.error == 0.0 && codes[7] == 0);
        const double broken[8] = {1.0, std::nan(""), 2.0};
        CHECK(std::isnan(set.tile_encode(broken, 8, 1.0, 0.5, codes).error));
        const double endless[8] = {1.0, std::numeric_limits<double>::infinity()};
        CHECK(!std::isfinite(set.tile_encode(endless, 8, 1.0, 0.5, codes).scale));
    });
}

TEST(products_of_codes_in_every_set) {
    for_every_set([](const tile::Kernels& set) {
        for (const Index rows : {1, 3, 8, 13, 20})
            for (const Index fours : {1, 2, 5, 16})
                check_products(set, rows, fours, static_cast<unsigned>(100 * rows + fours));
    });
}

TEST(codes_do_not_show_in_the_nearest) {
    for (const Kind kind : kinds)
        for (const Index cols : {1, 7, 64}) {
            check_answers<double>(kind, 90, 300, cols, 6);
            check_answers<float>(kind, 90, 300, cols, 6);
            check_answers<double>(kind, 3, 61, cols, 61);
            check_answers<float>(kind, 30, 200, cols, 1);
        }
    check_answers<float>(Kind::normal, 70, 500, 301, 3);
}

TEST(codes_are_left_where_they_drop_too_little) {
    // two far clumps, each far smaller than a step of the codes: no byte tells its rows apart
    Matrix<double> y = rows_of<double>(Kind::normal, 3000, 40, 3);
    for (Index i = 0; i < 3000; ++i)
        for (Index l = 0; l < 40; ++l) y.at(i, l) = y.at(i, l) * 1e-6 + (i % 2 == 0 ? 1.0 : 0.0);
    Matrix<double> x = y;
    x.view.data = x.memory.data(), x.view.rows = 300;
    const Answer chosen = ask(x, y, false, {5, false, Codes::where_quick});
    const Answer never = ask(x, y, false, {5, false, Codes::never});
    CHECK(same(chosen, never));
    CHECK(same(chosen, ask(x, y, false, {5, false, Codes::always})));
    CHECK(never.looked.codes == 0);
    CHECK(chosen.looked.codes + chosen.looked.singles + chosen.looked.products == 300 * 3000);
    if (!tile::kernels().quick_codes) return;
    CHECK(chosen.looked.codes > 0);
    CHECK(chosen.looked.codes < 300 * 3000 / 4);
}

}  // namespace stylobate
