// The number of threads that loops begun by one thread may use, whatever others ask for.
#pragma once

namespace stylobate {

// While it lives, `threads()` of this thread is `count`: 0 for the default of the process, and
// below 0 for what `set_threads` says.
class ThreadLimit {
 public:
    static constexpr int none = -1;

    explicit ThreadLimit(int count);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
    int before_;
};

}  // namespace stylobate
