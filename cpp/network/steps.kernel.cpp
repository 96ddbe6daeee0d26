// Steps of optimisers, one pass over weights, sums of gradients and what is remembered of them.
#include "network/kernels.hpp"
#include "tile/roots.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using network::Step;
using network::Weights;

template <class T>
struct Lanes;
template <>
struct Lanes<float> {
    typedef Singles Value;
    typedef float Loose __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), aligned(4), may_alias));
};
template <>
struct Lanes<double> {
    typedef Vector Value;
    typedef LooseVector Loose;
};

// body(weights, sums, first, second) changes its vectors; the last few entries are padded.
template <class T, class Body>
double over(const Weights<T>& w, const T* sums, const Body& body) {
    using Value = typename Lanes<T>::Value;
    using Loose = typename Lanes<T>::Loose;
    constexpr Index width = STYLOBATE_VECTOR_BYTES / static_cast<Index>(sizeof(T));
    double squares = 0.0;
    Index i = 0;
    while (i < w.count) {
        // squares of a run in single precision, the runs in double
        const Index end = i + 32 * width < w.count ? i + 32 * width : w.count;
        Value square = {};
        for (; i + width <= end; i += width) {
            Value value = *reinterpret_cast<const Loose*>(w.value + i);
            Value first = *reinterpret_cast<const Loose*>(w.first + i), second = {};
            if (w.second != nullptr) second = *reinterpret_cast<const Loose*>(w.second + i);
            square += value * value;
            body(value, *reinterpret_cast<const Loose*>(sums + i), first, second);
            *reinterpret_cast<Loose*>(w.value + i) = value;
            *reinterpret_cast<Loose*>(w.first + i) = first;
            if (w.second != nullptr) *reinterpret_cast<Loose*>(w.second + i) = second;
        }
        if (i < end) {
            const Index rest = end - i;
            Value value = {}, sum = {}, first = {}, second = {};
            for (Index k = 0; k < rest; ++k) {
                value[k] = w.value[i + k], sum[k] = sums[i + k], first[k] = w.first[i + k];
                if (w.second != nullptr) second[k] = w.second[i + k];
            }
            square += value * value;
            body(value, sum, first, second);
            for (Index k = 0; k < rest; ++k) {
                w.value[i + k] = value[k], w.first[i + k] = first[k];
                if (w.second != nullptr) w.second[i + k] = second[k];
            }
            i = end;
        }
        for (Index k = 0; k < width; ++k) squares += static_cast<double>(square[k]);
    }
    return squares;
}

template <class T>
double adam_step(const Weights<T>& w, const T* sums, const Step& s) {
    using Value = typename Lanes<T>::Value;
    const T decay = static_cast<T>(s.decay), scale = static_cast<T>(s.scale);
    const T b1 = static_cast<T>(s.first), c1 = static_cast<T>(1.0 - s.first);
    const T b2 = static_cast<T>(s.second);
    const T c2 = static_cast<T>(s.forgets ? 1.0 - s.second : 1.0);
    const T rate = static_cast<T>(s.rate), epsilon = static_cast<T>(s.epsilon);
    return over(w, sums, [&](Value& value, Value sum, Value& first, Value& second) {
        const Value gradient = (sum + decay * value) * scale;
        first = b1 * first + c1 * gradient;
        second = b2 * second + c2 * (gradient * gradient);
        value -= rate * first / (root_of(second) + epsilon);
    });
}

template <class T>
double momentum_step(const Weights<T>& w, const T* sums, const Step& s) {
    using Value = typename Lanes<T>::Value;
    const T decay = static_cast<T>(s.decay), scale = static_cast<T>(s.scale);
    const T share = static_cast<T>(s.first), rate = static_cast<T>(s.rate);
    return over(w, sums, [&](Value& value, Value sum, Value& velocity, Value&) {
        const Value down = rate * ((sum + decay * value) * scale);
        velocity = share * velocity - down;
        value += s.nesterov ? share * velocity - down : velocity;
    });
}

}  // namespace

double adam_f32(const Weights<float>& w, const float* sums, const Step& step) {
    return adam_step(w, sums, step);
}
double adam_f64(const Weights<double>& w, const double* sums, const Step& step) {
    return adam_step(w, sums, step);
}
double momentum_f32(const Weights<float>& w, const float* sums, const Step& step) {
    return momentum_step(w, sums, step);
}
double momentum_f64(const Weights<double>& w, const double* sums, const Step& step) {
    return momentum_step(w, sums, step);
}

}  // namespace stylobate::STYLOBATE_ISA
