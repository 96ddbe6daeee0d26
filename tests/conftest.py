"""For all tests: hypothesis with new examples on every desk, the same ones in CI; sampled cases.

Test processes that share the cores (`-n 2`) take one BLAS thread each: threads that wait for each
other on busy cores double the time of small eigenproblems.
"""

from __future__ import annotations

import os
import zlib

from hypothesis import HealthCheck, settings

if os.environ.get("PYTEST_XDIST_WORKER"):  # read when NumPy and SciPy are first imported
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile(
    "stylobate",
    deadline=None,  # a busy machine is not a failure
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("stylobate")


def pytest_xdist_auto_num_workers(config):
    """One process more than cores for ``-n auto``: many tests wait for processes they start."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config, items):
    """Of generated cases marked ``sampled(n)``, run one in n, chosen by a hash of its name.

    STYLOBATE_ALL_CASES=1 runs all of them.
    """
    if os.environ.get("STYLOBATE_ALL_CASES"):
        return
    kept, left = [], []
    for item in items:
        marker = item.get_closest_marker("sampled")
        out = marker is not None and zlib.crc32(item.nodeid.encode()) % marker.args[0]
        (left if out else kept).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept
