// Packing: a block of rows of any layout → aligned, shifted rows of doubles.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

template <class T>
void pack(const MatrixView<T>& x, const double* shift, double* out, Index ld) {
    if (x.rows_contiguous()) {
        for (Index k = 0; k < x.rows; ++k) {
            const T* row = x.data + k * x.row_stride;
            double* to = out + k * ld;
            for (Index j = 0; j < x.cols; ++j) to[j] = static_cast<double>(row[j]) - shift[j];
        }
        return;
    }
    // Columns (or anything else): eight at a time, so that each line written is written whole.
    for (Index j0 = 0; j0 < x.cols; j0 += 8) {
        const Index j1 = j0 + 8 < x.cols ? j0 + 8 : x.cols;
        for (Index k = 0; k < x.rows; ++k)
            for (Index j = j0; j < j1; ++j)
                out[k * ld + j] =
                    static_cast<double>(x.data[k * x.row_stride + j * x.col_stride]) - shift[j];
    }
}

}  // namespace

void pack_f64(const MatrixView<double>& x, const double* shift, double* out, Index ld) {
    pack(x, shift, out, ld);
}

void pack_f32(const MatrixView<float>& x, const double* shift, double* out, Index ld) {
    pack(x, shift, out, ld);
}

}  // namespace stylobate::STYLOBATE_ISA
