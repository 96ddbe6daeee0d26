"""How many threads native loops may use.

Results never depend on the number of threads: work is cut into fixed chunks and merged in a fixed
order. Precedence: the `threads` context, then `set_threads`, then the environment variable
``STYLOBATE_THREADS``, then ``OMP_NUM_THREADS`` (which process pools such as joblib's set for their
workers), then the number of cores this process may run on. The environment is read once.

`set_threads` is for the whole process; `threads` belongs to the context (`contextvars`) it is
entered in, so two Python threads or asynchronous tasks do not disturb each other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from operator import index
from threading import RLock
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.exceptions import InvalidParameterError

_FEW_COLUMNS = 1000
_ROWS_AT_ONCE = 1024
_ALONE = 1 << 18  # products of numbers up to which BLAS takes one thread anyway
_MOST = 4096

_registered = False
_blas: Any = None
_numpy_blas: Any = None  # the same before SciPy's BLAS is there
_blas_lock = RLock()
_inside = 0  # blocks of `one_blas_thread` that are open, in all threads
_before: list[tuple[Any, int]] = []  # libraries and their threads outside of them


def _renew_lock() -> None:
    """A forked child has none of the threads that could release the lock."""
    global _blas_lock
    _blas_lock = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


def set_threads(count: int | None) -> None:
    """Use `count` threads (≥ 1) in the process from now on; ``None`` restores the default.

    Inside a `threads` block nothing changes before its end.

    >>> set_threads(2)
    >>> get_threads()
    2
    >>> set_threads(None)
    """
    _core.set_threads(_request(count, "set_threads"))


def get_threads() -> int:
    """The number of threads native loops may use now."""
    return _core.threads()


@contextmanager
def threads(count: int | None) -> Iterator[None]:
    """Use `count` threads inside a ``with`` block; ``None``: as many as the environment says.

    Other Python threads and asynchronous tasks go on as before; those that the library itself
    starts inside the block (``n_jobs``) use `count` as well.

    >>> with threads(1):
    ...     get_threads()
    1
    """
    with _asked_here(_request(count, "threads")):
        yield


def current_request() -> tuple[int, int]:
    """What the context asks for and in which process, for `same_request` in another thread."""
    return _core.threads_here.get(), os.getpid()


@contextmanager
def same_request(request: tuple[int, int]) -> Iterator[None]:
    """The threads of another context of this process; another process has settings of its own."""
    count, process = request
    with _asked_here(count if process == os.getpid() else _core.threads_here.get()):
        yield


@contextmanager
def _asked_here(count: int) -> Iterator[None]:
    before = _core.threads_here.get()
    _core.threads_here.set(count)
    try:
        yield
    finally:
        _core.threads_here.set(before)


def _request(count: int | None, owner: str) -> int:
    """The core's word for `count`: 0 stands for the default."""
    if count is None:
        return 0
    try:
        number = index(count)
    except TypeError:
        number = 0
    if isinstance(count, bool) or not 1 <= number <= _MOST:
        raise InvalidParameterError(
            f"{owner}: count must be an integer in [1, {_MOST}] or None, got {count!r}."
        )
    return number


@contextmanager
def one_blas_thread(*, of_numpy: bool = False) -> Iterator[None]:
    """Solve dense systems with one thread of BLAS.

    Its threads spin while they wait for each other: for a few hundred columns they gain nothing on
    an idle machine, and on one with a busy core each call waits for that core's next time slice.
    Sums are cut by the number of its threads, too, and so are the last bits of results.

    The limit is the whole process's. Python threads may be inside at the same time: the first one
    in sets it, the last one out restores what was there. (Where BLAS has threads of OpenMP's, the
    limit is each thread's own.)

    `of_numpy`: for blocks that call NumPy alone. SciPy's BLAS, whose import takes longer than a
    small fit, is then not loaded for it.
    """
    shared, own = _blas_libraries(of_numpy=of_numpy)
    before = [(each, each.num_threads) for each in own]
    _limit(before, 1)
    _limit_shared(shared)
    try:
        yield
    finally:
        _restore_shared()
        _limit(before)


def blas_threads_here() -> list[tuple[Any, int]]:
    """Threads of those BLAS libraries that have some for each thread, for `same_blas_threads`."""
    return [(each, each.num_threads) for each in _blas_libraries()[1]]


@contextmanager
def same_blas_threads(here: list[tuple[Any, int]]) -> Iterator[None]:
    """As many threads of BLAS as another thread has (`blas_threads_here`), for its work."""
    before = [(library, library.num_threads) for library, _ in here]
    for library, count in here:
        _limit([(library, 0)], count)
    try:
        yield
    finally:
        _limit(before)


