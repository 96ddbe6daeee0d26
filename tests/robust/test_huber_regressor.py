"""Huber's regression: objectives, parity, duals by hand, odd data."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robust_data import huber, make
from scipy import sparse
from scipy.optimize import minimize
from sklearn.linear_model import HuberRegressor as Theirs

from stylobate.exceptions import ConvergenceWarning, InvalidParameterError
from stylobate.linear_model import HuberRegressor, LADRegressor, LinearRegression


def contaminated(n, p, share, seed=0):
    random = np.random.default_rng(seed)
    x = random.standard_normal((n, p)) + 2.0
    y = x @ random.standard_normal(p) + 1.0 + random.standard_normal(n)
    wild = int(share * n)
    y[:wild] += 50.0 * random.standard_normal(wild)
    return x, y


@pytest.mark.parametrize("share", [0.0, 0.45])
@pytest.mark.parametrize("epsilon", [1.05, 1.35])
@pytest.mark.parametrize("alpha", [0.0, 10.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_never_above_scikit_learn(share, epsilon, alpha, intercept):
    x, y = contaminated(300, 4, share)
    options = {"epsilon": epsilon, "alpha": alpha, "fit_intercept": intercept}
    weights = np.random.default_rng(1).uniform(0.0, 2.0, 300)
    for w in (None, weights):
        ours = HuberRegressor(**options).fit(x, y, sample_weight=w)
        theirs = Theirs(**options, tol=1e-8, max_iter=5000).fit(x, y, sample_weight=w)
        value = huber(ours, x, y, epsilon, alpha, w)
        assert value <= huber(theirs, x, y, epsilon, alpha, w) * (1 + 1e-12)
        assert value == pytest.approx(ours.certificate_.primal, rel=1e-12)
        assert ours.certificate_.relative_gap < 1e-10
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)
        assert ours.scale_ == pytest.approx(theirs.scale_, rel=1e-3)
        assert np.mean(ours.outliers_ != theirs.outliers_) < 0.02


def test_samples_and_moved_rows_reach_the_same_minimum():
    x, y = contaminated(25_000, 3, 0.2)
    ours = HuberRegressor().fit(x, y)
    assert ours.certificate_.relative_gap < 1e-11
    swapped = HuberRegressor().fit(x[::-1], y[::-1])
    np.testing.assert_allclose(ours.coef_, swapped.coef_, rtol=1e-9)


def test_the_dual_bound_holds_by_hand():
    """u from the residuals is feasible for the dual, and its value is the primal's."""
    x, y = contaminated(200, 3, 0.2)
    model = HuberRegressor(alpha=0.5).fit(x, y)
    u = 2 * np.clip((y - model.predict(x)) / model.scale_, -1.35, 1.35)
    assert abs(u.sum()) < 1e-9
    assert (u**2).sum() == pytest.approx(4 * 200)
    pull = x.T @ u
    bound = u @ y - pull @ pull / (4 * 0.5)
    assert bound == pytest.approx(model.certificate_.primal, rel=1e-10)
    assert model.certificate_.dual == pytest.approx(bound, rel=1e-10)


def notes_loss(r, lambda_, mu):
    """h_{λ,μ} as the lecture notes write it."""
    far = lambda_ * (np.abs(r) - lambda_ / (4 * mu))
    return np.where(np.abs(r) >= lambda_ / (2 * mu), far, mu * r**2)


@pytest.mark.parametrize(("lambda_", "mu"), [(2.0, 1.0), (0.3, 2.0), (5.0, 0.1)])
def test_two_parameter_loss_of_the_notes(lambda_, mu):
    x, y = contaminated(120, 2, 0.1)
    model = HuberRegressor.from_loss(lambda_, mu, alpha=0.2).fit(x, y)

    def objective(theta):
        return notes_loss(y - x @ theta[:2] - theta[2], lambda_, mu).sum() + 0.2 * (
            theta[:2] @ theta[:2]
        )

    at = np.append(model.coef_, model.intercept_)
    assert model.certificate_.primal == pytest.approx(objective(at), rel=1e-12)
    assert model.certificate_.relative_gap < 1e-10
    found = minimize(objective, np.zeros(3), method="BFGS", options={"gtol": 1e-8})
    assert objective(at) <= found.fun * (1 + 1e-12)
    assert model.scale_ == 1 / mu


