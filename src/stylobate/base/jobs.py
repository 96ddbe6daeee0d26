"""Independent calls, one after the other or several at once."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import current_thread, get_ident, main_thread
from time import monotonic, sleep
from typing import Any, TypeVar
from uuid import uuid4

from stylobate.base.estimator import BaseEstimator
from stylobate.config import config_context, get_config
from stylobate.exceptions import InvalidParameterError
from stylobate.parallel import current_request, same_request
from stylobate.splits.splitter import is_integer

T = TypeVar("T")
_PATIENCE = 5.0  # seconds for threads to end with the process
_stopped: set[str] = set()
_flying: set[int] = set()
_TOGETHER = 4  # calls of each worker, of a backend that hands nothing over before all are finished


def run_jobs(
    calls: Sequence[Callable[[], T]], n_jobs: int | None, estimator: Any, pre_dispatch: Any
) -> list[T]:
    """The results of the calls, in their order; see `finished_jobs`."""
    found = dict(finished_jobs(calls, n_jobs, estimator, pre_dispatch))
    return [found[number] for number in range(len(calls))]


def finished_jobs(
    calls: Sequence[Callable[[], T]], n_jobs: int | None, estimator: Any, pre_dispatch: Any
) -> Iterator[tuple[int, T]]:
    """The number and the result of each call, as they finish.

    joblib runs them, so any of its backends will do: ``joblib.parallel_config(backend="dask")``
    sends them to a cluster. Unless a backend is in force, our estimators run in threads, for they
    release Python's lock in their compiled part, and others in processes.

    Parameters
    ----------
    calls : sequence of callables without arguments
    n_jobs : int or None
        How many at once; None is 1 (or what a joblib backend in force says), -1 all cores, -2 all
        but one.
    estimator : object
        What is fitted.
    pre_dispatch : int or str
        joblib's.
    """
    if n_jobs is not None and (not is_integer(n_jobs) or n_jobs == 0):
        raise InvalidParameterError(
            f"n_jobs must be a positive or negative integer or None, got {n_jobs!r}."
        )
    if len(calls) < 2 or not _at_once(n_jobs):
        yield from ((number, call()) for number, call in enumerate(calls))
        return
    import joblib

    token = uuid4().hex
    settings = token, get_config(), _their_settings(), current_request()
    options = {
        "n_jobs": n_jobs,
        "prefer": "threads" if releases_lock(estimator) else None,
        "pre_dispatch": pre_dispatch,
    }
    jobs = [joblib.delayed(_run)(number, call, *settings) for number, call in enumerate(calls)]
    try:
        parallel = joblib.Parallel(return_as="generator_unordered", **options)
    except ValueError:  # a backend that gives its results all together: some at a time, then
        parallel = joblib.Parallel(**options)
        step = _TOGETHER * int(joblib.effective_n_jobs(n_jobs))
        with parallel:
            for start in range(0, len(jobs), step):
                yield from parallel(jobs[start : start + step])
        return
    try:
        yield from parallel(jobs)
    except BaseException:
        _stopped.add(token)  # threads cannot be stopped: what they have not begun they leave
        raise


def releases_lock(estimator: Any) -> bool:
    """Whether an estimator and all inside it are ours, compiled where it matters."""
    if not isinstance(estimator, BaseEstimator):
        return False
    inside = (v for v in estimator.get_params().values() if hasattr(v, "get_params"))
    return all(isinstance(each, BaseEstimator) for each in inside)


def _at_once(n_jobs: int | None) -> bool:
    """Whether there is anything for joblib to do; where nobody loaded it no backend can be set."""
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        return False
    import joblib

    return int(joblib.effective_n_jobs(n_jobs)) > 1


def _run(
    number: int,
    call: Callable[[], T],
    token: str,
    ours: dict[str, Any],
    theirs: dict[str, Any] | None,
    threads: tuple[int, int],
) -> tuple[int, T]:
    """The call, with the settings of whoever asked for it."""
    if token in _stopped:
        raise InterruptedError("the run this call belongs to was stopped")
    with _in_flight(), config_context(**ours), _their_context(theirs), same_request(threads):
        return number, call()


@contextmanager
def _in_flight() -> Iterator[None]:
    """Count calls in threads of this process, for `_land` to wait for."""
    if current_thread() is main_thread():
        yield
        return
    me = get_ident()
    _flying.add(me)
    try:
        yield
    finally:
        _flying.discard(me)


def _land() -> None:
    """Give threads a moment to leave compiled code before the interpreter goes.

    Up to Python 3.13 a thread that comes back from compiled code while the interpreter shuts down
    is ended within it, and takes the process along.
    """
    end = monotonic() + _PATIENCE
    while _flying and monotonic() < end:
        sleep(0.005)


atexit.register(_land)


def _their_settings() -> dict[str, Any] | None:
    """scikit-learn's settings, if it is loaded; threads and processes do not inherit them."""
    theirs = sys.modules.get("sklearn")
    return None if theirs is None else dict(theirs.get_config())


def _their_context(settings: dict[str, Any] | None) -> AbstractContextManager[Any]:
    theirs = sys.modules.get("sklearn")
    if theirs is None or settings is None:
        return nullcontext()
    context: AbstractContextManager[Any] = theirs.config_context(**settings)
    return context
