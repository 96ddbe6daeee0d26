// Rows as 16-bit numbers: what their products prove of the nearest centre, in every instruction
// set, and rows that move between sums.
#include "cluster/row_codes.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "cluster/centre_sums.hpp"
#include "reference.hpp"

namespace stylobate {
namespace {

using namespace tests;

constexpr Isa every_isa[] = {Isa::base, Isa::avx2, Isa::avx512, Isa::vnni};

template <class Body>
void for_every_set(const Body& body) {
    for (const Isa which : every_isa)
        if (const tile::Kernels* set = tile::kernels_of(which)) body(*set);
}

void encode(const tile::Kernels& set, const MatrixView<double>& x, const double* origin, double f,
            double most, short* out, float* squares, unsigned long long& without) {
    without =
        set.encode_rows_f64(x.data, x.row_stride, x.rows, x.cols, origin, f, most, out, squares);
}
void encode(const tile::Kernels& set, const MatrixView<float>& x, const double* origin, double f,
            double most, short* out, float* squares, unsigned long long& without) {
    without =
        set.encode_rows_f32(x.data, x.row_stride, x.rows, x.cols, origin, f, most, out, squares);
}

template <class T>
void check_codes(const tile::Kernels& set, Index rows, Index p, unsigned seed) {
    const Index width = set.tile_bytes() / 4, pairs = (p + 1) / 2;
    Matrix<T> x = random_matrix<T>(rows, p, Layout::padded_rows, seed);
    const std::vector<double> origin(static_cast<std::size_t>(p), 0.75);
    for (Index l = 0; l < p; ++l) x.at(0, l) = T(0.75);  // nothing but zeros
    x.at(1, p - 1) = T(1e9);                             // too long
    x.at(2, 0) = std::numeric_limits<T>::quiet_NaN();
    constexpr double factor = 0x1p7, most = 32766.0 * 32766.0;
    std::vector<short> codes(static_cast<std::size_t>(2 * width * pairs), 7);
    std::vector<float> squares(static_cast<std::size_t>(width));
    unsigned long long without = 0;
    encode(set, x.view, origin.data(), factor, most, codes.data(), squares.data(), without);
    CHECK(without == 6);
    for (Index r = 0; r < width; ++r) {
        double sum = 0.0;
        for (Index l = 0; l < 2 * pairs; ++l) {
            const double code = codes[(l / 2 * width + r) * 2 + l % 2];
            sum += code * code;
            if (r >= rows || l >= p || r == 1 || r == 2) {
                CHECK(code == 0.0);
            } else {
                CHECK(std::fabs((static_cast<double>(x.view(r, l)) - 0.75) * factor - code) <=
                      0.5 + 1e-9);
            }
        }
        if (r < rows && r != 1 && r != 2) CHECK_CLOSE(squares[r], sum, 1e-7 * sum);
    }
}

// The two smallest start + product of each row, against loops.
void check_nearest(const tile::Kernels& set, Index k, Index pairs, unsigned seed) {
    const Index width = set.tile_bytes() / 4, side = set.tile_queries();
    const Index groups = (k + side - 1) / side;
    std::mt19937 random(seed);
    const auto draw = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    const int most = static_cast<int>(32000.0 / std::sqrt(2.0 * static_cast<double>(pairs)));
    std::vector<short> q(static_cast<std::size_t>(2 * k * pairs)), r(2 * width * pairs);
    for (auto* all : {&q, &r})
        for (auto& code : *all)
            code = static_cast<short>(draw(0, 9) == 0 ? -most : draw(-most, most));
    std::vector<int> starts(static_cast<std::size_t>(k)), labels(width), best(width), second(width);
    for (auto& start : starts) start = draw(0, 1 << 29);
    for (auto& label : labels) label = draw(0, static_cast<int>(k) - 1);
    int bits = 0;
    while (bits + 1 < k) bits = 2 * bits + 1;
    const CentreCodes centres{q.data(), starts.data(), k, pairs, bits};
    const int limit = 1 << 26;
    const PanelLook look =
        set.nearest_codes(centres, r.data(), limit, labels.data(), best.data(), second.data());
    for (Index j = 0; j < width; ++j) {
        int least = std::numeric_limits<int>::max(), next = least;
        for (Index g = 0; g < groups; ++g) {
            const Index first = k * g / groups, part = k * (g + 1) / groups - first;
            for (Index i = 0; i < part; ++i) {
                long long sum = starts[first + i];
                for (Index l = 0; l < pairs; ++l)
                    for (Index h = 0; h < 2; ++h)
                        sum += q[(first * pairs + l * part + i) * 2 + h] *
                               static_cast<long long>(r[(l * width + j) * 2 + h]);
                const int value = (static_cast<int>(sum) & ~bits) | static_cast<int>(first + i);
                next = std::min(next, std::max(least, value)), least = std::min(least, value);
            }
        }
        CHECK(best[j] == least);
        CHECK(second[j] == next);
        const bool doubtful = static_cast<long long>(next) - least <= limit;
        CHECK((look.doubtful >> j & 1) == (doubtful ? 1U : 0U));
        CHECK((look.moved >> j & 1) == ((least & bits) != labels[j] ? 1U : 0U));
    }
    CHECK((look.doubtful | look.moved) >> width == 0);
}

// Labels that are not in doubt are those of exact distances, and bounds hold.
template <class T>
void check_proof(Index n, Index p, Index k, double spread, unsigned seed) {
    const Matrix<T> x = random_matrix<T>(n, p, Layout::padded_rows, seed);
    const std::vector<double> origin = tile::centre_rows(x.view);
    std::vector<double> start(static_cast<std::size_t>(k * p));
    for (Index c = 0; c < k; ++c)
        for (Index l = 0; l < p; ++l)
            start[c * p + l] = static_cast<double>(static_cast<T>(
                origin[l] + spread * (static_cast<double>(x.view(c, l)) - origin[l])));
    const cluster::Centres<T> centres(start.data(), k, p);
    cluster::RowCodes<T> rows(x.view, origin);
    CHECK(rows.usable());
    const cluster::CodedCentres<T> coded(centres, origin, rows.unit(), rows.pairs());
    CHECK(coded.usable());
    const Index width = cluster::RowCodes<T>::width();
    const std::vector<int> labels(static_cast<std::size_t>(width));
    const std::vector<float> drift(static_cast<std::size_t>(k), 0.0F);
    std::vector<int> best(labels), second(labels);
    std::vector<float> lead(static_cast<std::size_t>(width)), lower(lead);
    Index certain = 0;
    for (Index i = 0; i < n; i += width) {
        const Index count = std::min(width, n - i);
        rows.encode(i, count);
        const PanelLook look = tile::kernels().nearest_codes(
            coded.codes(), rows.panel(i), coded.limit(), labels.data(), best.data(), second.data());
        tile::kernels().code_leads(best.data(), second.data(), rows.squares(i), coded.scales(),
                                   coded.bits(), drift.data(), lead.data(), lower.data());
        for (Index r = 0; r < count; ++r) {
            if ((look.doubtful >> r & 1) != 0 || (rows.without(i) >> r & 1) != 0) continue;
            ++certain;
            const cluster::Nearest found = cluster::nearest_of(x.view.row(i + r), centres);
            const double own = std::sqrt(found.best), other = std::sqrt(found.second);
            CHECK(coded.label(best[r]) == found.label);
            CHECK(static_cast<double>(lower[r]) <= other);
            CHECK(static_cast<double>(lead[r]) <= other - own);
            CHECK(static_cast<double>(lead[r]) >= other - own - 0.1 * (1.0 + other));
        }
    }
    CHECK(certain > n * 9 / 10);  // else nothing was shown
}

}  // namespace

TEST(row_codes_are_rounded_and_refused) {
    for_every_set([](const tile::Kernels& set) {
        const Index width = set.tile_bytes() / 4;
        for (const Index p : {Index{1}, Index{2}, Index{7}, Index{20}, Index{33}})
            for (const Index rows : {Index{3}, width - 1, width}) {
                check_codes<double>(set, rows, p, 5);
                check_codes<float>(set, rows, p, 6);
            }
    });
}

TEST(row_codes_tell_the_two_nearest) {
    for_every_set([](const tile::Kernels& set) {
        for (const Index k : {2, 3, 5, 8, 9, 10, 17, 100})
            for (const Index pairs : {1, 4, 10}) check_nearest(set, k, pairs, 11);
    });
}

TEST(row_codes_prove_labels_and_bounds) {
    check_proof<double>(2000, 20, 10, 1.0, 21);
    check_proof<float>(2000, 20, 10, 1.0, 22);
    check_proof<double>(1500, 3, 30, 0.5, 23);
    check_proof<float>(700, 51, 2, 1e-2, 24);
    check_proof<double>(900, 8, 5, 1.3, 25);
}

TEST(open_rows_are_those_of_loops) {
    for_every_set([](const tile::Kernels& set) {
        std::mt19937 random(3);
        for (const Index rows : {Index{1}, Index{5}, Index{16}, Index{47}, Index{64}}) {
            std::vector<float> lead(static_cast<std::size_t>(rows)), limits = {0.25F, 0.5F, 0.75F};
            std::vector<int> labels(lead.size());
            for (auto& each : lead) each = static_cast<float>(random() % 5) / 4.0F;
            for (auto& label : labels) label = static_cast<int>(random() % 3);
            lead[rows / 2] = std::numeric_limits<float>::quiet_NaN();
            unsigned long long expected = 0;
            for (Index j = 0; j < rows; ++j)
                if (!(lead[j] > limits[labels[j]])) expected |= 1ULL << j;
            CHECK(set.open_rows(lead.data(), labels.data(), limits.data(), rows) == expected);
        }
    });
}

TEST(moved_rows_leave_one_sum_for_another) {
    const Index n = 50, p = 11, k = 4;
    const Matrix<double> x = random_matrix<double>(n, p, Layout::padded_rows, 8);
    const std::vector<double> origin(static_cast<std::size_t>(p), 0.5);
    std::vector<RowMove> moves;
    std::vector<double> weights(static_cast<std::size_t>(n), 1.0);
    for (Index i = 0; i < n; i += 3)
        moves.push_back({i, static_cast<int>(i % k), static_cast<int>((i + 1) % k)});
    for (Index i = 0; i < n; ++i) weights[i] = static_cast<double>(i % 3);
    const double* const none = nullptr;
    for (const double* w : {none, static_cast<const double*>(weights.data())})
        for_every_set([&](const tile::Kernels& set) {
            std::vector<double> sums(static_cast<std::size_t>(k * p), 1.0), expected(sums);
            set.move_rows_f64(x.view.data, x.view.row_stride, moves.data(),
                              static_cast<Index>(moves.size()), w, p, origin.data(), sums.data());
            for (const RowMove& move : moves)
                for (Index l = 0; l < p; ++l) {
                    const double v =
                        (w == nullptr ? 1.0 : w[move.row]) * (x.view(move.row, l) - 0.5);
                    expected[move.from * p + l] -= v, expected[move.to * p + l] += v;
                }
            for (std::size_t i = 0; i < sums.size(); ++i) CHECK_CLOSE(sums[i], expected[i], 1e-11);
        });
}

TEST(sums_follow_their_reference) {
    const Index n = 200, p = 6, k = 3;
    const Matrix<float> x = random_matrix<float>(n, p, Layout::rows, 9);
    std::vector<std::int32_t> labels(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) labels[i] = static_cast<std::int32_t>(i % k);
    const std::vector<double> zeros(static_cast<std::size_t>(k * p)), ones(zeros.size(), 1.0);
    cluster::CentreSums about(k, p), other(k, p);
    about.add_chunk(x.view, nullptr, labels.data(), 0, n, zeros.data());
    other.add_chunk(x.view, nullptr, labels.data(), 0, n, ones.data());
    about.refer(zeros.data(), ones.data(), p);
    CHECK_CLOSE(about.squares, other.squares, 1e-12 * other.squares);
    for (Index i = 0; i < k * p; ++i)
        CHECK_CLOSE(about.deviations[i], other.deviations[i], 1e-11 * static_cast<double>(n));
}

}  // namespace stylobate
