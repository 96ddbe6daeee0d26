// Memory in a file without a name: for arrays that need not fit into memory. The system writes
// pages out and reads them back; the file is gone with the object, however the process ends.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "stylobate/views.hpp"

namespace stylobate::boost {

// A file for memory that is spilled cannot be made; the message says where and how large.
struct NoSpace : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class SpilledMemory {
 public:
    SpilledMemory() = default;
    // Throws NoSpace where the folder cannot hold so many bytes.
    SpilledMemory(Index bytes, const std::string& folder);
    SpilledMemory(SpilledMemory&& other) noexcept { swap(other); }
    SpilledMemory& operator=(SpilledMemory&& other) noexcept {
        swap(other);
        return *this;
    }
    ~SpilledMemory();
    void* data() const { return data_; }
    // Lets the pages of some bytes go; what they hold stays in the file.
    void let_go(Index begin, Index end) const;
    Index size() const { return static_cast<Index>(bytes_); }

 private:
    void swap(SpilledMemory& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
    }
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace stylobate::boost
