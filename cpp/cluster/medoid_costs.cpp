#include "cluster/medoid_costs.hpp"

#include <algorithm>
#include <cmath>

#include "stylobate/errors.hpp"

namespace stylobate::medoids {
namespace {

using tile::Chunk;
using tile::panel_rows;
using tile::Strips;

// Entries of a matrix in place of measures of rows.
template <class T>
class MatrixStrips : public Strips {
 public:
    MatrixStrips(const MatrixView<T>& matrix, const Index* which, Index count)
        : Strips(which == nullptr ? matrix.rows : count, matrix.cols, 1),
          matrix_(matrix),
          which_(which) {}
    void open_block(Index, Index) override {}
    std::unique_ptr<Chunk> open_chunk(Index query0, Index queries) const override {
        auto chunk = std::make_unique<Chunk>();
        chunk->query0 = query0, chunk->queries = queries;
        chunk->values = tile::Aligned<double>(queries * panel_rows<double>());
        return chunk;
    }
    void strip(Chunk& chunk, Index row0) const override {
        const Index width = panel_rows<double>(), count = std::min(width, rows() - row0);
        for (Index i = 0; i < chunk.queries; ++i) {
            const Index query = chunk.query0 + i;
            const T* const from =
                matrix_.row(which_ == nullptr ? query : which_[query]) + row0 * matrix_.col_stride;
            double* const to = chunk.values.data() + i * width;
            for (Index j = 0; j < count; ++j)
                to[j] = static_cast<double>(from[j * matrix_.col_stride]);
            std::fill(to + count, to + width, 0.0);
        }
    }

 private:
    MatrixView<T> matrix_;
    const Index* which_;
};

// Strips in which a query meets itself at 0.
class Cleared : public Strips {
 public:
    Cleared(std::unique_ptr<Strips> inner, std::vector<Index> queries, std::vector<Index> rows)
        : Strips(inner->queries(), inner->rows(), inner->depth()),
          inner_(std::move(inner)),
          queries_(std::move(queries)),
          rows_(std::move(rows)) {}
    Index block_rows() const override { return inner_->block_rows(); }
    void open_block(Index row0, Index rows) override { inner_->open_block(row0, rows); }
    std::unique_ptr<Chunk> open_chunk(Index query0, Index queries) const override {
        return inner_->open_chunk(query0, queries);
    }
    void strip(Chunk& chunk, Index row0) const override {
        inner_->strip(chunk, row0);
        const Index width = panel_rows<double>(), count = std::min(width, rows() - row0);
        for (Index i = 0; i < chunk.queries; ++i)
            for (Index j = 0; j < count; ++j)
                if (queries_[chunk.query0 + i] == rows_[row0 + j])
                    chunk.values[i * width + j] = 0.0;
    }

 private:
    std::unique_ptr<Strips> inner_;
    std::vector<Index> queries_, rows_;
};

std::vector<Index> counted(Index n) {
    std::vector<Index> all(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) all[i] = i;
    return all;
}

}  // namespace

Costs::Costs(tile::Pairs by_point, tile::Pairs by_candidate, const tile::Mapping& finish,
             std::vector<Index> own)
    : points_(by_point.queries()),
      candidates_(by_point.rows()),
      root_(finish.kind == tile::Map::root) {
    if (by_candidate.queries() != candidates_ || by_candidate.rows() != points_)
        throw InvalidArgument("both pairs must be of the same points and candidates");
    if (!own.empty() && static_cast<Index>(own.size()) != points_)
        throw InvalidArgument("one candidate for each point");
    if (by_point.measure() == tile::Measure::inner)
        throw InvalidArgument("an inner product is no cost");
    const bool map = !root_ && finish.kind != tile::Map::identity;
    const auto ready = [=](std::unique_ptr<Strips> strips) {
        return map ? tile::mapped_strips(std::move(strips), finish, {}, {}) : std::move(strips);
    };
    const Index candidates = candidates_;
    point_strips_ = [=, pairs = std::move(by_point)]() -> std::unique_ptr<Strips> {
        auto strips = ready(pairs.strips());
        if (own.empty()) return strips;
        return std::make_unique<Cleared>(std::move(strips), own, counted(candidates));
    };
    candidate_strips_ = [=, pairs = std::move(by_candidate)](
                            const Index* which, Index count) -> std::unique_ptr<Strips> {
        auto strips = ready(pairs.strips(which, count));
        if (own.empty()) return strips;
        return std::make_unique<Cleared>(std::move(strips),
                                         std::vector<Index>(which, which + count), own);
    };
}

template <class T>
Costs::Costs(const MatrixView<T>& matrix) : points_(matrix.rows), candidates_(matrix.cols) {
    const MatrixView<T> turned{matrix.data, matrix.cols, matrix.rows, matrix.col_stride,
                               matrix.row_stride};
    point_strips_ = [=] { return std::make_unique<MatrixStrips<T>>(matrix, nullptr, 0); };
    candidate_strips_ = [=](const Index* which, Index count) {
        return std::make_unique<MatrixStrips<T>>(turned, which, count);
    };
}

void Costs::finish(const double* measures, Index n, double* costs) const {
    for (Index i = 0; i < n; ++i) costs[i] = root_ ? std::sqrt(measures[i]) : measures[i];
}

template Costs::Costs(const MatrixView<double>&);
template Costs::Costs(const MatrixView<float>&);

}  // namespace stylobate::medoids
