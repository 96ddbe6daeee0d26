#include "scan/gather.hpp"

#include <algorithm>

#include "stylobate/errors.hpp"
#include "stylobate/parallel.hpp"

namespace stylobate::scan {
namespace {

constexpr Index chunk_rows = 8192;
constexpr Index ahead = 16;  // rows asked for before they are needed
constexpr Index block = 8;   // columns that are written side by side: a cache line of a row

template <int width>
void copy_block(const double* first, Index cols, const std::int64_t* places, Index n,
                double* const* out) {
    for (Index i = 0; i < n; ++i) {
        __builtin_prefetch(first + places[std::min(i + ahead, n - 1)] * cols);
        const double* const row = first + places[i] * cols;
        for (int j = 0; j < width; ++j) out[j][i] = row[j];
    }
}

void copy_columns(const double* first, Index cols, Index width, const std::int64_t* places, Index n,
                  double* const* out) {
    switch (width) {
        case 1:
            return copy_block<1>(first, cols, places, n, out);
        case 2:
            return copy_block<2>(first, cols, places, n, out);
        case 3:
            return copy_block<3>(first, cols, places, n, out);
        case 4:
            return copy_block<4>(first, cols, places, n, out);
        case 5:
            return copy_block<5>(first, cols, places, n, out);
        case 6:
            return copy_block<6>(first, cols, places, n, out);
        case 7:
            return copy_block<7>(first, cols, places, n, out);
        default:
            return copy_block<8>(first, cols, places, n, out);
    }
}

}  // namespace

void gather_rows(const RowTable& table, const std::int64_t* places, Index n,
                 const std::vector<Index>& where, double* out, Index stride) {
    const Index chunks = (n + chunk_rows - 1) / chunk_rows;
    parallel_for(chunks, [&](Index chunk, Checkpoint& checkpoint) {
        checkpoint();
        const Index begin = chunk * chunk_rows, count = std::min(chunk_rows, n - begin);
        const std::int64_t* const here = places + begin;
        for (Index i = 0; i < count; ++i)
            if (here[i] < 0 || here[i] >= table.rows)
                throw InvalidArgument("a place is no row of the table");
        for (Index j = 0; j < table.cols; j += block) {
            const Index width = std::min(block, table.cols - j);
            double* columns[block];
            for (Index k = 0; k < width; ++k) columns[k] = out + where[j + k] * stride + begin;
            copy_columns(table.values + j, table.cols, width, here, count, columns);
        }
    });
}

}  // namespace stylobate::scan
