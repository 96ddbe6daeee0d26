"""Fold paths on rows stop early: their errors must still be those of tight fits."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LassoCV as Peer

import stylobate
from stylobate.linear_model import LassoCV


def wide(seed: int, correlation: float) -> tuple[np.ndarray, np.ndarray]:
    """Columns that share a factor, many more than rows: the path's end is saturated."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(90, 300))
    x = np.sqrt(1 - correlation) * x + np.sqrt(correlation) * rng.normal(size=(90, 1)) + 2.0
    return x, x[:, :6] @ rng.normal(size=6) + rng.normal(size=90)


@pytest.mark.parametrize(("correlation", "positive"), [(0.0, True), (0.7, False), (0.7, True)])
def test_errors_are_those_of_tight_fits(correlation: float, positive: bool) -> None:
    x, y = wide(3, correlation)
    ours = LassoCV(cv=3, alphas=40, positive=positive, precompute=False).fit(x, y)
    tight = Peer(cv=3, alphas=ours.alphas_, positive=positive, tol=1e-9, max_iter=200_000)
    tight.fit(x, y)
    np.testing.assert_allclose(ours.mse_path_, tight.mse_path_, rtol=2e-2)
    best = int(np.argmin(tight.mse_path_.mean(axis=1)))
    np.testing.assert_allclose(ours.mse_path_[best], tight.mse_path_[best], rtol=1e-3)
    assert ours.alpha_ == pytest.approx(tight.alpha_)


def test_a_smaller_tol_brings_the_errors_closer() -> None:
    x, y = wide(5, 0.3)
    exact = LassoCV(cv=3, alphas=30, tol=1e-10, precompute=False).fit(x, y)
    errors = [
        np.abs(
            LassoCV(cv=3, alphas=30, tol=tol, precompute=False).fit(x, y).mse_path_
            / exact.mse_path_
            - 1.0
        ).max()
        for tol in (1e-2, 1e-4, 1e-7)
    ]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-4


def test_same_bits_for_any_number_of_threads() -> None:
    x, y = wide(7, 0.2)
    paths = []
    for count in (1, 2, 3):
        with stylobate.threads(count):
            paths.append(LassoCV(cv=5, alphas=30, precompute=False).fit(x, y).mse_path_)
    assert all(np.array_equal(paths[0], path) for path in paths[1:])


def test_large_supports_err_little_and_not_near_the_best_penalty() -> None:
    rng = np.random.default_rng(11)  # more than 1000 rows: below, paths are solved to the gap
    x = rng.normal(size=(1040, 900)) + 1.0
    y = x[:, :20] @ rng.normal(size=20) + 3.0 * rng.normal(size=1040)
    ours = LassoCV(cv=2, alphas=25, precompute=False).fit(x, y)
    tight = LassoCV(cv=2, alphas=25, tol=1e-9, precompute=False).fit(x, y)
    assert ours.alpha_ == tight.alpha_
    np.testing.assert_allclose(ours.mse_path_, tight.mse_path_, rtol=2e-2)
    best = int(np.argmin(tight.mse_path_.mean(axis=1)))
    np.testing.assert_allclose(ours.mse_path_[best], tight.mse_path_[best], rtol=1e-4)


@pytest.mark.parametrize(("order", "positive"), [("C", True), ("F", False)])
def test_large_supports_with_weights_and_shuffled_folds(order: str, positive: bool) -> None:
    """Supports beyond 256 columns descend on the residual: same errors, same bits."""
    rng = np.random.default_rng(12)
    x = np.array(rng.normal(size=(1040, 800)) + 2.0, order=order)
    y = x[:, :40] @ rng.uniform(0.2, 1.0, size=40) + 4.0 * rng.normal(size=1040)
    omega = rng.uniform(0.5, 2.0, size=1040)
    rows = rng.permutation(1040)
    splits = [(np.sort(rows[k:]), np.sort(rows[:k])) for k in (400, 480)]
    settings = {"cv": splits, "alphas": 20, "positive": positive, "precompute": False}
    found = []
    for count in (1, 3):
        with stylobate.threads(count):
            found.append(LassoCV(**settings).fit(x, y, omega).mse_path_)
    assert np.array_equal(*found)
    tight = LassoCV(**settings, tol=1e-9, max_iter=20_000).fit(x, y, omega)
    np.testing.assert_allclose(found[0], tight.mse_path_, rtol=2e-2)
    best = int(np.argmin(tight.mse_path_.mean(axis=1)))
    np.testing.assert_allclose(found[0][best], tight.mse_path_[best], rtol=1e-4)
