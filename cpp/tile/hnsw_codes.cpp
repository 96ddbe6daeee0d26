#include "tile/hnsw_codes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stylobate/parallel.hpp"

namespace stylobate::tile {

template <class T>
double encode(const Coding& coding, const T* row, unsigned char* out) {
    const auto columns = static_cast<Index>(coding.low.size());
    const bool bytes = coding.bytes(), manhattan = coding.manhattan();
    std::memset(out, 0, static_cast<std::size_t>(coding.stride()));
    double error = 0.0;
    for (Index l = 0; l < columns; ++l) {
        const double exact = (static_cast<double>(row[l]) - coding.low[l]) * coding.scale;
        double kept;
        if (bytes) {
            kept = std::floor(std::clamp(exact, 0.0, 255.0) + 0.5);
            if (kept > 255.0) kept = 255.0;
            out[l] = static_cast<unsigned char>(kept);
        } else {
            const float single = static_cast<float>(exact);
            std::memcpy(out + 4 * l, &single, 4);
            kept = static_cast<double>(single);
        }
        const double off = exact - kept;
        error += manhattan ? std::fabs(off) : off * off;
    }
    return (manhattan ? error : std::sqrt(error)) / coding.scale;
}

template <class T>
void encode_rows(const Coding& coding, const MatrixView<T>& rows, const std::uint32_t* order,
                 Index count, unsigned char* codes, double* errors) {
    constexpr Index step = 1024;
    const Index stride = coding.stride();
    parallel_for((count + step - 1) / step, [&](Index chunk, Checkpoint&) {
        for (Index i = chunk * step; i < std::min(count, (chunk + 1) * step); ++i)
            errors[i] = encode(coding, rows.row(order[i]), codes + i * stride);
    });
}

template double encode(const Coding&, const double*, unsigned char*);
template double encode(const Coding&, const float*, unsigned char*);
template void encode_rows(const Coding&, const MatrixView<double>&, const std::uint32_t*, Index,
                          unsigned char*, double*);
template void encode_rows(const Coding&, const MatrixView<float>&, const std::uint32_t*, Index,
                          unsigned char*, double*);

}  // namespace stylobate::tile
