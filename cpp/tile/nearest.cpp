#include "tile/nearest.hpp"

#include <atomic>

#include "stylobate/errors.hpp"
#include "tile/entries.hpp"
#include "tile/filter.hpp"

namespace stylobate::tile {
namespace {

// The k best of each query so far: heaps with the worst on top, one set for each segment of rows.
class Best {
 public:
    Best(Index queries, Index k)
        : queries_(queries),
          k_(k),
          segments_(Sharing(queries).segments),
          entries_(static_cast<std::size_t>(area(area(queries, segments_), k))),
          counts_(static_cast<std::size_t>(area(queries, segments_)), 0) {}

    // The value a pair must not exceed to be of interest.
    double worst(Index query, Index segment) const {
        const Index at = segment * queries_ + query;
        if (counts_[at] < k_) return std::numeric_limits<double>::infinity();
        const double value = entries_[at * k_].value;
        return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    }

    bool offer(Index query, Index segment, const Entry& entry) {
        const Index at = segment * queries_ + query;
        Entry* const heap = entries_.data() + at * k_;
        Index& count = counts_[at];
        if (count == k_) {
            if (!before(entry, heap[0])) return false;
            std::pop_heap(heap, heap + k_, before);
            heap[k_ - 1] = entry;
        } else {
            heap[count++] = entry;
        }
        std::push_heap(heap, heap + count, before);
        return count == k_;
    }

    void finish(double sign, double* values, std::int64_t* rows) {
        parallel_for((queries_ + 255) / 256, [&](Index chunk, Checkpoint&) {
            for (Index q = chunk * 256; q < std::min(queries_, chunk * 256 + 256); ++q) {
                for (Index s = 1; s < segments_; ++s)
                    for (Index e = 0; e < counts_[s * queries_ + q]; ++e)
                        offer(q, 0, entries_[(s * queries_ + q) * k_ + e]);
                Entry* const heap = entries_.data() + q * k_;
                std::sort_heap(heap, heap + k_, before);
                for (Index e = 0; e < k_; ++e) {
                    values[q * k_ + e] = sign * heap[e].value;
                    rows[q * k_ + e] = heap[e].row;
                }
            }
        });
    }

 private:
    Index queries_, k_, segments_;
    std::vector<Entry> entries_;
    std::vector<Index> counts_;
};

void check(const Nearest& wish, Index rows) {
    if (wish.k < 1 || wish.k > rows - (wish.skip_self ? 1 : 0))
        throw InvalidArgument("k must be in [1, number of rows a query sees]");
}

// Looks at the rows from `row0` on with products in the precision of F. Where that is not the rows'
// own it gives up once it drops too few pairs; returns the first row it did not look at.
template <class T, class F>
Index look(const MatrixView<T>& x, const MatrixView<T>& y, bool inner, const Nearest& wish,
           Index row0, Best& best) {
    constexpr bool rough = sizeof(F) < sizeof(T);
    constexpr double most = 0.04;  // share of pairs measured exactly from which products in T pay
    Filter<T, F> filter(x, y, inner);
    const Index width = panel_rows<F>();
    std::atomic<Index> measured{0};
    const auto go_on = [&] {
        const double pairs = static_cast<double>(filter.block_rows()) * static_cast<double>(x.rows);
        const bool worth = static_cast<double>(measured.exchange(0)) <= most * pairs;
        return !rough || (worth && filter.sharp());
    };
    const auto body = [&](auto& chunk, Index r0, Index r1, Index segment, Checkpoint& checkpoint) {
        Index exact = 0;
        for (Index i = 0; i < chunk.queries; ++i)
            chunk.limits[i] = filter.limit(chunk, i, best.worst(chunk.query0 + i, segment));
        for (; r0 < r1; r0 += width) {
            const Index found = filter.candidates(chunk, r0), valid = std::min(width, r1 - r0);
            for (Index f = 0; f < found; ++f) {
                const Index i = chunk.bits[f].row, query = chunk.query0 + i;
                const F* const strip = chunk.values.data() + i * width;
                for (unsigned long long bits = chunk.bits[f].bits; bits != 0; bits &= bits - 1) {
                    const Index j = __builtin_ctzll(bits), row = r0 + j;
                    if (j >= valid) break;
                    if (strip[j] > chunk.limits[i] || (wish.skip_self && row == query)) continue;
                    ++exact;
                    if (best.offer(query, segment, {filter.exact(query, row), row}))
                        chunk.limits[i] = filter.limit(chunk, i, best.worst(query, segment));
                }
            }
            checkpoint();
        }
        measured += exact;
    };
    return filter.over_blocks(row0, body, go_on);
}

}  // namespace

template <class T>
void nearest_dense(const MatrixView<T>& x, const MatrixView<T>& y, bool inner, const Nearest& wish,
                   double* values, std::int64_t* rows) {
    if (x.cols != y.cols) throw InvalidArgument("both sides must have as many columns");
    check(wish, y.rows);
    Best best(x.rows, wish.k);
    // single precision drops nearly all pairs of rows in double precision, in half the time
    const Index row0 = sizeof(T) > sizeof(float) ? look<T, float>(x, y, inner, wish, 0, best) : 0;
    if (row0 < y.rows) look<T, T>(x, y, inner, wish, row0, best);
    best.finish(inner ? -1.0 : 1.0, values, rows);
}

void nearest(Strips& strips, bool largest, const Nearest& wish, double* values,
             std::int64_t* rows) {
    check(wish, strips.rows());
    Best best(strips.queries(), wish.k);
    const Index width = panel_rows<double>();
    const double sign = largest ? -1.0 : 1.0;
    over_strips(strips, [&](Chunk& chunk, Index row0, Index count, Index segment) {
        for (Index i = 0; i < chunk.queries; ++i) {
            const Index query = chunk.query0 + i;
            const double* const strip = chunk.values.data() + i * width;
            double worst = best.worst(query, segment);
            for (Index j = 0; j < count; ++j) {
                const double value = sign * strip[j];
                if (value > worst || (wish.skip_self && row0 + j == query)) continue;
                best.offer(query, segment, {value, row0 + j});
                worst = best.worst(query, segment);
            }
        }
    });
    best.finish(sign, values, rows);
}

template void nearest_dense(const MatrixView<double>&, const MatrixView<double>&, bool,
                            const Nearest&, double*, std::int64_t*);
template void nearest_dense(const MatrixView<float>&, const MatrixView<float>&, bool,
                            const Nearest&, double*, std::int64_t*);

}  // namespace stylobate::tile
