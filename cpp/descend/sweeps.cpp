#include "descend/sweeps.hpp"

namespace stylobate::descend {
namespace {

// vᵢ ← vᵢ − shareᵢ vₖ in the second moments W of the vectors: W − s hᵀ − h sᵀ, h = Wₖ − ½ Wₖₖ s.
void turn(double* w, Index q, Index k, const double* share, double* half) {
    const double own = 0.5 * w[k * q + k];
    for (Index i = 0; i < q; ++i) half[i] = w[k * q + i] - own * share[i];
    for (Index i = 0; i < q; ++i) {
        double* row = w + i * q;
        const double s = share[i], h = half[i];
        for (Index j = 0; j < q; ++j) row[j] -= s * half[j] + h * share[j];
    }
}

}  // namespace

void flip(const Swept& state, Index k, bool goes_in, double* column, double* share) {
    const Index q = state.q;
    double* a = state.training;
    const double pivot = a[k * q + k];
    for (Index i = 0; i < q; ++i) share[i] = a[k * q + i] / pivot;
    if (state.validation != nullptr) {
        const double kept = share[k];
        share[k] = 1.0 - (goes_in ? 1.0 : -1.0) / pivot;  // the vector of k itself is only scaled
        turn(state.validation, q, k, share, column);
        share[k] = kept;
    }
    for (Index i = 0; i < q; ++i) column[i] = a[k * q + i];
    for (Index i = 0; i < q; ++i) {
        double* row = a + i * q;
        const double c = column[i];
        for (Index j = 0; j < q; ++j) row[j] -= c * share[j];
    }
    const double sign = goes_in ? 1.0 : -1.0;
    for (Index i = 0; i < q; ++i) a[k * q + i] = a[i * q + k] = sign * share[i];
    a[k * q + k] = -1.0 / pivot;
}

double training_squares(const Swept& state, Index k, Index y) {
    const double* a = state.training;
    const Index q = state.q;
    return a[y * q + y] - a[k * q + y] * a[k * q + y] / a[k * q + k];
}

double validation_squares(const Swept& state, Index k, Index y) {
    const double *a = state.training, *w = state.validation;
    const Index q = state.q;
    const double step = a[k * q + y] / a[k * q + k];
    return w[y * q + y] - step * (2.0 * w[k * q + y] - step * w[k * q + k]);
}

}  // namespace stylobate::descend
