"""Exact and high-precision references for statistics."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from stylobate.data import read_table


def _exact_moments(z, weights=None):
    """(Σw, mean, centred scatter) of the columns of z as fractions, rounded at the end."""
    rows = [[Fraction(v) for v in row] for row in np.asarray(z, dtype=float).tolist()]
    w = [Fraction(1)] * len(rows) if weights is None else [Fraction(v) for v in weights.tolist()]
    total, q = sum(w), len(rows[0])
    mean = [sum(a * r[j] for a, r in zip(w, rows, strict=True)) / total for j in range(q)]
    scatter = np.empty((q, q))
    for i in range(q):
        for j in range(i + 1):
            products = ((r[i] - mean[i]) * (r[j] - mean[j]) for r in rows)
            scatter[i, j] = scatter[j, i] = float(
                sum(a * v for a, v in zip(w, products, strict=True))
            )
    return float(total), np.array([float(m) for m in mean]), scatter


def _long_moments(z, weights=None):
    """The same by two passes in extended precision, for many rows."""
    z = np.asarray(z, dtype=np.longdouble)
    w = np.ones(len(z), np.longdouble) if weights is None else weights.astype(np.longdouble)
    mean = (w @ z) / w.sum()
    centred = z - mean
    mean, centred = mean + (w @ centred) / w.sum(), centred - (w @ centred) / w.sum()
    scatter = (centred * w[:, None]).T @ centred
    return float(w.sum()), mean.astype(float), scatter.astype(float)


@pytest.fixture(scope="session")
def exact_moments():
    return _exact_moments


@pytest.fixture(scope="session")
def long_moments():
    return _long_moments


@pytest.fixture(scope="session")
def table():
    """`table(X, y=None, weights=None)`: through the door, as an estimator would."""

    def make(X, y=None, weights=None):
        return read_table(X, y, weights, owner="test")

    return make


@pytest.fixture(scope="session")
def agree():
    """`agree(moments, reference)`: entries of the scatter relative to the columns' lengths."""

    def check(found, reference, tolerance=1e-13):
        weight, mean, scatter = reference
        length = np.sqrt(np.diag(scatter))
        assert found.weight == pytest.approx(weight, rel=1e-15)
        spread = np.sqrt(np.diag(scatter) / weight)
        # a mean is known to its own last bits, or to a small share of the spread about it
        assert (np.abs(found.mean - mean) <= 4e-16 * np.abs(mean) + tolerance * spread).all()
        allowed = tolerance * np.outer(length, length)
        assert (np.abs(found.scatter - scatter) <= allowed).all()
        assert np.array_equal(found.scatter, found.scatter.T)

    return check
