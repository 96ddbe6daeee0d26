"""Ctrl-C during work that cannot be interrupted itself, such as a large factorisation of LAPACK's.

Python looks for signals between two steps of its own, and a factorisation of a few thousand columns
is one step of many seconds. `interruptible` gives such a step to another thread, so that the main
one is free to notice.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from functools import cache
from typing import Any, TypeVar

import numpy as np

from stylobate.parallel import blas_threads_here, same_blas_threads

T = TypeVar("T")

_LONG = 3e8  # products of numbers: a tenth of a second or so, a thousand times what a thread costs
_GLANCE = 0.05  # seconds between two looks for signals, where waiting does not end by itself


def interruptible(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """``function(*args, **kwargs)``, a factorisation of the first argument, which Ctrl-C may leave.

    If it is long, and asked for in the main thread (signals are no other's business), it is
    computed in a thread of its own. After Ctrl-C that thread works on to its end, since nothing
    can stop it, and its result is forgotten: do not use again what it may still write to.

    >>> interruptible(np.linalg.eigvalsh, np.diag([2.0, 1.0]))
    array([1., 2.])
    """
    if not args or not _is_long(args[0]) or not _signals_come_here():
        return function(*args, **kwargs)
    outcome: list[tuple[Any, BaseException | None]] = []
    ended = threading.Event()
    context, blas = copy_context(), blas_threads_here()

    def work() -> None:
        try:
            with same_blas_threads(blas):
                outcome.append((context.run(function, *args, **kwargs), None))
        except BaseException as error:
            outcome.append((None, error))
        finally:
            ended.set()

    # a daemon: the interpreter does not wait at its exit for what was left
    threading.Thread(target=work, name="stylobate-factorisation", daemon=True).start()
    try:
        while not ended.wait(_GLANCE):
            pass
    except BaseException:
        _unload_nothing_at_exit()
        raise
    result, error = outcome.pop()
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


@cache
def _unload_nothing_at_exit() -> None:
    """At exit OpenBLAS takes its memory back, on which a thread that still computes would crash.

    Libraries unload themselves after everything that was registered to be called at exit, the last
    first. So ``_exit``, registered now, comes before them, and when Python has put its house in
    order; it is told the status that the process ends with. (Of glibc; elsewhere nothing is done.)
    """
    import ctypes

    libc = ctypes.CDLL(None)
    if hasattr(libc, "on_exit"):
        libc.on_exit(libc._exit, None)


def _is_long(matrix: Any) -> bool:
    """Whether factorising this array (or stack of them) takes a tenth of a second or more."""
    shape = np.shape(matrix)
    return len(shape) >= 2 and float(np.prod(shape, dtype=np.float64)) * min(shape[-2:]) > _LONG


def _signals_come_here() -> bool:
    return threading.current_thread() is threading.main_thread()
