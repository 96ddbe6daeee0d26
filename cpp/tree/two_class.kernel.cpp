// Splits of a node of two classes, all at once.
//
// With n draws on the left, m of them of the second class (N and M in the node), what a split gains
// over the node is a multiple of g = (m·N − n·M)² / (left · right), the sides' weights below. Here
// g is found in single precision, to leave out what cannot be best; who calls scores the rest.
//
// No standard headers, as in every kernel file.
#include "tree/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 4;
constexpr Index wide_lanes = STYLOBATE_VECTOR_BYTES / 8;
typedef unsigned Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef int Signed __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef float Floats __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef unsigned Unaligned
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(4), may_alias));
typedef float UnalignedFloats
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(4), may_alias));
typedef unsigned long long Words __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef long long Truths __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef long long UnalignedTruths
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));
typedef double Doubles __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef unsigned long long UnalignedWords
    __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(8), may_alias));

// Lanes moved up by a distance; zeros come in.
template <int distance>
Vector shifted(Vector v) {
    const Vector zero = {};
#define FROM(i) ((i) < distance ? lanes : (i) - distance)
#if STYLOBATE_VECTOR_BYTES == 64
    return __builtin_shufflevector(v, zero, FROM(0), FROM(1), FROM(2), FROM(3), FROM(4), FROM(5),
                                   FROM(6), FROM(7), FROM(8), FROM(9), FROM(10), FROM(11), FROM(12),
                                   FROM(13), FROM(14), FROM(15));
#elif STYLOBATE_VECTOR_BYTES == 32
    return __builtin_shufflevector(v, zero, FROM(0), FROM(1), FROM(2), FROM(3), FROM(4), FROM(5),
                                   FROM(6), FROM(7));
#else
    return __builtin_shufflevector(v, zero, FROM(0), FROM(1), FROM(2), FROM(3));
#endif
#undef FROM
}

// The same for wide lanes.
template <int distance>
Words shifted(Words v) {
    const Words zero = {};
#define FROM(i) ((i) < distance ? wide_lanes : (i) - distance)
#if STYLOBATE_VECTOR_BYTES == 64
    return __builtin_shufflevector(v, zero, FROM(0), FROM(1), FROM(2), FROM(3), FROM(4), FROM(5),
                                   FROM(6), FROM(7));
#elif STYLOBATE_VECTOR_BYTES == 32
    return __builtin_shufflevector(v, zero, FROM(0), FROM(1), FROM(2), FROM(3));
#else
    return __builtin_shufflevector(v, zero, FROM(0), FROM(1));
#endif
#undef FROM
}

template <int distance = 1>
Words running_sums(Words v) {
    if constexpr (distance < wide_lanes) {
        return running_sums<2 * distance>(v + shifted<distance>(v));
    }
    return v;
}

template <int distance = 1>
Vector running_sums(Vector v) {
    if constexpr (distance < lanes) return running_sums<2 * distance>(v + shifted<distance>(v));
    return v;
}

Floats numbers(Vector v) {
    return __builtin_convertvector(reinterpret_cast<Signed>(v), Floats);
}

Vector lane_numbers() {
    Vector v;
    for (Index i = 0; i < lanes; ++i) v[i] = static_cast<unsigned>(i);
    return v;
}

// Whole numbers below 2⁵² as doubles.
Doubles numbers(Words v) {
    constexpr double two_52 = 4503599627370496.0;
    return reinterpret_cast<Doubles>(v | 0x4330000000000000ull) - two_52;
}

struct StepSums {  // of the steps up to some, by lanes
    Doubles draws, ones;
};

StepSums sums_of(Words packed) {
    constexpr unsigned long long field = (1ull << StepCell::bits) - 1;
    return {numbers(packed & field), numbers((packed >> StepCell::bits) & field)};
}

StepSums sums_at(const unsigned long long* cells) {
    return sums_of(*reinterpret_cast<const UnalignedWords*>(cells));
}

