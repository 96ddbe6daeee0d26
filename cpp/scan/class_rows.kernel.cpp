// Sums and squares of rows about the centre of each row's class.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {

void add_class_rows(const double* a, Index rows, Index lda, Index cols, const Index* codes,
                    const double* weights, const double* center, double* sums, double* squares) {
    for (Index k = 0; k < rows; ++k) {
        const double* row = a + k * lda;
        const Index at = codes[k] * cols;
        const double* s = center + at;
        double* __restrict__ sum = sums + at;
        double* __restrict__ square = squares + at;
        const double w = weights == nullptr ? 1.0 : weights[k];
        // the row four blocks of lines ahead: rows are short, and the machine asks too late
        __builtin_prefetch(row + 8 * lda, 0, 2);
        for (Index j = 0; j < cols; ++j) {
            const double d = row[j] - s[j], v = w * d;
            sum[j] += v;
            square[j] += v * d;
        }
    }
}

}  // namespace stylobate::STYLOBATE_ISA
