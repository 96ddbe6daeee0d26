"""Designs shared by the inference tests."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm

from stylobate.inference import fit_from_factor


@pytest.fixture
def data_folder() -> Path:
    """The shared reference data, or a skip."""
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("STYLOBATE_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"reference data not found at {folder}; set STYLOBATE_DATA")
    return folder


def _fit_rows(X, y, weights=None, *, intercept=True, names=None, target="y"):
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    n = len(y)
    stacked = np.column_stack([np.ones((n, int(intercept))), X, y])
    sums = {}
    if weights is not None:
        used = weights > 0
        n = int(used.sum())
        sums = {"weight_sum": weights.sum(), "log_weight_sum": np.log(weights[used]).sum()}
        stacked *= np.sqrt(weights)[:, None]
    if names is not None:
        names = (["(Intercept)"] if intercept else []) + list(names)
    r = np.linalg.qr(stacked, mode="r")
    return fit_from_factor(r, n_rows=n, has_intercept=intercept, names=names, target=target, **sums)


@pytest.fixture(scope="session")
def fit_rows():
    """Least squares of rows by one QR: `fit_rows(X, y, weights=None, intercept=…)`."""
    return _fit_rows


def _design(seed, n, p, weighted, scale=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * 10.0 ** rng.uniform(-scale, scale, p) + rng.normal(size=p)
    y = X @ rng.normal(size=p) + 1.0 + rng.standard_t(4, size=n) * (1 + np.abs(X[:, 0]))
    weights = rng.uniform(0.2, 3.0, n) if weighted else None
    return X, y, weights


@pytest.fixture(scope="session")
def design():
    """Random rows with uneven scales and variances: `design(seed, n, p, weighted)`."""
    return _design


@pytest.fixture(scope="session")
def reference():
    """statsmodels' model of the same rows (WLS, or OLS without weights)."""

    def model(X, y, weights=None, *, intercept=True):
        exog = np.column_stack([np.ones((len(y), int(intercept))), X])
        if weights is None:
            return sm.OLS(np.asarray(y), exog, hasconst=intercept)
        return sm.WLS(np.asarray(y), exog, weights=weights, hasconst=intercept)

    return model
