"""Peak memory of pairwise work: at most twice what goes in and comes out.

Each job runs in a process of its own. Its peak is what the kernel says (`ru_maxrss`), less what the
process held when the input lay ready; a little is allowed for the tiles of each thread.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

SLACK = 12.0  # MB: packed blocks, strips and heaps, whatever the size of the tables

PREPARE = """
import resource, numpy as np
from stylobate import _core
from stylobate.metrics.pairwise import euclidean_distances, pairwise_distances
from stylobate.distances import measured
from stylobate.neighbors import HNSWIndex, HistogramDensity, KernelDensity
from stylobate.neighbors import LocalOutlierFactor, NearestNeighbors

def job(x, q):
    {job}

def held():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

rng = np.random.default_rng(0)
few = rng.standard_normal((300, {columns}))
job(few, few[:40])  # what is imported on the way is not the job's
x, q = rng.standard_normal(({rows}, {columns})), rng.standard_normal(({queries}, {columns}))
before = held()
# the peak so far may lie above what is held: start it anew
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
result = job(x, q)
with open("/proc/self/status") as file:
    peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1000.0

def size(value):
    if isinstance(value, np.ndarray):
        return value.nbytes / 1e6
    return sum(size(each) for each in value) if isinstance(value, (tuple, list)) else 0.0

print(peak - before, (x.nbytes + q.nbytes) / 1e6, size(result))
"""

# rows, queries, columns
JOBS = {
    "distances": ("return euclidean_distances(q, x)", 20_000, 400, 64),
    "any metric": ("return pairwise_distances(q, x, metric='canberra')", 20_000, 400, 32),
    "nearest": ("return NearestNeighbors(algorithm='brute').fit(x).kneighbors(q)", 60_000, 300, 64),
    "nearest single": (
        "x, q = x.view(np.float32), q.view(np.float32); return measured(q, x).nearest(10)",
        40_000, 300, 64,
    ),
    "kd-tree": ("return NearestNeighbors(algorithm='kd_tree').fit(x).kneighbors()", 200_000, 10, 3),
    "ball tree": (
        "return NearestNeighbors(algorithm='ball_tree').fit(x).kneighbors()", 150_000, 10, 3,
    ),
    "radius": ("return measured(q, x).within(1.0)", 60_000, 500, 16),
    "outliers": ("return LocalOutlierFactor(5).fit(x).kneighbors()", 100_000, 10, 3),
    "density": ("return KernelDensity(bandwidth=0.5).fit(x).score_samples(q)", 1_000_000, 50, 3),
    "density of few": (
        "return KernelDensity(bandwidth=0.5).fit(x).score_samples(q[:3])", 1_000_000, 50, 3,
    ),
    "histogram": ("return HistogramDensity(20).fit(x).score_samples(x)", 1_000_000, 50, 3),
    "graph": (
        "return HNSWIndex(x, M=4, ef_construction=10, ef_search=10).query(q, 5)", 20_000, 9, 256,
    ),
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("name", JOBS)
def test_peak_is_within_twice_input_and_output(name):
    job, rows, queries, columns = JOBS[name]
    code = PREPARE.format(job=job, rows=rows, queries=queries, columns=columns)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    growth, given, made = map(float, done.stdout.split())
    # the input itself is held already: what grows may be as much again, and twice the output
    assert growth <= given + 2.0 * made + SLACK, f"{growth=:.0f} {given=:.0f} {made=:.0f} MB"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_measure_sees_what_is_held_too_long():
    """A job that writes all differences, as a careless one would."""
    code = PREPARE.format(
        job="return ((q[:, None, :8] - x[None, :, :8]) ** 2).sum(axis=2)[:, :1]",
        rows=20_000,
        queries=100,
        columns=16,
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    growth, given, made = map(float, done.stdout.split())
    assert growth > given + 2.0 * made + SLACK