struct StepGain {
    Doubles square, sides;  // g is their quotient
};

StepGain gain_of(const StepSums& left, const TwoClassNode& node) {
    const Doubles zeros = left.draws - left.ones;
    const Doubles cross = left.ones * node.draws - left.draws * node.ones;
    const Doubles below = zeros * node.weight[0] + left.ones * node.weight[1];
    const Doubles above = ((node.draws - node.ones) - zeros) * node.weight[0] +
                          (node.ones - left.ones) * node.weight[1];
    return {cross * cross, below * above};
}

}  // namespace

Index two_class_cuts(const unsigned* keys, Index n, const TwoClassKeys& form,
                     const TwoClassNode& node, Index least, float floor, TwoClassCut* out) {
    float gains[small_keys + lanes];
    unsigned sums[small_keys + lanes];
    const unsigned count_mask = (1u << form.count_bits) - 1;
    const int all = static_cast<int>(node.draws), ones = static_cast<int>(node.ones);
    const float w0 = static_cast<float>(node.weight[0]), w1 = static_cast<float>(node.weight[1]);
    const unsigned first = static_cast<unsigned>(least - 1);
    const unsigned choices = static_cast<unsigned>(n - 2 * least + 1);
    Vector carry = {};
    Floats most = Floats{} - 1.0f;
    for (Index i = 0; i < n; i += lanes) {
        const Vector key = *reinterpret_cast<const Unaligned*>(keys + i);
        const Vector next = *reinterpret_cast<const Unaligned*>(keys + i + 1);
        const Vector count = key & count_mask;
        const Vector second = 0u - ((key >> form.count_bits) & 1u);
        const Vector both = carry + running_sums(count + ((count & second) << 16));
        carry = Vector{} + both[lanes - 1];
        const Vector draws = both & 0xFFFFu, of_second = both >> 16;
        const Floats cross = __builtin_convertvector(
            reinterpret_cast<Signed>(of_second) * all - reinterpret_cast<Signed>(draws) * ones,
            Floats);
        const Floats left = numbers(draws - of_second) * w0 + numbers(of_second) * w1;
        const Floats right = numbers(static_cast<unsigned>(all - ones) - (draws - of_second)) * w0 +
                             numbers(static_cast<unsigned>(ones) - of_second) * w1;
        const Vector place = lane_numbers() + static_cast<unsigned>(i) - first;
        const auto valid = ((key ^ next) >> form.rank_shift != 0u) & (place < choices);
        const Floats gain = valid ? cross * cross / (left * right) : Floats{} - 1.0f;
        most = gain > most ? gain : most;
        *reinterpret_cast<UnalignedFloats*>(gains + i) = gain;
        *reinterpret_cast<Unaligned*>(sums + i) = both;
    }
    float best = -1.0f;
    for (Index i = 0; i < lanes; ++i) best = most[i] > best ? most[i] : best;
    if (best < 0.0f || best < floor) return 0;
    const float near = best * form.margin - form.slack;
    const float limit = near > floor ? near : floor;
    Index found = 0;
    for (Index i = 0; i < n; ++i) {
        if (gains[i] < limit || gains[i] < 0.0f) continue;
        out[found++] = {static_cast<int>(i), sums[i] & 0xFFFFu, sums[i] >> 16, gains[i]};
    }
    return found;
}

