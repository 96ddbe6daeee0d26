// One epoch of a neighbour layout, sixteen pairs of points at a time.
//
// A row is drawn to its neighbours and pushed from strangers. The attraction Σ c (y_j − y_i) is taken
// with y_i as it will be, not as it is (backward Euler): the step is divided by 1 + step · Σ c, so that
// all rows can move at once without overshooting, whatever the learning rate.
#include "embed/layout_kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

constexpr Index lanes = STYLOBATE_VECTOR_BYTES / sizeof(float);
static_assert(layout::pairs_at_once % lanes == 0);
typedef float Floats __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));
typedef std::int32_t Whole __attribute__((vector_size(STYLOBATE_VECTOR_BYTES)));

constexpr float nearest_square = 1e-8F;  // nearer points attract as if this far apart
constexpr float softening = 1e-3F;       // of repulsion between points that coincide
constexpr float most_push = 4.0F;        // of one stranger, for an attraction of 1

[[gnu::always_inline]] inline Floats all(float x) {
    return x - Floats{};
}
[[gnu::always_inline]] inline Floats larger(Floats x, Floats y) {
    return x > y ? x : y;
}

// x^b for x > 0, to some six digits.
[[gnu::always_inline]] inline Floats power(Floats x, float b) {
    const Whole bits = (Whole)x;
    const Whole exponent = (bits - 0x3F3504F3) >> 23;  // the mantissa is within √½ … √2
    const Floats m = (Floats)(bits - (exponent << 23));
    const Floats s = (m - 1.0F) / (m + 1.0F), q = s * s;
    const Floats log = __builtin_convertvector(exponent, Floats) +
                       s * (2.8853901F + q * (0.96179669F + q * (0.57707802F + q * 0.4121986F)));
    Floats t = larger(b * log, all(-120.0F));
    t = t < all(120.0F) ? t : all(120.0F);
    const Floats whole = (t + 12582912.0F) - 12582912.0F;  // to the nearest whole number
    const Floats f = t - whole;
    const Floats value =
        1.0F + f * (0.69314718F +
                    f * (0.24022651F + f * (0.05550411F + f * (0.00961813F + f * 0.00133336F))));
    return value * (Floats)((__builtin_convertvector(whole, Whole) + 127) << 23);
}

// 1 / √x to some five digits: a guess from the exponent, and Newton's steps.
[[gnu::always_inline]] inline Floats inverse_root(Floats x) {
    Floats y = (Floats)(0x5F375A86 - ((Whole)x >> 1));
    for (int step = 0; step < 2; ++step) y = y * (1.5F - 0.5F * x * y * y);
    return y;
}

[[gnu::always_inline]] inline float sum(Floats v) {
    float total = 0.0F;
    for (Index l = 0; l < lanes; ++l) total += v[l];
    return total;
}

// One row, its forces and the points it meets; D dimensions, or any number where D is 0.
template <Index D>
struct Mover {
    static constexpr Index most = D > 0 ? D : layout::most_dimensions;
    const layout::LayoutRows& rows;
    Index dimensions;
    const float* own = nullptr;
    Floats apart[most], forces[most], stiffness;

    explicit Mover(const layout::LayoutRows& moved)
        : rows(moved), dimensions(D > 0 ? D : moved.dimensions) {}

    void begin(Index row) {
        own = rows.positions + row * dimensions;
        for (Index c = 0; c < dimensions; ++c) forces[c] = Floats{};
        stiffness = Floats{};
    }

    // Differences from the row to points, and their squared lengths.
    Floats meet(const std::int32_t* numbers) {
        Floats squares{};
        for (Index c = 0; c < dimensions; ++c) {
            const float* const points = rows.points + c;
            Floats there;
            for (Index l = 0; l < lanes; ++l)
                there[l] = points[static_cast<Index>(numbers[l]) * dimensions];
            apart[c] = there - own[c];
            squares += apart[c] * apart[c];
        }
        return larger(squares, all(nearest_square));
    }
    void add(Floats factors) {
        for (Index c = 0; c < dimensions; ++c) forces[c] += factors * apart[c];
    }

    void attract(const std::int32_t* numbers, Floats weights, float a, float b) {
        const Floats x = meet(numbers), raised = power(x, b);
        const Floats factors = weights * (2.0F * a * b) * raised / (x * (1.0F + a * raised));
        stiffness += factors;
        add(factors);
    }
    void repel(const std::int32_t* numbers, float strength, float a, float b) {
        const Floats x = meet(numbers);
        const Floats force = (-2.0F * b) / ((softening + x) * (1.0F + a * power(x, b)));
        const Floats bounded = larger(force, -most_push * inverse_root(x));
        add(strength * bounded);
    }
};

template <Index D>
void neighbours(Mover<D>& mover, const layout::LayoutRows& rows, Index row, layout::Curve curve) {
    const Index end = rows.offsets[row + 1];
    for (Index e = rows.offsets[row]; e < end; e += lanes) {
        std::int32_t numbers[lanes];
        Floats weights{};
        if (end - e >= lanes) {
            __builtin_memcpy(&weights, rows.weights + e, sizeof(weights));
            mover.attract(rows.columns + e, weights, curve.a, curve.b);
            continue;
        }
        for (Index l = 0; l < lanes; ++l) {
            numbers[l] = rows.columns[e + l < end ? e + l : e];
            weights[l] = e + l < end ? rows.weights[e + l] : 0.0F;
        }
        mover.attract(numbers, weights, curve.a, curve.b);
    }
}

template <Index D>
void move_rows(const layout::LayoutRows& rows, const layout::LayoutEpoch& epoch, Index first,
               Index last, const std::int32_t* strangers, const float* loads, float* moved,
               float* steps) {
    Mover<D> mover(rows);
    const Index d = mover.dimensions;
    for (Index i = first; i < last; ++i) {
        mover.begin(i);
        neighbours(mover, rows, i, epoch.curve);
        const float strength = epoch.repulsion * loads[i] / static_cast<float>(epoch.draws);
        const std::int32_t* const drawn = strangers + (i - first) * epoch.draws;
        for (Index e = 0; e < epoch.draws; e += lanes)
            mover.repel(drawn + e, strength, epoch.curve.a, epoch.curve.b);
        const float scale = epoch.anneal * epoch.step / (1.0F + epoch.step * sum(mover.stiffness));
        for (Index c = 0; c < d; ++c) {
            const float step = epoch.momentum * steps[i * d + c] + scale * sum(mover.forces[c]);
            steps[i * d + c] = step;
            moved[i * d + c] = mover.own[c] + step;
        }
    }
}

}  // namespace

void layout_rows(const layout::LayoutRows& rows, const layout::LayoutEpoch& epoch, Index first,
                 Index last, const std::int32_t* strangers, const float* loads, float* moved,
                 float* steps) {
    const auto move = rows.dimensions == 1   ? move_rows<1>
                      : rows.dimensions == 2 ? move_rows<2>
                      : rows.dimensions == 3 ? move_rows<3>
                                             : move_rows<0>;
    move(rows, epoch, first, last, strangers, loads, moved, steps);
}

}  // namespace stylobate::STYLOBATE_ISA
