#include "tree/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tree/kernels.hpp"
#include "tree/sharing.hpp"

namespace stylobate::boost {
namespace {

constexpr Index narrow_rows = 2047;  // whose sums a word of three surely holds
constexpr Index constant_rows = (Index{1} << 20) - 1;
constexpr Index wide_rows = (Index{1} << 14) - 1;
constexpr Index few_rows = Index{1} << 15;  // below, precision is free
constexpr double narrow_range = 512.0;      // largest over mean magnitude that 15 bits can bear
constexpr double constant_range = 32768.0;

struct Extent {
    double largest_gradient = 0.0, largest_hessian = 0.0;
    double gradients = 0.0, hessians = 0.0;  // sums of magnitudes
};

Extent extent_of(const Array<Pair>& all, Index from, Index rows) {
    const Pair* const pairs = all.data() + from;
    std::vector<Extent> parts(static_cast<std::size_t>(chunks_of(rows, chunk_rows)));
    share(static_cast<Index>(parts.size()), rows, [&](Index chunk, Checkpoint&) {
        const Range range = chunk_of(chunk, rows, chunk_rows);
        float g = 0.0F, h = 0.0F, sum_g = 0.0F, sum_h = 0.0F;  // sums only choose a packing
        for (Index i = range.begin; i < range.end; ++i) {
            const float magnitude = std::abs(pairs[i].gradient);
            g = std::max(g, magnitude);
            h = std::max(h, pairs[i].hessian);
            sum_g += magnitude;
            sum_h += pairs[i].hessian;
        }
        parts[static_cast<std::size_t>(chunk)] = {g, h, sum_g, sum_h};
        all.let_go(from + range.begin, from + range.end);
    });
    Extent whole;
    for (const Extent& part : parts) {
        whole.largest_gradient = std::max(whole.largest_gradient, part.largest_gradient);
        whole.largest_hessian = std::max(whole.largest_hessian, part.largest_hessian);
        whole.gradients += part.gradients;
        whole.hessians += part.hessians;
    }
    return whole;
}

Packing packing_for(const Extent& extent, Index rows, bool constant_hessian) {
    if (rows < few_rows) return Packing::wide;
    const auto n = static_cast<double>(rows);
    const double spread = extent.largest_gradient * n / std::max(extent.gradients, 1e-300);
    if (constant_hessian) return spread <= constant_range ? Packing::constant : Packing::wide;
    const double bend = extent.largest_hessian * n / std::max(extent.hessians, 1e-300);
    return std::max(spread, bend) <= narrow_range ? Packing::narrow : Packing::wide;
}

// A power of two of which the largest magnitude is at most 2^bits multiples.
double unit_for(double largest, int bits) {
    if (!(largest > 0.0)) return 1.0;
    int exponent = 0;
    std::frexp(largest, &exponent);  // largest ≤ 2^exponent
    return std::ldexp(1.0, std::max(exponent - bits, -1000));
}

// The nearest whole number, of two the even one, of magnitudes below 2⁵¹: added to a number whose
// last bit is worth one, it stands in the last bits.
std::int64_t whole(double x) {
    constexpr double ones = 0x1.8p52;
    return std::bit_cast<std::int64_t>(x + ones) - std::bit_cast<std::int64_t>(ones);
}

}  // namespace

void PackedPairs::pack(const Array<Pair>& all, Index from, Index rows, bool constant_hessian,
                       const Packing* choice) {
    const Pair* const pairs = all.data() + from;
    const Extent extent = extent_of(all, from, rows);
    packing_ = choice != nullptr ? *choice : packing_for(extent, rows, constant_hessian);
    const int room = 52 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows)));
    const int wanted = packing_ == Packing::narrow ? 15 : packing_ == Packing::constant ? 23 : 40;
    gradient_unit_ = unit_for(extent.largest_gradient, std::min(wanted, room));
    hessian_unit_ = packing_ == Packing::constant
                        ? 1.0
                        : unit_for(extent.largest_hessian,
                                   packing_ == Packing::narrow ? 15 : std::min(36, room));
    const double g_scale = 1.0 / gradient_unit_, h_scale = 1.0 / hessian_unit_;
    share(chunks_of(rows, chunk_rows), rows, [&](Index chunk, Checkpoint&) {
        const Range range = chunk_of(chunk, rows, chunk_rows);
        std::int64_t* const words = words_.data();
        const auto each = [&](auto put) {  // what is asked once need not be asked for every row
            for (Index i = range.begin; i < range.end; ++i)
                put(i, whole(pairs[i].gradient * g_scale), whole(pairs[i].hessian * h_scale));
        };
        if (packing_ == Packing::narrow) {
            each([&](Index i, std::int64_t g, std::int64_t h) {
                words[i] = g * (std::int64_t{1} << 37) + (h << 11) + 1;
            });
        } else if (packing_ == Packing::constant) {
            each([&](Index i, std::int64_t g, std::int64_t) {
                words[i] = g * (std::int64_t{1} << 20) + 1;
            });
        } else {
            each([&](Index i, std::int64_t g, std::int64_t h) {
                words[2 * i] = g;
                words[2 * i + 1] = (h << 14) + 1;
            });
        }
        all.let_go(from + range.begin, from + range.end);
        let_go(range.begin, range.end);
    });
}

