"""The estimators' solvers and the public ones are the same, step by step, name by name."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from stylobate.linear_model import (
    ConstrainedLasso,
    Lasso,
    LogisticRegression,
    PoissonRegressor,
    QuantileRegressor,
    SGDClassifier,
    SGDRegressor,
)
from stylobate.losses import Gamma, HalfSquared, Hinge, Huber, Logistic, Poisson
from stylobate.optimize import (
    FISTA,
    LBFGS,
    SAGA,
    SGD,
    BoxSet,
    Constant,
    CoordinateDescent,
    Decaying,
    EmpiricalRisk,
    GradientDescent,
    L1Ball,
    Newton,
    Problem,
    ProjectedGradient,
    ProximalGradient,
    Quadratic,
    Smooth,
    Stopping,
    Subgradient,
    TargetLevel,
    linear_program,
    minimize,
    quadratic_program,
)
from stylobate.optimize.elastic_net.proof import prove
from stylobate.optimize.logistic.preconditioner import KroneckerPreconditioner
from stylobate.optimize.logistic.problem import LogisticProblem
from stylobate.penalties import L1, L2, ElasticNet

FOREVER = Stopping(50, gradient=0.0)


def rows(n=120, p=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.array([1.0, 2.0, 0.5, 1.0, 3.0])[:p]
    z = X @ np.array([0.8, -0.3, 1.0, 0.0, 0.2])[:p]
    return X, z, rng


def quietly(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


def assert_same_course(ours, theirs, scale=1.0, rtol=1e-10):
    """Values, gradients and steps, iteration by iteration (those at rounding's mercy left out)."""
    count = min(len(ours), len(theirs))
    assert count >= 3
    values = np.array(theirs.objective[:count]) * scale
    np.testing.assert_allclose(ours.objective[:count], values, rtol=rtol)
    np.testing.assert_allclose(ours.step[:count], theirs.step[:count], rtol=1e-6)
    sizes = np.array(theirs.gradient_norm[:count]) * scale
    np.testing.assert_allclose(ours.gradient_norm[:count], sizes, rtol=1e-4, atol=1e-9 * sizes[0])


# --- Newton -------------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_newton_of_logistic_regression(C):
    X, z, rng = rows()
    y = (rng.random(len(z)) < 1 / (1 + np.exp(-3 * z))).astype(float)
    model = LogisticRegression(C=C, solver="newton-cholesky", fit_intercept=False).fit(X, y)
    n = len(y)
    risk = EmpiricalRisk(Logistic(), X, y, l2=1 / (C * n))
    found = minimize(risk, np.zeros(5), method=Newton(), stop=FOREVER)
    assert_same_course(model.trace_, found.trace, scale=n)
    np.testing.assert_allclose(found.x, model.coef_[0], atol=1e-9)


def test_newton_of_poisson_regression_with_intercept():
    X, z, rng = rows()
    y = rng.poisson(np.exp(0.5 * z)).astype(float)
    model = PoissonRegressor(alpha=0.0, solver="newton-cholesky").fit(X, y)
    risk = EmpiricalRisk(Poisson(), np.column_stack([X, np.ones(len(y))]), y)
    start = np.append(np.zeros(5), np.log(y.mean()))
    found = minimize(risk, start, method=Newton(), stop=FOREVER)
    count = min(len(model.trace_), len(found.trace))
    assert count >= 4
    values = len(y) * np.array(found.trace.objective[:count])
    # columns are centred in the estimator: Newton's steps do not mind, sizes of gradients do
    np.testing.assert_allclose(model.trace_.objective[:count], values, rtol=1e-10)
    np.testing.assert_allclose(model.trace_.step[:count], found.trace.step[:count], rtol=1e-6)
    np.testing.assert_allclose(found.x[:5], model.coef_, atol=1e-6)


@pytest.mark.parametrize("loss", [HalfSquared(), Logistic(), Poisson(), Gamma()])
def test_one_pass_gives_what_the_loss_gives(loss):
    X, z, rng = rows()
    y = {"half_squared": z, "logistic": (z > 0) * 1.0}.get(loss.name, np.exp(z))
    risk = EmpiricalRisk(loss, X, y, l2=0.3)
    w = rng.normal(size=5) * 0.3
    value, gradient, hessian = risk.derivatives(w)
    assert value == pytest.approx(risk.value(w), rel=1e-12)
    np.testing.assert_allclose(gradient, risk.gradient(w), rtol=1e-10)
    np.testing.assert_allclose(hessian, risk.hessian(w), rtol=1e-10, atol=1e-13)


# --- L-BFGS -------------------------------------------------------------------------------------


def test_lbfgs_of_logistic_regression():
    X, z, rng = rows()
    y = (rng.random(len(z)) < 1 / (1 + np.exp(-z))).astype(float)
    model = LogisticRegression(C=0.5, solver="lbfgs", fit_intercept=False, tol=1e-9).fit(X, y)
    codes = y.astype(np.int64)
    problem = LogisticProblem(X, codes, 2, None, l2=2.0, fit_intercept=False)
    own = KroneckerPreconditioner(problem, X.T @ X)
    own.update(problem.at(np.zeros(5)))
    n = len(y)
    risk = EmpiricalRisk(Logistic(), X, y, l2=2.0 / n)
    total = Smooth(lambda w: n * risk.value(w), lambda w: n * risk.gradient(w))
    found = minimize(total, np.zeros(5), method=LBFGS(scaling=own.solve), stop=FOREVER)
    trace = found.trace
    for each in (trace.objective, trace.gradient_norm, trace.step):
        del each[0]  # the estimator counts from the first step
    assert_same_course(model.trace_, trace)


def test_lbfgs_of_poisson_regression():
    X, z, rng = rows()
    y = rng.poisson(np.exp(0.5 * z)).astype(float)
    model = PoissonRegressor(alpha=0.2, solver="lbfgs", fit_intercept=False, tol=1e-8).fit(X, y)
    risk = EmpiricalRisk(Poisson(), X, y, l2=0.2)
    scale = 1 / np.sqrt((X**2).mean(axis=0) * y.mean() + 0.2)
    scaled = Smooth(lambda v: risk.value(scale * v), lambda v: scale * risk.gradient(scale * v))
    found = minimize(scaled, np.zeros(5), method=LBFGS(memory=20), stop=FOREVER)
    count = min(len(model.trace_), len(found.trace) - 1)
    assert count >= 5
    falls = np.diff(found.trace.objective[1 : count + 1])
    np.testing.assert_allclose(np.diff(model.trace_.objective[:count]), falls, atol=1e-12)
    np.testing.assert_allclose(
        model.trace_.gradient_norm[:count], found.trace.gradient_norm[1 : count + 1], atol=1e-9
    )


# --- the lasso ----------------------------------------------------------------------------------


def squares(X, y, l1=0.0, l2=0.0):
    """½‖y − Xw‖² with all that the study solvers know of it."""

    def bound(w, value):
        r = y - X @ w
        proof = prove(w, X.T @ r, float(r @ r), l1=l1, l2=l2, positive=False)
        return proof.primal - proof.gap

    smooth = Smooth(
        lambda w: 0.5 * float(np.sum((y - X @ w) ** 2)), lambda w: X.T @ (X @ w - y), convex=True
    )
    smooth.lower_bound = bound
    return smooth


@pytest.mark.parametrize(
    ("solver", "method", "count"),
    [
        ("ista", ProximalGradient(), 50),
        ("fista", FISTA(), 50),
        ("subgradient", Subgradient(TargetLevel()), 20),  # later ones follow every last bit
    ],
)
@pytest.mark.parametrize("ratio", [1.0, 0.6])
def test_study_solvers_of_the_lasso(solver, method, count, ratio):
    X, z, rng = rows()
    y = z + rng.normal(size=len(z))
    n, alpha = len(y), 0.1
    from stylobate.linear_model import ElasticNet as Net

    options = {"alpha": alpha, "l1_ratio": ratio, "fit_intercept": False, "tol": 1e-30}
    model = quietly(Net(**options, solver=solver, max_iter=count), X, y)
    l1, l2 = n * alpha * ratio, n * alpha * (1 - ratio)
    problem = Problem(squares(X, y, l1, l2), ElasticNet(l1, l2))
    found = minimize(problem, np.zeros(5), method=method, stop=Stopping(count, gradient=0.0))
    ours, theirs = model.trace_, found.trace
    np.testing.assert_allclose(ours.objective, np.array(theirs.objective[10::10]) / n, rtol=1e-9)
    np.testing.assert_allclose(ours.step, theirs.step[10::10], rtol=1e-4)


def test_projected_gradient_of_the_lasso():
    X, z, rng = rows()
    y = z + rng.normal(size=len(z))
    n, p, alpha = len(y), 5, 0.1
    model = quietly(
        Lasso(alpha, solver="projected", fit_intercept=False, tol=1e-30, max_iter=10), X, y
    )
    l1 = n * alpha
    half = squares(X, y)
    both = Smooth(
        lambda x: half.value(x[:p] - x[p:]) + l1 * x.sum(),
        lambda x: (
            np.concatenate([half.gradient(x[:p] - x[p:]), -half.gradient(x[:p] - x[p:])]) + l1
        ),
        convex=True,
    )
    found = minimize(
        Problem(both, BoxSet(0.0, np.inf)), np.zeros(2 * p),
        method=ProjectedGradient(spectral=True), stop=Stopping(10, gradient=0.0), keep_path=True,
    )  # fmt: skip
    np.testing.assert_allclose(model.coef_, found.path[-1, :p] - found.path[-1, p:], rtol=1e-5)


@pytest.mark.parametrize("sweeps", [5, 10])
def test_coordinate_descent_is_that_of_the_lasso(sweeps):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 25)) @ np.triu(np.ones((25, 25)))  # correlated: many sweeps
    y = X[:, 3] - X[:, 20] + rng.normal(size=40)
    alpha = 0.2
    model = quietly(
        Lasso(alpha, solver="gram", fit_intercept=False, tol=0.0, max_iter=sweeps), X, y
    )
    problem = Problem(EmpiricalRisk(HalfSquared(), X, y), L1(alpha))
    method = CoordinateDescent(accelerate=True)
    found = minimize(problem, np.zeros(25), method=method, max_iter=sweeps // 5, keep_path=True)
    if sweeps == 5:
        np.testing.assert_allclose(found.path[-1], model.coef_, rtol=1e-8, atol=1e-12)
    best = Lasso(alpha, fit_intercept=False, tol=1e-12).fit(X, y)
    full = minimize(problem, np.zeros(25), method=method)
    np.testing.assert_allclose(full.x, best.coef_, atol=1e-8)
    assert full.iterations < minimize(problem, np.zeros(25), method=CoordinateDescent()).iterations


@pytest.mark.parametrize("penalty", [None, L1(0.3), L2(0.5), ElasticNet(0.3, 0.4)])
@pytest.mark.parametrize("kind", ["risk", "quadratic"])
def test_compiled_sweeps_are_those_of_the_textbook(penalty, kind):
    """The same problem as a plain function goes through Python's sweeps."""
    X, z, rng = rows()
    y = z + rng.normal(size=len(z))
    risk = EmpiricalRisk(HalfSquared(), X, y)
    smooth = risk if kind == "risk" else Quadratic(risk.gram, -X.T @ y / len(y))
    plain = Smooth(
        smooth.value, smooth.gradient, coordinate_lipschitz=smooth.coordinate_lipschitz, convex=True
    )
    courses = [
        minimize(Problem(each, penalty), rng_start, method=CoordinateDescent(), stop=FOREVER)
        for rng_start in [np.linspace(-1.0, 1.0, 5)]
        for each in (smooth, plain)
    ]
    np.testing.assert_allclose(
        courses[0].trace.objective, courses[1].trace.objective, rtol=1e-12, atol=1e-13
    )


def test_lasso_in_a_ball_is_fista():
    X, z, rng = rows()
    y = z + rng.normal(size=len(z))
    model = ConstrainedLasso(radius=1.0, fit_intercept=False, tol=1e-12, max_iter=5000).fit(X, y)
    found = minimize(Problem(squares(X, y), L1Ball(1.0)), np.zeros(5), method=FISTA())
    np.testing.assert_allclose(found.x, model.coef_, atol=1e-7)


def test_quadratic_program_of_the_lasso():
    X, z, rng = rows()
    y = z + rng.normal(size=len(z))
    alpha, n, p = 0.1, len(y), 5
    model = Lasso(alpha, solver="qp", fit_intercept=False).fit(X, y)
    zero, eye = np.zeros((p, p)), np.eye(p)
    found = quadratic_program(
        np.block([[X.T @ X, zero], [zero, zero]]), np.append(-X.T @ y, np.full(p, n * alpha)),
        np.block([[-eye, -eye], [eye, -eye]]), np.zeros(2 * p), tol=1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(found.x[:p], model.coef_, atol=1e-9)


# --- linear programs ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["highs", "highs-ds", "highs-ipm"])
def test_linear_program_of_quantile_regression(method):
    X, z, rng = rows(60)
    y = z + rng.standard_t(2, size=60)
    model = QuantileRegressor(quantile=0.3, alpha=0.0, fit_intercept=False, solver=method).fit(X, y)
    eye, free = np.eye(60), (-np.inf, np.inf)
    found = linear_program(
        np.concatenate([np.zeros(5), np.full(60, 0.3), np.full(60, 0.7)]),
        A_eq=np.hstack([X, eye, -eye]), b_eq=y,
        bounds=np.array([free] * 5 + [(0.0, np.inf)] * 120), method=method,
    )  # fmt: skip
    np.testing.assert_allclose(found.x[:5], model.coef_, atol=1e-7)
    assert found.value / 60 == pytest.approx(model.certificate_.primal, rel=1e-9)


# --- stochastic ---------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 7])
@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(
    ("schedule", "step"),
    [
        ({"learning_rate": "constant", "eta0": 0.01}, Constant(0.01)),
        ({"learning_rate": "invscaling", "eta0": 0.05, "power_t": 0.3}, Decaying(0.05, 0.3)),
    ],
)
def test_sgd_is_that_of_the_estimators(batch, average, schedule, step):
    X, z, rng = rows()
    y = z + rng.normal(size=len(z))
    options = {
        "alpha": 0.02, "fit_intercept": False, "tol": None, "max_iter": 3, "random_state": 5,
        "average": average, "batch_size": batch,
    }  # fmt: skip
    method = SGD(step, batch=batch, average=average, random_state=5)
    model = SGDRegressor(**options, **schedule).fit(X, y)
    risk = EmpiricalRisk(HalfSquared(), X, y, l2=0.02)
    path = minimize(risk, np.zeros(5), method=method, max_iter=3, keep_path=True).path
    np.testing.assert_allclose(path[-1], model.coef_, rtol=1e-12)
    labels = (z > 0).astype(float)
    model = SGDClassifier("log_loss", **options, **schedule).fit(X, labels)
    risk = EmpiricalRisk(Logistic(), X, labels, l2=0.02)
    path = minimize(risk, np.zeros(5), method=method, max_iter=3, keep_path=True).path
    np.testing.assert_allclose(path[-1], model.coef_[0], rtol=1e-12)


@pytest.mark.parametrize("loss", [HalfSquared(), Logistic(), Huber(0.5), Hinge()])
@pytest.mark.parametrize("penalty", [None, L2(0.1)])
def test_whole_batches_make_sgd_gradient_descent(loss, penalty):
    """No order, no chance: the compiled steps against plain ones."""
    X, z, _ = rows()
    y = {"logistic": (z > 0) * 1.0, "hinge": np.where(z > 0, 1.0, -1.0)}.get(loss.name, z)
    risk = EmpiricalRisk(loss, X, y, l2=0.05)
    whole = EmpiricalRisk(loss, X, y, l2=0.05 + (0.1 if penalty else 0.0))
    stop = Stopping(8, gradient=0.0)
    start = np.linspace(-0.5, 0.5, 5)
    one = minimize(Problem(risk, penalty), start, method=SGD(Constant(0.05), batch=len(y)),
                   stop=stop, keep_path=True)  # fmt: skip
    two = minimize(whole, start, method=GradientDescent(Constant(0.05)), stop=stop, keep_path=True)
    np.testing.assert_allclose(one.path, two.path, rtol=1e-10)


def test_a_run_of_sgd_that_diverges_says_so():
    X, z, _ = rows()
    found = minimize(
        EmpiricalRisk(HalfSquared(), 1e3 * X, z), np.zeros(5), method=SGD(Constant(1.0))
    )
    assert found.stopped_by == "diverged"
    assert not found.converged


def test_saga_is_that_of_logistic_regression():
    X, z, rng = rows()
    y = (rng.random(len(z)) < 1 / (1 + np.exp(-z))).astype(float)
    model = LogisticRegression(
        C=0.5, solver="saga", fit_intercept=False, random_state=4, tol=1e-6, max_iter=500
    ).fit(X, y)
    risk = EmpiricalRisk(Logistic(), X, y, l2=2.0 / len(y))
    epochs = int(model.n_iter_[0])
    found = minimize(
        risk, np.zeros(5), method=SAGA(random_state=4), stop=Stopping(epochs, gradient=0.0),
        keep_path=True,
    )  # fmt: skip
    np.testing.assert_allclose(found.path[-1], model.coef_[0], rtol=1e-12)
