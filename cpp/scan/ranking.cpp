#include "scan/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "scan/keys.hpp"
#include "scan/pairs.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index chunk_rows = Index{1} << 16;
constexpr Index bucket_rows = Index{1} << 13;  // aimed at; sorted inside the second-level cache
constexpr Index most_buckets = 1024;
constexpr int cell_bits = 12;
constexpr Index sample_rows = 4096;

constexpr Index cells = Index{1} << cell_bits;

// Even cells in the order of falling scores, one more at either end: of the scores themselves, or
// of their keys, which is to say of their logarithms.
template <class T>
struct ScoreCells {
    T high, scale;
    ScoreCells(T from, T to)
        : high(from / 2),
          // halves, so that no difference overflows; a scale that is finite and not 0 keeps order
          scale(std::clamp(static_cast<T>(cells) / (from / 2 - to / 2),
                           std::numeric_limits<T>::min(), std::numeric_limits<T>::max())) {}
    Index operator()(T score) const {
        const T place = (high - score / 2) * scale;
        if (!(place >= T(0))) return 0;  // NaN goes somewhere, too
        return static_cast<Index>(std::min(static_cast<T>(cells), place)) + 1;
    }
};

template <class T>
struct KeyCells {
    KeyOf<T> low;
    int shift;
    KeyCells(T from, T to)
        : low(key_of(from)),
          shift(std::max(0, static_cast<int>(std::bit_width(key_of(to) - low)) - cell_bits)) {}
    Index operator()(T score) const {
        const KeyOf<T> key = key_of(score);
        const KeyOf<T> inside = std::min<KeyOf<T>>((key - low) >> shift, cells);
        return key < low ? 0 : static_cast<Index>(inside) + 1;
    }
};

// Cells joined into buckets of about equal depth, judged by a sample. Monotone, whatever the
// sample: a poor one costs time only.
template <class T, class Cells>
class Buckets {
 public:
    // the sample is sorted, highest first
    Buckets(const std::vector<T>& sample, Index buckets)
        : cell_(sample[sample.size() / 512], sample[sample.size() - 1 - sample.size() / 512]),
          table_(cells + 2, 0) {
        std::vector<Index> depth(table_.size(), 0);
        for (const T score : sample) ++depth[cell_(score)];
        const Index enough = (static_cast<Index>(sample.size()) + buckets - 1) / buckets;
        Index held = 0;
        for (std::size_t c = 0; c < table_.size(); ++c) {
            if (held > 0 && held + depth[c] > enough) {
                ++last_;
                held = 0;
            }
            held += depth[c];
            deepest_ = std::max(deepest_, held);
            table_[c] = static_cast<std::uint16_t>(last_);
        }
    }
    Index count() const { return last_ + 1; }
    Index deepest() const { return deepest_; }
    Index operator()(T score) const { return table_[cell_(score)]; }

 private:
    Cells cell_;
    Index last_ = 0, deepest_ = 0;
    std::vector<std::uint16_t> table_;
};

// The rows of every chunk, put in order of (bucket, sign); sign 0 is negative.
template <class Record>
struct Spread {
    Index buckets = 0, chunks = 0;
    std::unique_ptr<Record[]> records;
    std::vector<std::uint32_t> ends;  // within the chunk, of (bucket, sign)
    std::vector<double> weight;       // of (chunk, bucket, sign); of (bucket, sign): all above it
    bool finite = true;

    Index slots() const { return 2 * buckets; }
    const Record* begin(Index c, Index slot) const {
        const Index before = slot == 0 ? 0 : static_cast<Index>(ends[c * slots() + slot - 1]);
        return records.get() + c * chunk_rows + before;
    }
    const Record* end(Index c, Index slot) const {
        return records.get() + c * chunk_rows + ends[c * slots() + slot];
    }
    Index rows(Index slot) const {
        Index count = 0;
        for (Index c = 0; c < chunks; ++c) count += end(c, slot) - begin(c, slot);
        return count;
    }
};

template <class Record, class T>
Record record_of(const Ranked<T>& rows, Index i) {
    if constexpr (std::is_same_v<Record, Plain<KeyOf<T>>>)
        return {key_of(rows.scores[i])};
    else
        return {key_of(rows.scores[i]), rows.weights[i]};
}