void add_rows(const BinnedRows& bins, const BinnedRows::Block& block, const PackedPairs& pairs,
              const std::int32_t* rows, Index first, Index size, bool afresh, Histogram& out) {
    const bool wide = pairs.packing() == Packing::wide;
    const Index limit = pairs.packing() == Packing::narrow     ? narrow_rows
                        : pairs.packing() == Packing::constant ? constant_rows
                                                               : wide_rows;
    const Index from = block.first * bin_slots;
    if (afresh)
        for (Index f = 0; f < block.count; ++f) {
            const Index at = from + f * bin_slots, length = bins.count(block.first + f) + 1;
            std::fill_n(out.gradient.data() + at, length, 0.0);
            std::fill_n(out.hessian.data() + at, length, 0.0);
            std::fill_n(out.count.data() + at, length, 0);
        }
    // all zero between calls: whoever unpacks it empties it
    thread_local std::vector<std::int64_t> sums(2 * block_features * bin_slots, 0);
    const Index words = wide ? 2 : 1;
    static_assert(sizeof(long long) == sizeof(std::int64_t));
    auto* const cells = reinterpret_cast<long long*>(sums.data());
    for (Index done = 0; done < size; done += limit) {
        const Index n = std::min(limit, size - done);
        tree::kernels().histogram_add(wide, block.count, block.bins.data(), block.stride,
                                      reinterpret_cast<const long long*>(pairs.words()),
                                      rows == nullptr ? nullptr : rows + done, first + done, n,
                                      cells);
        for (Index f = 0; f < block.count; ++f) {
            const Index at = from + f * bin_slots;
            tree::kernels().histogram_unpack(
                static_cast<int>(pairs.packing()), cells + f * bin_slots * words,
                bins.count(block.first + f) + 1, out.gradient.data() + at, out.hessian.data() + at,
                out.count.data() + at);
        }
    }
}

namespace {

template <class Combine>
void combine_feature(const BinnedRows& bins, Index f, const Histogram& other, Histogram& into,
                     const Combine& combine) {
    const Index from = f * bin_slots, to = from + bins.count(f) + 1;
    for (Index b = from; b < to; ++b) combine(into.gradient[b], other.gradient[b]);
    for (Index b = from; b < to; ++b) combine(into.hessian[b], other.hessian[b]);
    for (Index b = from; b < to; ++b) combine(into.count[b], other.count[b]);
}

}  // namespace

void merge_feature(const BinnedRows& bins, Index f, const Histogram& other, Histogram& into) {
    combine_feature(bins, f, other, into, [](auto& a, auto b) { a += b; });
}

void subtract_feature(const BinnedRows& bins, Index f, const Histogram& other, Histogram& into) {
    combine_feature(bins, f, other, into, [](auto& a, auto b) { a -= b; });
}

}  // namespace stylobate::boost
