// Python's lock, given back and taken again by threads that may outlive the interpreter.
#pragma once

#include <Python.h>

#include "stylobate/thread_limit.hpp"

namespace stylobate::bindings {

// What `stylobate.threads` asks for in the current context; see ThreadLimit.
int threads_in_context();

// The variable of that context, for Python: an integer, ThreadLimit::none where nobody asked.
PyObject* threads_variable();

// Whether the lock is no longer to be had by this thread.
bool interpreter_is_ending();

// While it lives, other Python threads run. Loops use the threads of the context they began in.
class GilReleased {
 public:
    GilReleased();
    ~GilReleased();
    GilReleased(const GilReleased&) = delete;
    GilReleased& operator=(const GilReleased&) = delete;

 private:
    ThreadLimit limit_;
    PyThreadState* state_;
};

// While it lives, this thread may use Python.
class GilTaken {
 public:
    GilTaken();
    ~GilTaken();
    GilTaken(const GilTaken&) = delete;
    GilTaken& operator=(const GilTaken&) = delete;

 private:
    PyGILState_STATE state_;
};

}  // namespace stylobate::bindings
