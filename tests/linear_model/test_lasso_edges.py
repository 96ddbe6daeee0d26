"""Lasso and elastic net: certificates checked by hand, brute force, and odd input."""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
    StylobateWarning,
)
from stylobate.linear_model import (
    ElasticNet,
    ElasticNetCV,
    Lasso,
    LassoCV,
    LinearRegression,
    enet_path,
    lasso_path,
)


def data(n, p, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p)) + rng.uniform(-2, 2, p)
    w = np.where(rng.random(p) < 0.3, rng.standard_normal(p), 0.0)
    return X, X @ w + 1.0 + 0.3 * rng.standard_normal(n)


@pytest.mark.parametrize("seed", range(4))
def test_folds_of_unequal_weight_count_alike(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((10, 5))
    y = X[:, 0] + rng.standard_normal(10)
    plain, unit = LassoCV(cv=3).fit(X, y), LassoCV(cv=3).fit(X, y, np.ones(10))
    assert unit.alpha_ == pytest.approx(plain.alpha_, rel=1e-12)
    model = LassoCV(cv=3).fit(X, y, rng.uniform(0.1, 9.0, 10))
    assert model.alpha_ == model.alphas_[model.mse_path_.mean(axis=1).argmin()]


def primal(X, y, w, b, alpha, ratio):
    r = y - X @ w - b
    penalty = ratio * np.abs(w).sum() + 0.5 * (1 - ratio) * w @ w
    return r @ r / (2 * len(y)) + alpha * penalty


def dual(X, y, w, alpha, ratio):
    """The dual value of a feasible point made from the residual, from scratch."""
    n = len(y)
    Xc, yc = X - X.mean(axis=0), y - y.mean()
    l1, l2 = n * alpha * ratio, n * alpha * (1 - ratio)
    A = np.vstack([Xc, np.sqrt(l2) * np.eye(X.shape[1])])
    target = np.concatenate([yc, np.zeros(X.shape[1])])
    theta = target - A @ w
    theta *= min(1.0, l1 / np.abs(A.T @ theta).max())
    assert np.abs(A.T @ theta).max() <= l1 * (1 + 1e-12)
    return (0.5 * target @ target - 0.5 * (target - theta) @ (target - theta)) / n


@pytest.mark.parametrize("solver", ["auto", "coordinate_descent", "gram"])
@pytest.mark.parametrize("ratio", [1.0, 0.6])
@pytest.mark.parametrize("shape", [(50, 10), (20, 80)])
def test_the_certificate_holds(solver, ratio, shape):
    X, y = data(*shape)
    model = ElasticNet(alpha=0.05, l1_ratio=ratio, solver=solver).fit(X, y)
    value = primal(X, y, model.coef_, model.intercept_, 0.05, ratio)
    proof = model.certificate_
    assert proof.primal == pytest.approx(value, rel=1e-9)
    assert value - dual(X, y, model.coef_, 0.05, ratio) <= max(2e-4 * value, 2 * proof.gap)
    assert proof.optimal
    assert proof.proved
    assert model.dual_gap_ == pytest.approx(proof.gap, abs=1e-15)


def test_a_loose_answer_is_certified_as_loose():
    """The gap bounds the distance to the optimum when the solver is stopped early."""
    X, y = data(60, 120)
    best = Lasso(alpha=0.01).fit(X, y).certificate_.primal
    with pytest.warns(ConvergenceWarning, match="relative gap"):
        model = Lasso(alpha=0.01, max_iter=1, tol=1e-10, solver="coordinate_descent").fit(X, y)
    assert model.certificate_.dual <= best * (1 + 1e-9)
    assert model.certificate_.primal >= best * (1 - 1e-9)


@pytest.mark.parametrize("positive", [False, True])
def test_brute_force_over_all_signs(positive):
    """The optimum is the best of the stationary points of all sign patterns."""
    X, y = data(12, 5, seed=4)
    Xc, yc, n = X - X.mean(axis=0), y - y.mean(), len(y)
    alpha, ratio = 0.2, 0.8
    best = primal(Xc, yc, np.zeros(5), 0.0, alpha, ratio)
    for signs in product((0, 1) if positive else (-1, 0, 1), repeat=5):
        s = np.array(signs, dtype=float)
        on = s != 0
        if not on.any():
            continue
        A = Xc[:, on].T @ Xc[:, on] / n + alpha * (1 - ratio) * np.eye(on.sum())
        w = np.zeros(5)
        w[on] = np.linalg.solve(A, Xc[:, on].T @ yc / n - alpha * ratio * s[on])
        if (w * s >= 0).all():
            best = min(best, primal(Xc, yc, w, 0.0, alpha, ratio))
    model = ElasticNet(alpha=alpha, l1_ratio=ratio, positive=positive).fit(X, y)
    assert primal(X, y, model.coef_, model.intercept_, alpha, ratio) == pytest.approx(
        best, rel=1e-12
    )


def test_a_quadratic_program_agrees():
    import clarabel
    from scipy import sparse

    X, y = data(15, 30, seed=6)
    alpha, n, p = 0.1, 15, 30
    Xc, yc = X - X.mean(axis=0), y - y.mean()
    Z = np.hstack([Xc, -Xc])  # w = u − v with u, v ≥ 0
    P, q = sparse.csc_matrix(Z.T @ Z / n), -Z.T @ yc / n + alpha
    cones = [clarabel.NonnegativeConeT(2 * p)]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = 1e-12
    A = sparse.csc_matrix(-np.eye(2 * p))
    answer = clarabel.DefaultSolver(sparse.triu(P).tocsc(), q, A, np.zeros(2 * p), cones, settings)
    best = answer.solve().obj_val + yc @ yc / (2 * n)
    model = Lasso(alpha=alpha).fit(X, y)
    assert model.certificate_.primal == pytest.approx(best, rel=1e-7)


def test_alpha_zero_is_least_squares():
    X, y = data(40, 6)
    with pytest.warns(StylobateWarning, match="alpha=0"):
        model = Lasso(alpha=0).fit(X, y)
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-9)
    assert model.certificate_.optimal
    assert model.certificate_.primal == pytest.approx(
        primal(X, y, model.coef_, model.intercept_, 0, 1)
    )


