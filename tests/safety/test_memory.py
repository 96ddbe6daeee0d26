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
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of

PROGRAM = Path(__file__).parent / "memory_use.py"
COPIES, CONSTANT = 8, 128 << 20
# what is of rows × rows or columns × columns by what it is, or not yet spared, in bytes
SQUARES = {
    "RidgeCV, sparse": 11 * 8 * 3_000**2,  # decomposes the Gram of the rows, the smaller one
    "CCA, sparse": 2 * 8 * 6_000**2,  # the moments of the columns
    "GaussianMixture, wide": 2 * 8 * 5_000**2,  # a covariance is what it learns
    "DictionaryLearning, wide": 2 * 8 * 5_000**2,  # as many atoms as columns
    "LabelPropagation, sparse": 4 * 8 * 3_000**2,  # the kernel of the rows
    "MultiTaskLassoCV, sparse": 3 * 8 * 3_000 * 6_000,  # makes the rows dense
}
GROUPS = [
    ("ElasticNetCV", "LassoCV", "Lasso"),
    ("GridSearchCV", "RidgeCV", "Ridge", "LinearRegression"),
    ("LogisticRegression", "StandardScaler", "RandomForestRegressor"),
]


ALL = [
    kind.__name__
    for kind in all_estimators()
    if not (example_of(kind)._tags().text or example_of(kind)._tags().pairwise)
]
EVERY = [ALL[start::16] for start in range(16)]  # neighbours in the alphabet are alike
ON_LINUX = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="resident memory as Linux tells it"
)


def taken_by(names, seconds):
    """(estimator and table, bytes of the table, what was taken or how the fit ended)."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(seconds), *names],
        env={**os.environ, "PYTHONPATH": str(Path(stylobate.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=600,
    )
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(lines) == 3 * len(names), done.stderr
    return [(f"{name}, {table}", int(size), taken) for name, table, size, taken in lines]


def too_much(found):
    measured = [(case, size, int(taken)) for case, size, taken in found if taken.isdigit()]
    allowed = {case: COPIES * size + CONSTANT + SQUARES.get(case, 0) for case, size, _ in measured}
    return [each for each in measured if each[2] > allowed[each[0]]]


@ON_LINUX
@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_fits_take_a_small_multiple_of_their_input(names):
    found = taken_by(names, 20)
    assert sum(taken.isdigit() for *_, taken in found) > len(found) / 2
    assert too_much(found) == []


@ON_LINUX
@pytest.mark.sampled(8)
@pytest.mark.parametrize("names", EVERY, ids=lambda names: names[0])
def test_every_estimator_is_bounded_by_its_input(names):
    """What is refused for want of memory is refused in words; no child is killed by it."""
    found = taken_by(names, 3)
    assert [case for case in found if case[2] == "died"] == []
    assert too_much(found) == []


@ON_LINUX
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
