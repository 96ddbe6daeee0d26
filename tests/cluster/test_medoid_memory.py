"""Peak memory of k-medoids and k-centres: no n × n matrix."""

from __future__ import annotations

import subprocess
import sys

import pytest

JOB = """
import numpy as np
from stylobate.cluster import KCenter, KMedoids

def fit(x):
    {job}

rng = np.random.default_rng(0)
fit(rng.standard_normal((1100, 10)))  # what is imported on the way is not the job's
x = rng.standard_normal(({rows}, 10))
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")

def high():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1000.0

before = high()
fit(x)
print(high() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks the Linux kernel")
@pytest.mark.parametrize(
    ("job", "rows"),
    [
        ("KMedoids(4, max_iter=1, certificate_steps=1, random_state=0).fit(x)", 4_000),
        ("KCenter(4, max_iter=2).fit(x)", 4_000),
    ],
)
def test_no_matrix_of_all_pairs(job, rows):
    code = "import warnings; warnings.simplefilter('ignore')" + JOB.format(job=job, rows=rows)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    matrix = 8e-6 * rows**2  # MB
    assert float(done.stdout) < 0.1 * matrix
