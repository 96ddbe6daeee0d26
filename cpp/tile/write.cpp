#include "tile/write.hpp"

namespace stylobate::tile {
namespace {

template <class T>
void put(const Chunk& chunk, Index width, Index row0, Index count, T* out, Index stride) {
    for (Index i = 0; i < chunk.queries; ++i) {
        const double* const c = chunk.values.data() + i * width;
        T* const to = out + (chunk.query0 + i) * stride + row0;
        for (Index j = 0; j < count; ++j) to[j] = static_cast<T>(c[j]);
    }
}

template <class T>
void mirror(const Chunk& chunk, Index width, Index row0, Index count, T* out, Index stride) {
    for (Index j = 0; j < count; ++j) {
        const double* const c = chunk.values.data() + j;
        T* const to = out + (row0 + j) * stride + chunk.query0;
        for (Index i = 0; i < chunk.queries; ++i) to[i] = static_cast<T>(c[i * width]);
    }
}

// Strips that meet the diagonal: what lies on and right of it, and its mirror image.
template <class T>
void both(const Chunk& chunk, Index width, Index row0, Index count, T* out, Index stride) {
    for (Index i = 0; i < chunk.queries; ++i)
        for (Index j = 0; j < count; ++j) {
            const Index query = chunk.query0 + i, row = row0 + j;
            if (row < query) continue;
            const T value = static_cast<T>(chunk.values.data()[i * width + j]);
            out[query * stride + row] = value;
            out[row * stride + query] = value;
        }
}

}  // namespace

template <class T>
void write(Strips& strips, const Mapping& mapping, bool symmetric, T* out, Index stride) {
    const Index width = panel_rows<double>();
    const auto consume = [&](Chunk& chunk, Index row0, Index count, Index) {
        if (count == width)
            apply(mapping, 0.0, nullptr, chunk.values.data(), chunk.queries * width);
        else
            for (Index i = 0; i < chunk.queries; ++i)
                apply(mapping, 0.0, nullptr, chunk.values.data() + i * width, count);
        if (symmetric && row0 < chunk.query0 + chunk.queries)
            return both(chunk, width, row0, count, out, stride);
        put(chunk, width, row0, count, out, stride);
        if (symmetric) mirror(chunk, width, row0, count, out, stride);
    };
    over_strips(strips, consume, [&](Index query0) { return symmetric ? query0 : Index{0}; });
}

template void write(Strips&, const Mapping&, bool, double*, Index);
template void write(Strips&, const Mapping&, bool, float*, Index);

}  // namespace stylobate::tile
