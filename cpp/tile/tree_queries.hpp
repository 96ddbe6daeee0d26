// How a tree is asked: what a search collects, leaves looked at, queries taken in the order of the
// leaves they fall in.
//
// A `Search` has leaves(), open() for its own memory and search(query, self, memory, sink): it
// shows the sink every row but `self` whose value may be within sink.reach(), which may shrink
// meanwhile.
#pragma once

#include <algorithm>
#include <limits>

#include "stylobate/errors.hpp"
#include "tile/entries.hpp"
#include "tile/kernels.hpp"
#include "tile/partition.hpp"
#include "tile/tree.hpp"

namespace stylobate::tile {

// A bound that is sure although both sides were rounded.
inline double wider(double value) {
    return value * (1.0 + 1e-12) + 1e-300;
}

// The k nearest: in order while they are few, else a heap with the worst on top.
class Smallest {
 public:
    explicit Smallest(Index k) : k_(k), sorted_(k <= 48), entries_(static_cast<std::size_t>(k)) {}
    void clear() {
        count_ = 0;
        reach_ = std::numeric_limits<double>::infinity();
    }
    double reach() const { return reach_; }
    // Whether rows from `least` on cannot improve what is here, however near they are.
    bool needless(std::int64_t least) const {
        return count_ == k_ && worst().value == 0.0 && least > worst().row;
    }
    void take(double value, std::int64_t row) {
        const Entry entry{value, row};
        if (count_ == k_ && !before(entry, worst())) return;
        if (sorted_)
            insert(entry);
        else
            push(entry);
        if (count_ == k_) reach_ = wider(worst().value);
    }
    void put(double* values, std::int64_t* rows) {
        if (!sorted_) std::sort_heap(entries_.begin(), entries_.end(), before);
        for (const Entry& entry : entries_) *values++ = entry.value, *rows++ = entry.row;
    }

 private:
    const Entry& worst() const { return sorted_ ? entries_.back() : entries_.front(); }
    void insert(const Entry& entry) {
        Index at = count_ == k_ ? k_ - 1 : count_++;
        for (; at > 0 && before(entry, entries_[at - 1]); --at) entries_[at] = entries_[at - 1];
        entries_[at] = entry;
    }
    void push(const Entry& entry) {
        const auto begin = entries_.begin();
        if (count_ == k_)
            std::pop_heap(begin, begin + k_, before);
        else
            ++count_;
        entries_[count_ - 1] = entry;
        std::push_heap(begin, begin + count_, before);
    }

    Index k_, count_ = 0;
    bool sorted_;
    double reach_ = 0.0;
    std::vector<Entry> entries_;
};

// All rows within a radius.
class Inside {
 public:
    explicit Inside(double radius) : radius_(radius), reach_(wider(radius)) {}
    double reach() const { return reach_; }
    bool needless(std::int64_t) const { return !(radius_ >= 0.0); }
    void take(double value, std::int64_t row) {
        if (value <= radius_) found.push_back({value, row});
    }
    std::vector<Entry> found;

 private:
    double radius_, reach_;
};

// The same, shown one by one.
class Shown {
 public:
    Shown(double radius, Index query, const Hit& hit)
        : radius_(radius), reach_(wider(radius)), query_(query), hit_(hit) {}
    double reach() const { return reach_; }
    bool needless(std::int64_t) const { return !(radius_ >= 0.0); }
    void take(double value, std::int64_t row) {
        if (value <= radius_) hit_(query_, row, 0);
    }

 private:
    double radius_, reach_;
    Index query_;
    const Hit& hit_;
};

class Counter {
 public:
    explicit Counter(double radius) : radius_(radius), reach_(wider(radius)) {}
    double reach() const { return reach_; }
    bool needless(std::int64_t) const { return !(radius_ >= 0.0); }
    void take(double value, std::int64_t) { found += value <= radius_; }
    std::int64_t found = 0;

 private:
    double radius_, reach_;
};

// Rows and what they are measured by.
class Leaves {
 public:
    Leaves(const MatrixView<double>& x, const TreeMetric& metric) : partition_(x), metric_(metric) {
        // from here on one pair alone is summed in another order, which decides
        const Index lanes = kernels().tile_bytes() / 24;
        apart_ = metric.measure == Measure::squared && x.cols >= 2 * lanes;
    }
    const Partition& partition() const { return partition_; }
    const TreeMetric& metric() const { return metric_; }

    unsigned values(const double* query, const double* block, double limit, double* out) const {
        return kernels().leaf_values(
            static_cast<int>(metric_.measure), query, block, partition_.cols(),
            metric_.weights.empty() ? nullptr : metric_.weights.data(), metric_.p, limit, out);
    }

    template <class Sink>
    void scan(const double* query, Index leaf, std::int64_t self, Sink& sink) const {
        alignas(64) double found[Partition::width];
        unsigned bits = values(query, partition_.block(leaf), sink.reach(), found);
        bits &= partition_.mask(leaf);
        const std::int64_t* const rows = partition_.order().data() + leaf * Partition::width;
        for (; bits != 0; bits &= bits - 1) {
            const int j = __builtin_ctz(bits);
            if (rows[j] != self)
                sink.take(apart_ ? alone(query, leaf * Partition::width + j) : found[j], rows[j]);
        }
    }

