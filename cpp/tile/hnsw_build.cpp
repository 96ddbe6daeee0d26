#include <cmath>
#include <limits>

#include "stylobate/buffer.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"
#include "tile/hnsw_walk.hpp"

namespace stylobate::tile {
namespace {

constexpr Index round_share = 32;  // a round adds at most this share of what is there
constexpr Index most_of_round = 4096;

// The layer that is being built: as Layer, with the links' distances beside them.
struct Growing {
    std::uint32_t* links = nullptr;
    std::vector<std::uint32_t> distances;
    Index count = 0, width = 0;

    Layer view(Index present) const { return {links, present, width}; }
    Index degree(Index number) const {
        Index used = 0;
        while (used < width && links[number * width + used] != no_link) ++used;
        return used;
    }
    void put(Index number, Index at, Key key) {
        links[number * width + at] = number_of(key);
        distances[static_cast<std::size_t>(number * width + at)] = distance_of(key);
    }
    void put_all(Index number, const std::vector<Key>& keys) {
        const auto used = static_cast<Index>(keys.size());
        for (Index j = 0; j < used; ++j) put(number, j, keys[j]);
        if (used < width) links[number * width + used] = no_link;
    }
};

// A link that its target should answer.
struct Proposal {
    std::uint32_t target, distance, source;
    auto operator<=>(const Proposal&) const = default;
};

class Builder {
 public:
    Builder(const CodeRows& codes, const std::vector<std::int64_t>& sizes, Index degree,
            Index effort)
        : codes_(codes), sizes_(sizes), degree_(degree), effort_(effort), walkers_(codes) {}

    void extend(Index first, Graph& graph) {
        graph_ = std::move(graph);
        set_layers();
        Growing made = growing(0);
        measure_links(made, first);
        grow(made, 0, first);
        graph = std::move(graph_);
    }

    Graph build() {
        Index above = 0;
        for (std::size_t l = 1; l < sizes_.size(); ++l) above += sizes_[l];
        graph_.links.assign(static_cast<std::size_t>(area(codes_.rows, 2 * degree_)), no_link);
        graph_.upper.assign(static_cast<std::size_t>(area(above, degree_)), no_link);
        set_layers();
        for (Index l = static_cast<Index>(sizes_.size()) - 1; l >= 0; --l) build_layer(l);
        return std::move(graph_);
    }

 private:
    void set_layers() {
        layers_ = layers_of(graph_.links.data(), graph_.upper.data(), sizes_.data(),
                            static_cast<Index>(sizes_.size()), degree_);
    }

    Growing growing(Index l) {
        Growing made;
        made.links = const_cast<std::uint32_t*>(layers_[l].links);  // graph_ is ours
        made.count = layers_[l].count, made.width = layers_[l].width;
        made.distances.resize(static_cast<std::size_t>(made.count * made.width));
        return made;
    }

    // Had the numbers of the layer above come first in this one, their links would be those above.
    void build_layer(Index l) {
        Growing made = growing(l);
        for (Index i = 0; i < above_.count; ++i)
            for (Index j = 0; j < above_.degree(i); ++j)
                made.put(i, j,
                         key_of(above_.distances[static_cast<std::size_t>(i * above_.width + j)],
                                above_.links[i * above_.width + j]));
        grow(made, l, std::max<Index>(1, above_.count));
        above_ = std::move(made);
    }

    // The distances of links that are there already.
    void measure_links(Growing& made, Index present) {
        constexpr Index step = 1024;
        parallel_for((present + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
            for (Index i = chunk * step; i < std::min(present, (chunk + 1) * step); ++i)
                kernels().code_distances(
                    static_cast<int>(codes_.measure), codes_.row(i), codes_.data, codes_.stride,
                    made.links + i * made.width, made.degree(i),
                    made.distances.data() + static_cast<std::size_t>(i * made.width));
            checkpoint();
        });
    }

    void grow(Growing& made, Index l, Index start) {
        while (start < made.count) {
            const Index most = std::clamp<Index>(start / round_share, 1, most_of_round);
            const Index end = std::min(made.count, start + most);
            add(made, l, start, end);
            start = end;
        }
    }

    void add(Growing& made, Index l, Index start, Index end) {
        proposals_.resize(static_cast<std::size_t>((end - start) * degree_));
        constexpr Index step = 8;
        parallel_for((end - start + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
            walkers_.with([&](Walker& walker) {
                std::vector<Key> chosen;
                for (Index i = start + chunk * step; i < std::min(end, start + (chunk + 1) * step);
                     ++i) {
                    insert(made, l, start, i, walker, chosen);
                    checkpoint();
                }
            });
        });
        answer(made);
    }

