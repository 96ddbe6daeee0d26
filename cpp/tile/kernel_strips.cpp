#include "tile/kernel_strips.hpp"

#include "stylobate/errors.hpp"

namespace stylobate::tile {
namespace {

using Kind = KernelStep::Kind;

struct KernelChunk : Chunk {
    std::vector<std::unique_ptr<Chunk>> measures;
    std::vector<Aligned<double>> tiles;  // the stack
};

// How many tiles the steps hold at most.
Index stack_depth(const std::vector<KernelStep>& steps) {
    Index depth = 0, most = 0;
    for (const KernelStep& step : steps) {
        if (step.kind == Kind::measure || step.kind == Kind::constant)
            most = std::max(most, ++depth);
        if (step.kind == Kind::add || step.kind == Kind::multiply) --depth;
    }
    return most;
}

class Kernel : public Strips {
 public:
    Kernel(std::vector<std::unique_ptr<Strips>> measures, KernelForm form, const Index* which)
        : Strips(measures[0]->queries(), measures[0]->rows(), measures[0]->depth()),
          measures_(std::move(measures)),
          form_(std::move(form)),
          which_(which),
          depth_(stack_depth(form_.steps)),
          last_use_(form_.steps.size(), true) {
        for (std::size_t s = 0; s < form_.steps.size(); ++s)
            for (std::size_t later = s + 1; later < form_.steps.size(); ++later)
                if (form_.steps[later].kind == Kind::measure &&
                    form_.steps[later].which == form_.steps[s].which)
                    last_use_[s] = false;
        const auto padded = static_cast<std::size_t>(round_up(rows(), panel_rows<double>()));
        for (PairFactors& each : form_.factors) each.rows.resize(padded, 0.0);
    }

    Index block_rows() const override {
        Index least = measures_[0]->block_rows();
        for (const auto& each : measures_) least = std::min(least, each->block_rows());
        return least;
    }
    void open_block(Index row0, Index rows) override {
        for (const auto& each : measures_) each->open_block(row0, rows);
    }
    std::unique_ptr<Chunk> open_chunk(Index query0, Index queries) const override {
        auto chunk = std::make_unique<KernelChunk>();
        chunk->query0 = query0, chunk->queries = queries;
        const Index size = round_up(queries, kernels().tile_queries()) * panel_rows<double>();
        chunk->values = Aligned<double>(size);
        for (Index t = 0; t < depth_; ++t) chunk->tiles.emplace_back(size);
        for (const auto& each : measures_)
            chunk->measures.push_back(each->open_chunk(query0, queries));
        return chunk;
    }

    void strip(Chunk& base, Index row0) const override {
        auto& chunk = static_cast<KernelChunk&>(base);
        for (std::size_t m = 0; m < measures_.size(); ++m)
            measures_[m]->strip(*chunk.measures[m], row0);
        const Index n = chunk.queries * panel_rows<double>();
        std::size_t top = 0;  // tiles on the stack
        for (std::size_t s = 0; s < form_.steps.size(); ++s) {
            const KernelStep& step = form_.steps[s];
            switch (step.kind) {
                case Kind::measure:
                    put(chunk.measures[step.which]->values, last_use_[s], chunk.tiles[top++], n);
                    break;
                case Kind::constant:
                    std::fill_n(chunk.tiles[top++].data(), n, step.mapping.a);
                    break;
                case Kind::map:
                    apply(step.mapping, 0.0, nullptr, chunk.tiles[top - 1].data(), n);
                    break;
                case Kind::factors:
                    scale(form_.factors[step.which], chunk, row0, chunk.tiles[top - 1].data());
                    break;
                default:
                    --top;
                    combine(step.kind, chunk.tiles[top].data(), chunk.tiles[top - 1].data(), n);
            }
        }
        std::swap(chunk.values, chunk.tiles[0]);
    }

 private:
    // The values of a measure that nobody will ask for again change hands without a copy.
    static void put(Aligned<double>& from, bool last, Aligned<double>& to, Index n) {
        if (last)
            std::swap(from, to);
        else
            std::copy_n(from.data(), n, to.data());
    }
    static void combine(Kind kind, const double* from, double* to, Index n) {
        if (kind == Kind::add)
            for (Index i = 0; i < n; ++i) to[i] += from[i];
        else
            for (Index i = 0; i < n; ++i) to[i] *= from[i];
    }
    void scale(const PairFactors& by, const Chunk& chunk, Index row0, double* tile) const {
        const Index width = panel_rows<double>();
        for (Index i = 0; i < chunk.queries; ++i) {
            const Index query = which_ == nullptr ? chunk.query0 + i : which_[chunk.query0 + i];
            for (Index j = 0; j < width; ++j)
                tile[i * width + j] *= by.queries[query] * by.rows[row0 + j];
        }
    }

    std::vector<std::unique_ptr<Strips>> measures_;
    KernelForm form_;
    const Index* which_;
    Index depth_;
    std::vector<bool> last_use_;
};

}  // namespace

void check_form(const KernelForm& form, Index measures) {
    Index depth = 0;
    const auto within = [](Index which, Index count) { return which >= 0 && which < count; };
    bool right = measures > 0;
    for (const KernelStep& step : form.steps) {
        const bool puts = step.kind == Kind::measure || step.kind == Kind::constant;
        const bool joins = step.kind == Kind::add || step.kind == Kind::multiply;
        right = right && depth >= (puts ? 0 : joins ? 2 : 1);
        if (step.kind == Kind::measure) right = right && within(step.which, measures);
        if (step.kind == Kind::factors)
            right = right && within(step.which, static_cast<Index>(form.factors.size()));
        depth += puts ? 1 : joins ? -1 : 0;
    }
    if (!right || depth != 1)
        throw InvalidArgument("the steps of a kernel must leave one value of measures that exist");
}

std::unique_ptr<Strips> kernel_strips(std::vector<std::unique_ptr<Strips>> measures,
                                      KernelForm form, const Index* which) {
    return std::make_unique<Kernel>(std::move(measures), std::move(form), which);
}

}  // namespace stylobate::tile
