#include "cluster/silhouettes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "stylobate/errors.hpp"

namespace stylobate::cluster {
namespace {

using tile::Chunk;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index chunk_rows = 96;  // queries at a time: a strip of them lies in the first cache
constexpr Index task_panels = 8;  // panels of rows that share what a chunk costs to open

// Numbers of every part of every group, for the rows of a panel.
struct PartValues {
    std::vector<Index> offsets;  // of the groups, and the end
    explicit PartValues(const Clusterings& all) : offsets{0} {
        for (const PartGroup& group : all.groups())
            offsets.push_back(offsets.back() + group.parts * tile::panel_rows<double>());
    }
    Index size() const { return offsets.back(); }
};

// For every panel of the strips' rows: add(chunk, row0, count, panel of the task) for all chunks of
// queries, then finish(row0, count, panel of the task); `open` makes room for some panels.
template <class Open, class Add, class Finish>
void over_panels(tile::Strips& strips, const Open& open, const Add& add, const Finish& finish) {
    const Index width = tile::panel_rows<double>(), n = strips.queries();
    for (Index b0 = 0; b0 < strips.rows(); b0 += strips.block_rows()) {
        const Index b1 = std::min(strips.rows(), b0 + strips.block_rows());
        strips.open_block(b0, b1 - b0);
        const Index panels = (b1 - b0 + width - 1) / width;
        parallel_for((panels + task_panels - 1) / task_panels, [&](Index t, Checkpoint& check) {
            const Index p0 = t * task_panels, p1 = std::min(panels, p0 + task_panels);
            auto room = open(p1 - p0);
            const auto rows = [&](Index p) { return std::min(width, b1 - b0 - p * width); };
            for (Index q0 = 0; q0 < n; q0 += chunk_rows) {
                const auto chunk = strips.open_chunk(q0, std::min(chunk_rows, n - q0));
                for (Index p = p0; p < p1; ++p) {
                    strips.strip(*chunk, b0 + p * width);
                    add(room, *chunk, b0 + p * width, rows(p), p - p0);
                }
                check();
            }
            for (Index p = p0; p < p1; ++p) finish(room, b0 + p * width, rows(p), p - p0);
        });
    }
}

void clear_diagonal(Chunk& chunk, Index row0, Index count, Index width) {
    for (Index i = 0; i < chunk.queries; ++i) {
        const Index j = chunk.query0 + i - row0;
        if (j >= 0 && j < count) chunk.values[i * width + j] = 0.0;
    }
}

double silhouette(double own, double others, double size) {
    if (!(size > 1.0)) return 0.0;
    const double a = own / (size - 1.0);
    const double s = (others - a) / std::max(a, others);
    return std::isfinite(s) ? s : 0.0;  // 0 / 0 where all rows are equal
}

// Silhouettes in one clustering of `count` rows from `first` on, from their sums to the parts.
void finish_clustering(const PartGroup& group, Index l, const double* sums, Index first,
                       Index count, double* out) {
    const Index width = tile::panel_rows<double>();
    const std::vector<double>& sizes = group.sizes[l];
    const auto k = static_cast<Index>(sizes.size());
    const std::int64_t* const labels = group.labels.data() + l * group.parts;
    std::vector<double> to(static_cast<std::size_t>(k * width), 0.0);
    for (Index a = 0; a < group.parts; ++a) {
        if (labels[a] < 0) continue;
        double* const sum = to.data() + labels[a] * width;
        for (Index j = 0; j < width; ++j) sum[j] += sums[a * width + j];
    }
    for (Index j = 0; j < count; ++j) {
        const std::int64_t own = labels[group.part[first + j]];
        if (own < 0) {
            out[j] = std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        double least = infinity;
        for (Index c = 0; c < k; ++c)
            if (c != own) least = std::min(least, to[c * width + j] / sizes[c]);
        out[j] = silhouette(to[own * width + j], least, sizes[own]);
    }
}

void require_rows(const RowStrips& some, const Clusterings& all) {
    if (some.strips.queries() != all.rows() || some.first < 0 ||
        some.strips.rows() > all.rows() - some.first || all.count() < 1)
        throw InvalidArgument("the strips must be those of the clustered rows");
}

// Distances that are known.
class Given : public tile::Strips {
 public:
    explicit Given(const MatrixView<double>& d) : Strips(d.cols, d.rows, 1), d_(d) {}
    void open_block(Index, Index) override {}
    std::unique_ptr<Chunk> open_chunk(Index query0, Index queries) const override {
        auto chunk = std::make_unique<Chunk>();
        chunk->query0 = query0, chunk->queries = queries;
        chunk->values = tile::Aligned<double>(queries * tile::panel_rows<double>());
        return chunk;
    }
    void strip(Chunk& chunk, Index row0) const override {
        const Index width = tile::panel_rows<double>(), count = std::min(width, rows() - row0);
        for (Index i = 0; i < chunk.queries; ++i)
            for (Index j = 0; j < width; ++j)
                chunk.values[i * width + j] = j < count ? d_(row0 + j, chunk.query0 + i) : 0.0;
    }

 private:
    MatrixView<double> d_;
};

}  // namespace

void Clusterings::add(const std::int64_t* part, Index parts, const std::int64_t* labels,
                      Index count) {
    PartGroup group{parts, count, {}, {labels, labels + area(parts, count)}, {}};
    std::vector<double> rows(static_cast<std::size_t>(parts), 0.0);
    for (Index i = 0; i < rows_; ++i) {
        if (part[i] < 0 || part[i] >= parts)
            throw InvalidArgument("rows must have numbers of parts");
        group.part.push_back(static_cast<unsigned>(part[i]));
        rows[part[i]] += 1.0;
    }
    for (Index l = 0; l < count; ++l) {
        std::vector<double> sizes;
        for (Index a = 0; a < parts; ++a) {
            const std::int64_t label = labels[l * parts + a];
            if (label < -1 || label >= rows_)
                throw InvalidArgument("parts must have numbers of clusters, or -1");
            if (label < 0) continue;
            if (label >= static_cast<std::int64_t>(sizes.size())) sizes.resize(label + 1, 0.0);
            sizes[label] += rows[a];
        }
        group.sizes.push_back(std::move(sizes));
    }
    groups_.push_back(std::move(group));
    count_ += count;
}

void silhouettes(const RowStrips& some, const Clusterings& all, const tile::Mapping& mapping,
                 bool zero_diagonal, double* out) {
    require_rows(some, all);
    const PartValues room(all);
    const Index width = tile::panel_rows<double>(), size = room.size();
    using Sums = std::vector<double>;
    over_panels(
        some.strips, [&](Index panels) { return Sums(static_cast<std::size_t>(panels * size)); },
        [&](Sums& sums, Chunk& chunk, Index row0, Index count, Index panel) {
            tile::apply(mapping, 0.0, nullptr, chunk.values.data(), chunk.queries * width);
            if (zero_diagonal) clear_diagonal(chunk, some.first + row0, count, width);
            for (std::size_t g = 0; g < all.groups().size(); ++g)
                tile::kernels().tile_group_sums(chunk.values.data(), chunk.queries,
                                                all.groups()[g].part.data() + chunk.query0,
                                                sums.data() + panel * size + room.offsets[g]);
        },
        [&](const Sums& sums, Index row0, Index count, Index panel) {
            double* to = out + some.first + row0;
            for (std::size_t g = 0; g < all.groups().size(); ++g)
                for (Index l = 0; l < all.groups()[g].count; ++l, to += all.rows())
                    finish_clustering(all.groups()[g], l,
                                      sums.data() + panel * size + room.offsets[g],
                                      some.first + row0, count, to);
        });
}

void extents(const RowStrips& some, const Clusterings& all, double* diameters,
             double* separations) {
    require_rows(some, all);
    const PartValues room(all);
    const Index width = tile::panel_rows<double>(), size = room.size();
    struct Ends {
        std::vector<double> least, most;
    };
    std::mutex lock;
    over_panels(
        some.strips,
        [&](Index panels) {
            const auto numbers = static_cast<std::size_t>(panels * size);
            return Ends{std::vector<double>(numbers, infinity),
                        std::vector<double>(numbers, -infinity)};
        },
        [&](Ends& ends, Chunk& chunk, Index, Index, Index panel) {
            for (std::size_t g = 0; g < all.groups().size(); ++g) {
                const Index at = panel * size + room.offsets[g];
                tile::kernels().tile_group_ends(chunk.values.data(), chunk.queries,
                                                all.groups()[g].part.data() + chunk.query0,
                                                ends.least.data() + at, ends.most.data() + at);
            }
        },
        [&](const Ends& ends, Index row0, Index count, Index panel) {
            const std::lock_guard<std::mutex> guard(lock);  // ends do not depend on the order
            Index l = 0;
            for (std::size_t g = 0; g < all.groups().size(); ++g) {
                const PartGroup& group = all.groups()[g];
                const Index base = panel * size + room.offsets[g];
                for (Index own = 0; own < group.count; ++own, ++l) {
                    const std::int64_t* const labels = group.labels.data() + own * group.parts;
                    for (Index a = 0; a < group.parts; ++a)
                        for (Index j = 0; j < count; ++j) {
                            const Index at = base + a * width + j;
                            const std::int64_t mine = labels[group.part[some.first + row0 + j]];
                            if (labels[a] < 0 || mine < 0) continue;
                            if (labels[a] == mine)
                                diameters[l] = std::max(diameters[l], ends.most[at]);
                            else
                                separations[l] = std::min(separations[l], ends.least[at]);
                        }
                }
            }
        });
}

std::unique_ptr<tile::Strips> given_strips(const MatrixView<double>& distances) {
    return std::make_unique<Given>(distances);
}

}  // namespace stylobate::cluster
