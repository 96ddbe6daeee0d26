#include "stylobate/parallel.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "stylobate/errors.hpp"

namespace stylobate {
namespace {

std::atomic<InterruptHook> interrupt_hook{nullptr};
std::atomic<int> requested_threads{0};
thread_local bool inside_loop = false;

int positive_environment(const char* name) {
    const char* text = std::getenv(name);
    const long value = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    return value > 0 && value < 4096 ? static_cast<int>(value) : 0;
}

int default_threads() {
    for (const char* name : {"STYLOBATE_THREADS", "OMP_NUM_THREADS"})
        if (const int count = positive_environment(name)) return count;
    return std::max(1u, std::thread::hardware_concurrency());
}

struct Job {
    Job(Index n, detail::ChunkFunction f, const void* b, int helpers)
        : n_chunks(n), call(f), body(b), free_places(helpers) {}

    const Index n_chunks;
    const detail::ChunkFunction call;
    const void* const body;
    std::atomic<Index> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr error;  // guarded by the pool's mutex, like the two counts below
    int free_places;           // helpers that may still join
    int helping = 0;           // helpers inside
};

class Pool {
   public:
    void run(Job& job) {
        {
            std::lock_guard lock(mutex_);
            jobs_.push_back(&job);
            while (n_workers_ < job.free_places && start_worker()) {
            }
        }
        work_.notify_all();
        take_chunks(job, /*caller=*/true);
        std::unique_lock lock(mutex_);
        jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
        Checkpoint checkpoint(job.stop, /*polls=*/true);
        while (job.helping > 0) {
            finished_.wait_for(lock, Checkpoint::interval);
            if (job.helping == 0 || job.error) continue;
            lock.unlock();  // the hook may need other locks
            try {
                checkpoint();
            } catch (...) {
                fail(job);
            }
            lock.lock();
        }
    }

    void take_chunks(Job& job, bool caller) {
        const bool was_inside = std::exchange(inside_loop, true);
        try {
            Checkpoint checkpoint(job.stop, caller);
            for (;;) {
                checkpoint();
                const Index chunk = job.next.fetch_add(1, std::memory_order_relaxed);
                if (chunk >= job.n_chunks) break;
                job.call(job.body, chunk, checkpoint);
            }
        } catch (...) {
            fail(job);
        }
        inside_loop = was_inside;
    }

   private:
    void fail(Job& job) {
        std::lock_guard lock(mutex_);
        if (!job.error) job.error = std::current_exception();
        job.stop.store(true);
    }

    bool start_worker() {
        try {
            std::thread([this] { serve(); }).detach();
        } catch (const std::system_error&) {
            return false;  // no more threads to be had: the ones there are share the work
        }
        ++n_workers_;
        return true;
    }

    Job* open_job() {
        for (Job* job : jobs_)
            if (job->free_places > 0 && job->next.load() < job->n_chunks && !job->stop.load())
                return job;
        return nullptr;
    }

    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            Job* job = nullptr;
            work_.wait(lock, [&] { return (job = open_job()) != nullptr; });
            --job->free_places;
            ++job->helping;
            lock.unlock();
            take_chunks(*job, /*caller=*/false);
            lock.lock();
            --job->helping;
            if (job->helping == 0) finished_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable work_, finished_;
    std::vector<Job*> jobs_;
    int n_workers_ = 0;
};

// Never destroyed: sleeping workers may outlive main(). A forked child has none of its parent's
// threads, so it starts with a new pool (the old one, whose mutex may be held, is abandoned).
std::atomic<Pool*> pool{nullptr};

Pool& the_pool() {
    static std::once_flag once;
    std::call_once(once, [] {
        pool.store(new Pool);
        pthread_atfork(nullptr, nullptr, [] {
            pool.store(new Pool);
            inside_loop = false;
        });
    });
    return *pool.load();
}

}  // namespace

void set_interrupt_hook(InterruptHook hook) { interrupt_hook.store(hook); }

void set_threads(int count) {
    if (count < 0) throw InvalidArgument("the number of threads must be at least 1");
    requested_threads.store(count);
}

int threads() {
    const int count = requested_threads.load();
    static const int fallback = default_threads();
    return count > 0 ? count : fallback;
}

void Checkpoint::operator()() {
    if (stop_.load(std::memory_order_relaxed)) throw Interrupted();
    if (!polls_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + interval;
    const InterruptHook hook = interrupt_hook.load();
    if (hook != nullptr && hook()) throw Interrupted();
}

void detail::run_chunks(Index n_chunks, ChunkFunction call, const void* body) {
    if (n_chunks <= 0) return;
    const int helpers =
        inside_loop ? 0 : static_cast<int>(std::min<Index>(threads(), n_chunks)) - 1;
    Job job(n_chunks, call, body, helpers);
    if (helpers > 0)
        the_pool().run(job);
    else
        the_pool().take_chunks(job, !inside_loop);
    if (job.error) std::rethrow_exception(job.error);
}

}  // namespace stylobate
