#include "draws.hpp"

#include <algorithm>
#include <bit>
#include <random>

namespace stylobate::tree {
namespace {

// A number in [0, 1) with 53 random bits, as NumPy's RandomState makes it.
double uniform(std::mt19937& random) {
    const auto high = static_cast<double>(random() >> 5), low = static_cast<double>(random() >> 6);
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

}  // namespace

std::vector<std::uint32_t> drawn_counts(Index rows, const Drawing& drawing, std::uint64_t seed) {
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(rows));
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    if (drawing.cumulative != nullptr) {
        const double* const end = drawing.cumulative + rows;
        for (Index i = 0; i < drawing.draws; ++i) {
            const double* const above = std::upper_bound(drawing.cumulative, end, uniform(random));
            ++counts[static_cast<std::size_t>(std::min(above, end - 1) - drawing.cumulative)];
        }
        return counts;
    }
    if (rows == 1) {  // nothing to choose: no number is drawn
        counts[0] = static_cast<std::uint32_t>(drawing.draws);
        return counts;
    }
    const auto most = static_cast<std::uint32_t>(rows - 1);
    const std::uint32_t mask = ~std::uint32_t{0} >> std::countl_zero(most);
    for (Index i = 0; i < drawing.draws; ++i) {
        auto row = static_cast<std::uint32_t>(random()) & mask;
        while (row > most) row = static_cast<std::uint32_t>(random()) & mask;
        ++counts[row];
    }
    return counts;
}

}  // namespace stylobate::tree
