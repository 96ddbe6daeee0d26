"""The dual points behind the certificates, checked by hand; and crossing."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robust_data import make, pinball
from test_quantile_exact import program

from stylobate.data import read_table
from stylobate.exceptions import ConvergenceWarning
from stylobate.linear_model import QuantileRegressor
from stylobate.optimize.robust.check_loss import CheckLoss, solve
from stylobate.optimize.robust.frame import Frame
from stylobate.optimize.robust.quantile import solve_linear_program, solve_quantiles
from stylobate.optimize.robust.rows import Rows
from stylobate.statistics import Moments


@pytest.mark.parametrize("alpha", [0.0, 0.05])
def test_the_dual_point_is_feasible_and_as_good_as_the_primal(alpha):
    x, y = make(5_000, 4, seed=1)
    rows = Rows.of(read_table(x, y, owner="test"))
    frame = Frame.of_rows(rows, Moments.of(rows.table), intercept=True, scaled_only=alpha > 0)
    fit = solve(CheckLoss(frame, 0.3, alpha * len(y)), rows, frame.start)
    d = fit.dual[: len(y)]
    assert fit.optimal
    assert d.min() >= 0.3 - 1.0
    assert d.max() <= 0.3
    assert abs(d.sum()) < 1e-8
    pull = x.T @ d
    assert np.abs(pull).max() <= alpha * len(y) * (1 + 1e-9) + 1e-7
    best = program(x, y, 0.3, alpha) * len(y)
    assert d @ y == pytest.approx(best, rel=1e-9)


def joint(x, y, taus, alpha=0.0):
    rows = Rows.of(read_table(x, y, owner="test"))
    moments = Moments.of(rows.table)
    ours = solve_quantiles(rows, taus, moments, alpha=alpha, intercept=True)
    highs = solve_linear_program(
        rows, taus, moments, alpha=alpha, intercept=True, method="highs", options=None
    )
    return ours, highs


@pytest.mark.parametrize("alpha", [0.0, 0.02])
@pytest.mark.parametrize("n", [30, 300])
def test_several_quantiles_do_not_cross_and_are_the_best_that_do_not(n, alpha):
    x, y = make(n, 4, seed=n)
    taus = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9]
    ours, highs = joint(x, y, taus, alpha)
    fits = x @ ours.coef.T + ours.intercept
    assert (np.diff(fits, axis=1) >= -1e-9 * np.abs(y).max()).all()
    assert ours.certificate.primal == pytest.approx(highs.certificate.primal, rel=1e-8)
    assert ours.certificate.relative_gap < 1e-9
    alone = [
        pinball(QuantileRegressor(quantile=t, alpha=alpha).fit(x, y), x, y, t, alpha) for t in taus
    ]
    assert sum(alone) <= ours.certificate.primal * (1 + 1e-12)
    assert n > 30 or sum(alone) < ours.certificate.primal  # here they would cross


def test_quantiles_in_any_order():
    x, y = make(60, 3, seed=2)
    model = QuantileRegressor(quantile=[0.9, 0.1, 0.5], alpha=0.0).fit(x, y)
    assert model.coef_.shape == (3, 3)
    assert model.intercept_.shape == (3,)
    predicted = model.predict(x)
    np.testing.assert_allclose(predicted, x @ model.coef_.T + model.intercept_, atol=1e-8)
    far = model.predict(100.0 * np.random.default_rng(0).standard_normal((50, 3)))
    for low, mid, high in ((row[1], row[2], row[0]) for row in np.vstack([predicted, far])):
        assert low <= mid <= high


@st.composite
def nasty(draw):
    n = draw(st.integers(1, 25))
    p = draw(st.integers(1, 6))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = random.integers(-2, 3, (n, p)).astype(float)  # ties, repeated rows, constant columns
    if draw(st.booleans()):
        x = x * 10.0 ** random.integers(-8, 9, p)
    if draw(st.booleans()):
        x[:, -1] = x[:, 0]
    y = random.integers(-3, 4, n).astype(float) * 10.0 ** draw(st.integers(-6, 6))
    weights = random.integers(0, 3, n).astype(float) if draw(st.booleans()) else None
    if weights is not None and not weights.any():
        weights = None
    tau, alpha = draw(st.sampled_from([0.1, 0.5, 0.75])), draw(st.sampled_from([0.0, 0.3]))
    return x, y, weights, tau, alpha, draw(st.booleans())


@given(nasty())
def test_ties_dependent_columns_and_few_rows(case):
    x, y, weights, tau, alpha, intercept = case
    model = QuantileRegressor(quantile=tau, alpha=alpha, fit_intercept=intercept)
    # the products of a dual point and a column have the rounding of its largest entries
    attainable = max(1e-8, 1e-15 * np.abs(x).max())
    with warnings.catch_warnings():
        if attainable > 1e-8:
            warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(x, y, sample_weight=weights)
    proof = model.certificate_
    assert np.isfinite(model.coef_).all()
    value = pinball(model, x, y, tau, alpha, weights)
    at_zero = np.abs(y).max()
    assert value == pytest.approx(proof.primal, rel=1e-9, abs=1e-12 * at_zero)
    assert proof.relative_gap <= attainable


def test_one_row():
    model = QuantileRegressor(alpha=0.0).fit([[2.0, 1.0]], [5.0])
    assert model.predict([[2.0, 1.0]]) == pytest.approx([5.0])
    assert model.certificate_.optimal
