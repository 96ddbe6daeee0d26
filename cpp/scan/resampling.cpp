#include "scan/resampling.hpp"

#include <algorithm>
#include <limits>

#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"

namespace stylobate::scan {
namespace {

constexpr Index draws_of_chunk = 1 << 20;  // enough to forget what handing out a chunk costs
constexpr Index draws_between_checks = 1 << 16;

// A number below `size` from 64 random bits; off from uniform by less than size / 2^64.
Index below(std::uint64_t word, Index size) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<Index>((static_cast<Wide>(word) * static_cast<std::uint64_t>(size)) >> 64);
}

// Weight of negative and positive rows at each threshold, next to each other.
template <class Amount>
using Table = std::vector<Amount>;

template <class Amount>
double roc_area(const Table<Amount>& table) {
    double pairs = 0.0, true_above = 0.0, false_above = 0.0;
    for (std::size_t k = 0; k < table.size(); k += 2) {
        const auto down = static_cast<double>(table[k]), up = static_cast<double>(table[k + 1]);
        pairs += down * (true_above + 0.5 * up);
        true_above += up;
        false_above += down;
    }
    const double all = true_above * false_above;
    return all > 0.0 ? pairs / all : std::numeric_limits<double>::quiet_NaN();
}

template <class Amount>
double precision_area(const Table<Amount>& table) {
    double sum = 0.0, true_above = 0.0, above = 0.0;
    for (std::size_t k = 0; k < table.size(); k += 2) {
        const auto down = static_cast<double>(table[k]), up = static_cast<double>(table[k + 1]);
        true_above += up;
        above += up + down;
        if (up > 0.0) sum += up * true_above / above;
    }
    return true_above > 0.0 ? sum / true_above : std::numeric_limits<double>::quiet_NaN();
}

template <class Amount>
void add_row(std::vector<Table<Amount>>& tables, const std::vector<RankedRows>& models, Index row,
             Amount amount) {
    for (std::size_t m = 0; m < models.size(); ++m) tables[m][models[m].cells[row]] += amount;
}

// One resample into the tables of all models.
template <class Amount>
void draw(std::vector<Table<Amount>>& tables, const std::vector<RankedRows>& models,
          const double* weights, const Strata& strata, const Philox& random,
          Checkpoint& checkpoint) {
    Philox::Block words{};
    for (std::size_t s = 0; s + 1 < strata.offsets.size(); ++s) {
        const Index first = strata.offsets[s], size = strata.offsets[s + 1] - first;
        for (Index i = first; i < first + size; ++i) {
            if (i % draws_between_checks == 0) checkpoint();
            if (i % 4 == 0 || i == first)
                words = random({static_cast<Philox::Word>(i / 4), 0, 0, 0});
            const Index place = first + below(words[static_cast<std::size_t>(i % 4)], size);
            const Index row = strata.members ? strata.members[place] : place;
            const auto amount = weights ? static_cast<Amount>(weights[row]) : Amount{1};
            add_row(tables, models, row, amount);
        }
    }
}

template <class Amount>
std::vector<double> run(const std::vector<RankedRows>& models, const double* weights,
                        const Strata& strata, Area area, std::uint64_t seed, Index n_resamples) {
    const Index n = strata.offsets.back(), width = static_cast<Index>(models.size());
    const Index per_chunk = std::max<Index>(1, draws_of_chunk / std::max<Index>(1, n));
    const Index chunks = (n_resamples + per_chunk - 1) / per_chunk;
    std::vector<double> areas(static_cast<std::size_t>(n_resamples * width));
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        std::vector<Table<Amount>> tables;
        for (const RankedRows& model : models)
            tables.emplace_back(static_cast<std::size_t>(2 * model.thresholds));
        const Index last = std::min(n_resamples, (chunk + 1) * per_chunk);
        for (Index r = chunk * per_chunk; r < last; ++r) {
            for (auto& table : tables) std::fill(table.begin(), table.end(), Amount{0});
            draw(tables, models, weights, strata, Philox(seed, static_cast<std::uint64_t>(r)),
                 checkpoint);
            for (Index m = 0; m < width; ++m) {
                const auto& table = tables[static_cast<std::size_t>(m)];
                areas[static_cast<std::size_t>(r * width + m)] =
                    area == Area::roc ? roc_area(table) : precision_area(table);
            }
        }
    });
    return areas;
}

}  // namespace

std::vector<double> resampled_areas(const std::vector<RankedRows>& models, const double* weights,
                                    const Strata& strata, Area area, std::uint64_t seed,
                                    Index n_resamples) {
    return weights ? run<double>(models, weights, strata, area, seed, n_resamples)
                   : run<std::uint32_t>(models, weights, strata, area, seed, n_resamples);
}

}  // namespace stylobate::scan