template <class Record, class T, class Cells>
bool spread_chunk(const Ranked<T>& rows, const Buckets<T, Cells>& bucket_of, Index c,
                  Spread<Record>& out) {
    const Index first = c * chunk_rows, n = std::min(chunk_rows, rows.rows - first);
    const Index slots = out.slots();
    std::vector<std::uint16_t> slot(n);
    std::vector<std::uint32_t> next(slots + 1, 0);
    double* const weight = out.weight.data() + c * slots;
    bool finite = true;
    for (Index i = 0; i < n; ++i) {
        const T score = rows.scores[first + i];
        finite &= std::isfinite(score);
        slot[i] = static_cast<std::uint16_t>(2 * bucket_of(score) + rows.positive[first + i]);
        ++next[slot[i] + 1];
    }
    for (Index s = 1; s <= slots; ++s) next[s] += next[s - 1];
    Record* const records = out.records.get() + first;
    for (Index i = 0; i < n; ++i) {
        const Record record = record_of<Record>(rows, first + i);
        records[next[slot[i]]++] = record;
        if constexpr (!std::is_same_v<Record, Plain<KeyOf<T>>>) weight[slot[i]] += record.weight();
    }
    std::uint32_t* const ends = out.ends.data() + c * slots;
    std::copy(next.begin(), next.begin() + slots, ends);
    if constexpr (std::is_same_v<Record, Plain<KeyOf<T>>>)
        for (Index s = 0; s < slots; ++s) weight[s] = ends[s] - (s > 0 ? ends[s - 1] : 0);
    return finite;
}

// Turns the weights of (chunk, bucket, sign) into those of all buckets above, in the first chunk's
// place; the totals follow after the last bucket.
template <class Record>
void add_up(Spread<Record>& out) {
    const Index slots = out.slots();
    std::vector<double> above(slots + 2, 0.0);
    for (Index s = 0; s < slots; ++s) {
        double sum = 0.0;
        for (Index c = 0; c < out.chunks; ++c) sum += out.weight[c * slots + s];
        above[s + 2] = above[s] + sum;
    }
    out.weight = std::move(above);
}

template <class Record, class T, class Cells>
Spread<Record> spread_over(const Ranked<T>& rows, const Buckets<T, Cells>& bucket_of) {
    Spread<Record> out;
    out.buckets = bucket_of.count();
    out.chunks = (rows.rows + chunk_rows - 1) / chunk_rows;
    out.records = std::make_unique_for_overwrite<Record[]>(rows.rows);
    out.ends.resize(out.chunks * out.slots());
    out.weight.resize(out.chunks * out.slots());
    std::vector<char> finite(out.chunks, 1);
    parallel_for(out.chunks, [&](Index c, Checkpoint&) {
        finite[c] = spread_chunk<Record>(rows, bucket_of, c, out);
    });
    out.finite = std::find(finite.begin(), finite.end(), 0) == finite.end();
    add_up(out);
    return out;
}

template <class Record, class T>
Spread<Record> spread(const Ranked<T>& rows) {
    std::vector<T> sample(std::min(rows.rows, sample_rows));
    const double step = static_cast<double>(rows.rows) / static_cast<double>(sample.size());
    for (std::size_t i = 0; i < sample.size(); ++i) {
        sample[i] = rows.scores[static_cast<Index>(step * static_cast<double>(i))];
        if (!std::isfinite(sample[i])) {  // has no place among the others
            Spread<Record> out;
            out.finite = false;
            return out;
        }
    }
    std::sort(sample.begin(), sample.end(), std::greater<>());
    const Index buckets = std::clamp<Index>(rows.rows / bucket_rows, 1, most_buckets);
    const Buckets<T, ScoreCells<T>> by_score(sample, buckets);
    const Buckets<T, KeyCells<T>> by_key(sample, buckets);
    return by_score.deepest() <= by_key.deepest() ? spread_over<Record>(rows, by_score)
                                                  : spread_over<Record>(rows, by_key);
}

// The records of one bucket and sign, from all chunks, and as much room to sort them.
template <class Record>
struct Gathered {
    std::unique_ptr<Record[]> records, scratch;
    Index size = 0;
};

template <class Record>
Gathered<Record> gather(const Spread<Record>& from, Index slot) {
    Gathered<Record> out;
    out.size = from.rows(slot);
    out.records = std::make_unique_for_overwrite<Record[]>(out.size);
    Record* to = out.records.get();
    for (Index c = 0; c < from.chunks; ++c)
        to = std::copy(from.begin(c, slot), from.end(c, slot), to);
    out.scratch = std::make_unique_for_overwrite<Record[]>(out.size);
    return out;
}

template <class Record>
RankedArea totals(const Spread<Record>& from) {
    return {.positive = from.weight[2 * from.buckets + 1],
            .negative = from.weight[2 * from.buckets]};
}

// Calls visit(key, gained positive weight, gained negative weight) for each distinct key.
template <class Record, class Visit>
void each_threshold(const Spread<Record>& from, Index bucket, const Visit& visit) {
    const Gathered<Record> negative = gather(from, 2 * bucket);
    const Gathered<Record> positive = gather(from, 2 * bucket + 1);
    for (const auto* side : {&negative, &positive})
        sort_by_key(side->records.get(), side->scratch.get(), side->size);
    const Record* n = negative.records.get();
    const Record* p = positive.records.get();
    const Record *const n_end = n + negative.size, *const p_end = p + positive.size;
    while (n != n_end || p != p_end) {
        const auto key = n == n_end ? p->key : p == p_end ? n->key : std::min(n->key, p->key);
        double up = 0.0, down = 0.0;
        for (; p != p_end && p->key == key; ++p) up += p->weight();
        for (; n != n_end && n->key == key; ++n) down += n->weight();
        visit(key, up, down);
    }
}