def test_at_alpha_max_all_are_zero():
    X, y = data(30, 50)
    largest = np.abs((X - X.mean(0)).T @ (y - y.mean())).max() / 30
    above = Lasso(alpha=largest * (1 + 1e-9)).fit(X, y)
    assert (above.coef_ == 0.0).all()
    assert above.intercept_ == pytest.approx(y.mean())
    assert Lasso(alpha=largest * 0.99).fit(X, y).coef_.any()


@pytest.mark.parametrize("solver", ["coordinate_descent", "gram"])
def test_constant_and_repeated_columns(solver):
    X, y = data(40, 6)
    X[:, 2], X[:, 4] = 1e6 + 0.1, X[:, 0]
    model = Lasso(alpha=0.01, solver=solver).fit(X, y)
    assert model.coef_[2] == 0.0
    assert model.certificate_.optimal


@pytest.mark.parametrize("solver", ["coordinate_descent", "gram"])
def test_unscaled_columns_converge(solver):
    rng = np.random.default_rng(0)
    scales = 10.0 ** np.linspace(-8, 8, 9)
    X = rng.standard_normal((50, 9)) * scales
    y = X @ (1.0 / scales) + 0.1 * rng.standard_normal(50)
    model = Lasso(alpha=1e-3, solver=solver).fit(X, y)
    assert model.certificate_.relative_gap < 1e-4


def test_one_row_and_many_columns():
    X, y = data(1, 10)
    assert (Lasso(alpha=0.1).fit(X, y).coef_ == 0.0).all()
    model = Lasso(alpha=0.1, fit_intercept=False).fit(X, y)
    assert np.count_nonzero(model.coef_) == 1
    with pytest.raises(InvalidDataError, match="n_samples=1"):
        LassoCV().fit(X, y)


def test_more_columns_than_rank():
    """Supports larger than the rank of the rows, where coordinate descent alone crawls."""
    X, y = data(15, 60)
    X, y = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    for alpha in (1e-3, 1e-5):
        model = Lasso(alpha=alpha).fit(X, y)
        assert model.certificate_.relative_gap <= 1e-4
        assert np.count_nonzero(model.coef_) <= 15


