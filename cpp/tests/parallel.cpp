#include "stylobate/parallel.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.hpp"
#include "stylobate/errors.hpp"
#include "stylobate/thread_limit.hpp"

namespace stylobate {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Threads {
    explicit Threads(int count) { set_threads(count); }
    ~Threads() { set_threads(0); }
};

std::vector<int> visits(Index n) {
    std::vector<std::atomic<int>> counts(n);
    parallel_for(n, [&](Index c, Checkpoint&) { counts[c].fetch_add(1); });
    return {counts.begin(), counts.end()};
}

bool visits_each_once(Index n) {
    return visits(n) == std::vector<int>(n, 1);
}

Clock::time_point stop_at;

struct StopsAfter {
    explicit StopsAfter(std::chrono::milliseconds wait) {
        stop_at = Clock::now() + wait;
        set_interrupt_hook([] { return Clock::now() >= stop_at; });
    }
    ~StopsAfter() { set_interrupt_hook(nullptr); }
};

}  // namespace

TEST(every_chunk_is_done_once) {
    for (const int count : {1, 2, 7}) {
        const Threads threads(count);
        for (const Index n : {0, 1, 2, 3, 100, 5000}) CHECK(visits_each_once(n));
    }
    CHECK(visits_each_once(0));
    parallel_for(-5, [](Index, Checkpoint&) { CHECK(false); });
}

TEST(thread_counts_are_kept_and_given_back) {
    const int standard = threads();
    CHECK(standard >= 1);
    CHECK(set_threads(3) == 0 && threads() == 3);
    CHECK(set_threads(5) == 3 && threads() == 5);
    CHECK(set_threads(0) == 5 && threads() == standard);
    CHECK_THROWS(InvalidArgument, set_threads(-1));
    CHECK(threads() == standard);
}

TEST(limits_hold_for_one_thread_and_end_with_it) {
    const Threads process(3);
    {
        const ThreadLimit outer(2);
        CHECK(threads() == 2);
        std::thread([] { CHECK(threads() == 3); }).join();
        {
            const ThreadLimit inner(ThreadLimit::none);
            CHECK(threads() == 3);
        }
        CHECK(threads() == 2);
    }
    CHECK(threads() == 3);
}

TEST(errors_of_a_chunk_reach_the_caller) {
    for (const int count : {1, 2, 7}) {
        const Threads threads(count);
        for (const Index bad : {0, 50, 99}) {
            std::string message;
            try {
                parallel_for(100, [&](Index c, Checkpoint&) {
                    if (c == bad) throw std::domain_error("chunk " + std::to_string(c));
                });
            } catch (const std::domain_error& error) {
                message = error.what();
            }
            CHECK(message == "chunk " + std::to_string(bad));
        }
        CHECK(visits_each_once(100));
    }
}

TEST(an_error_stops_the_other_chunks) {
    const Threads threads(4);
    std::atomic<int> done{0};
    const auto start = Clock::now();
    CHECK_THROWS(std::domain_error, parallel_for(4, [&](Index c, Checkpoint& checkpoint) {
                     if (c == 0) throw std::domain_error("at once");
                     for (;;) checkpoint();  // for ever, unless told
                     ++done;
                 }));
    CHECK(done == 0 && seconds_since(start) < 5.0);
}

TEST(loops_inside_loops) {
    for (const int count : {1, 3}) {
        const Threads threads(count);
        std::vector<std::atomic<int>> counts(20 * 30);
        parallel_for(20, [&](Index outer, Checkpoint&) {
            parallel_for(30, [&](Index inner, Checkpoint&) { counts[30 * outer + inner]++; });
        });
        CHECK(std::all_of(counts.begin(), counts.end(), [](const auto& c) { return c == 1; }));
        CHECK_THROWS(std::domain_error, parallel_for(5, [](Index, Checkpoint&) {
                         parallel_for(5, [](Index inner, Checkpoint&) {
                             if (inner == 3) throw std::domain_error("inner");
                         });
                     }));
        CHECK(visits_each_once(50));
    }
}

TEST(several_threads_at_once) {
    const Threads threads(3);
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 6; ++t)
        callers.emplace_back([&, t] {
            for (int turn = 0; turn < 50; ++turn) {
                if (!visits_each_once(10 + t)) ++wrong;
                try {
                    parallel_for(20, [&](Index c, Checkpoint&) {
                        if (c == t) throw std::out_of_range(std::to_string(t));
                    });
                    ++wrong;
                } catch (const std::out_of_range& error) {
                    if (error.what() != std::to_string(t)) ++wrong;
                }
            }
        });
    for (std::thread& caller : callers) caller.join();
    CHECK(wrong == 0);
}

TEST(interrupts_stop_long_chunks) {
    for (const int count : {1, 2, 4}) {
        const Threads threads(count);
        const StopsAfter hook(std::chrono::milliseconds(100));
        CHECK_THROWS(Interrupted, parallel_for(8, [](Index, Checkpoint& checkpoint) {
                         for (;;) checkpoint();
                     }));
        CHECK(seconds_since(stop_at) < 0.25);
    }
    CHECK(visits_each_once(100));
}

TEST(interrupts_stop_many_short_loops) {
    for (const int count : {1, 2}) {
        const Threads threads(count);
        const StopsAfter hook(std::chrono::milliseconds(100));
        const auto start = Clock::now();
        CHECK_THROWS(Interrupted, {
            while (seconds_since(start) < 5.0)
                parallel_for(4, [](Index, Checkpoint&) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                });
        });
        CHECK(seconds_since(stop_at) < 0.25);
    }
}

TEST(interrupts_stop_inner_loops) {
    for (const int count : {1, 2}) {
        const Threads threads(count);
        const StopsAfter hook(std::chrono::milliseconds(100));
        CHECK_THROWS(Interrupted, parallel_for(2, [](Index, Checkpoint&) {
                         parallel_for(1'000'000'000'000, [](Index, Checkpoint&) {});
                     }));
        CHECK(seconds_since(stop_at) < 0.25);
    }
}

TEST(the_caller_waiting_for_others_can_be_interrupted) {
    const Threads threads(2);
    const StopsAfter hook(std::chrono::milliseconds(100));
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> helped{false};
    CHECK_THROWS(Interrupted, parallel_for(2, [&](Index, Checkpoint& checkpoint) {
                     if (std::this_thread::get_id() == caller) {
                         while (!helped) std::this_thread::yield();
                         return;  // nothing left to do but wait
                     }
                     helped = true;
                     for (;;) checkpoint();
                 }));
    CHECK(seconds_since(stop_at) < 0.25);
    CHECK(visits_each_once(10));
}

TEST(signals_are_left_to_the_caller) {
    const Threads threads(4);
    std::atomic<int> open{0};
    const std::thread::id caller = std::this_thread::get_id();
    parallel_for(200, [&](Index, Checkpoint&) {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        if (std::this_thread::get_id() != caller && sigismember(&mask, SIGINT) != 1) ++open;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    });
    CHECK(open == 0);
}

TEST(a_forked_child_starts_afresh) {
    const Threads threads(4);
    CHECK(visits_each_once(100));
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);  // a child that hangs dies
        _exit(visits_each_once(1000) ? 7 : 1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK(visits_each_once(100));
}

}  // namespace stylobate
