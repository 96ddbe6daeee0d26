// Kernels that grow forests, of every instruction set, against plain loops.
#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "tree/kernels.hpp"

namespace stylobate {
namespace {

template <class Body>
void on_every_isa(const Body& body) {
    for (const Isa which : {Isa::base, Isa::avx2, Isa::avx512}) {
        if (const tree::Kernels* table = tree::kernels_of(which)) body(*table);
    }
}

double gain(double draws, double ones, const TwoClassNode& node) {
    const double zeros = draws - ones, cross = ones * node.draws - draws * node.ones;
    const double left = zeros * node.weight[0] + ones * node.weight[1];
    const double right =
        (node.draws - node.ones - zeros) * node.weight[0] + (node.ones - ones) * node.weight[1];
    return left * right > 0.0 ? cross * cross / (left * right) : 0.0;
}

// Rows of random ranks, classes and counts, as keys.
struct Keys {
    static constexpr int count_bits = 3, shift = 4;
    Keys(std::mt19937& random, Index n, unsigned ranks) : words(2 * small_keys) {
        for (Index i = 0; i < n; ++i) {
            const unsigned label = random() % 2, count = 1 + random() % 7;
            words[static_cast<std::size_t>(i)] =
                (random() % ranks) << shift | label << count_bits | count;
            node.draws += count;
            node.ones += label * count;
        }
        std::sort(words.begin(), words.begin() + n);
    }
    unsigned count(Index i) const { return words[static_cast<std::size_t>(i)] & 7; }
    bool second(Index i) const { return words[static_cast<std::size_t>(i)] >> count_bits & 1; }
    unsigned rank(Index i) const { return words[static_cast<std::size_t>(i)] >> shift; }
    std::vector<unsigned> words;
    TwoClassNode node{0.0, 0.0, {1.0, 1.0}};
};

void check_cuts(const tree::Kernels& table, const Keys& keys, Index n, Index least) {
    std::vector<TwoClassCut> cuts(small_keys);
    const TwoClassKeys form{Keys::shift, Keys::count_bits, 1.0f - 0x1p-16f, 1e-6f};
    const Index found =
        table.two_class_cuts(keys.words.data(), n, form, keys.node, least, -2.0f, cuts.data());
    double most = -1.0, draws = 0.0, ones = 0.0;
    Index first = -1, listed = 0;
    for (Index i = 0; i + 1 < n; ++i) {
        draws += keys.count(i), ones += keys.second(i) ? keys.count(i) : 0;
        while (listed < found && cuts[static_cast<std::size_t>(listed)].at < i) ++listed;
        if (listed < found && cuts[static_cast<std::size_t>(listed)].at == i) {
            const TwoClassCut& cut = cuts[static_cast<std::size_t>(listed)];
            CHECK(cut.draws == draws && cut.ones == ones);
            CHECK_CLOSE(cut.gain, gain(draws, ones, keys.node), 1e-5 * (1.0 + cut.gain));
            CHECK(keys.rank(i) != keys.rank(i + 1) && i + 1 >= least && n - i - 1 >= least);
        }
        if (keys.rank(i) == keys.rank(i + 1) || i + 1 < least || n - i - 1 < least) continue;
        if (gain(draws, ones, keys.node) > most) most = gain(draws, ones, keys.node), first = i;
    }
    CHECK((first < 0) == (found == 0));
    const auto end = cuts.begin() + found;
    CHECK(first < 0 || std::any_of(cuts.begin(), end, [&](auto& cut) { return cut.at == first; }));
}

TwoClassNode random_steps(std::mt19937& random, Index steps, std::vector<unsigned long long>& sums,
                          double second) {
    sums.assign(static_cast<std::size_t>(steps) + 1, 0);
    unsigned long long draws = 0, ones = 0, rows = 0;
    for (std::size_t s = 1; s < sums.size(); ++s) {
        const unsigned some = random() % 4 == 0 ? 0 : random() % 9, zeros = random() % 5;
        ones += some, draws += some + zeros, rows += some > 0 ? 1 + random() % some : 0;
        rows += zeros > 0;
        sums[s] = rows << 44 | ones << 22 | draws;
    }
    return {static_cast<double>(draws), static_cast<double>(ones), {1.0, second}};
}

void check_steps(const tree::Kernels& table, std::mt19937& random, Index steps, Index least) {
    std::vector<unsigned long long> sums;
    const TwoClassNode node = random_steps(random, steps, sums, least % 2 == 0 ? 1.0 : 2.5);
    constexpr unsigned long long field = (1ull << 22) - 1;
    const auto draws = [&](std::size_t s) { return static_cast<double>(sums[s] & field); };
    const auto ones = [&](std::size_t s) { return static_cast<double>(sums[s] >> 22 & field); };
    double most = -1.0;
    for (std::size_t s = 1; s < sums.size(); ++s) {
        const Index left = sums[s] >> 44, right = (sums.back() >> 44) - left;
        if (left >= least && right >= least && right > 0)
            most = std::max(most, gain(draws(s), ones(s), node));
    }
    const float found = table.best_step_gain(sums.data(), steps, node, least);
    CHECK_CLOSE(found, most, 1e-5 * (1.0 + most));
    std::vector<long long> open(static_cast<std::size_t>(steps));
    const float floor = 0.9f * found;
    const bool any = table.open_steps(sums.data(), steps, node, floor, open.data());
    CHECK(any == std::any_of(open.begin(), open.end(), [](long long o) { return o != 0; }));
    for (std::size_t s = 0; s < open.size(); ++s) {
        if (sums[s] == sums[s + 1]) CHECK(open[s] == 0);
        double inside = 0.0;  // of all that may have gone left inside the step
        for (double one = ones(s); one <= ones(s + 1); ++one) {
            const double last = draws(s + 1) - ones(s + 1);
            for (double zero = draws(s) - ones(s); zero <= last; ++zero)
                inside = std::max(inside, gain(zero + one, one, node));
        }
        if (sums[s] != sums[s + 1] && inside > 1.001 * floor) CHECK(open[s] != 0);
        if (inside < 0.999 * floor) CHECK(open[s] == 0);
    }
}

// Cells of so many codes, some without rows, and rows that go left anyway.
void check_codes(const tree::Kernels& table, std::mt19937& random, Index codes, Index least,
                 unsigned long long before) {
    std::vector<unsigned long long> sums;
    TwoClassNode node = random_steps(random, codes, sums, least % 2 == 0 ? 1.0 : 2.5);
    std::vector<unsigned long long> cells(static_cast<std::size_t>((codes + 7) / 8 * 8));
    for (std::size_t c = 0; c + 1 < sums.size(); ++c) cells[c] = sums[c + 1] - sums[c];
    constexpr unsigned long long field = (1ull << StepCell::bits) - 1;
    node.draws += static_cast<double>(before & field);
    node.ones += static_cast<double>(before >> StepCell::bits & field);
    const auto rows = static_cast<Index>((sums.back() + before) >> 2 * StepCell::bits);
    std::vector<TwoClassCut> cuts(static_cast<std::size_t>(codes));
    const TwoClassRule rule{rows, least, -2.0f, 1.0f - 0x1p-16f, 1e-6f};
    const Index found = table.two_class_codes(cells.data(), codes, before, node, rule, cuts.data());
    double most = -1.0;
    Index first = -1;
    for (Index c = 0; c < codes; ++c) {
        const unsigned long long sum = sums[static_cast<std::size_t>(c) + 1] + before;
        const auto left = static_cast<Index>(sum >> 2 * StepCell::bits);
        const bool is_split =
            cells[static_cast<std::size_t>(c)] != 0 && left >= least && rows - left >= least;
        const double draws = static_cast<double>(sum & field);
        const double ones = static_cast<double>(sum >> StepCell::bits & field);
        const auto end = cuts.begin() + found;
        const auto cut = std::find_if(cuts.begin(), end, [&](auto& each) { return each.at == c; });
        if (cut != end) CHECK(is_split && cut->draws == draws && cut->ones == ones);
        if (is_split && gain(draws, ones, node) > most) most = gain(draws, ones, node), first = c;
    }
    CHECK((first < 0) == (found == 0));
    const auto is_first = [&](const TwoClassCut& cut) { return cut.at == first; };
    CHECK(first < 0 || std::any_of(cuts.begin(), cuts.begin() + found, is_first));
    for (Index i = 0; i < found; ++i)
        CHECK(cuts[static_cast<std::size_t>(i)].gain >= 0.9999 * most - 1e-5);
    if (found == 0) return;
    const TwoClassRule high{rows, least, static_cast<float>(1.01 * most + 1.0), rule.margin, 1e-6f};
    CHECK(table.two_class_codes(cells.data(), codes, before, node, high, cuts.data()) == 0);
}

}  // namespace

TEST(forest_codes_hold_the_best) {
    std::mt19937 random(4);
    on_every_isa([&](const tree::Kernels& table) {
        for (const Index codes : {1, 2, 3, 7, 8, 9, 16, 41, 123, 255, 256}) {
            for (const Index least : {1, 2, 30}) {
                check_codes(table, random, codes, least, 0);
                check_codes(table, random, codes, least, 5ull << 44 | 4ull << 22 | 9);
            }
        }
    });
}

TEST(forest_keys_are_sorted) {
    std::mt19937 random(1);
    on_every_isa([&](const tree::Kernels& table) {
        for (Index n = 1; n <= small_keys; ++n) {
            std::vector<unsigned> keys(small_keys);
            for (unsigned& key : keys) key = random() >> (n % 3 == 0 ? 28 : 0);
            std::vector<unsigned> sorted(keys.begin(), keys.begin() + n);
            std::sort(sorted.begin(), sorted.end());
            table.sort_keys(keys.data(), n);
            CHECK(std::equal(sorted.begin(), sorted.end(), keys.begin()));
        }
    });
}

TEST(forest_cuts_hold_the_best) {
    std::mt19937 random(2);
    on_every_isa([&](const tree::Kernels& table) {
        for (Index n = 2; n <= small_keys; ++n) {
            for (const unsigned ranks : {2u, 20u, 100000u}) {
                Keys keys(random, n, ranks);
                if (n % 2 == 0) keys.node.weight[1] = 3.5;
                for (const Index least : {1, 3}) {
                    if (n >= 2 * least) check_cuts(table, keys, n, least);
                }
            }
        }
    });
}

TEST(forest_steps_are_bounded) {
    std::mt19937 random(3);
    on_every_isa([&](const tree::Kernels& table) {
        for (const Index steps : {64, 256}) {
            for (const Index least : {1, 2, 30}) check_steps(table, random, steps, least);
        }
    });
}

}  // namespace stylobate
