#include "tile/nearest.hpp"

#include <atomic>
#include <type_traits>

#include "stylobate/errors.hpp"
#include "tile/code_filter.hpp"
#include "tile/entries.hpp"

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
            replace_worst(heap, entry);
            return true;
        }
        heap[count++] = entry;
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
    void replace_worst(Entry* heap, const Entry& entry) const {
        Index hole = 0;
        for (Index child = 1; child < k_; child = 2 * hole + 1) {
            if (child + 1 < k_ && before(heap[child], heap[child + 1])) ++child;
            if (!before(entry, heap[child])) break;
            heap[hole] = heap[child];
            hole = child;
        }
        heap[hole] = entry;
    }

    Index queries_, k_, segments_;
    std::vector<Entry> entries_;
    std::vector<Index> counts_;
};

void check(const Nearest& wish, Index rows) {
    if (wish.k < 1 || wish.k > rows - (wish.skip_self ? 1 : 0))
        throw InvalidArgument("k must be in [1, number of rows a query sees]");
}

// What has come of the tasks of one number so far.
struct Course {
    double rows = 0.0, exact = 0.0;
    bool given_up = false;
};

// One filter's way through the rows. Where a sharper one follows it leaves a chunk of queries to
// that as soon as the pairs it measured exactly, but which the other had dropped, cost more than
// was saved so far and than an eighth of what could be saved in all. That depends on the numbers
// alone.
template <class T, class F>
class Look {
 public:
    // `saving`: of the cost of measuring a pair, for each pair it looks at; ∞: it never gives up.
    Look(const RowPairs<T>& pairs, const Nearest& wish, Best& best, double saving)
        : pairs_(pairs),
          wish_(wish),
          best_(best),
          filter_(pairs),
          saving_(saving),
          rows_per_task_(static_cast<double>(pairs.y.rows) / Sharing(pairs.x.rows).segments),
          courses_(static_cast<std::size_t>(Sharing(pairs.x.rows).tasks())) {}

    // Looks at the tasks of one block of rows; returns what it leaves.
    std::vector<Task> operator()(Index row0, Index rows, std::vector<Task> tasks) {
        const auto given_up = [&](const Task& task) { return courses_[task.number].given_up; };
        if (std::all_of(tasks.begin(), tasks.end(), given_up)) return tasks;
        filter_.open_block(row0, rows);
        if (!last && !filter_.sharp()) return tasks;
        std::atomic<std::int64_t> pairs{0}, exact{0};
        parallel_for(static_cast<Index>(tasks.size()), [&](Index s, Checkpoint& checkpoint) {
            Task& task = tasks[s];
            Course& course = courses_[task.number];
            if (course.given_up) return;
            const Course before = course;
            walk(task, course, checkpoint);
            pairs += static_cast<std::int64_t>(course.rows - before.rows) * task.queries;
            exact += static_cast<std::int64_t>(course.exact - before.exact);
        });
        pairs_seen += pairs, pairs_exact += exact;
        std::erase_if(tasks, [](const Task& task) { return task.row0 >= task.row1; });
        return tasks;
    }

    std::int64_t pairs_seen = 0, pairs_exact = 0;

 private:
    static constexpr bool last = std::is_same_v<F, Filter<T>>;  // no sharper one follows

    bool too_costly(const Course& course, Index queries) const {
        const double k = static_cast<double>(wish_.k);
        // so many rows in random order are, when they come, among the k nearest so far
        const double needed = k * (1.0 + std::log(std::max(1.0, course.rows / k)));
        const double excess = course.exact / static_cast<double>(queries) - 1.5 * needed;
        return excess > saving_ * (course.rows + rows_per_task_ / 8.0);
    }

    // Takes from the task the rows it has looked at.
    void walk(Task& task, Course& course, Checkpoint& checkpoint) {
        auto chunk = filter_.open_chunk(task.query0, task.queries);
        for (Index i = 0; i < chunk.queries; ++i)
            filter_.tighten(chunk, i, best_.worst(chunk.query0 + i, task.segment));
        while (task.row0 < task.row1) {
            const Index count = std::min(filter_.width(), task.row1 - task.row0);
            course.exact += static_cast<double>(measure(chunk, task, count));
            course.rows += static_cast<double>(count);
            task.row0 += count;
            checkpoint();
            if (too_costly(course, task.queries)) {
                course.given_up = true;
                return;
            }
        }
    }

