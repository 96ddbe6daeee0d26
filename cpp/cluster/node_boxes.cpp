#include "cluster/node_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stylobate/errors.hpp"

namespace stylobate::cluster {
namespace {

using tile::Measure;
using tile::Partition;

// How the differences of columns add up: the value so far and one more difference, not negative.
struct Squares {
    double operator()(double sum, double t) const { return sum + t * t; }
};
struct Absolutes {
    double operator()(double sum, double t) const { return sum + t; }
};
struct Largest {
    double operator()(double sum, double t) const { return std::max(sum, t); }
};
struct Powers {
    double p;
    double operator()(double sum, double t) const { return sum + std::pow(t, p); }
};

}  // namespace

NodeBoxes::NodeBoxes(const Partition& partition, const tile::TreeMetric& metric)
    : measure_(metric.measure),
      p_(metric.p),
      cols_(partition.cols()),
      sides_(static_cast<std::size_t>(area(2 * partition.leaves() - 1, 2 * partition.cols()))) {
    if (measure_ != Measure::squared && measure_ != Measure::manhattan &&
        measure_ != Measure::chebyshev && measure_ != Measure::power)
        throw InvalidArgument("boxes take squared, manhattan, chebyshev and power");
    fill(partition, partition.root());
}

void NodeBoxes::fill(const Partition& partition, const Partition::Range& range) {
    double* const here = sides_.data() + range.node * 2 * cols_;
    if (range.leaves == 1) {
        const double* column = partition.block(range.leaf);
        for (Index l = 0; l < cols_; ++l, column += Partition::width) {
            const auto [least, most] =
                std::minmax_element(column, column + partition.count(range.leaf));
            here[l] = *least, here[cols_ + l] = *most;
        }
        return;
    }
    fill(partition, range.first());
    fill(partition, range.second());
    const double *const a = low(range.first().node), *const b = low(range.second().node);
    for (Index l = 0; l < cols_; ++l) {
        here[l] = std::min(a[l], b[l]);
        here[cols_ + l] = std::max(a[cols_ + l], b[cols_ + l]);
    }
}

template <class Take>
auto NodeBoxes::measured(const Take& take) const {
    switch (measure_) {
        case Measure::manhattan:
            return take(Absolutes{});
        case Measure::chebyshev:
            return take(Largest{});
        case Measure::power:
            return take(Powers{p_});
        default:
            return take(Squares{});
    }
}

NodeBoxes::Bounds NodeBoxes::between(Index one, Index other) const {
    const double *const a = low(one), *const b = low(other);
    return measured([&](const auto& add) {
        Bounds bounds{0.0, 0.0};
        for (Index l = 0; l < cols_; ++l) {
            const double left = a[l] - b[cols_ + l], right = b[l] - a[cols_ + l];
            bounds.near = add(bounds.near, std::max({left, right, 0.0}));
            bounds.far = add(bounds.far, std::max(-left, -right));
        }
        return bounds;
    });
}

double NodeBoxes::near(const double* row, Index node) const {
    const double* const a = low(node);
    return measured([&](const auto& add) {
        double sum = 0.0;
        for (Index l = 0; l < cols_; ++l)
            sum = add(sum, std::max({a[l] - row[l], row[l] - a[cols_ + l], 0.0}));
        return sum;
    });
}

}  // namespace stylobate::cluster
