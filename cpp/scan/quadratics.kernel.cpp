// Quadratic forms of rows by forward substitution, a group of rows side by side.
//
// Entry j of all rows of the group is held in registers while the entries before it are subtracted,
// so each loaded vector meets one multiplication and nothing is written but the answer.
#include "stylobate/simd.hpp"

namespace stylobate::STYLOBATE_ISA {
namespace {

typedef double Vector __attribute__((vector_size(STYLOBATE_VECTOR_BYTES), may_alias));
constexpr Index lanes = STYLOBATE_VECTOR_BYTES / 8;
constexpr Index vectors = 8;
constexpr Index group = vectors * lanes;

// total = Σⱼ zⱼ², z = R⁻ᵀ z in place; zⱼ is `group` numbers, one per row.
void substitute(const double* r, Index cols, double* z, Vector* total) {
    for (Index j = 0; j < cols; ++j) {
        const double* column = r + j * cols;
        Vector* own = reinterpret_cast<Vector*>(z + j * group);
        Vector x[vectors];
        for (Index v = 0; v < vectors; ++v) x[v] = own[v];
        for (Index l = 0; l < j; ++l) {
            const Vector* solved = reinterpret_cast<const Vector*>(z + l * group);
            const Vector factor = column[l] - Vector{};  // broadcast
            for (Index v = 0; v < vectors; ++v) x[v] -= solved[v] * factor;
        }
        const Vector diagonal = column[j] - Vector{};
        for (Index v = 0; v < vectors; ++v) {
            x[v] /= diagonal;
            own[v] = x[v];
            total[v] += x[v] * x[v];
        }
    }
}

}  // namespace

void quadratics(const double* a, Index rows, Index lda, const double* r, Index cols,
                double* scratch, double* out) {
    for (Index first = 0; first < rows; first += group) {
        const Index count = rows - first < group ? rows - first : group;
        for (Index j = 0; j < cols; ++j)
            for (Index k = 0; k < group; ++k)
                scratch[j * group + k] = k < count ? a[(first + k) * lda + j] : 0.0;
        Vector total[vectors] = {};
        substitute(r, cols, scratch, total);
        for (Index k = 0; k < count; ++k) out[first + k] = total[k / lanes][k % lanes];
    }
}

}  // namespace stylobate::STYLOBATE_ISA
