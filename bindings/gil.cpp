#include "gil.hpp"

#include <unistd.h>

#include "bindings.hpp"

namespace stylobate::bindings {
namespace {

bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

// Whether nothing is left of the interpreter to ask for its lock: threads that Python does not wait
// for go on while the libraries of the process are closed.
bool interpreter_is_gone() {
    return Py_IsInitialized() == 0 &&
           (!is_finalizing() || PyGILState_GetThisThreadState() == nullptr);
}

// Up to Python 3.13 a daemon thread that wants the lock of an interpreter that is going away is
// ended on the spot: its stack is unwound, which our frames (destructors among them) do not survive
// and which would free what the workers of a loop still read. It sleeps instead until the process
// ends, as Python does it from 3.14 on.
template <class Take>
auto take_or_sleep(Take take) {
    while (interpreter_is_gone()) pause();
    try {
        return take();
    } catch (...) {  // no C++ exception comes from there: this is the unwinding
        for (;;) pause();
    }
}

}  // namespace

bool interpreter_is_ending() {
    return interpreter_is_gone() || (is_finalizing() && PyGILState_Check() == 0);
}

PyObject* threads_variable() {
    static PyObject* const variable = [] {
        const nb::object none = nb::int_(ThreadLimit::none);
        return PyContextVar_New("stylobate_threads", none.ptr());
    }();
    return variable;
}

int threads_in_context() {
    PyObject* found = nullptr;
    if (PyContextVar_Get(threads_variable(), nullptr, &found) != 0) throw nb::python_error();
    return nb::cast<int>(nb::steal(found));
}

GilReleased::GilReleased() : limit_(threads_in_context()), state_(PyEval_SaveThread()) {}

GilReleased::~GilReleased() {
    take_or_sleep([this] { return PyEval_RestoreThread(state_), 0; });
}

GilTaken::GilTaken() : state_(take_or_sleep([] { return PyGILState_Ensure(); })) {}

GilTaken::~GilTaken() {
    PyGILState_Release(state_);
}

}  // namespace stylobate::bindings
