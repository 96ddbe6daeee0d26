// Dense factorisations and square products come from the BLAS that SciPy already loaded: the
// bindings install its exported function pointers here once. We never link a second copy.
#pragma once

namespace stylobate {

struct Blas {
    // B ← α·op(A)⁻¹·B or α·B·op(A)⁻¹, A triangular (Fortran calling convention, column-major)
    void (*dtrsm)(const char* side, const char* uplo, const char* trans, const char* diag,
                  const int* m, const int* n, const double* alpha, const double* a, const int* lda,
                  double* b, const int* ldb) = nullptr;
};

void install_blas(const Blas& functions);  // the first call counts, later ones change nothing
const Blas& blas();                        // throws InvalidArgument before install_blas

}  // namespace stylobate
