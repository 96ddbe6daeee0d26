"""Quantile regression against the linear program solved by HiGHS, and its certificate by hand."""

from __future__ import annotations

import numpy as np
import pytest
from robust_data import make, pinball
from scipy import sparse
from scipy.optimize import linprog
from sklearn.linear_model import QuantileRegressor as Theirs

from stylobate.linear_model import LADRegressor, QuantileRegressor


def program(x, y, tau, alpha=0.0, weights=None, intercept=True) -> float:
    """The optimum of the linear program, written here once more and independently."""
    n, p = x.shape
    w = np.ones(n) if weights is None else weights
    b = np.full((n, 1), float(intercept))
    equal = sparse.hstack([x, -x, b, -b, sparse.eye_array(n), -sparse.eye_array(n)], format="csc")
    cost = np.concatenate([np.full(2 * p, alpha * w.sum()), [0.0, 0.0], tau * w, (1 - tau) * w])
    return float(linprog(cost, A_eq=equal, b_eq=y, bounds=(0, None), method="highs").fun / w.sum())


@pytest.mark.parametrize("tau", [0.05, 0.5, 0.8])
@pytest.mark.parametrize("alpha", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_optimum_is_that_of_highs(tau, alpha, intercept):
    x, y = make(150, 4, seed=3)
    weights = np.random.default_rng(0).uniform(0.0, 2.0, len(y))
    for w in (None, weights):
        model = QuantileRegressor(quantile=tau, alpha=alpha, fit_intercept=intercept)
        model.fit(x, y, sample_weight=w)
        best = program(x, y, tau, alpha, w, intercept)
        assert pinball(model, x, y, tau, alpha, w) == pytest.approx(best, rel=1e-10)
        assert model.certificate_.primal == pytest.approx(best, rel=1e-10)
        assert model.certificate_.optimal


def test_parity_with_scikit_learn():
    x, y = make(300, 5, seed=4)
    for tau, alpha in ((0.5, 0.0), (0.25, 0.01), (0.9, 1.0)):
        ours = QuantileRegressor(quantile=tau, alpha=alpha).fit(x, y)
        theirs = Theirs(quantile=tau, alpha=alpha).fit(x, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
        assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-7)
        np.testing.assert_allclose(ours.predict(x), theirs.predict(x), atol=1e-7)


@pytest.mark.parametrize("solver", ["highs", "highs-ds", "highs-ipm"])
def test_highs_through_the_estimator(solver):
    x, y = make(120, 3, seed=5)
    reference = QuantileRegressor(quantile=0.3, alpha=0.05, solver=solver).fit(x, y)
    ours = QuantileRegressor(quantile=0.3, alpha=0.05).fit(x, y)
    assert (reference.solver_, ours.solver_) == (solver, "vertex")
    assert ours.certificate_.primal <= reference.certificate_.primal * (1 + 1e-9)
    assert reference.certificate_.relative_gap < 1e-6


def test_levels_and_folded_rows_give_the_same_optimum():
    """Rows enough for samples, Newton steps and folding."""
    x, y = make(20_000, 6, seed=6)
    for tau, alpha in ((0.5, 0.0), (0.02, 0.0), (0.7, 0.05)):
        model = QuantileRegressor(quantile=tau, alpha=alpha).fit(x, y)
        assert model.certificate_.relative_gap < 1e-11
        residual = y - x @ model.coef_ - model.intercept_
        met = np.abs(residual) <= 1e-9 * np.abs(y).max()
        held = np.sum(model.coef_ == 0) if alpha else 0
        assert met.sum() + held >= 7  # a vertex
        # the subgradient at the answer contains zero: so many above, so many below
        assert np.sum(residual > 1e-9) <= (1 - tau) * len(y) + 1e-9
        assert np.sum(residual < -1e-9) <= tau * len(y) + 1e-9


def test_a_sorted_table_and_outlying_rows_do_not_mislead_the_sample():
    random = np.random.default_rng(0)
    x = np.sort(random.standard_cauchy((8_000, 2)), axis=0)
    y = x @ [1.0, -1.0] + random.standard_cauchy(8_000)
    model = QuantileRegressor(quantile=0.4, alpha=0.0).fit(x, y)
    assert model.certificate_.relative_gap < 1e-10
    moved = QuantileRegressor(quantile=0.4, alpha=0.0).fit(x[::-1], y[::-1])
    assert moved.certificate_.primal == pytest.approx(model.certificate_.primal, rel=1e-10)


def test_a_weight_is_a_number_of_rows():
    x, y = make(80, 2, seed=7)
    counts = np.random.default_rng(1).integers(0, 4, 80)
    weighted = QuantileRegressor(quantile=0.3, alpha=0.1).fit(x, y, sample_weight=counts)
    repeated = QuantileRegressor(quantile=0.3, alpha=0.1).fit(
        np.repeat(x, counts, axis=0), np.repeat(y, counts)
    )
    assert weighted.certificate_.primal == pytest.approx(repeated.certificate_.primal, rel=1e-12)


def test_sparse_rows_give_the_dense_answer():
    random = np.random.default_rng(2)
    x = sparse.random_array((400, 8), density=0.3, rng=random, format="csr")
    y = x @ random.standard_normal(8) + random.standard_t(2, 400)
    for container in (sparse.csr_array, sparse.csc_array):
        for alpha in (0.0, 0.01):
            ours = QuantileRegressor(alpha=alpha).fit(container(x), y)
            dense = QuantileRegressor(alpha=alpha).fit(x.toarray(), y)
            assert ours.certificate_.primal == pytest.approx(dense.certificate_.primal, rel=1e-12)


def test_single_precision_rows():
    x, y = make(500, 3, seed=8)
    model = QuantileRegressor(alpha=0.0).fit(x.astype(np.float32), y)
    best = program(x.astype(np.float32).astype(float), y, 0.5)
    assert model.certificate_.primal == pytest.approx(best, rel=1e-10)


def test_a_large_penalty_leaves_the_constant():
    x, y = make(101, 3, seed=9)
    model = QuantileRegressor(quantile=0.5, alpha=1e4).fit(x, y)
    assert (model.coef_ == 0.0).all()
    assert model.intercept_ == pytest.approx(np.median(y))


def test_least_absolute_deviations_and_laplaces_law(heavy):
    x, y = heavy
    weights = np.random.default_rng(3).uniform(0.5, 2.0, len(y))
    for w in (None, weights):
        model = LADRegressor().fit(x, y, sample_weight=w)
        best = 2.0 * program(x, y, 0.5, weights=w)
        assert model.certificate_.primal == pytest.approx(best, rel=1e-10)
        own = np.ones(len(y)) if w is None else w
        size = own * np.abs(y - model.predict(x))
        assert model.scale_ == pytest.approx(size.mean())
        density = np.log(own / (2 * model.scale_)) - size / model.scale_
        assert model.log_likelihood_ == pytest.approx(density.sum())
        assert model.aic_ == pytest.approx(-2 * density.sum() + 2 * 4)
        assert model.bic_ == pytest.approx(-2 * density.sum() + np.log(len(y)) * 4)
    penalised = LADRegressor(alpha=0.3).fit(x, y)
    half = QuantileRegressor(quantile=0.5, alpha=0.15).fit(x, y)
    np.testing.assert_allclose(penalised.coef_, half.coef_, atol=1e-12)
    assert penalised.certificate_.primal == pytest.approx(2 * half.certificate_.primal)
