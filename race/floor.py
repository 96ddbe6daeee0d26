"""What this machine can do: its rate of matrix products and its memory bandwidth.

The floor of a workload is max(operations / rate, bytes / bandwidth): the time nobody can beat
without doing less. ``python -m race.floor`` measures both and prints them as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable

from race.process import environment
from race.results import seconds_text
from race.worker import limit_cores


def best_seconds(call: Callable[[], object], repeats: int = 20) -> float:
    """Shortest of several calls, after one that is not counted."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def measure() -> dict[str, float]:
    """Rate of a square double-precision product, and of reading a long vector once."""
    import numpy as np

    generator = np.random.default_rng(0)
    a = generator.standard_normal((1536, 1536))
    # 256 MB, beyond most caches (a larger one flatters the figure); v·v reads v once
    v = np.ones(32 * 2**20)
    return {
        "flops_per_second": 2 * 1536**3 / best_seconds(lambda: a @ a),
        "bytes_per_second": v.nbytes / best_seconds(lambda: v @ v),
    }


def measure_apart(threads: int) -> dict[str, float]:
    """Measure in a process with the same threads as the contenders."""
    command = [sys.executable, "-m", "race.floor", str(threads)]
    done = subprocess.run(
        command, env=environment(threads), capture_output=True, check=True, text=True
    )
    rates: dict[str, float] = json.loads(done.stdout)
    return rates


def floor_of(work: tuple[float, float], rates: dict[str, float]) -> tuple[float, str]:
    """Seconds below which nobody can go, and how they were found."""
    flops, size = work
    compute = flops / rates["flops_per_second"]
    read = size / rates["bytes_per_second"]
    text = (
        f"{flops / 1e9:.3g} GFLOP at {rates['flops_per_second'] / 1e9:.0f} GFLOP/s: "
        f"{seconds_text(compute)}; "
        f"{size / 1e9:.3g} GB at {rates['bytes_per_second'] / 1e9:.1f} GB/s: {seconds_text(read)}"
    )
    return max(compute, read), text


if __name__ == "__main__":
    limit_cores(int(sys.argv[1]))
    print(json.dumps(measure()))
