"""Peers that spread their work over processes."""

from __future__ import annotations

from typing import Any


def one_thread_each() -> Any:
    """A context in which joblib's processes have one thread each.

    joblib would see to that by itself, were not the number of threads of the race set in the
    environment, which its processes then take over: two threads in each of two processes get into
    each other's way (scikit-learn's boosting is ten times slower so).
    """
    import joblib

    return joblib.parallel_config(backend="loky", inner_max_num_threads=1)
