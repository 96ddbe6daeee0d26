"""The memory that fits take beyond their input, one line of output per fit.

Run as a program (see `test_memory.py`). Every fit is made in a forked child, whose largest
resident size is its own; one that takes too long is ended, and what it took by then counts.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import warnings
from typing import Any

import numpy as np
from scipy import linalg, sparse  # noqa: F401 - loaded before the fork, so that it counts for nobody

from stylobate.base import BaseEstimator, clone
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of

SECONDS = 20


def tables() -> dict[str, Any]:
    """Many rows, many columns, few entries; all positive, and sorted by nothing."""
    rng = np.random.default_rng(0)
    return {
        "tall": rng.uniform(0.5, 2.0, (60_000, 10)),
        "wide": rng.uniform(0.5, 2.0, (120, 5_000)),  # columns × columns: 200 MB
        "sparse": sparse.random_array((3_000, 6_000), density=0.002, rng=rng, format="csr"),
    }


def target(estimator: BaseEstimator, rows: int) -> Any:
    rng = np.random.default_rng(1)
    if estimator._tags().estimator_type == "classifier":
        return rng.integers(0, 2, rows)
    if estimator._tags().single_output:
        return rng.uniform(1.0, 2.0, rows)
    return rng.uniform(1.0, 2.0, (rows, 2))


def bytes_of(x: Any) -> int:
    parts = (x.data, x.indices, x.indptr) if sparse.issparse(x) else (x,)
    return sum(part.nbytes for part in parts)


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def highest(process: int) -> int:
    """The largest resident size of a running process so far."""
    with open(f"/proc/{process}/status") as file:
        line = next(line for line in file if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def in_child(estimator: Any, x: Any, y: Any, seconds: float = SECONDS) -> str:
    """Bytes that a fit took at most, or how it ended; of a slow one, what it took so far."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        warnings.simplefilter("ignore")
        before = resident()
        try:
            clone(estimator).fit(x, y)
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            answer = str(max(most - before, 0))
        except Exception as error:
            answer = f"refused: {type(error).__name__}"
        os.write(write, answer.encode())
        os._exit(0)
    os.close(write)
    before = resident()
    with os.fdopen(read) as pipe:
        if select.select([pipe], [], [], seconds)[0]:
            answer = pipe.read() or "died"
        else:
            answer = str(max(highest(child) - before, 0))
            os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return answer


def main(seconds: float, only: list[str]) -> None:
    given = tables()
    for kind in all_estimators():
        estimator: Any = example_of(kind)
        tags = estimator._tags()
        if tags.text or tags.pairwise or (only and kind.__name__ not in only):
            continue
        for name, x in given.items():
            answer = in_child(estimator, x, target(estimator, x.shape[0]), seconds)
            print(kind.__name__, name, bytes_of(x), answer, sep="\t", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
