#include "scan/resampling.hpp"

#include <cmath>

#include "check.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate {
namespace {

using namespace scan;

// Rows from the highest score down; positive rows where `up` is 1, each at a threshold of its own.
std::vector<std::uint32_t> ranked(const std::vector<int>& up) {
    std::vector<std::uint32_t> cells;
    for (std::size_t i = 0; i < up.size(); ++i)
        cells.push_back(static_cast<std::uint32_t>(2 * i + static_cast<std::size_t>(up[i])));
    return cells;
}

}  // namespace

TEST(strata_of_one_row_give_the_rows_themselves) {
    const std::vector<int> up = {1, 0, 1, 1, 0};
    const auto cells = ranked(up);
    const Strata alone{nullptr, {0, 1, 2, 3, 4, 5}};
    const auto roc = resampled_areas({{cells.data(), 5}}, nullptr, alone, Area::roc, 1, 3);
    for (const double area : roc) CHECK_CLOSE(area, 4.0 / 6.0, 1e-15);  // pairs in order
    const auto ap = resampled_areas({{cells.data(), 5}}, nullptr, alone, Area::precision, 1, 3);
    for (const double area : ap) CHECK_CLOSE(area, (1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 3.0, 1e-15);
    const double weights[] = {2.0, 1.0, 0.0, 1.0, 1.0};
    const auto weighted = resampled_areas({{cells.data(), 5}}, weights, alone, Area::roc, 1, 1);
    CHECK_CLOSE(weighted[0], 5.0 / 6.0, 1e-15);
}

TEST(resamples_average_to_the_area) {
    std::vector<int> up(200);
    for (std::size_t i = 0; i < up.size(); ++i) up[i] = i % 3 == 0 || i < 40;
    const auto cells = ranked(up);
    const Strata whole{nullptr, {0, 200}};
    const Strata alone{nullptr, [] {
                           std::vector<Index> each;
                           for (Index i = 0; i <= 200; ++i) each.push_back(i);
                           return each;
                       }()};
    const auto area = resampled_areas({{cells.data(), 200}}, nullptr, alone, Area::roc, 0, 1)[0];
    const auto drawn = resampled_areas({{cells.data(), 200}}, nullptr, whole, Area::roc, 7, 2000);
    double sum = 0.0, squares = 0.0;
    for (const double each : drawn) sum += each, squares += each * each;
    const double mean = sum / 2000.0, spread = std::sqrt(squares / 2000.0 - mean * mean);
    CHECK_CLOSE(mean, area, 5.0 * spread / std::sqrt(2000.0));
    CHECK(spread > 0.01 && spread < 0.1);
}

TEST(resamples_do_not_depend_on_threads_and_lack_classes) {
    const auto cells = ranked({1, 0});
    const Strata whole{nullptr, {0, 2}};
    const int before = set_threads(1);
    const auto one = resampled_areas({{cells.data(), 2}}, nullptr, whole, Area::roc, 3, 100);
    set_threads(4);
    const auto four = resampled_areas({{cells.data(), 2}}, nullptr, whole, Area::roc, 3, 100);
    set_threads(before);
    int undefined = 0;
    for (std::size_t r = 0; r < 100; ++r) {
        CHECK(one[r] == four[r] || (std::isnan(one[r]) && std::isnan(four[r])));
        undefined += std::isnan(one[r]);
    }
    CHECK(undefined > 20 && undefined < 80);
}

}  // namespace stylobate
