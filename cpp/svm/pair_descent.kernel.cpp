// The passes of pair descent over all variables.
//
// A pass keeps the best value of blocks of numbers in vectors and looks for its place in the best
// block alone. Ties go to the first place, so every instruction set finds the same one.
#include "scan/vectors.hpp"
#include "svm/kernels.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

using svm::Best;
using svm::Partner;
using svm::Riser;

constexpr Index block = 256;
constexpr double infinite = __builtin_inf();

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

double largest_lane(Vector v) {
    double most = v[0];
    for (Index h = 1; h < lanes; ++h) most = v[h] > most ? v[h] : most;
    return most;
}

// The largest of wide(j) (of `lanes` places from j) and narrow(j) (of one) over 0 … n − 1.
template <class Wide, class Narrow>
Best largest(Index n, const Wide& wide, const Narrow& narrow) {
    Best best{-infinite, -1};
    Index from = 0;
    for (Index b = 0; b < n; b += block) {
        const Index end = b + block < n ? b + block : n;
        Vector most = broadcast(-infinite);
        Index j = b;
        for (; j + lanes <= end; j += lanes) {
            const Vector v = wide(j);
            most = choose(v > most, v, most);
        }
        double top = largest_lane(most);
        for (; j < end; ++j) {
            const double v = narrow(j);
            top = v > top ? v : top;
        }
        if (top > best.value) best.value = top, from = b, best.place = 0;
    }
    return best.place < 0 ? best : Best{best.value, from};
}

// The first place from `best.place` on that has the value.
template <class Value>
Best placed(Best best, Index n, const Value& value) {
    if (best.place < 0) return best;
    for (Index j = best.place; j < n; ++j)
        if (value(j) == best.value) return {best.value, j};
    return {best.value, -1};
}

Best largest_sum(const double* s, const double* lift, Index n) {
    return placed(largest(
                      n, [&](Index j) { return load(s + j) + load(lift + j); },
                      [&](Index j) { return s[j] + lift[j]; }),
                  n, [&](Index j) { return s[j] + lift[j]; });
}

// The gains of the lanes from j on; of one place where it is the last few, the others repeat it.
template <class T>
Partner partner(const T* row, const double* diagonal, const double* s, const double* lift, Index n,
                const Riser& riser) {
    Vector least = broadcast(infinite);
    const auto gains = [&](Vector k, Vector d, Vector value) {
        least = choose(value < least, value, least);
        const Vector curve = (riser.diagonal + d) - 2.0 * k;
        const Vector above = riser.residual - value;
        const Vector safe = choose(curve > riser.floor, curve, broadcast(riser.floor));
        return choose(above > 0.0, above * above / safe, broadcast(-infinite));
    };
    const auto one = [&](Index j) {
        return gains(broadcast(static_cast<double>(row[j])), broadcast(diagonal[j]),
                     broadcast(s[j] + lift[j]))[0];
    };
    const auto many = [&](Index j) {
        return gains(load(row + j), load(diagonal + j), load(s + j) + load(lift + j));
    };
    const Best found = largest(n, many, one);
    Index place = -1;
    if (found.place >= 0)
        for (Index j = found.place; j < n && place < 0; j += lanes) {
            const Index count = n - j < lanes ? n - j : lanes;
            for (Index h = 0; h < count && place < 0; ++h)
                if (one(j + h) == found.value) place = j + h;
        }
    double lowest = least[0];
    for (Index h = 1; h < lanes; ++h) lowest = least[h] < lowest ? least[h] : lowest;
    return {place, found.value, lowest};
}

template <class T>
Best move(const T* up, const T* down, double step, double* s, const double* lift, Index n) {
    const auto many = [&](Index j) {
        const Vector value = load(s + j) - step * (load(up + j) - load(down + j));
        __builtin_memcpy(s + j, &value, sizeof(value));
        return value + load(lift + j);
    };
    const auto one = [&](Index j) {
        s[j] -= step * (static_cast<double>(up[j]) - static_cast<double>(down[j]));
        return s[j] + lift[j];
    };
    return placed(largest(n, many, one), n, [&](Index j) { return s[j] + lift[j]; });
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
