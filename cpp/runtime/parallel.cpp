#include "stylobate/parallel.hpp"

#include <pthread.h>
#include <signal.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "stylobate/errors.hpp"
#include "stylobate/thread_limit.hpp"

namespace stylobate {
namespace {

std::atomic<InterruptHook> interrupt_hook{nullptr};
std::atomic<int> requested_threads{0};
thread_local int thread_limit = ThreadLimit::none;
thread_local Checkpoint* enclosing = nullptr;  // of the chunk this thread is in
// Across loops: a long computation made of many short ones must ask, too.
thread_local std::chrono::steady_clock::time_point next_poll;

int positive_environment(const char* name) {
    const char* text = std::getenv(name);
    const long value = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    return value > 0 && value <= 4096 ? static_cast<int>(value) : 0;
}

unsigned usable_cores() {
#ifdef __linux__
    cpu_set_t allowed;  // what taskset and batch systems leave us; hardware_concurrency ignores it
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    return std::thread::hardware_concurrency();
}

int default_threads() {
    for (const char* name : {"STYLOBATE_THREADS", "OMP_NUM_THREADS"})
        if (const int count = positive_environment(name)) return count;
    return static_cast<int>(std::max(1u, usable_cores()));
}

// While it lives, loops of this thread are inner ones.
class Enclosing {
 public:
    explicit Enclosing(Checkpoint& checkpoint) : before_(std::exchange(enclosing, &checkpoint)) {}
    ~Enclosing() { enclosing = before_; }
    Enclosing(const Enclosing&) = delete;
    Enclosing& operator=(const Enclosing&) = delete;

 private:
    Checkpoint* before_;
};

// A new thread inherits the mask: workers leave signals to the threads that wait for them.
class SignalsBlocked {
 public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
    sigset_t before_;
};

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
        jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));  // from here on nobody joins
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

 private:
    void take_chunks(Job& job, bool caller) {
        Checkpoint checkpoint(job.stop, caller);
        const Enclosing loop(checkpoint);
        try {
            for (;;) {
                checkpoint();
                const Index chunk = job.next.fetch_add(1, std::memory_order_relaxed);
                if (chunk >= job.n_chunks) break;
                job.call(job.body, chunk, checkpoint);
            }
        } catch (...) {
            fail(job);
        }
    }

    void fail(Job& job) {
        std::lock_guard lock(mutex_);
        if (!job.error) job.error = std::current_exception();
        job.stop.store(true);
    }

    bool start_worker() {
        try {
            const SignalsBlocked blocked;
            std::thread([this] { serve(); }).detach();
        } catch (const std::exception&) {
            return false;  // no thread or memory to be had: the threads there are share the work
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
        pthread_atfork(nullptr, nullptr, [] { pool.store(new Pool); });
    });
    return *pool.load();
}

void run_serially(Index n_chunks, detail::ChunkFunction call, const void* body) {
    static const std::atomic<bool> never{false};
    Checkpoint own(never, /*polls=*/true);
    Checkpoint& checkpoint = enclosing != nullptr ? *enclosing : own;
    const Enclosing loop(checkpoint);
    for (Index chunk = 0; chunk < n_chunks; ++chunk) {
        checkpoint();
        call(body, chunk, checkpoint);
    }
}

}  // namespace

void set_interrupt_hook(InterruptHook hook) {
    interrupt_hook.store(hook);
}

int set_threads(int count) {
    if (count < 0) throw InvalidArgument("the number of threads must not be negative");
    return requested_threads.exchange(count);
}

ThreadLimit::ThreadLimit(int count) : before_(std::exchange(thread_limit, count)) {}

ThreadLimit::~ThreadLimit() {
    thread_limit = before_;
}

int threads() {
    const int count = thread_limit >= 0 ? thread_limit : requested_threads.load();
    static const int fallback = default_threads();
    return count > 0 ? count : fallback;
}

void Checkpoint::operator()() {
    if (stop_.load(std::memory_order_relaxed)) throw Interrupted();
    if (!polls_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_poll) return;
    next_poll = now + interval;
    const InterruptHook hook = interrupt_hook.load();
    if (hook != nullptr && hook()) throw Interrupted();
}

void detail::run_chunks(Index n_chunks, ChunkFunction call, const void* body) {
    const Index most = enclosing != nullptr ? 1 : std::min<Index>(threads(), n_chunks);
    if (most <= 1) return run_serially(n_chunks, call, body);
    Job job(n_chunks, call, body, static_cast<int>(most) - 1);
    the_pool().run(job);
    if (job.error) std::rethrow_exception(job.error);
}

}  // namespace stylobate
