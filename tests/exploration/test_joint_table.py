"""Joint tables against brute force over their cells."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

from stylobate.exceptions import InvalidDataError
from stylobate.exploration import JointTable, joint_table


def test_the_recipe_of_the_notes():
    """Means, then the matrix of all outcomes less the means, times p, times its transpose."""
    p = np.array([[0.1, 0.2], [0.3, 0.4]])  # p(X1, X2), X1 by rows
    table = JointTable(p)
    outcomes = np.array([[0, 1, 0, 1], [0, 0, 1, 1]], dtype=float)
    weights = np.diag([p[0, 0], p[1, 0], p[0, 1], p[1, 1]])
    mean = outcomes @ np.diag(weights)
    centred = outcomes - mean[:, None]
    assert table.mean == pytest.approx(mean)
    assert table.mean.tolist() == pytest.approx([0.7, 0.6])
    assert table.covariance_matrix == pytest.approx(centred @ weights @ centred.T)
    assert table.covariance == pytest.approx(0.4 - 0.7 * 0.6)


@given(
    arrays.arrays(float, (3, 4), elements=some.floats(0, 1)),
    arrays.arrays(float, 3, elements=some.floats(-50, 50), unique=True),
    arrays.arrays(float, 4, elements=some.floats(-50, 50), unique=True),
)
def test_everything_against_sums_over_cells(weights, x, y):
    if weights.sum() < 1e-3:
        weights = weights + 0.1
    table = JointTable.from_counts(weights, x, y)
    cells = [(x[i], y[j], table.probabilities[i, j]) for i in range(3) for j in range(4)]
    mean_x = sum(p * a for a, _, p in cells)
    mean_y = sum(p * b for _, b, p in cells)
    assert table.mean == pytest.approx([mean_x, mean_y], abs=1e-9)
    covariance = sum(p * (a - mean_x) * (b - mean_y) for a, b, p in cells)
    assert table.covariance == pytest.approx(covariance, abs=1e-8)
    entropies = table.entropies
    known = entropies["x"] + entropies["y"] - entropies["joint"]
    assert table.mutual_information == pytest.approx(known, abs=1e-9)
    assert table.given_x[table.p_x > 0].sum(axis=1) == pytest.approx(1)
    assert table.given_y[:, table.p_y > 0].sum(axis=0) == pytest.approx(1)
    iterated = np.nansum(table.p_x * np.nan_to_num(table.mean_given_x))
    assert iterated == pytest.approx(mean_y, abs=1e-8)
    json.dumps(table.to_dict(), allow_nan=False)


def test_independence():
    free = JointTable(np.outer([0.2, 0.8], [0.5, 0.3, 0.2]))
    assert free.is_independent()
    assert free.mutual_information == pytest.approx(0, abs=1e-12)
    assert free.correlation == pytest.approx(0, abs=1e-12)
    assert "independent" in repr(free)
    assert np.isnan(JointTable([[0.5, 0.5]]).correlation)


def test_words_have_no_mean():
    table = JointTable([[0.5, 0.1], [0.1, 0.3]], x=["calm", "stormy"], y=[1, 2])
    with pytest.raises(InvalidDataError, match="values of x are"):
        _ = table.mean
    assert table.mean_given_x == pytest.approx([1 + 1 / 6, 1.75])
    assert table.to_dict()["mean"] is None
    assert "p(x, y)" in repr(table)


@pytest.mark.parametrize("library", [pd, pl])
def test_from_a_frame(library):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 4, 300), rng.integers(0, 3, 300)
    b = np.where(a > 1, b, 0)
    table = joint_table(library.DataFrame({"a": a, "b": b}), "a", "b")
    assert table.covariance_matrix == pytest.approx(np.cov(a, b, bias=True))
    assert table.correlation == pytest.approx(np.corrcoef(a, b)[0, 1])
    with pytest.raises(InvalidDataError, match="no column 'z'"):
        joint_table(library.DataFrame({"a": a}), "a", "z")
    with pytest.raises(InvalidDataError, match="no row has a value"):
        joint_table(library.DataFrame({"a": [None, 1.0], "b": [1.0, None]}), "a", "b")
