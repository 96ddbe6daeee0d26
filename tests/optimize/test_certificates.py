"""Certificates are theorems: the gap bounds what is left to gain, whoever computed the answer."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from stylobate.exceptions import ConvergenceWarning
from stylobate.linear_model import ConstrainedRidge, LinearRegression, PenalizedRegression, Ridge
from stylobate.optimize import Certificate, Trace

LONG = np.longdouble
SOLVERS = ("auto", "cholesky", "qr", "svd", "lsqr", "sparse_cg", "gradient_descent")


def rows(n=90, p=4, targets=1, seed=0, spread=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ (np.eye(p) + 0.5 * rng.normal(size=(p, p)))
    X *= spread ** np.linspace(0.0, 1.0, p)
    Y = X @ rng.normal(size=(p, targets)) + 1.0 + rng.normal(size=(n, targets))
    return X, Y, rng.uniform(0.5, 2.0, n)


def objective(X, Y, w, coef, alpha=0.0):
    """Σw(y − ŷ)² + α‖w‖² at the best intercept, in extended precision."""
    X, Y, w, coef = (np.asarray(each, LONG) for each in (X, Y, w, np.atleast_2d(coef)))
    residual = Y - X @ coef.T
    residual -= (w @ residual) / w.sum()
    return (w @ residual**2).sum() + LONG(alpha) * (coef**2).sum()


def optimum(X, Y, w, alpha=0.0):
    """The best coefficients, refined in extended precision until nothing moves."""
    x = np.asarray(X, LONG) - (np.asarray(w, LONG) @ X) / LONG(w.sum())
    y = np.asarray(Y, LONG) - (np.asarray(w, LONG) @ Y) / LONG(w.sum())
    gram = (x.T * w) @ x + LONG(alpha) * np.eye(X.shape[1])
    inverse = np.linalg.inv(gram.astype(float))
    coef = np.zeros((X.shape[1], Y.shape[1]), LONG)
    for _ in range(60):
        coef += inverse @ ((x.T * w) @ (y - x @ coef) - LONG(alpha) * coef)
    return coef.T


@pytest.mark.parametrize("targets", [1, 3])
@pytest.mark.parametrize("alpha", [0.0, 2.0])
@pytest.mark.parametrize("solver", SOLVERS)
def test_the_gap_bounds_what_is_left_to_gain(solver, alpha, targets):
    X, Y, w = rows(targets=targets)
    model = Ridge(alpha, solver=solver, tol=1e-5).fit(X, Y, w)
    proof = model.certificate_
    best = objective(X, Y, w, optimum(X, Y, w, alpha), alpha)
    excess = objective(X, Y, w, model.coef_, alpha) - best
    rounding = 1e-13 * float((w @ (Y - Y.mean(axis=0)) ** 2).sum())
    assert proof.primal == pytest.approx(float(best + excess), rel=1e-9)
    assert proof.primal - proof.dual == pytest.approx(proof.gap)
    assert float(excess) <= proof.gap + rounding
    assert proof.dual <= float(best) + rounding
    assert proof.relative_gap <= 1e-6
    assert proof.optimal == (alpha > 0 or solver not in ("lsqr", "sparse_cg"))


@pytest.mark.parametrize("alpha", [0.0, 0.5])
@pytest.mark.parametrize("max_iter", [1, 5, 40])
@pytest.mark.parametrize("solver", ["gradient_descent", "lsqr", "sparse_cg"])
def test_an_unfinished_answer_says_how_far_it_is(solver, max_iter, alpha):
    X, Y, w = rows(p=8, spread=30.0, seed=1)
    if solver != "gradient_descent" and max_iter > 5:
        pytest.skip("done by then")
    model = Ridge(alpha, solver=solver, max_iter=max_iter, tol=1e-12)
    with pytest.warns(ConvergenceWarning) as caught:
        model.fit(X, Y[:, 0], w)
    text, proof = str(caught[0].message), model.certificate_
    for part in (solver, f"{proof.relative_gap:.2g}", "1e-12", "max_iter", "scale the columns"):
        assert part in text
    excess = objective(X, Y, w, model.coef_, alpha) - objective(
        X, Y, w, optimum(X, Y, w, alpha), alpha
    )
    if solver == "gradient_descent" or alpha > 0:  # others have an estimate, no bound
        assert float(excess) <= proof.gap * (1 + 1e-9) + 1e-10
    if solver == "gradient_descent":
        assert proof.gap == pytest.approx(float(excess), rel=1e-6)  # exact, in fact
        assert len(model.trace_) == max_iter == model.n_iter_
        assert (np.diff(model.trace_.objective) <= 0).all()
        assert (np.diff(model.trace_.seconds) >= 0).all()
    assert not proof.optimal
    assert "Not optimal" in proof.verdict


def test_the_gap_does_not_depend_on_units():
    X, Y, w = rows()
    units = np.array([1e-6, 1e6, 1.0, 1e3])
    for solver in ("auto", "cholesky", "qr", "svd", "lsqr", "sparse_cg"):
        plain = LinearRegression(solver=solver, tol=1e-10).fit(X, Y[:, 0], w)
        scaled = LinearRegression(solver=solver, tol=1e-10).fit(X * units, Y[:, 0], w)
        assert scaled.coef_ * units == pytest.approx(plain.coef_, rel=1e-7)
        assert scaled.certificate_.relative_gap <= 1e-6
        assert scaled.certificate_.condition == pytest.approx(plain.certificate_.condition, rel=0.1)


@pytest.mark.parametrize("alpha", [0.0, 1.0])
@pytest.mark.parametrize("solver", ["active_set", "lbfgs"])
def test_non_negative_certificates(solver, alpha):
    X, Y, w = rows(p=7, seed=2)
    model = Ridge(alpha, solver=solver, positive=True, tol=1e-4).fit(X, Y[:, 0], w)
    root, centre = np.sqrt(w)[:, None], (w @ X) / w.sum()
    A = np.vstack([root * (X - centre), np.sqrt(alpha) * np.eye(7)])
    b = np.concatenate([root[:, 0] * (Y[:, 0] - (w @ Y[:, 0]) / w.sum()), np.zeros(7)])
    best = nnls(A, b)[1] ** 2
    proof = model.certificate_
    assert (model.coef_ == 0).any()  # the constraint matters here
    assert proof.dual <= best * (1 + 1e-10)
    assert proof.primal >= best * (1 - 1e-10)
    assert proof.primal - best <= proof.gap + 1e-10 * best


@pytest.mark.parametrize("share", [0.05, 0.5, 3.0])
def test_constrained_certificates(share):
    X, Y, w = rows(seed=3)
    free = optimum(X, Y, w)
    radius = share * float((free**2).sum())
    proof = ConstrainedRidge(radius).fit(X, Y[:, 0], w).certificate_
    x = X - (w @ X) / w.sum()
    y = Y[:, 0] - (w @ Y[:, 0]) / w.sum()
    for alpha in np.geomspace(1e-3, 1e4, 200):  # every Lagrangian value is a lower bound
        v = np.linalg.solve((x.T * w) @ x + alpha * np.eye(4), (x.T * w) @ y)
        bound = w @ (y - x @ v) ** 2 + alpha * (v @ v - radius)
        assert bound <= proof.primal * (1 + 1e-12)
    assert proof.optimal
    assert "wᵀw ≤ R" in proof.objective


def test_a_perfect_fit_is_optimal_and_its_scale_is_the_target():
    X = rows()[0]
    for n in (90, 5000):
        big = np.resize(X, (n, 4)) + np.arange(n)[:, None] % 7
        proof = LinearRegression().fit(big, big @ [1.0, 2.0, 3.0, 4.0]).certificate_
        assert proof.optimal
        assert np.isfinite(proof.relative_gap)


@pytest.mark.parametrize("noise", [1e-3, 1e-6])
def test_trusted_digits_are_there(noise):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(5000, 3))
    X = np.column_stack([X, X @ [1.0, 1.0, 1.0] + noise * rng.normal(size=5000)])
    Y = X @ np.array([[1.0], [2.0], [3.0], [4.0]]) + rng.normal(size=(5000, 1))
    exact = optimum(X, Y, np.ones(5000))[0].astype(float)
    for solver in ("auto", "cholesky", "qr"):
        model = LinearRegression(solver=solver).fit(X, Y[:, 0])
        error = np.abs(model.coef_ - exact).max() / np.abs(exact).max()
        # the reference itself has ten digits where the noise is 1e-6
        assert -np.log10(error) >= min(model.certificate_.digits, 10.5) - 1.0


def test_certificate_is_data_and_text():
    proof = LinearRegression().fit(*rows()[:2]).certificate_
    plain = proof.to_dict()
    assert plain["optimal"] is True
    assert plain["verdict"] == proof.verdict
    assert "dual bound" in str(proof)
    unknown = Certificate.from_gap("f", primal=1.0, gap=np.inf, at_zero=2.0, kkt=0.1, condition=3.0)
    assert not unknown.optimal
    assert "Not certified" in unknown.verdict
    negative = Certificate.from_gap("f", primal=1.0, gap=-1e-20, at_zero=2.0, kkt=0, condition=1.0)
    assert negative.gap == 0.0
    trace = Trace()
    trace.record(objective=2.0, gradient_norm=1.0, step=0.5)
    assert (len(trace), trace.objective, trace.step) == (1, [2.0], [0.5])


def test_of_an_unknown_condition_no_digits_are_told():
    X, Y, _ = rows()
    fit = PenalizedRegression("poisson", alpha=0.05).fit(X, np.abs(Y[:, 0]))
    assert np.isnan(fit.certificate_.condition)
    assert np.isnan(fit.certificate_.digits)
    assert fit.certificate_.optimal
    assert "digits" not in str(fit.certificate_)
