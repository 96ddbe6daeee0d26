#include "scan/counting.hpp"

#include <limits>
#include <map>
#include <string>

#include "check.hpp"

namespace stylobate {
namespace {

template <class T>
std::vector<T> labels(Index n, std::uint64_t seed, int classes) {
    std::vector<T> out(n);
    for (Index i = 0; i < n; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        out[i] = static_cast<T>((seed >> 33) % static_cast<std::uint64_t>(classes));
    }
    return out;
}

template <class T>
void check_pairs(Index n) {
    const auto a = labels<T>(n, 1, 7), b = labels<T>(n, 2, 5);
    std::vector<double> weights(n);
    for (Index i = 0; i < n; ++i) weights[i] = static_cast<double>(i % 3);
    std::map<std::pair<int, int>, std::pair<std::int64_t, double>> expected;
    for (Index i = 0; i < n; ++i) {
        auto& [rows, sum] = expected[{static_cast<int>(a[i]), static_cast<int>(b[i])}];
        ++rows;
        sum += weights[i];
    }
    for (const bool weighted : {false, true}) {
        const auto found =
            scan::count_pairs(a.data(), b.data(), weighted ? weights.data() : nullptr, n, 64);
        CHECK(found.whole && found.counted);
        for (const auto& [pair, counts] : expected) {
            const Index cell = (pair.first - found.low) * found.width + pair.second - found.low;
            CHECK(found.rows[cell] == counts.first);
            if (weighted) CHECK_CLOSE(found.weights[cell], counts.second, 1e-9);
        }
    }
}

}  // namespace

TEST(pairs_of_labels_are_counted) {
    for (const Index n : {1, 3, 1000, 200000}) {
        check_pairs<std::int64_t>(n);
        check_pairs<std::int8_t>(n);
        check_pairs<std::uint8_t>(n);
        check_pairs<double>(n);
        check_pairs<float>(n);
    }
}

TEST(labels_outside_of_the_sample_are_found) {
    std::vector<std::int64_t> a(100000, 5), b(100000, 5);
    a[777] = -40;
    b[99998] = 90;
    auto found = scan::count_pairs(a.data(), b.data(), nullptr, 100000, 1024);
    CHECK(found.counted && found.low == -40 && found.width == 131);
    found = scan::count_pairs(a.data(), b.data(), nullptr, 100000, 64);
    CHECK(found.whole && !found.counted);
    a[0] = std::numeric_limits<std::int64_t>::min();
    b[0] = std::numeric_limits<std::int64_t>::max();
    found = scan::count_pairs(a.data(), b.data(), nullptr, 100000, 1024);
    CHECK(found.whole && !found.counted);
}

TEST(fractions_and_nan_are_no_labels) {
    for (const double strange : {0.5, std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity(), 1e300}) {
        std::vector<double> a(70000, 1.0), b(70000, 2.0);
        b[69999] = strange;
        CHECK(!scan::count_pairs(a.data(), b.data(), nullptr, 70000, 64).whole);
    }
}

TEST(two_values_or_none) {
    std::vector<std::uint8_t> greater(100000);
    std::vector<double> y(100000, 3.0);
    auto found = scan::two_values(y.data(), 100000, greater.data());
    CHECK(found && found->first == 3.0 && found->second == 3.0 && greater[5] == 0);
    y[99999] = -1.0;
    found = scan::two_values(y.data(), 100000, greater.data());
    CHECK(found && found->first == -1.0 && found->second == 3.0);
    CHECK(greater[0] == 1 && greater[99999] == 0);
    y[50000] = std::numeric_limits<double>::quiet_NaN();
    CHECK(!scan::two_values(y.data(), 100000, greater.data()));
    CHECK(!scan::two_values(y.data(), 0, greater.data()));
}

TEST(items_are_numbered_as_they_appear) {
    const Index n = 150000, bytes = 12;
    std::vector<std::uint8_t> items(n * bytes, 0);
    const auto value = labels<int>(n, 3, 5000);
    for (Index i = 0; i < n; ++i) {
        const std::string text = "k" + std::to_string(value[i]);
        std::copy(text.begin(), text.end(), items.begin() + i * bytes + 2);
    }
    const scan::Codes coded = scan::code_items(items.data(), n, bytes);
    std::map<int, std::int32_t> number;
    for (Index i = 0; i < n; ++i) {
        const auto next = static_cast<std::int32_t>(number.size());
        const auto [at, fresh] = number.try_emplace(value[i], next);
        if (fresh) CHECK(coded.first[next] == i);
        CHECK(coded.codes[i] == at->second);
    }
    CHECK(coded.first.size() == number.size());
}

}  // namespace stylobate
