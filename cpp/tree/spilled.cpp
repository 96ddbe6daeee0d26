#include "tree/spilled.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace stylobate::boost {
namespace {

[[noreturn]] void refuse(const std::string& folder, std::size_t bytes, int reason) {
    throw NoSpace("the folder for temporary files, " + folder + ", cannot hold " +
                  std::to_string(bytes >> 20) + " MB (" + std::strerror(reason) +
                  "); set TMPDIR to one that can");
}

}  // namespace

SpilledMemory::SpilledMemory(Index bytes, const std::string& folder)
    : bytes_(static_cast<std::size_t>(bytes > 0 ? bytes : 1)) {
    std::string name = folder + "/stylobate-XXXXXX";
    const int file = mkstemp(name.data());
    if (file < 0) refuse(folder, bytes_, errno);
    unlink(name.c_str());
    // every block is reserved now: a full disk is an error here and not a signal later
    const int reserved = posix_fallocate(file, 0, static_cast<off_t>(bytes_));
    void* const memory = reserved == 0
                             ? mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                             : MAP_FAILED;
    const int reason = reserved != 0 ? reserved : errno;
    close(file);
    if (memory == MAP_FAILED) refuse(folder, bytes_, reason);
    data_ = memory;
}

SpilledMemory::~SpilledMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
}

void SpilledMemory::let_go(Index begin, Index end) const {
    // the system brings in 16 pages where one is asked for; those of others come back when needed
    const auto window = 16 * static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(data_);
    const auto first = (start + static_cast<std::uintptr_t>(begin)) / window * window;
    const auto last = (start + static_cast<std::uintptr_t>(end) + window - 1) / window * window;
    const auto from = std::max(first, start), to = std::min(last, start + bytes_);
    if (data_ != nullptr && begin < end)
        madvise(reinterpret_cast<void*>(from), static_cast<std::size_t>(to - from), MADV_DONTNEED);
}

}  // namespace stylobate::boost
