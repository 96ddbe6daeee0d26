#include "tile/write.hpp"

namespace stylobate::tile {
namespace {

// Panels that are gathered before they are written, so that a row of the output gets whole cache
// lines; with the queries of a chunk they fill a part of the second cache.
constexpr Index group = 8;

// Values beyond which a matrix is written around the caches: they would be pushed out anyway.
constexpr Index past_cache_values = Index{1} << 21;

template <class T>
struct Output {
    T* data;
    Index stride;
    bool past_cache;
};

void put(const double* c, Index rows, Index cols, Index ld, const Output<double>& out, Index row,
         Index col) {
    kernels().tile_put(c, rows, cols, ld, out.data + row * out.stride + col, out.stride,
                       out.past_cache);
}

void put(const double* c, Index rows, Index cols, Index ld, const Output<float>& out, Index row,
         Index col) {
    for (Index i = 0; i < rows; ++i) {
        float* const to = out.data + (row + i) * out.stride + col;
        for (Index j = 0; j < cols; ++j) to[j] = static_cast<float>(c[i * ld + j]);
    }
}

// Strips that meet the diagonal: what lies on and right of it, and its mirror image.
template <class T>
void both(const Chunk& chunk, Index width, Index row0, Index count, const Output<T>& out) {
    for (Index i = 0; i < chunk.queries; ++i)
        for (Index j = 0; j < count; ++j) {
            const Index query = chunk.query0 + i, row = row0 + j;
            if (row < query) continue;
            const T value = static_cast<T>(chunk.values.data()[i * width + j]);
            out.data[query * out.stride + row] = value;
            out.data[row * out.stride + query] = value;
        }
}

// The strips of one chunk of queries, in order: mapped, gathered, written.
template <class T>
class ChunkWriter {
 public:
    ChunkWriter(const Strips& strips, const Mapping& mapping, Half half, const Output<T>& out,
                Index query0, Index queries)
        : strips_(strips),
          mapping_(mapping),
          half_(half),
          out_(out),
          width_(panel_rows<double>()),
          chunk_(strips.open_chunk(query0, queries)),
          gathered_(queries * group * width_),
          turned_(half == Half::none ? 0 : queries * width_) {}

    void write(Index r0, Index r1, Checkpoint& checkpoint) {
        const Index end = chunk_->query0 + chunk_->queries;
        for (; half_ != Half::none && r0 < r1 && r0 < end; r0 += width_) {
            compute(r0, std::min(width_, r1 - r0));
            both(*chunk_, width_, r0, std::min(width_, r1 - r0), out_);
            checkpoint();
        }
        for (; r0 < r1; r0 += group * width_) {
            write_group(r0, std::min(group * width_, r1 - r0));
            checkpoint();
        }
    }

 private:
    void compute(Index r0, Index count) {
        strips_.strip(*chunk_, r0);
        double* const c = chunk_->values.data();
        if (count == width_)
            apply(mapping_, 0.0, nullptr, c, chunk_->queries * width_);
        else
            for (Index i = 0; i < chunk_->queries; ++i)
                apply(mapping_, 0.0, nullptr, c + i * width_, count);
    }

    void write_group(Index r0, Index cols) {
        const Index n = chunk_->queries, ld = group * width_;
        for (Index p = 0; p < cols; p += width_) {
            const Index count = std::min(width_, cols - p);
            compute(r0 + p, count);
            const double* const c = chunk_->values.data();  // may be another place each time
            if (half_ != Half::lower)
                kernels().tile_put(c, n, width_, width_, gathered_.data() + p, ld, false);
            if (half_ == Half::none) continue;
            kernels().tile_transpose(c, n, turned_.data(), n);
            put(turned_.data(), count, n, n, out_, r0 + p, chunk_->query0);
        }
        if (half_ != Half::lower) put(gathered_.data(), n, cols, ld, out_, chunk_->query0, r0);
    }

    const Strips& strips_;
    const Mapping& mapping_;
    Half half_;
    const Output<T>& out_;
    Index width_;
    std::unique_ptr<Chunk> chunk_;
    Aligned<double> gathered_, turned_;
};

}  // namespace

template <class T>
void write(Strips& strips, const Mapping& mapping, Half half, T* out, Index stride) {
    const Index width = panel_rows<double>(), n = strips.queries();
    const Sharing sharing(n);
    const Output<T> to{out, stride, area(n, strips.rows()) >= past_cache_values};
    for (Index b0 = 0; b0 < strips.rows(); b0 += strips.block_rows()) {
        const Index b1 = std::min(strips.rows(), b0 + strips.block_rows());
        strips.open_block(b0, b1 - b0);
        share_out(
            sharing, n, b0, b1, width,
            [&](Index q0, Index count, Index r0, Index r1, Index, Checkpoint& checkpoint) {
                if (half != Half::none) r0 += std::max<Index>(0, q0 - r0) / width * width;
                if (r0 < r1)
                    ChunkWriter<T>(strips, mapping, half, to, q0, count).write(r0, r1, checkpoint);
            });
    }
}

template void write(Strips&, const Mapping&, Half, double*, Index);
template void write(Strips&, const Mapping&, Half, float*, Index);

}  // namespace stylobate::tile
