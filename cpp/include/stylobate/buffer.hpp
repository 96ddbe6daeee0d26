// A zeroed, 64-byte aligned array of doubles: what the kernels work in.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "stylobate/views.hpp"

namespace stylobate {

// rows · cols, refused where so many numbers could not be addressed.
inline Index area(Index rows, Index cols) {
    Index size = 0;
    if (rows < 0 || cols < 0 || __builtin_mul_overflow(rows, cols, &size) ||
        size > PTRDIFF_MAX / 64)
        throw std::bad_alloc();
    return size;
}

class Buffer {
 public:
    Buffer() = default;
    explicit Buffer(Index size) : Buffer(size, true) {}
    // The same with whatever the memory holds: for those who write every entry before they read it.
    static Buffer unset(Index size) { return Buffer(size, false); }
    double* data() { return data_.get(); }
    const double* data() const { return data_.get(); }
    double& operator[](Index i) { return data_.get()[i]; }
    double operator[](Index i) const { return data_.get()[i]; }
    Index size() const { return size_; }

 private:
    static constexpr std::size_t huge_page = std::size_t{1} << 21;
    Buffer(Index size, bool zeroed) : size_(area(size, 1)) {
        const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(double);
        const bool huge = bytes >= 4 * huge_page;  // first touches then cost 512 times fewer faults
        const std::size_t unit = huge ? huge_page : 64;
        data_.reset(static_cast<double*>(
            std::aligned_alloc(unit, bytes == 0 ? unit : (bytes + unit - 1) / unit * unit)));
        if (!data_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (huge) madvise(data_.get(), bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
        if (zeroed) std::memset(data_.get(), 0, static_cast<std::size_t>(size) * sizeof(double));
    }
    struct Free {
        void operator()(double* p) const { std::free(p); }
    };
    std::unique_ptr<double, Free> data_;
    Index size_ = 0;
};

// The distance between rows of a packed block: whole cache lines, and an odd number of them, so
// that a column does not fall into few cache sets.
inline Index padded_stride(Index cols) {
    const Index lines = (cols + 7) / 8;
    return 8 * (lines | 1);
}

}  // namespace stylobate