Index two_class_codes(const unsigned long long* cells, Index codes, unsigned long long before,
                      const TwoClassNode& node, const TwoClassRule& rule, TwoClassCut* out) {
    constexpr Index most_codes = 256;
    alignas(64) double gains[most_codes];
    alignas(64) unsigned long long sums[most_codes];
    constexpr int above = 2 * StepCell::bits;
    const unsigned long long first = static_cast<unsigned long long>(rule.least) << above;
    const unsigned long long past = static_cast<unsigned long long>(rule.rows - rule.least + 1)
                                    << above;
    Words carry = Words{} + before;
    Doubles most = Doubles{} - 1.0;
    for (Index i = 0; i < codes; i += wide_lanes) {
        const Words some = *reinterpret_cast<const UnalignedWords*>(cells + i);
        const Words packed = carry + running_sums(some);
        carry = Words{} + packed[wide_lanes - 1];
        const StepGain parts = gain_of(sums_of(packed), node);
        const auto allowed = (some != 0ull) & (packed >= first) & (packed < past);
        const Doubles gain = allowed ? parts.square / parts.sides : Doubles{} - 1.0;
        most = gain > most ? gain : most;
        *reinterpret_cast<Doubles*>(gains + i) = gain;
        *reinterpret_cast<Words*>(sums + i) = packed;
    }
    double best = -1.0;
    for (Index i = 0; i < wide_lanes; ++i) best = most[i] > best ? most[i] : best;
    if (best < 0.0 || best < rule.floor) return 0;
    const double near = best * rule.margin - rule.slack;
    const double high = near > rule.floor ? near : rule.floor, limit = high > 0.0 ? high : 0.0;
    constexpr unsigned field = (1u << StepCell::bits) - 1;
    Index found = 0;
    for (Index lane = 0; lane < wide_lanes; ++lane) {
        if (most[lane] < limit) continue;
        for (Index i = lane; i < codes; i += wide_lanes) {
            if (gains[i] < limit) continue;
            out[found++] = {static_cast<int>(i), static_cast<unsigned>(sums[i]) & field,
                            static_cast<unsigned>(sums[i] >> StepCell::bits) & field,
                            static_cast<float>(gains[i])};
        }
    }
    return found;
}

float best_step_gain(const unsigned long long* cells, Index steps, const TwoClassNode& node,
                     Index least) {
    const unsigned long long first = static_cast<unsigned long long>(least) << 2 * StepCell::bits;
    const unsigned long long rows = cells[steps] >> 2 * StepCell::bits;
    if (rows < 2 * static_cast<unsigned long long>(least)) return -1.0f;
    const unsigned long long past = (rows - static_cast<unsigned long long>(least) + 1)
                                    << 2 * StepCell::bits;
    Doubles most = Doubles{} - 1.0;
    for (Index i = 0; i < steps; i += wide_lanes) {
        const StepGain gain = gain_of(sums_at(cells + i + 1), node);
        const Words packed = *reinterpret_cast<const UnalignedWords*>(cells + i + 1);
        const auto allowed = (packed >= first) & (packed < past);
        const Doubles g = gain.square / gain.sides;
        most = (allowed & (g > most)) ? g : most;
    }
    double best = -1.0;
    for (Index i = 0; i < wide_lanes; ++i) best = most[i] > best ? most[i] : best;
    return static_cast<float>(best);
}

bool open_steps(const unsigned long long* cells, Index steps, const TwoClassNode& node, float floor,
                long long* open) {
    const double limit = floor;
    Truths any = {};
    for (Index i = 0; i < steps; i += wide_lanes) {
        const StepSums before = sums_at(cells + i), after = sums_at(cells + i + 1);
        const Doubles ones = after.ones - before.ones;
        const Doubles zeros = after.draws - before.draws - ones;
        const auto high = [&](const StepSums& sums) -> Truths {
            const StepGain gain = gain_of(sums, node);
            return gain.square > limit * gain.sides;
        };
        const Truths corners = high(before) | high(after) |
                               high({before.draws + ones, after.ones}) |
                               high({before.draws + zeros, before.ones});
        const Truths is_open =
            (corners | Truths(Doubles{} >= limit)) & (after.draws > before.draws);
        *reinterpret_cast<UnalignedTruths*>(open + i) = is_open;
        any |= is_open;
    }
    long long found = 0;
    for (Index i = 0; i < wide_lanes; ++i) found |= any[i];
    return found != 0;
}

}  // namespace stylobate::STYLOBATE_ISA
