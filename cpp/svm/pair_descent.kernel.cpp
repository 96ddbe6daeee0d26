// The passes of pair descent over all variables.
//
// Each lane keeps the best it met and its place; two sets of lanes take turns, for a comparison
// waits for the one before it. Ties go to the first place, so every instruction set finds the same.
#include "scan/vectors.hpp"
#include "svm/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using svm::Best;
using svm::Partner;
using svm::Riser;

constexpr double infinite = __builtin_inf();
constexpr int turns = 2;

typedef float HalfVector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES / 2)));

Vector load(const double* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}
Vector load(const float* p) {
    HalfVector v;
    __builtin_memcpy(&v, p, sizeof(v));
    return __builtin_convertvector(v, Vector);
}

Vector first_places() {
    Vector v;
    for (Index h = 0; h < lanes; ++h) v[h] = static_cast<double>(h);
    return v;
}

// wide(j, places, turn) for every `lanes` variables from j on, narrow(j) for each of the last few.
template <class Wide, class Narrow>
void pass(Index n, const Wide& wide, const Narrow& narrow) {
    constexpr Index both = turns * lanes;
    Vector places = first_places();
    Index j = 0;
    for (; j + both <= n; j += both) {
        for (int t = 0; t < turns; ++t) {
            wide(j + t * lanes, places, t);
            places += static_cast<double>(lanes);
        }
    }
    for (; j < n; ++j) narrow(j);
}

// The largest number each lane met.
struct Largest {
    Vector value[turns], place[turns];
    Best last{-infinite, -1};  // of the variables that fill no vector

    Largest() {
        for (int t = 0; t < turns; ++t) value[t] = broadcast(-infinite), place[t] = broadcast(-1.0);
    }
    void see(Vector v, Vector at, int t) {
        const Whole more = v > value[t];
        value[t] = more ? v : value[t];
        place[t] = more ? at : place[t];
    }
    void see(double v, Index at) {
        if (v > last.value) last = {v, at};
    }
    Best best() const {
        Best found{-infinite, -1};
        for (int t = 0; t < turns; ++t)
            for (Index h = 0; h < lanes; ++h) {
                const auto at = static_cast<Index>(place[t][h]);
                const bool sooner = value[t][h] == found.value && at < found.place;
                if (value[t][h] > found.value || sooner) found = {value[t][h], at};
            }
        return last.value > found.value ? last : found;
    }
};

Best largest_sum(const double* s, const double* lift, Index n) {
    Largest top;
    pass(
        n, [&](Index j, Vector at, int t) { top.see(load(s + j) + load(lift + j), at, t); },
        [&](Index j) { top.see(s[j] + lift[j], j); });
    return top.best();
}

// The pair of most gain above²/curve each lane met, compared as fractions: products are many times
// as quick as quotients. −1 stands for the square of those that promise nothing.
struct Promises {
    Vector square[turns], curve[turns], place[turns];

    Promises() {
        for (int t = 0; t < turns; ++t)
            square[t] = broadcast(-1.0), curve[t] = broadcast(1.0), place[t] = broadcast(-1.0);
    }
    void see(Vector above, Vector c, Vector at, int t) {
        const Vector none = broadcast(-1.0);
        const Vector q = above > 0.0 ? above * above : none;
        const Whole more = q * curve[t] > square[t] * c;
        square[t] = more ? q : square[t];
        curve[t] = more ? c : curve[t];
        place[t] = more ? at : place[t];
    }
    Best best() const {
        Best found{-infinite, -1};
        for (int t = 0; t < turns; ++t) {
            const Vector gain = square[t] / curve[t];
            for (Index h = 0; h < lanes; ++h) {
                if (!(square[t][h] >= 0.0)) continue;
                const auto at = static_cast<Index>(place[t][h]);
                const bool sooner = gain[h] == found.value && at < found.place;
                if (gain[h] > found.value || sooner) found = {gain[h], at};
            }
        }
        return found;
    }
};

template <class T>
Partner partner(const T* row, const double* diagonal, const double* s, const double* lift, Index n,
                const Riser& riser) {
    Promises promises;
    Best last{-infinite, -1};
    Vector least[turns] = {broadcast(infinite), broadcast(infinite)};
    double lowest = infinite;
    const Vector floor = broadcast(riser.floor);
    pass(
        n,
        [&](Index j, Vector at, int t) {
            const Vector value = load(s + j) + load(lift + j);
            least[t] = value < least[t] ? value : least[t];
            const Vector curve = (riser.diagonal + load(diagonal + j)) - 2.0 * load(row + j);
            promises.see(riser.residual - value, curve > floor ? curve : floor, at, t);
        },
        [&](Index j) {
            const double value = s[j] + lift[j], above = riser.residual - value;
            lowest = value < lowest ? value : lowest;
            const double curve = (riser.diagonal + diagonal[j]) - 2.0 * static_cast<double>(row[j]);
            const double gain = above * above / (curve > riser.floor ? curve : riser.floor);
            if (above > 0.0 && gain > last.value) last = {gain, j};
        });
    for (const Vector& each : least)
        for (Index h = 0; h < lanes; ++h) lowest = each[h] < lowest ? each[h] : lowest;
    Best found = promises.best();
    if (last.value > found.value) found = last;
    return {found.place, found.value, lowest};
}

template <class T>
Best move(const T* up, const T* down, double step, double* s, const double* lift, Index n) {
    Largest top;
    pass(
        n,
        [&](Index j, Vector at, int t) {
            const Vector value = load(s + j) - step * (load(up + j) - load(down + j));
            __builtin_memcpy(s + j, &value, sizeof(value));
            top.see(value + load(lift + j), at, t);
        },
        [&](Index j) {
            s[j] -= step * (static_cast<double>(up[j]) - static_cast<double>(down[j]));
            top.see(s[j] + lift[j], j);
        });
    return top.best();
}

}  // namespace

Best svm_largest(const double* s, const double* lift, Index n) {
    return largest_sum(s, lift, n);
}

Partner svm_partner_f64(const double* row, const double* diagonal, const double* s,
                        const double* lift, Index n, const Riser& riser) {
    return partner<double>(row, diagonal, s, lift, n, riser);
}

Partner svm_partner_f32(const float* row, const double* diagonal, const double* s,
                        const double* lift, Index n, const Riser& riser) {
    return partner<float>(row, diagonal, s, lift, n, riser);
}

Best svm_move_f64(const double* up, const double* down, double step, double* s, const double* lift,
                  Index n) {
    return move<double>(up, down, step, s, lift, n);
}

Best svm_move_f32(const float* up, const float* down, double step, double* s, const double* lift,
                  Index n) {
    return move<float>(up, down, step, s, lift, n);
}

}  // namespace stylobate::STYLOBATE_ISA
