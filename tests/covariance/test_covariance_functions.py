"""Covariance matrices against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.covariance as theirs

import stylobate.covariance as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError

RNG = np.random.default_rng(0)
TABLES = [
    RNG.normal(size=(20, 3)) * [1, 2, 3],
    RNG.normal(size=(10, 30)) + 100.0,
    RNG.normal(size=(10, 1)),
    np.full((5, 2), 3.0),
]


@pytest.mark.parametrize("X", TABLES)
@pytest.mark.parametrize("centered", [False, True])
def test_same_as_scikit_learn(X, centered):
    size = np.abs(X).max() ** 2
    np.testing.assert_allclose(
        ours.empirical_covariance(X, assume_centered=centered),
        theirs.empirical_covariance(X, assume_centered=centered),
        atol=1e-13 * size,
    )
    for name in ("ledoit_wolf", "oas"):
        found = getattr(ours, name)(X, assume_centered=centered)
        expected = getattr(theirs, name)(X, assume_centered=centered)
        np.testing.assert_allclose(found[0], expected[0], atol=1e-12 * size)
        if name == "oas" or np.ptp(X) > 0:  # of no spread any share is right
            assert found[1] == pytest.approx(expected[1], rel=1e-9, abs=1e-12)
    assert ours.ledoit_wolf_shrinkage(X) == pytest.approx(ours.ledoit_wolf(X)[1])


def test_shrunk_covariance():
    stack = np.stack([np.cov(RNG.normal(size=(3, 20))) for _ in range(2)])
    for matrix in (stack, stack[0]):
        np.testing.assert_allclose(
            ours.shrunk_covariance(matrix, 0.3), theirs.shrunk_covariance(matrix, 0.3)
        )
    with pytest.raises(InvalidParameterError, match=r"a number in \[0, 1\], got 2"):
        ours.shrunk_covariance(stack, 2)
    with pytest.raises(InvalidDataError, match="must be square"):
        ours.shrunk_covariance([[1.0, 2.0]])
    with pytest.raises(InvalidDataError, match="NaN"):
        ours.ledoit_wolf([[np.nan], [1.0]])
