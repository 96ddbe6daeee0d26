#include "network/output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stylobate::network {
namespace {

double logistic(double z) {
    const double e = std::exp(-std::abs(z));
    return (z >= 0.0 ? 1.0 : e) / (1.0 + e);
}

// x·log(y), 0 at x = 0 whatever y is
double x_log_y(double x, double y) {
    return x == 0.0 && !std::isnan(y) ? 0.0 : x * std::log(y);
}

template <class T>
double loss_of(Output kind, T value, double y) {
    const double a = static_cast<double>(value);
    if (kind == Output::identity) return (y - a) * (y - a);
    if (kind == Output::exponential) return x_log_y(y, y / a) - y + a;
    // as in scikit-learn: probabilities are clipped by the precision they are held in
    constexpr double eps = static_cast<double>(std::numeric_limits<T>::epsilon());
    const double p = std::clamp(a, eps, 1.0 - eps);
    const double loss = -x_log_y(y, p);
    return kind == Output::softmax ? loss : loss - x_log_y(1.0 - y, 1.0 - p);
}

}  // namespace

template <class T>
void finish_row(Output kind, T* z, Index outputs) {
    if (kind == Output::identity) return;
    if (kind == Output::softmax) {
        const double top = static_cast<double>(*std::max_element(z, z + outputs));
        double sum = 0.0;
        for (Index j = 0; j < outputs; ++j) {
            const double e = std::exp(static_cast<double>(z[j]) - top);
            sum += e;
            z[j] = static_cast<T>(e);
        }
        for (Index j = 0; j < outputs; ++j) z[j] = static_cast<T>(static_cast<double>(z[j]) / sum);
        return;
    }
    for (Index j = 0; j < outputs; ++j) {
        const double x = static_cast<double>(z[j]);
        z[j] = static_cast<T>(kind == Output::logistic ? logistic(x) : std::exp(x));
    }
}

template <class T>
double row_loss(Output kind, const T* a, Index outputs, const Targets<T>& targets, Index row,
                T* delta) {
    const double weight = targets.weight(row);
    double loss = 0.0;
    for (Index j = 0; j < outputs; ++j) {
        const double y = targets(row, j, outputs);
        loss += loss_of(kind, a[j], y);
        delta[j] = static_cast<T>(weight * (static_cast<double>(a[j]) - y));
    }
    if (kind == Output::identity) loss *= 0.5 / static_cast<double>(outputs);
    return weight * loss;
}

template void finish_row(Output, float*, Index);
template void finish_row(Output, double*, Index);
template double row_loss(Output, const float*, Index, const Targets<float>&, Index, float*);
template double row_loss(Output, const double*, Index, const Targets<double>&, Index, double*);

}  // namespace stylobate::network
