#include <cmath>
#include <cstring>
#include <limits>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"
#include "tile/entries.hpp"
#include "tile/hnsw_walk.hpp"

namespace stylobate::tile {
namespace {

double squared(const double* x, const double* y, Index n) {
    return kernels().squared_distance_f64(x, y, n);
}
double squared(const float* x, const float* y, Index n) {
    return kernels().squared_distance_f32(x, y, n);
}

template <class T>
double manhattan(const T* x, const T* y, Index n) {
    double sum = 0.0;
    for (Index l = 0; l < n; ++l)
        sum += std::fabs(static_cast<double>(x[l]) - static_cast<double>(y[l]));
    return sum;
}

// The k best of candidates, measured exactly where the code's error leaves a doubt.
template <class T>
class Final {
 public:
    Final(const Searched<T>& graph, Index k) : graph_(graph), k_(k) {}

    void measure(std::span<const Key> candidates, const T* query, double query_error,
                 std::int64_t own) {
        best_.clear();
        const auto count = static_cast<Index>(candidates.size());
        for (Index c = 0; c < count; ++c) {
            constexpr Index ahead = 4;
            if (c + ahead < count)
                __builtin_prefetch(row_of(graph_.starts[number_of(candidates[c + ahead])]));
            const std::uint32_t number = number_of(candidates[c]);
            const double apart = distance(candidates[c]) - query_error;
            for (std::int64_t m = graph_.starts[number]; m < graph_.starts[number + 1]; ++m)
                if (graph_.members[m] != own && !beyond(apart - graph_.errors[m]))
                    offer({exact(query, row_of(m)), graph_.members[m]});
        }
    }

    void write(double* values, std::int64_t* rows) const {
        for (Index e = 0; e < k_; ++e) {
            const bool found = e < static_cast<Index>(best_.size());
            values[e] = found ? best_[e].value : std::numeric_limits<double>::infinity();
            rows[e] = found ? best_[e].row : -1;
        }
    }

 private:
    const T* row_of(std::int64_t member) const { return graph_.rows.row(graph_.members[member]); }

    double exact(const T* x, const T* y) const {
        const Index n = graph_.rows.cols;
        return graph_.coding.manhattan() ? manhattan(x, y, n) : squared(x, y, n);
    }

    // The distance of what the codes stand for, or a little less.
    double distance(Key candidate) const {
        const Coding& coding = graph_.coding;
        double apart = static_cast<double>(distance_of(candidate));
        if (!coding.bytes()) {
            const std::uint32_t bits = distance_of(candidate);
            float single;
            std::memcpy(&single, &bits, sizeof(single));
            const double rounding = 1.2e-7 * static_cast<double>(graph_.rows.cols + 8);
            apart = std::max(static_cast<double>(single) * (1.0 - rounding), 0.0);
        }
        return (coding.manhattan() ? apart : std::sqrt(apart)) / coding.scale;
    }

    // Whether a row at least `apart` away is none of the k best.
    bool beyond(double apart) const {
        if (static_cast<Index>(best_.size()) < k_) return false;
        const double worst = best_.back().value;
        return apart > (graph_.coding.manhattan() ? worst : std::sqrt(worst)) * (1.0 + 1e-12);
    }

    void offer(const Entry& entry) {
        if (static_cast<Index>(best_.size()) == k_) {
            if (!before(entry, best_.back())) return;
            best_.pop_back();
        }
        best_.insert(std::upper_bound(best_.begin(), best_.end(), entry, before), entry);
    }

    const Searched<T>& graph_;
    Index k_;
    std::vector<Entry> best_;
};

template <class T>
void check(const Searched<T>& graph, const MatrixView<T>& queries, const Walk& wish) {
    if (queries.cols != graph.rows.cols)
        throw InvalidArgument("queries must have as many columns as the rows");
    if (wish.k < 1 || wish.k > graph.rows.rows)
        throw InvalidArgument("k must be in [1, number of rows]");
}

}  // namespace

template <class T>
void hnsw_nearest(const Searched<T>& graph, const MatrixView<T>& queries, const Walk& wish,
                  double* values, std::int64_t* rows) {
    check(graph, queries, wish);
    // more candidates than nodes need no room
    const Index room = std::min(std::max(wish.effort, wish.k + 1), graph.codes.rows);
    Walkers walkers(graph.codes);
    constexpr Index step = 32;
    parallel_for((queries.rows + step - 1) / step, [&](Index chunk, Checkpoint& checkpoint) {
        walkers.with([&](Walker& walker) {
            std::vector<unsigned char> code(static_cast<std::size_t>(graph.codes.stride));
            Final<T> final(graph, wish.k);
            for (Index q = chunk * step; q < std::min(queries.rows, (chunk + 1) * step); ++q) {
                const std::uint32_t node = wish.numbers == nullptr ? no_link : wish.numbers[q];
                const double error = encode(graph.coding, queries.row(q), code.data());
                const std::uint32_t start =
                    node != no_link ? node : walker.descend(graph.layers, 0, code.data());
                const Pool& pool = walker.walk(graph.layers[0], code.data(), start, room);
                final.measure(pool.keys(), queries.row(q), error,
                              node == no_link ? -1 : wish.own[q]);
                final.write(values + q * wish.k, rows + q * wish.k);
                checkpoint();
            }
        });
    });
}

template void hnsw_nearest(const Searched<double>&, const MatrixView<double>&, const Walk&, double*,
                           std::int64_t*);
template void hnsw_nearest(const Searched<float>&, const MatrixView<float>&, const Walk&, double*,
                           std::int64_t*);

}  // namespace stylobate::tile
