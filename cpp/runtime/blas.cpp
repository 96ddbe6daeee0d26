#include "stylobate/blas.hpp"

#include <atomic>
#include <mutex>

#include "stylobate/errors.hpp"

namespace stylobate {
namespace {
Blas table;  // written once, then only read: loops may be using it
std::once_flag once;
std::atomic<bool> installed{false};
}  // namespace

void install_blas(const Blas& functions) {
    if (functions.dtrsm == nullptr) throw InvalidArgument("a BLAS function is missing: dtrsm");
    std::call_once(once, [&] {
        table = functions;
        installed.store(true);
    });
}

const Blas& blas() {
    if (!installed.load()) throw InvalidArgument("BLAS functions have not been installed");
    return table;
}

}  // namespace stylobate
