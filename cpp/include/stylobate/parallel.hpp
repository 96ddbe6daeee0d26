// One deterministic, interruptible parallel loop.
//
// Work is cut into chunks that do not depend on the number of threads; chunks are handed out
// dynamically, so a busy core costs only its share; whatever they produce is combined by the caller
// in chunk order. Hence the same bits with 1 or 64 threads. Workers sleep when idle, never spin.
#pragma once

#include <atomic>
#include <chrono>

#include "stylobate/views.hpp"

namespace stylobate {

// Asked from time to time by the thread that runs a loop; true means "stop now".
using InterruptHook = bool (*)();
void set_interrupt_hook(InterruptHook hook);

// Threads a loop may use, the calling one included. 0 restores the default: STYLOBATE_THREADS,
// else OMP_NUM_THREADS (set by process pools for their workers), else the cores we may run on.
// Returns what was asked for before (0 for the default), so that it can be put back.
int set_threads(int count);
int threads();

// Long chunk bodies call this between steps, so that Ctrl-C is answered within a fraction of a
// second however large a chunk is.
class Checkpoint {
 public:
    static constexpr auto interval =
        std::chrono::milliseconds(50);  // between questions to the hook

    Checkpoint(const std::atomic<bool>& stop, bool polls) : stop_(stop), polls_(polls) {}
    void operator()();  // throws Interrupted

 private:
    const std::atomic<bool>& stop_;
    bool polls_;  // only the calling thread may ask the hook
};

namespace detail {
using ChunkFunction = void (*)(const void* body, Index chunk, Checkpoint& checkpoint);
void run_chunks(Index n_chunks, ChunkFunction call, const void* body);
}  // namespace detail

// Calls body(chunk, checkpoint) for chunk = 0 … n_chunks − 1, in any order and on any thread.
// Throws the first error of a body, or Interrupted. Inside a body it runs its chunks one after the
// other, and stops when the enclosing loop does.
template <class Body>
void parallel_for(Index n_chunks, const Body& body) {
    detail::run_chunks(
        n_chunks,
        [](const void* erased, Index chunk, Checkpoint& checkpoint) {
            (*static_cast<const Body*>(erased))(chunk, checkpoint);
        },
        &body);
}

}  // namespace stylobate
