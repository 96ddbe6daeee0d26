"""Gower's dissimilarity against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.distances import Gower
from stylobate.metrics import gower_distances


def brute(rows, others, nominal, weights, widths):
    out = np.full((len(rows), len(others)), np.nan)
    for i, a in enumerate(rows):
        for j, b in enumerate(others):
            total = weight = 0.0
            for u, v, is_name, w, width in zip(a, b, nominal, weights, widths, strict=True):
                if any(t is None or t != t for t in (u, v)):
                    continue
                total += w * (float(u != v) if is_name else abs(u - v) / width)
                weight += w
            if weight > 0:
                out[i, j] = total / weight
    return out


def table(rng, n):
    rows = []
    for _ in range(n):
        row = [
            rng.normal(),
            int(rng.integers(5)),
            str(rng.choice(["a", "b", "c"])),
            bool(rng.integers(2)),
        ]
        rows.append([None if rng.random() < 0.15 else cell for cell in row])
    return rows


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5, 3.0]])
def test_against_the_definition(weights):
    rng = np.random.default_rng(0)
    x, y = table(rng, 30), table(rng, 41)
    x[3] = [None] * 4
    widths = []
    for j in range(4):
        present = [row[j] for row in x + y if isinstance(row[j], int | float)]
        widths.append(max(present) - min(present) if present else 1.0)
    nominal = [False, False, True, True]
    w = weights or [1.0] * 4
    want = brute(x, y, nominal, w, widths)
    np.testing.assert_allclose(gower_distances(x, y, weights=weights), want, rtol=1e-12)
    assert np.isnan(want[3]).all()


def test_frames_kinds_and_ranges():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    data = {
        "age": [20.0, 30.0, None, 40.0],
        "size": ["small", "large", "small", None],
        "level": [1, 3, 2, 1],
    }
    for make in (pandas.DataFrame, polars.DataFrame):
        got = gower_distances(make(data))
        np.testing.assert_allclose(got[0], [0.0, (0.5 + 1 + 1) / 3, (0 + 0.5) / 2, (1 + 0) / 2])
        got = gower_distances(make(data), kinds={"level": "nominal"})
        np.testing.assert_allclose(got[0, 1], (0.5 + 1 + 1) / 3)
        np.testing.assert_allclose(got[0, 2], (0 + 1) / 2)
        got = gower_distances(make(data), kinds={"size": "ordinal"}, ranges={"age": 100.0})
        np.testing.assert_allclose(got[0, 1], (0.1 + 1 + 1) / 3)
    category = pandas.DataFrame({"c": pandas.Categorical(["x", "y", None, "x"])})
    got = gower_distances(category)
    assert got[0, 1] == 1
    assert got[0, 3] == 0
    assert np.isnan(got[0, 2])


def test_nearest_rows():
    rng = np.random.default_rng(1)
    x = table(rng, 50)
    matrix = gower_distances(x)
    np.testing.assert_array_equal(matrix, matrix.T)
    np.fill_diagonal(matrix, np.inf)
    _, rows = Gower().between(x).nearest(4, skip_self=True)
    key = np.where(np.isnan(matrix), np.inf, matrix)
    assert (rows == np.argsort(key, axis=1, kind="stable")[:, :4]).all()


def test_refusals():
    rows = [[1, "a"], [2, "b"]]
    with pytest.raises(ValueError, match="the kind of"):
        gower_distances(rows, kinds={0: "colour"})
    with pytest.raises(ValueError, match="no column"):
        gower_distances(rows, kinds={"nope": "numeric"})
    with pytest.raises(ValueError, match="to be numeric"):
        gower_distances(rows, kinds={1: "numeric"})
    with pytest.raises(ValueError, match="one for each column"):
        gower_distances(rows, kinds=["numeric"])
    with pytest.raises(ValueError, match="weights must be"):
        gower_distances(rows, weights=[1, -1])
    with pytest.raises(ValueError, match="same columns"):
        gower_distances(rows, [[1]])
    with pytest.raises(ValueError, match="range"):
        gower_distances(rows, ranges={0: 0.0})
    with pytest.raises(ValueError, match="infinities"):
        gower_distances([[np.inf], [1.0]])
