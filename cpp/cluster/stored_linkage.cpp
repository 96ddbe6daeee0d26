#include "cluster/stored_linkage.hpp"

#include <cmath>

#include "cluster/agglomeration.hpp"
#include "cluster/triangle.hpp"

namespace stylobate::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Recurrences of Lance & Williams (1967): the value of a third cluster of `size` and the union,
// from its values to both parts, of sizes a and b, and that of the parts. Of squares where
// `squares`.
struct Complete {
    static constexpr bool squares = false;
    static double of(double x, double y, double, double, double, double) { return x > y ? x : y; }
};
struct Average {
    static constexpr bool squares = false;
    static double of(double x, double y, double, double a, double b, double) {
        return (a * x + b * y) / (a + b);
    }
};
struct Weighted {
    static constexpr bool squares = false;
    static double of(double x, double y, double, double, double, double) { return 0.5 * (x + y); }
};
struct Ward {
    static constexpr bool squares = true;
    static double of(double x, double y, double xy, double a, double b, double size) {
        return ((a + size) * x + (b + size) * y - size * xy) / (a + b + size);
    }
};
struct Centroid {
    static constexpr bool squares = true;
    static double of(double x, double y, double xy, double a, double b, double) {
        return (a * x + b * y - a * b * xy / (a + b)) / (a + b);
    }
};
struct Median {
    static constexpr bool squares = true;
    static double of(double x, double y, double xy, double, double, double) {
        return 0.5 * x + 0.5 * y - 0.25 * xy;
    }
};

template <class Recurrence>
class Stored {
 public:
    static constexpr bool closes_ranks = true;
    Stored(double* values, const std::vector<Item>& items)
        : triangle_(values, static_cast<Index>(items.size())) {
        for (const Item& item : items) sizes_.push_back(item.size);
        if constexpr (Recurrence::squares)
            for (Index k = 0; k < Triangle::entries(triangle_.size()); ++k) values[k] *= values[k];
    }

    Near nearest_after(Index i) const {
        const Index count = triangle_.size() - i - 1;
        if (count == 0) return {};
        const double* const row = &triangle_.row(i)[i + 1];
        const Index j = linkage::kernels().least_entry(row, count);
        return row[j] < infinity ? Near{i + 1 + j, row[j]} : Near{};
    }
    Near nearest(Index i) const {
        Near best;
        for (Index j = 0; j < i; ++j) {
            const double value = triangle_.row(j)[i];
            if (value < best.value) best = {j, value};
        }
        const Near later = nearest_after(i);
        return later.value < best.value ? later : best;
    }
    double value(Index i, Index j) const { return triangle_.at(i, j); }
    double height(double value) const {
        return Recurrence::squares ? std::sqrt(std::max(value, 0.0)) : value;
    }

    template <class Seen>
    void join(Index a, Index b, const Seen& seen) {
        const double between = triangle_.at(a, b), x = sizes_[a], y = sizes_[b];
        sizes_[b] += sizes_[a], sizes_[a] = 0.0;
        const auto combine = [&](double& gone, double& kept, Index k) {
            kept = Recurrence::of(gone, kept, between, x, y, sizes_[k]);
            gone = infinity;
            seen(k, kept);
        };
        for (Index k = 0; k < a; ++k) combine(triangle_.row(k)[a], triangle_.row(k)[b], k);
        const Triangle::Row from = triangle_.row(a);
        for (Index k = a + 1; k < b; ++k) combine(from[k], triangle_.row(k)[b], k);
        from[b] = infinity;
        const Triangle::Row to = triangle_.row(b);
        for (Index k = b + 1; k < triangle_.size(); ++k) combine(from[k], to[k], k);
    }

    void keep(const std::vector<Index>& kept) {
        triangle_.keep(kept);
        for (std::size_t k = 0; k < kept.size(); ++k) sizes_[k] = sizes_[kept[k]];
        sizes_.resize(kept.size());
    }

 private:
    Triangle triangle_;
    std::vector<double> sizes_;
};

template <class Recurrence>
std::vector<Merge> chained(double* values, std::vector<Item> items, Checkpoint& checkpoint) {
    Stored<Recurrence> source(values, items);
    return chain_linkage(source, std::move(items), checkpoint);
}

template <class Recurrence>
std::vector<Merge> stepwise(double* values, std::vector<Item> items, Checkpoint& checkpoint) {
    Stored<Recurrence> source(values, items);
    return generic_linkage(source, std::move(items), checkpoint);
}

// Prim's spanning tree, row by row.
std::vector<Merge> spanned(const double* values, const std::vector<Item>& items,
                           Checkpoint& checkpoint) {
    const auto n = static_cast<Index>(items.size());
    const Triangle triangle(const_cast<double*>(values), n);
    std::vector<double> nearest(items.size(), infinity);
    std::vector<Index> from(items.size(), 0);
    std::vector<char> inside(items.size(), 0);
    std::vector<Merge> merges;
    Index at = 0;
    for (Index step = 1; step < n; ++step) {
        checkpoint();
        inside[at] = 1, nearest[at] = infinity;
        for (Index j = 0; j < n; ++j) {
            if (inside[j]) continue;
            const double value = triangle.at(at, j);
            if (value < nearest[j]) nearest[j] = value, from[j] = at;
        }
        at = linkage::kernels().least_entry(nearest.data(), n);
        require_finite(nearest[at]);
        merges.push_back({items[from[at]].row, items[at].row, nearest[at]});
    }
    return merges;
}

}  // namespace

std::vector<Merge> stored_linkage(double* values, std::vector<Item> items, Linkage linkage,
                                  Checkpoint& checkpoint) {
    switch (linkage) {
        case Linkage::single:
            return spanned(values, items, checkpoint);
        case Linkage::complete:
            return chained<Complete>(values, std::move(items), checkpoint);
        case Linkage::average:
            return chained<Average>(values, std::move(items), checkpoint);
        case Linkage::weighted:
            return chained<Weighted>(values, std::move(items), checkpoint);
        case Linkage::ward:
            return chained<Ward>(values, std::move(items), checkpoint);
        case Linkage::centroid:
            return stepwise<Centroid>(values, std::move(items), checkpoint);
        case Linkage::median:
            return stepwise<Median>(values, std::move(items), checkpoint);
        default:
            throw InvalidArgument("this linkage is not a recurrence of distances");
    }
}

}  // namespace stylobate::cluster
