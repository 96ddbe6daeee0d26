"""What fits take beyond their input is a small multiple of it, and a constant.

Wide and sparse tables are where something of columns × columns would show.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import stylobate

PROGRAM = Path(__file__).parent / "memory_use.py"
COPIES, CONSTANT = 8, 128 << 20
# exact leave-one-out decomposes the Gram of the rows or of the columns, whichever is smaller
SQUARES = {"RidgeCV, sparse": 11 * 8 * 3_000**2}
GROUPS = [
    ("ElasticNetCV", "LassoCV", "Lasso"),
    ("GridSearchCV", "RidgeCV", "Ridge", "LinearRegression"),
    ("LogisticRegression", "StandardScaler", "RandomForestRegressor"),
]


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="resident memory as Linux tells it"
)
@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_fits_take_a_small_multiple_of_their_input(names):
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *names],
        env={**os.environ, "PYTHONPATH": str(Path(stylobate.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(lines) == 3 * len(names), done.stderr
    measured = [
        (f"{a}, {b}", int(size), int(taken)) for a, b, size, taken in lines if taken.isdigit()
    ]
    assert len(measured) > len(lines) / 2
    allowed = {name: COPIES * size + CONSTANT + SQUARES.get(name, 0) for name, size, _ in measured}
    assert [case for case in measured if case[2] > allowed[case[0]]] == []


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="resident memory as Linux tells it"
)
def test_paths_of_noise_keep_few_columns_that_entered_in_vain():
    """Far more columns than rows enter along such a path; their products are not all kept."""
    code = """
import numpy as np
from memory_use import in_child
from stylobate.linear_model import LassoCV
rng = np.random.default_rng(0)
x, y, rows = rng.standard_normal((1000, 6000)), rng.standard_normal(1000), np.arange(1000)
splits = [(rows[200:], rows[:200]), (rows[:800], rows[800:])]
print(in_child(LassoCV(alphas=10, cv=splits), x, y))
"""
    path = os.pathsep.join([str(Path(stylobate.__file__).parents[1]), str(PROGRAM.parent)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert int(done.stdout) < 5 * 8 * 1000 * 6000, done.stderr
