// Memberships of rows in the components of a mixture, and sums of rows weighted by them.
#include "scan/kernels.hpp"
#include "scan/vectors.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

Vector* lane(double* at) {
    return reinterpret_cast<Vector*>(at);
}

double summed(Vector v) {
    double total = 0.0;
    for (Index i = 0; i < lanes; ++i) total += v[i];
    return total;
}

}  // namespace

void lane_memberships(double* scores, Index rows, Index classes, double* best, double* total,
                      double* inner) {
    for (Index k = 0; k < rows; k += lanes) {
        Vector most = *lane(scores + k);
        for (Index c = 1; c < classes; ++c) {
            const Vector s = *lane(scores + c * rows + k);
            most = choose(s > most, s, most);
        }
        Vector sum = {}, product = {};
        for (Index c = 0; c < classes; ++c) {
            Vector* own = lane(scores + c * rows + k);
            const Vector below = *own - most;
            *own = exp_of(below);
            sum += *own;
            product += choose(below < -800.0, Vector{}, *own * below);  // where 0 · −∞ would be NaN
        }
        const Vector share = 1.0 / sum;
        for (Index c = 0; c < classes; ++c) *lane(scores + c * rows + k) *= share;
        *lane(best + k) = most;
        *lane(total + k) = sum;
        *lane(inner + k) = product * share;
    }
}

// The last vector of a row begins early rather than late: what two vectors cover is written twice.
void pack_members(const double* a, Index lda, Index cols, const Index* which, Index count,
                  const double* shift, const double* root, double* out, Index ldo) {
    for (Index i = 0; i < count; ++i, out += ldo) {
        const double* row = a + which[i] * lda;
        const Vector factor = broadcast(root[i]);
        const auto moved = [&](Index j) {
            *reinterpret_cast<LooseVector*>(out + j) =
                (*reinterpret_cast<const LooseVector*>(row + j) -
                 *reinterpret_cast<const LooseVector*>(shift + j)) *
                factor;
        };
        Index j = 0;
        for (; j + lanes <= cols; j += lanes) moved(j);
        if (j < cols && cols > lanes)
            moved(cols - lanes);
        else
            for (; j < cols; ++j) out[j] = (row[j] - shift[j]) * root[i];
        out[cols] = root[i];
    }
}

void lane_moments(const double* z, Index groups, Index cols, const double* members,
                  const double* shift, double* first, double* second) {
    for (Index j = 0; j < cols; ++j) {
        Vector low = {}, high = {};
        const Vector s = broadcast(shift[j]);
        for (Index g = 0; g < groups; ++g)
            for (Index k = 0; k < lane_rows; k += lanes) {
                const Vector d =
                    *reinterpret_cast<const Vector*>(z + (g * cols + j) * lane_rows + k) - s;
                const Vector weighted =
                    *reinterpret_cast<const Vector*>(members + g * lane_rows + k) * d;
                low += weighted;
                high += weighted * d;
            }
        first[j] += summed(low);
        second[j] += summed(high);
    }
}

}  // namespace stylobate::STYLOBATE_ISA