    void insert(Growing& made, Index l, Index present, Index number, Walker& walker,
                std::vector<Key>& chosen) {
        const unsigned char* const code = codes_.row(number);
        const std::uint32_t near = walker.descend(layers_, l, code);
        const Pool& pool = walker.walk(made.view(present), code, near, effort_);
        walker.choose(pool.keys(), degree_, chosen);
        made.put_all(number, chosen);
        Proposal* const mine = proposals_.data() + (number - present) * degree_;
        for (Index j = 0; j < degree_; ++j)
            mine[j] = j < static_cast<Index>(chosen.size())
                          ? Proposal{number_of(chosen[j]), distance_of(chosen[j]),
                                     static_cast<std::uint32_t>(number)}
                          : Proposal{no_link, 0, 0};
    }

    void answer(Growing& made) {
        std::sort(proposals_.begin(), proposals_.end());
        while (!proposals_.empty() && proposals_.back().target == no_link) proposals_.pop_back();
        std::vector<Index> starts;
        for (std::size_t i = 0; i < proposals_.size(); ++i)
            if (i == 0 || proposals_[i].target != proposals_[i - 1].target)
                starts.push_back(static_cast<Index>(i));
        const auto targets = static_cast<Index>(starts.size());
        starts.push_back(static_cast<Index>(proposals_.size()));
        constexpr Index step = 32;
        parallel_for((targets + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
            walkers_.with([&](Walker& walker) {
                std::vector<Key> all, chosen;
                for (Index t = chunk * step; t < std::min(targets, (chunk + 1) * step); ++t)
                    link(made, proposals_.data() + starts[t], proposals_.data() + starts[t + 1],
                         walker, all, chosen);
                checkpoint();
            });
        });
    }

    static void link(Growing& made, const Proposal* first, const Proposal* last, Walker& walker,
                     std::vector<Key>& all, std::vector<Key>& chosen) {
        const Index target = first->target, used = made.degree(target);
        if (used + (last - first) <= made.width) {
            for (Index at = used; first != last; ++first, ++at)
                made.put(target, at, key_of(first->distance, first->source));
            return;
        }
        all.clear();
        for (Index j = 0; j < used; ++j)
            all.push_back(key_of(made.distances[static_cast<std::size_t>(target * made.width + j)],
                                 made.links[target * made.width + j]));
        for (; first != last; ++first) all.push_back(key_of(first->distance, first->source));
        std::sort(all.begin(), all.end());
        walker.choose(all, made.width, chosen);
        made.put_all(target, chosen);
    }

    const CodeRows& codes_;
    const std::vector<std::int64_t>& sizes_;
    Index degree_, effort_;
    Walkers walkers_;
    Graph graph_;
    std::vector<Layer> layers_;
    Growing above_;
    std::vector<Proposal> proposals_;
};

}  // namespace

std::vector<Layer> layers_of(const std::uint32_t* links, const std::uint32_t* upper,
                             const std::int64_t* sizes, Index count, Index degree) {
    std::vector<Layer> layers{{links, sizes[0], 2 * degree}};
    for (Index l = 1; l < count; ++l) {
        layers.push_back({upper, sizes[l], degree});
        upper += sizes[l] * degree;
    }
    return layers;
}

// A node's highest layer is l with probability (1 − 1/M) / Mˡ; within a layer the order is random.
Numbering hnsw_numbering(Index nodes, Index degree, std::uint64_t seed,
                         const std::vector<bool>& last) {
    if (nodes < 1 || nodes >= most_numbers || degree < 2)
        throw InvalidArgument("a graph needs 1 … 2³¹ − 1 nodes and at least 2 links");
    const Philox heights(seed, 0), places(seed, 1);
    struct Place {
        int height;
        std::uint64_t at;
        std::uint32_t node;
    };
    std::vector<Place> all(static_cast<std::size_t>(nodes));
    const double scale = 1.0 / std::log(static_cast<double>(degree));
    for (Index i = 0; i < nodes; ++i) {
        const double u = 1.0 - heights.uniform(static_cast<std::uint64_t>(i));
        const bool held = !last.empty() && last[i];
        all[i] = {held ? -1 : static_cast<int>(-std::log(u) * scale),
                  places.word(static_cast<std::uint64_t>(i)), static_cast<std::uint32_t>(i)};
    }
    std::sort(all.begin(), all.end(), [](const Place& a, const Place& b) {
        if (a.height != b.height) return a.height > b.height;
        return a.at != b.at ? a.at < b.at : a.node < b.node;
    });
    Numbering made;
    made.sizes.assign(static_cast<std::size_t>(std::max(all.front().height, 0)) + 1, 0);
    for (const Place& place : all) {
        made.order.push_back(place.node);
        for (int l = 0; l <= std::max(place.height, 0); ++l) ++made.sizes[l];
    }
    return made;
}

Graph hnsw_build(const CodeRows& codes, const std::vector<std::int64_t>& sizes, Index degree,
                 Index effort) {
    return Builder(codes, sizes, degree, effort).build();
}

void hnsw_extend(const CodeRows& codes, const std::vector<std::int64_t>& sizes, Index degree,
                 Index effort, Index first, Graph& graph) {
    Builder(codes, sizes, degree, effort).extend(first, graph);
}

}  // namespace stylobate::tile