def test_limits_are_least_squares_and_least_absolute_deviations():
    x, y = contaminated(150, 3, 0.1)
    squares = HuberRegressor(epsilon=1e6, scale=1.0, alpha=0.0).fit(x, y)
    np.testing.assert_allclose(squares.coef_, LinearRegression().fit(x, y).coef_, rtol=1e-9)
    absolute = HuberRegressor(epsilon=1.0, scale=1e-7, alpha=0.0).fit(x, y)
    np.testing.assert_allclose(absolute.coef_, LADRegressor().fit(x, y).coef_, atol=1e-5)


def test_parity_with_statsmodels_at_its_own_scale():
    sm = pytest.importorskip("statsmodels.api")
    x, y = contaminated(300, 3, 0.2)
    theirs = sm.RLM(y, sm.add_constant(x), M=sm.robust.norms.HuberT(1.345)).fit(tol=1e-12)
    ours = HuberRegressor(epsilon=1.345, scale=theirs.scale, alpha=0.0).fit(x, y)
    np.testing.assert_allclose(np.append(ours.intercept_, ours.coef_), theirs.params, atol=1e-6)


def test_warm_start_and_limits_on_iterations():
    x, y = contaminated(400, 3, 0.2)
    model = HuberRegressor(warm_start=True).fit(x, y)
    first = model.coef_
    model.fit(x, y)
    assert model.n_iter_ <= 2
    np.testing.assert_allclose(model.coef_, first, rtol=1e-9)
    with pytest.warns(ConvergenceWarning, match="relative gap"):
        HuberRegressor(max_iter=1, epsilon=1.05).fit(x, y)


def test_sparse_and_single_precision_rows():
    x, y = contaminated(200, 4, 0.1)
    x[np.abs(x) < 1.0] = 0.0
    dense = HuberRegressor().fit(x, y)
    for rows in (sparse.csr_array(x), sparse.csc_array(x)):
        np.testing.assert_allclose(HuberRegressor().fit(rows, y).coef_, dense.coef_, rtol=1e-9)
    single = HuberRegressor().fit(x.astype(np.float32), y)
    np.testing.assert_allclose(single.coef_, dense.coef_, rtol=1e-3, atol=1e-4)


def test_refusals():
    x, y = contaminated(30, 2, 0.1)
    with pytest.raises(InvalidParameterError, match=r"\[1.0, inf\)"):
        HuberRegressor(epsilon=0.5).fit(x, y)
    HuberRegressor(epsilon=0.5, scale=1.0).fit(x, y)
    with pytest.raises(InvalidParameterError, match="scale must be"):
        HuberRegressor(scale=0.0).fit(x, y)


@st.composite
def odd(draw):
    n, p = draw(st.integers(1, 30)), draw(st.integers(1, 5))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = random.integers(-3, 4, (n, p)).astype(float)
    if draw(st.booleans()):
        x[:, -1] = x[:, 0]
    y = random.integers(-9, 10, n).astype(float)
    if draw(st.booleans()):
        y = x @ random.integers(-2, 3, p).astype(float)  # nothing left to fit
    return x, y, draw(st.booleans())


@given(odd())
def test_odd_data_get_a_finite_answer_and_an_honest_certificate(case):
    x, y, intercept = case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = HuberRegressor(fit_intercept=intercept).fit(x, y)
    assert np.isfinite(model.coef_).all()
    assert model.scale_ > 0
    proof = model.certificate_
    floor = 1e-10 * (1.0 + np.abs(y).sum())
    assert huber(model, x, y, 1.35, 1e-4) == pytest.approx(proof.primal, rel=1e-6, abs=floor)
    rivals = [np.zeros(x.shape[1]), model.coef_ * 0.99]
    for coef in rivals:  # nothing lies below the bound
        model.coef_ = coef
        assert huber(model, x, y, 1.35, 1e-4) >= proof.dual - floor


def test_large_samples_of_make_are_solved_within_tolerance():
    x, y = make(3_000, 5, seed=11)
    model = HuberRegressor().fit(x * 1e6, y * 1e-3)
    assert model.certificate_.relative_gap < 1e-9