    // Measures the candidates of one panel; returns how many.
    template <class Chunk>
    Index measure(Chunk& chunk, const Task& task, Index rows) {
        const Index found = filter_.candidates(chunk, task.row0);
        for (Index f = 0; f < found; ++f)
            for (unsigned long long bits = chunk.bits[f].bits; bits != 0; bits &= bits - 1)
                pairs_.fetch(std::min(task.row0 + __builtin_ctzll(bits), task.row1 - 1));
        Index exact = 0;
        for (Index f = 0; f < found; ++f) {
            const Index i = chunk.bits[f].row, query = chunk.query0 + i;
            for (unsigned long long bits = chunk.bits[f].bits; bits != 0; bits &= bits - 1) {
                const Index j = __builtin_ctzll(bits), row = task.row0 + j;
                if (j >= rows) break;
                if (filter_.dropped(chunk, i, task.row0, j) || (wish_.skip_self && row == query))
                    continue;
                ++exact;
                if (best_.offer(query, task.segment, {pairs_.exact(query, row), row}))
                    filter_.tighten(chunk, i, best_.worst(query, task.segment));
            }
        }
        return exact;
    }

    const RowPairs<T>& pairs_;
    const Nearest& wish_;
    Best& best_;
    F filter_;
    double saving_, rows_per_task_;
    std::vector<Course> courses_;
};

std::vector<Task> tasks_of(const Sharing& sharing, Index queries, Index b0, Index b1) {
    std::vector<Task> tasks;
    for (Index number = 0; number < sharing.tasks(); ++number)
        tasks.push_back(sharing.task(number, queries, b0, b1, panel_rows<float>()));
    std::erase_if(tasks, [](const Task& task) { return task.row0 >= task.row1; });
    return tasks;
}

// Whether it is worth turning rows into bytes: enough is done with each of them, and there are many
// more rows than neighbours, so that most pairs can be dropped.
bool use_codes(const Nearest& wish, Index queries, Index rows, Index depth) {
    constexpr Index widest = 65536;  // sums of products of bytes stay within 32 bits
    if (depth < 1 || depth > widest || wish.codes == Codes::never) return false;
    if (wish.codes == Codes::always) return true;
    return kernels().quick_codes && depth >= 4 && queries * depth >= 4096 && rows / 16 >= wish.k;
}

}  // namespace

template <class T>
Looked nearest_dense(const MatrixView<T>& x, const MatrixView<T>& y, bool inner,
                     const Nearest& wish, double* values, std::int64_t* rows) {
    if (x.cols != y.cols) throw InvalidArgument("both sides must have as many columns");
    check(wish, y.rows);
    Best best(x.rows, wish.k);
    const RowPairs<T> pairs(x, y, inner);
    constexpr double never = std::numeric_limits<double>::infinity();
    const bool always = wish.codes == Codes::always;
    Look<T, CodeFilter<T>> codes(pairs, wish, best, always ? never : CodeFilter<T>::saving(x.cols));
    Look<T, Filter<T, float>> singles(pairs, wish, best, Filter<T, float>::saving(x.cols));
    Look<T, Filter<T>> products(pairs, wish, best, never);
    const bool coded = use_codes(wish, x.rows, y.rows, x.cols);
    const Index step = rows_per_block<float>(x.cols);
    for (Index b0 = 0; b0 < y.rows; b0 += step) {
        const Index b1 = std::min(y.rows, b0 + step);
        std::vector<Task> tasks = tasks_of(Sharing(x.rows), x.rows, b0, b1);
        if (coded) tasks = codes(b0, b1 - b0, std::move(tasks));
        // single precision drops nearly all pairs of rows in double precision, in half the time
        if (sizeof(T) > sizeof(float)) tasks = singles(b0, b1 - b0, std::move(tasks));
        products(b0, b1 - b0, std::move(tasks));
    }
    best.finish(inner ? -1.0 : 1.0, values, rows);
    return {codes.pairs_seen, singles.pairs_seen, products.pairs_seen,
            codes.pairs_exact + singles.pairs_exact + products.pairs_exact};
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

template Looked nearest_dense(const MatrixView<double>&, const MatrixView<double>&, bool,
                              const Nearest&, double*, std::int64_t*);
template Looked nearest_dense(const MatrixView<float>&, const MatrixView<float>&, bool,
                              const Nearest&, double*, std::int64_t*);

}  // namespace stylobate::tile
