#include "tile/within.hpp"

#include "stylobate/errors.hpp"
#include "tile/entries.hpp"
#include "tile/filter.hpp"

namespace stylobate::tile {
namespace {

// What was found for each query, in each segment of the rows.
class Found {
 public:
    explicit Found(Index queries)
        : queries_(queries),
          segments_(Sharing(queries).segments),
          hits_(static_cast<std::size_t>(area(queries, segments_))) {}
    void add(Index query, Index segment, double value, std::int64_t row) {
        hits_[segment * queries_ + query].push_back({value, row});
    }

    Lists finish() {
        Lists lists;
        lists.offsets.assign(static_cast<std::size_t>(queries_ + 1), 0);
        for (Index q = 0; q < queries_; ++q) {
            Index count = 0;
            for (Index s = 0; s < segments_; ++s)
                count += static_cast<Index>(hits_[s * queries_ + q].size());
            lists.offsets[q + 1] = lists.offsets[q] + count;
        }
        lists.rows.resize(static_cast<std::size_t>(lists.offsets[queries_]));
        lists.values.resize(lists.rows.size());
        for (Index q = 0; q < queries_; ++q) put(q, lists);
        return lists;
    }

 private:
    void put(Index q, Lists& lists) {
        std::vector<Entry> all = std::move(hits_[q]);
        for (Index s = 1; s < segments_; ++s) {
            const std::vector<Entry> more = std::move(hits_[s * queries_ + q]);
            all.insert(all.end(), more.begin(), more.end());
        }
        if (segments_ > 1)
            std::sort(all.begin(), all.end(),
                      [](const Entry& a, const Entry& b) { return a.row < b.row; });
        std::int64_t at = lists.offsets[q];
        for (const Entry& hit : all) {
            lists.rows[at] = hit.row;
            lists.values[at++] = hit.value;
        }
    }

    Index queries_, segments_;
    std::vector<std::vector<Entry>> hits_;
};

// hit(query, row, segment, value) for every pair within; `sure` pairs need no value and give NaN.
template <class T, class Take>
void over_hits(const MatrixView<T>& x, const MatrixView<T>& y, const Within& wish, bool values,
               const Take& hit) {
    if (x.cols != y.cols) throw InvalidArgument("both sides must have as many columns");
    const RowPairs<T> pairs(x, y, false);
    Filter<T> filter(pairs);
    const Index width = filter.width();
    filter.over_blocks([&](auto& chunk, Index r0, Index r1, Index segment, Checkpoint& checkpoint) {
        std::vector<double> sure(static_cast<std::size_t>(chunk.queries));
        for (Index i = 0; i < chunk.queries; ++i) {
            const double radius = wish.radii[chunk.query0 + i];
            filter.tighten(chunk, i, radius);
            // as far below the radius as the limit is above it
            sure[i] = 2.0 * (radius - chunk.norms[i]) - static_cast<double>(chunk.limits[i]);
        }
        for (; r0 < r1; r0 += width) {
            const Index found = filter.candidates(chunk, r0), valid = std::min(width, r1 - r0);
            for (Index f = 0; f < found; ++f) {
                const Index i = chunk.bits[f].row, query = chunk.query0 + i;
                const T* const strip = chunk.values.data() + i * width;
                for (unsigned long long bits = chunk.bits[f].bits; bits != 0; bits &= bits - 1) {
                    const Index j = __builtin_ctzll(bits), row = r0 + j;
                    if (j >= valid) break;
                    if (wish.skip_self && row == query) continue;
                    if (!values && static_cast<double>(strip[j]) < sure[i]) {
                        hit(query, row, segment, 0.0);
                        continue;
                    }
                    const double value = pairs.exact(query, row);
                    if (value <= wish.radii[query]) hit(query, row, segment, value);
                }
            }
            checkpoint();
        }
    });
}

template <class Take>
void over_hits(Strips& strips, const Within& wish, const Take& hit) {
    const Index width = panel_rows<double>();
    over_strips(strips, [&](Chunk& chunk, Index row0, Index count, Index segment) {
        for (Index i = 0; i < chunk.queries; ++i) {
            const Index query = chunk.query0 + i;
            const double* const strip = chunk.values.data() + i * width;
            for (Index j = 0; j < count; ++j)
                if (strip[j] <= wish.radii[query] && !(wish.skip_self && row0 + j == query))
                    hit(query, row0 + j, segment, strip[j]);
        }
    });
}

// Counts of each query, in each segment.
class Counts {
 public:
    explicit Counts(Index queries)
        : queries_(queries),
          segments_(Sharing(queries).segments),
          counts_(static_cast<std::size_t>(area(queries, segments_)), 0) {}
    void add(Index query, Index segment) { ++counts_[segment * queries_ + query]; }
    void finish(std::int64_t* out) const {
        for (Index q = 0; q < queries_; ++q) {
            out[q] = 0;
            for (Index s = 0; s < segments_; ++s) out[q] += counts_[s * queries_ + q];
        }
    }

 private:
    Index queries_, segments_;
    std::vector<std::int64_t> counts_;
};

}  // namespace

template <class T>
Lists within_dense(const MatrixView<T>& x, const MatrixView<T>& y, const Within& wish) {
    Found found(x.rows);
    over_hits(x, y, wish, true, [&](Index query, Index row, Index segment, double value) {
        found.add(query, segment, value, row);
    });
    return found.finish();
}

Lists within(Strips& strips, const Within& wish) {
    Found found(strips.queries());
    over_hits(strips, wish, [&](Index query, Index row, Index segment, double value) {
        found.add(query, segment, value, row);
    });
    return found.finish();
}

template <class T>
void visit_dense(const MatrixView<T>& x, const MatrixView<T>& y, const Within& wish,
                 const Hit& hit) {
    over_hits(x, y, wish, false,
              [&](Index query, Index row, Index segment, double) { hit(query, row, segment); });
}

void visit_within(Strips& strips, const Within& wish, const Hit& hit) {
    over_hits(strips, wish,
              [&](Index query, Index row, Index segment, double) { hit(query, row, segment); });
}

template <class T>
void count_dense(const MatrixView<T>& x, const MatrixView<T>& y, const Within& wish,
                 std::int64_t* counts) {
    Counts all(x.rows);
    over_hits(x, y, wish, false,
              [&](Index query, Index, Index segment, double) { all.add(query, segment); });
    all.finish(counts);
}

void count_within(Strips& strips, const Within& wish, std::int64_t* counts) {
    Counts all(strips.queries());
    over_hits(strips, wish,
              [&](Index query, Index, Index segment, double) { all.add(query, segment); });
    all.finish(counts);
}

template Lists within_dense(const MatrixView<double>&, const MatrixView<double>&, const Within&);
template Lists within_dense(const MatrixView<float>&, const MatrixView<float>&, const Within&);
template void visit_dense(const MatrixView<double>&, const MatrixView<double>&, const Within&,
                          const Hit&);
template void visit_dense(const MatrixView<float>&, const MatrixView<float>&, const Within&,
                          const Hit&);
template void count_dense(const MatrixView<double>&, const MatrixView<double>&, const Within&,
                          std::int64_t*);
template void count_dense(const MatrixView<float>&, const MatrixView<float>&, const Within&,
                          std::int64_t*);

}  // namespace stylobate::tile
