// Passes over rows and histograms: parting the rows of nodes, reading their children, splits.
#include <algorithm>
#include <cstring>

#include "tree/grow.hpp"
#include "tree/kernels.hpp"
#include "tree/sharing.hpp"

namespace stylobate::boost {
namespace {

constexpr Index part_length = 16384;  // rows a thread parts at a time
constexpr Index read_length = 8192;   // rows that are worth a histogram of their own
constexpr Index feature_group = 4;    // features whose splits a thread looks for at a time

// Into how many parts the rows of a node are cut: as many for each thread.
Index parts_of(Index rows) {
    const Index at_once = threads();
    if (at_once == 1 || rows < 2 * read_length) return 1;
    return std::min((rows / read_length + at_once - 1) / at_once, Index{2}) * at_once;
}

}  // namespace

void Growth::plant(const PackedPairs& pairs) {
    whole_ = true;
    nodes_.resize(1);
    GrownNode& root = nodes_[0];
    root.rows = {0, bins_.rows()};
    for (std::uint32_t set = 0; set < rules_.together.size(); ++set) root.sets.push_back(set);
    std::vector<Family> families;
    families.push_back({0, -1, {}});
    read_rows(families, pairs);
    const auto add = [&](const Histogram& part) {  // every row lies in some bin of any feature
        for (Index b = 0; b <= bins_.count(0); ++b)
            root.known.sums += {part.gradient[b], part.hessian[b], part.count[b]};
    };
    add(*root.histogram);
    for (const auto& part : families[0].parts) add(*part);
    root.known.value = objective_.value(root.known.sums, root.known.low, root.known.high);
    find_splits(families);
}

void Growth::expand(const Nodes& batch, const PackedPairs& pairs, bool last) {
    part_rows(batch);
    for (const std::int32_t parent : batch) make_children(parent);
    if (!last) {
        make_room(2 * batch.size(), batch);
        std::vector<Family> families = families_of(batch);
        read_rows(families, pairs);
        find_splits(families);
    }
    for (const std::int32_t parent : batch) recycle(node(parent).histogram);
}

// Rows that go left to lefts_, the others to rights_, from the start of the range on.
Index Growth::part_chunk(const GrownNode& from, const Range& range) {
    const Split& split = from.split;
    const Index f = split.feature;
    bool goes_left[bin_slots];
    for (Index b = 0; b < bin_slots; ++b)
        goes_left[b] = split.categorical ? holds(split.left_bins, b) : b <= split.bin;
    if (!split.categorical) goes_left[bins_.count(f)] = split.missing_left;
    const int last = split.categorical ? -1 : split.bin;
    const int also = split.missing_left ? static_cast<int>(bins_.count(f)) : -1;
    const std::int32_t* const rows = whole_ ? nullptr : order_.data() + range.begin;
    const Index lefts =
        tree::kernels().part_rows(bins_.column(f), rows, range.begin, range.size(), goes_left, last,
                                  also, lefts_.data() + range.begin, rights_.data() + range.begin);
    bins_.let_go_column(f, whole_ ? range.begin : rows[0],
                        whole_ ? range.end : rows[range.size() - 1] + 1);
    return lefts;
}

void Growth::part_rows(const Nodes& batch) {
    struct Chunk {
        std::int32_t node;
        Range range;
        Index left = 0, left_before = 0;
    };
    std::vector<Chunk> chunks;
    for (const std::int32_t i : batch) {
        const Range rows = node(i).rows;
        for (Index c = 0; c < chunks_of(rows.size(), part_length); ++c) {
            const Range range = chunk_of(c, rows.size(), part_length);
            chunks.push_back({i, {rows.begin + range.begin, rows.begin + range.end}});
        }
    }
    const auto put_back = [&](const Chunk& chunk) {
        const GrownNode& from = node(chunk.node);
        const Index right = chunk.range.size() - chunk.left;
        const Index right_before = chunk.range.begin - from.rows.begin - chunk.left_before;
        const auto copy = [&](const Array<std::int32_t>& source, Index to, Index size) {
            std::memcpy(order_.data() + to, source.data() + chunk.range.begin,
                        static_cast<std::size_t>(size) * sizeof(std::int32_t));
        };
        copy(lefts_, from.rows.begin + chunk.left_before, chunk.left);
        copy(rights_, from.rows.begin + from.split.left.count + right_before, right);
    };
    const auto alone = [&](const Chunk& chunk) {
        return chunk.range.size() == node(chunk.node).rows.size();
    };
    const auto count = static_cast<Index>(chunks.size());
    Index rows = 0;
    for (const Chunk& chunk : chunks) rows += chunk.range.size();
    share(count, rows, [&](Index c, Checkpoint& checkpoint) {
        checkpoint();
        Chunk& chunk = chunks[static_cast<std::size_t>(c)];
        chunk.left = part_chunk(node(chunk.node), chunk.range);
        if (alone(chunk)) put_back(chunk);
    });
    for (std::size_t c = 1; c < chunks.size(); ++c)
        if (chunks[c].node == chunks[c - 1].node)
            chunks[c].left_before = chunks[c - 1].left_before + chunks[c - 1].left;
    std::erase_if(chunks, alone);
    share(static_cast<Index>(chunks.size()), rows,
          [&](Index c, Checkpoint&) { put_back(chunks[static_cast<std::size_t>(c)]); });
    whole_ = false;
}

std::vector<Growth::Family> Growth::families_of(const Nodes& batch) {
    std::vector<Family> families;
    for (const std::int32_t parent : batch) {
        std::int32_t small = node(parent).left, large = node(parent).right;
        if (node(small).rows.size() > node(large).rows.size()) std::swap(small, large);
        if (node(parent).histogram != nullptr && may_split(node(large))) {
            node(large).histogram = std::move(node(parent).histogram);
            families.push_back({small, large, {}});
            continue;
        }
        for (const std::int32_t child : {small, large})
            if (may_split(node(child))) families.push_back({child, -1, {}});
    }
    return families;
}

void Growth::read_rows(std::vector<Family>& families, const PackedPairs& pairs) {
    struct Task {
        std::size_t block;
        Range range;
        bool afresh;
        Histogram* into;
    };
    std::vector<Task> tasks;
    const auto blocks = bins_.blocks().size();
    Index steps = 0;
    for (Family& family : families) {
        GrownNode& each = node(family.read);
        const Index rows = each.rows.size();
        steps += rows * bins_.features();
        const Index parts = parts_of(rows);
        each.histogram = blank();
        for (Index k = 1; k < parts; ++k) family.parts.push_back(blank());
        for (Index k = 0; k < parts; ++k) {
            const Range range{each.rows.begin + rows * k / parts,
                              each.rows.begin + rows * (k + 1) / parts};
            Histogram* const into =
                k == 0 ? each.histogram.get() : family.parts[static_cast<std::size_t>(k - 1)].get();
            for (std::size_t b = 0; b < blocks; ++b) tasks.push_back({b, range, true, into});
        }
    }
    constexpr Index step = Index{1} << 17;  // rows between questions for Ctrl-C
    share(static_cast<Index>(tasks.size()), steps, [&](Index t, Checkpoint& checkpoint) {
        const Task& task = tasks[static_cast<std::size_t>(t)];
        for (Index from = task.range.begin, to; from < task.range.end; from = to) {
            checkpoint();
            to = std::min(from + step, task.range.end);
            if (bins_.spilled() && !whole_) to = end_of_stretch(order_.data(), from, to);
            const BinnedRows::Block& block = bins_.blocks()[task.block];
            add_rows(bins_, block, pairs, whole_ ? nullptr : order_.data() + from, from, to - from,
                     from == task.range.begin, *task.into);
            // of rows in files: what was read makes room (rows of a node are in order)
            const Index begin = whole_ ? from : order_[from],
                        end = whole_ ? to : order_[to - 1] + 1;
            block.bins.let_go(begin * block.stride, end * block.stride);
            pairs.let_go(begin, end);
        }
    });
    bins_.let_go();
}

void Growth::find_splits(std::vector<Family>& families) {
    const Index features = bins_.features(), groups = chunks_of(features, feature_group);
    struct Found {
        Split read, rest;
    };
    std::vector<Found> found(families.size() * static_cast<std::size_t>(groups));
    std::vector<std::vector<std::uint8_t>> masks(nodes_.size());
    for (const Family& family : families)
        for (const std::int32_t i : {family.read, family.rest})
            if (i >= 0) masks[static_cast<std::size_t>(i)] = features_for(node(i));
    const SplitSearch search(bins_, rules_, objective_);
    const auto look = [&](std::int32_t i, Index f, Split& best) {
        if (i < 0 || !may_split(node(i))) return;
        const auto& mask = masks[static_cast<std::size_t>(i)];
        if (!mask.empty() && mask[static_cast<std::size_t>(f)] == 0) return;
        search.offer(*node(i).histogram, f, node(i).known, best);
    };
    Index bins = 0;  // of a histogram, each looked at for both children
    for (Index f = 0; f < features; ++f) bins += bins_.count(f) + 1;
    const Index steps = 2 * bins * static_cast<Index>(families.size());
    share(static_cast<Index>(found.size()), steps, [&](Index t, Checkpoint& checkpoint) {
        checkpoint();
        const Family& family = families[static_cast<std::size_t>(t / groups)];
        const Range range = chunk_of(t % groups, features, feature_group);
        Histogram& read = *node(family.read).histogram;
        for (Index f = range.begin; f < range.end; ++f) {
            for (const auto& part : family.parts) merge_feature(bins_, f, *part, read);
            if (family.rest >= 0) subtract_feature(bins_, f, read, *node(family.rest).histogram);
            look(family.read, f, found[static_cast<std::size_t>(t)].read);
            look(family.rest, f, found[static_cast<std::size_t>(t)].rest);
        }
    });
    for (std::size_t t = 0; t < found.size(); ++t) {
        const Family& family = families[t / static_cast<std::size_t>(groups)];
        const auto take = [&](std::int32_t i, const Split& split) {
            if (i >= 0 && split.gain > node(i).split.gain) node(i).split = split;
        };
        take(family.read, found[t].read);
        take(family.rest, found[t].rest);
    }
    for (Family& family : families) {
        for (auto& part : family.parts) recycle(part);
        for (const std::int32_t i : {family.read, family.rest})
            if (i >= 0 && !(node(i).split.gain > 0.0)) recycle(node(i).histogram);
    }
}

// Nodes of little promise lose their histograms; should they be split, their rows are read again.
void Growth::make_room(std::size_t wanted, const Nodes& batch) {
    if (held_ + wanted <= most_held_) return;
    Nodes losers;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const auto id = static_cast<std::int32_t>(i);
        if (nodes_[i].histogram && std::find(batch.begin(), batch.end(), id) == batch.end())
            losers.push_back(id);
    }
    std::sort(losers.begin(), losers.end(),
              [&](std::int32_t a, std::int32_t b) { return before(b, a); });
    for (const std::int32_t i : losers) {
        if (held_ + wanted <= most_held_) return;
        recycle(node(i).histogram);
    }
}

std::unique_ptr<Histogram> Growth::blank() {
    ++held_;
    if (spare_.empty()) return std::make_unique<Histogram>(bins_.features());
    auto histogram = std::move(spare_.back());
    spare_.pop_back();
    return histogram;
}

void Growth::recycle(std::unique_ptr<Histogram>& histogram) {
    if (!histogram) return;
    --held_;
    spare_.push_back(std::move(histogram));
}

}  // namespace stylobate::boost