def _blas_libraries(*, of_numpy: bool = False) -> tuple[list[Any], list[Any]]:
    """Those whose threads the whole process shares, and those that have some for each thread."""
    global _blas, _numpy_blas
    if _blas is not None:
        return _blas  # type: ignore[no-any-return]
    if of_numpy and "scipy.linalg" not in sys.modules:
        if _numpy_blas is None:
            _numpy_blas = _loaded_blas()
        return _numpy_blas  # type: ignore[no-any-return]
    from scipy import linalg  # noqa: F401 - its BLAS has to be loaded to be found

    _blas = _loaded_blas()
    return _blas  # type: ignore[no-any-return]


def _loaded_blas() -> tuple[list[Any], list[Any]]:
    from threadpoolctl import ThreadpoolController

    found = ThreadpoolController().select(user_api="blas").lib_controllers
    own = [each for each in found if getattr(each, "threading_layer", "") == "openmp"]
    return [each for each in found if each not in own], own


def _limit(libraries: list[tuple[Any, int]], count: int | None = None) -> None:
    """So many threads for each, or those it had."""
    for library, had in libraries:
        if had != 1:
            # threadpoolctl's public setter does nothing in a thread that was not the first to ask
            real = getattr(library, "_real_set_num_threads", library.set_num_threads)
            real(had if count is None else count)


def _limit_shared(libraries: list[Any]) -> None:
    global _inside, _before
    with _blas_lock:
        if _inside == 0:
            _before = []
        known = {each.filepath for each, _ in _before}  # an outer block may be of NumPy alone
        new = [(each, each.num_threads) for each in libraries if each.filepath not in known]
        _limit(new, 1)
        _before = [*_before, *new]
        _inside += 1


def _restore_shared() -> None:
    global _inside
    with _blas_lock:
        _inside -= 1
        if _inside == 0:
            _limit(_before)


def in_order(of_part: Callable[[Any], Any], parts: Sequence[Any]) -> Iterator[Any]:
    """What a function gives for each part, computed by several threads, in the order of the parts.

    For work that releases the interpreter's lock (products by BLAS, with one of its threads each).
    The parts do not depend on the number of threads, so neither do the bits of their sum.

    >>> list(in_order(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    count = min(get_threads(), len(parts))
    if count <= 1:
        yield from map(of_part, parts)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(count) as pool:
        yield from pool.map(of_part, parts)


def product_of_rows(rows: Any, matrix: Any) -> Any:
    """``rows @ matrix``, some rows at a time, by our threads with one of BLAS's each.

    BLAS cuts a product of many rows by the number of its threads, and the last bits follow.

    >>> product_of_rows(np.ones((5000, 60)), np.eye(60)).sum()
    np.float64(300000.0)
    """
    dense = isinstance(rows, np.ndarray) and isinstance(matrix, np.ndarray)
    if not dense or matrix.ndim != 2 or rows.size * matrix.shape[1] <= _ALONE:
        return rows @ matrix
    product = np.empty((len(rows), matrix.shape[1]), np.result_type(rows, matrix))

    def fill(start: int) -> None:
        part = slice(start, start + _ROWS_AT_ONCE)
        np.matmul(rows[part], matrix, out=product[part])

    with one_blas_thread(of_numpy=True):
        for _ in in_order(fill, range(0, len(rows), _ROWS_AT_ONCE)):
            pass
    return product


def blas_for(columns: int, *, of_numpy: bool = False) -> AbstractContextManager[None]:
    """One thread of BLAS for products with up to a few hundred columns, all of them for more.

    `of_numpy` as of `one_blas_thread`.

    >>> with blas_for(50):
    ...     pass
    """
    return one_blas_thread(of_numpy=of_numpy) if columns <= _FEW_COLUMNS else nullcontext()


def join_threadpoolctl() -> None:
    """Let ``threadpoolctl.threadpool_limits`` and ``threadpool_info`` see our threads.

    Called by every fit; does something once, if threadpoolctl has been imported by then.
    """
    global _registered
    threadpoolctl = sys.modules.get("threadpoolctl")
    base: Any = getattr(threadpoolctl, "LibController", None)  # absent before 3.2, or half imported
    if _registered or threadpoolctl is None or base is None:
        return
    _registered = True

    class StylobateController(base):  # type: ignore[misc]  # a class known only at run time
        user_api = "stylobate"
        internal_api = "stylobate"
        filename_prefixes = ("_core",)
        check_symbols = ("stylobate_get_threads", "stylobate_set_threads")

        def get_num_threads(self) -> int:
            return get_threads()

        def set_num_threads(self, num_threads: int) -> None:
            if _core.threads_here.get() >= 0:
                _core.threads_here.set(num_threads)
            else:
                self.dynlib.stylobate_set_threads(num_threads)

        def get_version(self) -> str | None:
            return None

        def set_additional_attributes(self) -> None:
            pass

    threadpoolctl.register(StylobateController)
