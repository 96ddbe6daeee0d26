"""For all tests: hypothesis with new examples on every desk, the same ones in CI; sampled cases.

Test processes that share the cores (`-n 2`) take one BLAS thread each: threads that wait for each
other on busy cores double the time of small eigenproblems.
"""

from __future__ import annotations

import gc
import os
import signal
import time
import zlib

import pytest
from hypothesis import HealthCheck, settings

if os.environ.get("PYTEST_XDIST_WORKER"):  # read when NumPy and SciPy are first imported
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background: Ctrl-C is tested
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "stylobate",
    deadline=None,  # a busy machine is not a failure
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("stylobate")


def pytest_xdist_auto_num_workers(config):
    """One process more than cores for ``-n auto``: many tests wait for processes they start."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Libraries and cases are no garbage: looking for some takes a quarter of the time.

    Later searches, but for that at the end, leave out all that is there by then.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_unconfigure(config):
    gc.unfreeze()


def is_drawn(name, n):
    """Whether a generated case is the one in n that is run, by a hash of its name."""
    return bool(os.environ.get("STYLOBATE_ALL_CASES")) or not zlib.crc32(name.encode()) % n


@pytest.fixture(scope="session")
def in_sample():
    """For tests that go through generated cases themselves: ``in_sample(name, n)``."""
    return is_drawn


@pytest.fixture(scope="session")
def slowness():
    """A function: how much longer than alone a tenth of a second of work takes here now."""

    def measure():
        began, used = time.perf_counter(), time.process_time()
        while time.process_time() - used < 0.1:
            pass
        return max(1.0, (time.perf_counter() - began) / 0.1)

    return measure


def pytest_collection_modifyitems(config, items):
    """Of generated cases marked ``sampled(n)``, run one in n, chosen by a hash of its name.

    STYLOBATE_ALL_CASES=1 runs all of them.
    """
    kept, left = [], []
    for item in items:
        marker = item.get_closest_marker("sampled")
        runs = marker is None or is_drawn(item.nodeid, marker.args[0])
        (kept if runs else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept
