#include "stylobate/blas.hpp"

#include "stylobate/errors.hpp"

namespace stylobate {
namespace {
Blas installed;
}

void install_blas(const Blas& functions) { installed = functions; }

const Blas& blas() {
    if (installed.dtrsm == nullptr) throw InvalidArgument("BLAS functions have not been installed");
    return installed;
}

}  // namespace stylobate
