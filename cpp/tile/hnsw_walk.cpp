#include "tile/hnsw_walk.hpp"

namespace stylobate::tile {

std::uint32_t Walker::descend(std::span<const Layer> layers, Index lowest,
                              const unsigned char* query) {
    fresh_.assign(1, 0);
    measure(query);
    Key best = key_of(distances_[0], 0);
    for (Index l = static_cast<Index>(layers.size()) - 1; l > lowest; --l)
        for (Key before = ~best; before != best;) {
            before = best;
            const Layer& layer = layers[l];
            fresh_.clear();
            const std::uint32_t* const links = layer.of(number_of(best));
            for (Index j = 0; j < layer.width && links[j] < layer.count; ++j)
                fresh_.push_back(links[j]);
            measure(query);
            for (std::size_t j = 0; j < fresh_.size(); ++j)
                best = std::min(best, key_of(distances_[j], fresh_[j]));
        }
    return number_of(best);
}

void Walker::forget() {
    if (++mark_ == 0) {
        std::fill(marks_.begin(), marks_.end(), static_cast<unsigned char>(0));
        mark_ = 1;
    }
}

const Pool& Walker::walk(const Layer& layer, const unsigned char* query, std::uint32_t start,
                         Index room) {
    forget();
    pool_.clear(room);
    marks_[start] = mark_;
    fresh_.assign(1, start);
    measure(query);
    pool_.insert(key_of(distances_[0], start));
    for (Index at = 0; at < pool_.size();) {
        Key& key = pool_[at];
        if (key & 1) {
            ++at;
            continue;
        }
        key |= 1;
        fresh_.clear();
        const std::uint32_t* const links = layer.of(number_of(key));
        for (Index j = 0; j < layer.width && links[j] < layer.count; ++j) {
            unsigned char& mark = marks_[links[j]];
            if (mark == mark_) continue;
            mark = mark_;
            fresh_.push_back(links[j]);
        }
        if (at + 1 < pool_.size()) __builtin_prefetch(layer.of(number_of(pool_[at + 1])));
        measure(query);
        Index next = at + 1;
        for (std::size_t j = 0; j < fresh_.size(); ++j)
            next = std::min(next, pool_.insert(key_of(distances_[j], fresh_[j])));
        at = next;
    }
    return pool_;
}

void Walker::choose(std::span<const Key> candidates, Index most, std::vector<Key>& chosen) {
    rest_.assign(candidates.begin(), candidates.end());
    chosen.clear();
    while (!rest_.empty() && static_cast<Index>(chosen.size()) < most) {
        const Key taken = rest_.front() & ~Key{1};
        chosen.push_back(taken);
        fresh_.clear();
        for (std::size_t j = 1; j < rest_.size(); ++j) fresh_.push_back(number_of(rest_[j]));
        measure(codes_.row(number_of(taken)));
        std::size_t kept = 0;
        for (std::size_t j = 0; j < fresh_.size(); ++j)
            if (distances_[j] >= distance_of(rest_[j + 1])) rest_[kept++] = rest_[j + 1];
        rest_.resize(kept);
    }
}

}  // namespace stylobate::tile