def test_batches_equal_rows():
    X, y = data(90, 6)
    whole = ElasticNet(alpha=0.1).fit(X, y)
    parts = ElasticNet(alpha=0.1).fit_batches([(X[:40], y[:40]), (X[40:], y[40:])])
    steps = ElasticNet(alpha=0.1).partial_fit(X[:40], y[:40]).partial_fit(X[40:], y[40:])
    for other in (parts, steps):
        np.testing.assert_allclose(other.coef_, whole.coef_, atol=1e-9)
    assert not hasattr(Lasso(solver="coordinate_descent"), "partial_fit")


def test_warm_start_and_random_order():
    X, y = data(30, 100)
    cold = Lasso(alpha=0.05).fit(X, y)
    warm = Lasso(alpha=0.06, warm_start=True).fit(X, y).set_params(alpha=0.05).fit(X, y)
    np.testing.assert_allclose(warm.coef_, cold.coef_, atol=1e-5)
    random = Lasso(alpha=0.05, selection="random", random_state=0).fit(X, y)
    np.testing.assert_allclose(random.coef_, cold.coef_, atol=1e-5)


def test_the_summary_has_no_p_values():
    X, y = data(60, 8)
    model = Lasso(alpha=0.1).fit(X, y)
    summary = model.summary()
    assert summary.degrees_of_freedom == np.count_nonzero(model.coef_)
    text = str(summary)
    assert "no standard errors or p values" in text.lower()
    assert all(name in text for name in summary.selected)
    with pytest.raises(NumericalError, match="selection"):
        model.predict_interval(X)
    with pytest.raises(NumericalError, match="selection"):
        model.leverages(X)


def test_refusals():
    X, y = data(20, 4)
    with pytest.raises(InvalidDataError, match="precompute"):
        Lasso(precompute=np.eye(3)).fit(X, y)
    with pytest.raises(InvalidParameterError, match="l1_ratio=0"):
        ElasticNetCV(l1_ratio=0.0).fit(X, y)
    with pytest.raises(InvalidParameterError, match="no parameter"):
        enet_path(X, y, speed=3)
    with pytest.raises(InvalidParameterError, match="alphas"):
        lasso_path(X, y, alphas=[-1.0])
    with pytest.raises(InvalidDataError, match="targets"):
        enet_path(X, np.column_stack([y, y]))


def test_precompute_asks_for_the_gram():
    X, y = data(30, 40)
    plain = Lasso(alpha=0.05).fit(X, y)
    gram = Lasso(alpha=0.05, precompute=True).fit(X, y)
    assert (plain.solver_, gram.solver_) == ("coordinate_descent", "gram")
    np.testing.assert_allclose(gram.coef_, plain.coef_, atol=1e-5)


@settings(deadline=None, max_examples=40)
@example(5, 10, 287, -4.0, 0.9999999999999999, False)  # an l2 penalty that rounding hides
@given(
    st.integers(1, 12),
    st.integers(1, 15),
    st.integers(0, 10**6),
    st.floats(-6, 2),
    st.floats(0, 1),
    st.booleans(),
)
def test_any_small_problem_is_solved(n, p, seed, log_alpha, ratio, positive):
    """Repeated rows and columns, zeros and odd scales: the gap is small or a warning is given."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n, p)) * 10.0 ** rng.integers(-3, 4, p)
    y = rng.integers(-3, 4, n).astype(float)
    model = ElasticNet(alpha=10.0**log_alpha, l1_ratio=ratio, positive=positive, max_iter=5000)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(X, y)
    rounding = 1e-14 * (y @ y)
    proof = model.certificate_
    assert said or proof.gap <= model.tol * proof.primal + rounding
    assert np.isfinite(model.coef_).all()
    value = primal(X, y, model.coef_, model.intercept_, 10.0**log_alpha, ratio)
    assert value <= primal(X, y, np.zeros(p), y.mean(), 10.0**log_alpha, ratio) * (1 + 1e-9)
    assert not positive or (model.coef_ >= 0).all()
