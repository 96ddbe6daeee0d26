"""Intervals after a selection: how often they hold the truth, counted by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import (
    Lasso,
    LassoCV,
    LinearRegression,
    debiased_lasso,
    split_inference,
)

TRUTH = np.zeros(40)
TRUTH[:3] = [1.0, -0.7, 0.4]


def drawn(seed, n, p, rho):
    """Columns correlated with their neighbours by rho."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    for j in range(1, p):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1.0 - rho**2) * X[:, j]
    return X, X[:, :3] @ TRUTH[:3] + rng.normal(size=n)


@pytest.mark.parametrize(("n", "p", "rho"), [(80, 110, 0.0), (100, 40, 0.5)])
def test_the_debiased_lasso_covers(n, p, rho):
    columns, held, tries = [0, 1, 2, 3, 20], 0, 40
    for seed in range(tries):
        X, y = drawn(seed, n, p, rho)
        table = debiased_lasso(X, y, columns=columns).coefficients
        held += np.sum((table.ci_low <= TRUTH[columns]) & (TRUTH[columns] <= table.ci_high))
    # 200 intervals of 95 %: fewer than 180 of them would be three standard errors too few
    assert held >= 180


def test_split_inference_covers_and_looking_twice_does_not():
    """The columns that the lasso takes of pure noise, tested on fresh and on the same rows."""
    honest = naive = told = seen = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(80, 30)), rng.normal(size=80)
        found = split_inference(X, y, selector=Lasso(0.12), random_state=seed)
        low, high = found.summary.coefficients.ci_low[1:], found.summary.coefficients.ci_high[1:]
        honest += np.sum((low <= 0.0) & (high >= 0.0))
        told += len(low)
        chosen = np.flatnonzero(Lasso(0.12).fit(X, y).coef_)
        same = LinearRegression().fit(X[:, chosen], y).summary().coefficients
        naive += np.sum((same.ci_low[1:] <= 0.0) & (same.ci_high[1:] >= 0.0))
        seen += len(chosen)
    assert told > 100
    assert honest / told > 0.92
    assert naive / seen < 0.85


def test_with_few_columns_debiasing_is_least_squares_nearly():
    X, y = drawn(3, 400, 5, 0.3)
    least = LinearRegression().fit(X, y).summary().coefficients
    found = debiased_lasso(X, y).coefficients
    np.testing.assert_allclose(found.estimate, least.estimate[1:], atol=0.01)
    np.testing.assert_allclose(found.std_error, least.std_error[1:], rtol=0.1)


def test_the_correction_is_the_formula():
    """b − w is zᵀ(y − Xw)/zᵀx for a z that is nearly orthogonal to the other columns."""
    X, y = drawn(5, 60, 40, 0.0)
    found = debiased_lasso(X, y, columns=[2])
    w, b = found.lasso_coef, found.coefficients.estimate[0]
    moved = debiased_lasso(X, y + 0.5 * X[:, 2], columns=[2]).coefficients.estimate[0]
    assert w[2] != b
    assert moved - b == pytest.approx(0.5, abs=0.05)
    # units: a column ten times as large has a tenth of the coefficient
    scaled = debiased_lasso(X * 10.0, y, columns=[2]).coefficients
    assert scaled.estimate[0] == pytest.approx(b / 10.0, rel=1e-6)
    assert "95" in str(found) or "0.95" in str(found)


def test_names_and_what_a_split_returns():
    polars = pytest.importorskip("polars")
    X, y = drawn(1, 120, 6, 0.0)
    frame = polars.DataFrame({f"c{j}": X[:, j] for j in range(6)})
    assert debiased_lasso(frame, y, columns=["c1"]).coefficients.names == ("c1",)
    found = split_inference(frame, y, selector=LassoCV(selection_rule="1se"), covariance="HC3")
    assert set(found.summary.coefficients.names[1:]) <= set(frame.columns)
    both = np.concatenate([found.selection_rows, found.inference_rows])
    np.testing.assert_array_equal(np.sort(both), np.arange(120))
    rows, chosen = found.inference_rows, found.selected
    least = LinearRegression().fit(X[np.ix_(rows, chosen)], y[rows])
    np.testing.assert_allclose(found.summary.coefficients.estimate[1:], least.coef_)


def test_bad_input():
    X, y = drawn(1, 40, 6, 0.0)
    with pytest.raises(InvalidParameterError, match="level"):
        debiased_lasso(X, y, level=1.5)
    with pytest.raises(InvalidParameterError, match="no column of X"):
        debiased_lasso(X, y, columns=["price"])
    with pytest.raises(InvalidDataError, match="column x1 is constant"):
        debiased_lasso(np.where(np.arange(6) == 1, 3.0, X), y)
    with pytest.raises(InvalidParameterError, match="share"):
        split_inference(X, y, share=1.0)
    with pytest.raises(InvalidDataError, match="no column at all"):
        split_inference(X, y, selector=Lasso(1e6))
    with pytest.raises(InvalidDataError, match="too many for the"):
        split_inference(X[:10], y[:10], selector=LinearRegression())
