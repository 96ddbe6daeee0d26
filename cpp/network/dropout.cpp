#include "network/dropout.hpp"

#include <algorithm>

#include "stylobate/parallel.hpp"
#include "stylobate/random.hpp"

namespace stylobate::network {
namespace {

constexpr Index chunk_size = 1 << 13;     // entries of a task; a multiple of the eight below
constexpr std::uint64_t stream = 0xD409;  // apart from other uses of the same seed

}  // namespace

template <class T>
void drop(const T* x, Index n, double rate, std::uint64_t seed, T* y) {
    const Philox random(seed, stream);
    // halves of words are compared: 2⁻³² is fine enough for a rate
    const auto threshold = static_cast<std::uint64_t>(rate * 4294967296.0);
    const T scale = static_cast<T>(1.0 / (1.0 - rate));
    parallel_for((n + chunk_size - 1) / chunk_size, [&](Index chunk, Checkpoint& checkpoint) {
        checkpoint();
        const Index end = std::min(n, (chunk + 1) * chunk_size);
        for (Index at = chunk * chunk_size; at < end; at += 8) {
            const auto words = random({static_cast<std::uint64_t>(at / 8), 0, 0, 0});
            const Index count = std::min<Index>(8, end - at);
            for (Index k = 0; k < count; ++k) {
                const auto word = words[static_cast<std::size_t>(k / 2)];
                const auto half = k % 2 == 0 ? word & 0xFFFFFFFFu : word >> 32;
                y[at + k] = half < threshold ? T(0) : scale * x[at + k];
            }
        }
    });
}

template void drop(const float*, Index, double, std::uint64_t, float*);
template void drop(const double*, Index, double, std::uint64_t, double*);

}  // namespace stylobate::network