template <class Record, class T>
RankedArea ordered(const Ranked<T>& rows) {
    const Spread<Record> from = spread<Record>(rows);
    if (!from.finite) return {.finite = false};
    std::vector<double> twice(from.buckets);
    parallel_for(from.buckets, [&](Index b, Checkpoint&) {
        const Gathered<Record> negative = gather(from, 2 * b), positive = gather(from, 2 * b + 1);
        twice[b] = static_cast<double>(ordered_pairs<Record, 12>(
            {positive.records.get(), positive.scratch.get(), positive.size},
            {negative.records.get(), negative.scratch.get(), negative.size}));
    });
    RankedArea out = totals(from);
    for (Index b = 0; b < from.buckets; ++b) {
        const double here = from.weight[2 * b + 2] - from.weight[2 * b];
        out.area += 0.5 * twice[b] + here * from.weight[2 * b + 1];
    }
    return out;
}

template <class Record, class T>
RankedArea precise(const Ranked<T>& rows) {
    const Spread<Record> from = spread<Record>(rows);
    if (!from.finite) return {.finite = false};
    std::vector<double> gains(from.buckets);
    parallel_for(from.buckets, [&](Index b, Checkpoint&) {
        double false_positive = from.weight[2 * b], true_positive = from.weight[2 * b + 1];
        double gain = 0.0;
        each_threshold(from, b, [&](auto, double up, double down) {
            true_positive += up;
            false_positive += down;
            if (up > 0.0) gain += up * (true_positive / (true_positive + false_positive));
        });
        gains[b] = gain;
    });
    RankedArea out = totals(from);
    for (const double gain : gains) out.area += gain;
    return out;
}

template <class Record, class T>
RankedCurve curve(const Ranked<T>& rows) {
    const Spread<Record> from = spread<Record>(rows);
    RankedCurve out;
    out.finite = from.finite;
    if (!from.finite) return out;
    struct Part {
        std::vector<double> thresholds, positive, negative;
    };
    std::vector<Part> parts(from.buckets);
    parallel_for(from.buckets, [&](Index b, Checkpoint&) {
        double false_positive = from.weight[2 * b], true_positive = from.weight[2 * b + 1];
        Part& part = parts[b];
        const auto most = static_cast<std::size_t>(from.rows(2 * b) + from.rows(2 * b + 1));
        for (auto* each : {&part.thresholds, &part.positive, &part.negative}) each->reserve(most);
        each_threshold(from, b, [&](auto key, double up, double down) {
            part.thresholds.push_back(static_cast<double>(score_of<T>(key)));
            part.positive.push_back(true_positive += up);
            part.negative.push_back(false_positive += down);
        });
    });
    std::vector<std::size_t> start(parts.size() + 1, 0);
    for (std::size_t b = 0; b < parts.size(); ++b)
        start[b + 1] = start[b] + parts[b].thresholds.size();
    for (auto* all : {&out.thresholds, &out.positive, &out.negative}) all->resize(start.back());
    parallel_for(from.buckets, [&](Index b, Checkpoint&) {
        const auto put = [&](const std::vector<double>& part, std::vector<double>& all) {
            std::copy(part.begin(), part.end(), all.begin() + static_cast<Index>(start[b]));
        };
        put(parts[b].thresholds, out.thresholds);
        put(parts[b].positive, out.positive);
        put(parts[b].negative, out.negative);
    });
    return out;
}

}  // namespace

template <class T>
RankedArea ranked_pairs(const Ranked<T>& rows) {
    if (rows.rows == 0) return {};
    using Key = KeyOf<T>;
    return rows.weights == nullptr ? ordered<Plain<Key>>(rows) : ordered<Weighted<Key>>(rows);
}

template <class T>
RankedArea ranked_precision(const Ranked<T>& rows) {
    if (rows.rows == 0) return {};
    using Key = KeyOf<T>;
    return rows.weights == nullptr ? precise<Plain<Key>>(rows) : precise<Weighted<Key>>(rows);
}

template <class T>
RankedCurve ranked_curve(const Ranked<T>& rows) {
    if (rows.rows == 0) return {};
    using Key = KeyOf<T>;
    return rows.weights == nullptr ? curve<Plain<Key>>(rows) : curve<Weighted<Key>>(rows);
}

template RankedArea ranked_pairs(const Ranked<double>&);
template RankedArea ranked_pairs(const Ranked<float>&);
template RankedArea ranked_precision(const Ranked<double>&);
template RankedArea ranked_precision(const Ranked<float>&);
template RankedCurve ranked_curve(const Ranked<double>&);
template RankedCurve ranked_curve(const Ranked<float>&);

}  // namespace stylobate::scan