    // Which rows of a leaf have a value of at most `radius`, a bit for each.
    unsigned within(const double* query, Index leaf, double radius) const {
        alignas(64) double found[Partition::width];
        const double* const block = partition_.block(leaf);
        unsigned bits = values(query, block, apart_ ? wider(radius) : radius, found);
        bits &= partition_.mask(leaf);
        if (!apart_) return bits;
        for (unsigned open = bits; open != 0; open &= open - 1) {
            const int j = __builtin_ctz(open);
            if (!(alone(query, leaf * Partition::width + j) <= radius)) bits &= ~(1u << j);
        }
        return bits;
    }

 private:
    double alone(const double* query, Index place) const {
        constexpr Index few = 128;  // most rows need no memory of their own
        double small[few];
        std::vector<double> large;
        if (partition_.cols() > few) large.resize(static_cast<std::size_t>(partition_.cols()));
        double* const row = large.empty() ? small : large.data();
        partition_.gather(place, row);
        return kernels().squared_distance_f64(query, row, partition_.cols());
    }

    Partition partition_;
    TreeMetric metric_;
    bool apart_;
};

// The queries' numbers (own rows: their places) in the order of the leaves.
std::vector<std::int64_t> query_order(const Partition& partition,
                                      const MatrixView<double>* queries);

// open() gives what is called with (query, its row), anew for each chunk of queries.
template <class Open>
void over_queries(const Partition& partition, const MatrixView<double>* queries, const Open& open) {
    if (queries != nullptr && queries->cols != partition.cols())
        throw InvalidArgument("queries must have as many columns as the tree's rows");
    constexpr Index step = 128;
    const std::vector<std::int64_t> order = query_order(partition, queries);
    const auto n = static_cast<Index>(order.size());
    parallel_for((n + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
        auto body = open();
        std::vector<double> row(static_cast<std::size_t>(partition.cols()));
        for (Index i = chunk * step; i < std::min(n, (chunk + 1) * step); ++i) {
            const Index query = queries == nullptr ? partition.order()[i] : order[i];
            if (queries == nullptr)
                partition.gather(i, row.data());
            else
                for (Index l = 0; l < partition.cols(); ++l) row[l] = (*queries)(query, l);
            body(query, row.data());
            if (i % 16 == 0) checkpoint();
        }
    });
}

template <class Search>
class Asked : public Tree {
 public:
    Asked(const MatrixView<double>& x, const TreeMetric& metric) : search_(x, metric) {}
    Index rows() const override { return leaves().rows(); }
    Index cols() const override { return leaves().cols(); }

    void nearest(const MatrixView<double>* queries, const Nearest& wish, double* values,
                 std::int64_t* rows) const override {
        if (wish.k < 1 || wish.k > leaves().rows() - (wish.skip_self ? 1 : 0))
            throw InvalidArgument("k must be in [1, number of rows a query sees]");
        over_queries(leaves(), queries, [&] {
            return [&, state = search_.open(), best = Smallest(wish.k)](Index query,
                                                                        const double* row) mutable {
                best.clear();
                search_.search(row, wish.skip_self ? query : -1, state, best);
                best.put(values + query * wish.k, rows + query * wish.k);
            };
        });
    }

    Lists within(const MatrixView<double>* queries, const Within& wish) const override {
        const Index n = queries == nullptr ? leaves().rows() : queries->rows;
        std::vector<std::vector<Entry>> found(static_cast<std::size_t>(n));
        over_queries(leaves(), queries, [&] {
            return [&, state = search_.open()](Index query, const double* row) mutable {
                Inside inside(wish.radii[query]);
                search_.search(row, wish.skip_self ? query : -1, state, inside);
                std::sort(inside.found.begin(), inside.found.end(),
                          [](const Entry& a, const Entry& b) { return a.row < b.row; });
                found[query] = std::move(inside.found);
            };
        });
        return listed(found);
    }

    void visit(const MatrixView<double>* queries, const Within& wish,
               const Hit& hit) const override {
        over_queries(leaves(), queries, [&] {
            return [&, state = search_.open()](Index query, const double* row) mutable {
                Shown shown(wish.radii[query], query, hit);
                search_.search(row, wish.skip_self ? query : -1, state, shown);
            };
        });
    }

    void count(const MatrixView<double>* queries, const Within& wish,
               std::int64_t* counts) const override {
        over_queries(leaves(), queries, [&] {
            return [&, state = search_.open()](Index query, const double* row) mutable {
                Counter counter(wish.radii[query]);
                search_.search(row, wish.skip_self ? query : -1, state, counter);
                counts[query] = counter.found;
            };
        });
    }

 private:
    const Partition& leaves() const { return search_.leaves().partition(); }
    static Lists listed(const std::vector<std::vector<Entry>>& found) {
        Lists lists;
        lists.offsets.push_back(0);
        for (const auto& each : found)
            lists.offsets.push_back(lists.offsets.back() + static_cast<std::int64_t>(each.size()));
        lists.rows.reserve(static_cast<std::size_t>(lists.offsets.back()));
        lists.values.reserve(lists.rows.capacity());
        for (const auto& each : found)
            for (const Entry& entry : each)
                lists.rows.push_back(entry.row), lists.values.push_back(entry.value);
        return lists;
    }

    Search search_;
};

}  // namespace stylobate::tile
