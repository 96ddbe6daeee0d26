#include "cluster/centroid_linkage.hpp"

#include <cmath>

#include "cluster/agglomeration.hpp"

namespace stylobate::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Centroids {
 public:
    static constexpr bool closes_ranks = true;
    Centroids(CentroidColumns columns, const std::vector<Item>& items, Linkage linkage)
        : columns_(std::move(columns)), linkage_(linkage), row_(items.size() + 16) {
        for (const Item& item : items) sizes_.push_back(item.size);
        query_.resize(static_cast<std::size_t>(columns_.depth));
    }

    Near nearest(Index i) { return least(i, 0); }
    Near nearest_after(Index i) { return least(i, i + 1); }
    double value(Index i, Index j) {
        if (sizes_[i] == 0.0 || sizes_[j] == 0.0) return infinity;
        alignas(64) double out[8];
        gather(i, j, 1, out);
        return out[0];
    }
    double height(double value) const { return std::sqrt(value); }

    template <class Seen>
    void join(Index a, Index b, const Seen& seen) {
        const double x = linkage_ == Linkage::median ? 1.0 : sizes_[a];
        const double y = linkage_ == Linkage::median ? 1.0 : sizes_[b];
        for (Index l = 0; l < columns_.depth; ++l) {
            double& to = columns_.at(b, l);
            to += x / (x + y) * (columns_.at(a, l) - to);  // equal rows keep theirs exactly
        }
        sizes_[b] += sizes_[a], sizes_[a] = 0.0;
        if (linkage_ == Linkage::ward) return;  // joined along a chain, which asks for no values
        gather(b, 0, size(), row_.data());
        for (Index k = 0; k < size(); ++k)
            if (k != b && sizes_[k] > 0.0) seen(k, row_[k]);
    }

    void keep(const std::vector<Index>& kept) {
        for (Index l = 0; l < columns_.depth; ++l)
            for (std::size_t k = 0; k < kept.size(); ++k)
                columns_.at(static_cast<Index>(k), l) = columns_.at(kept[k], l);
        for (std::size_t k = 0; k < kept.size(); ++k) sizes_[k] = sizes_[kept[k]];
        sizes_.resize(kept.size());
    }

 private:
    Index size() const { return static_cast<Index>(sizes_.size()); }

    // Values of a cluster and those in slots first … first + count − 1, infinite for empty ones.
    void gather(Index i, Index first, Index count, double* out) {
        for (Index l = 0; l < columns_.depth; ++l) query_[l] = columns_.at(i, l);
        linkage::kernels().point_distances(
            query_.data(), {columns_.data.data(), columns_.ld, columns_.depth}, first, count,
            static_cast<int>(linkage::Gather::squares), 1.0, out);
        const double own = sizes_[i];
        const double* const sizes = sizes_.data() + first;
        if (linkage_ == Linkage::ward)
            for (Index k = 0; k < count; ++k) out[k] *= 2.0 * own * sizes[k] / (own + sizes[k]);
        for (Index k = 0; k < count; ++k) out[k] = sizes[k] > 0.0 ? out[k] : infinity;
    }

    Near least(Index i, Index first) {
        if (first >= size()) return {};
        gather(i, first, size() - first, row_.data());
        if (i >= first) row_[i - first] = infinity;
        const Index j = linkage::kernels().least_entry(row_.data(), size() - first);
        return row_[j] < infinity ? Near{first + j, row_[j]} : Near{};
    }

    CentroidColumns columns_;
    Linkage linkage_;
    std::vector<double> sizes_, query_, row_;
};

}  // namespace

std::vector<Merge> centroid_linkage(CentroidColumns centroids, std::vector<Item> items,
                                    Linkage linkage, Checkpoint& checkpoint) {
    Centroids source(std::move(centroids), items, linkage);
    if (linkage == Linkage::ward) return chain_linkage(source, std::move(items), checkpoint);
    return generic_linkage(source, std::move(items), checkpoint);
}

}  // namespace stylobate::cluster
