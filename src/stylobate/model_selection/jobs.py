"""Independent calls, one after the other or several at once; results in the order of the calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from stylobate.base import BaseEstimator
from stylobate.config import config_context, get_config
from stylobate.exceptions import InvalidParameterError
from stylobate.splits.splitter import is_integer

T = TypeVar("T")


def run_jobs(
    calls: Sequence[Callable[[], T]], n_jobs: int | None, estimator: Any, pre_dispatch: Any
) -> list[T]:
    """The results of the calls.

    Our estimators release Python's lock in their compiled part, so they run in threads. Others run
    through joblib if it is installed: in processes, or whatever backend is in force there.

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
    joblib = _joblib(n_jobs)
    if joblib is not None and len(calls) > 1:
        ours = isinstance(estimator, BaseEstimator)
        prefer = "threads" if ours else None
        parallel = joblib.Parallel(n_jobs=n_jobs, prefer=prefer, pre_dispatch=pre_dispatch)
        settings = get_config()
        return list(parallel(joblib.delayed(_run)(call, settings) for call in calls))
    workers = min(_workers(n_jobs), len(calls))
    if workers <= 1:
        return [call() for call in calls]
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(copy_context().run, call) for call in calls]
        return [future.result() for future in futures]


def _run(call: Callable[[], T], settings: dict[str, Any]) -> T:
    """The call, with the settings of whoever asked for it."""
    with config_context(**settings):
        return call()


def _joblib(n_jobs: int | None) -> Any:
    """joblib, if it is installed and there is something for it to do."""
    if n_jobs == 1:
        return None
    try:
        import joblib
    except ImportError:
        return None
    if n_jobs is None and joblib.effective_n_jobs(None) == 1:
        return None
    return joblib


def _workers(n_jobs: int | None) -> int:
    if n_jobs is None:
        return 1
    cores = os.cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(cores + 1 + n_jobs, 1)
