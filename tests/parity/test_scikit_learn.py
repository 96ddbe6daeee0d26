"""Least squares and ridge against scikit-learn, SciPy and formulas written out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize, nnls
from sklearn import linear_model as peer

from stylobate.linear_model import ConstrainedRidge, LinearRegression, Ridge

DIRECT = ("auto", "cholesky", "qr", "svd")
ITERATIVE = ("lsqr", "sparse_cg", "gradient_descent")
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
INTERCEPT = pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "origin"])
TARGETS = pytest.mark.parametrize("targets", [1, 3])


def settings(solver):
    return {"solver": solver} | ({"tol": 1e-12} if solver in ITERATIVE else {})


def data_for(solver, make_data, **shape):
    """Gradient descent wants columns of one size that are not too correlated."""
    X, y, w = make_data(**shape)
    if solver == "gradient_descent":
        X = np.linalg.qr(X - X.mean(axis=0))[0] * np.linspace(1.0, 3.0, X.shape[1]) + 0.5
    return X, y, w


def tolerance(solver):
    return 1e-6 if solver in ITERATIVE else 1e-9


def same(ours, theirs, X, rel):
    assert ours.coef_.shape == theirs.coef_.shape
    scale = np.abs(theirs.coef_).max()
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=rel, abs=rel * scale)
    assert np.shape(ours.intercept_) == np.shape(theirs.intercept_)
    predicted = theirs.predict(X)
    assert ours.predict(X) == pytest.approx(predicted, rel=rel, abs=rel * np.abs(predicted).max())


@WEIGHTED
@INTERCEPT
@TARGETS
@pytest.mark.parametrize("solver", DIRECT + ITERATIVE)
def test_linear_regression(solver, targets, intercept, weighted, make_data):
    X, y, w = data_for(solver, make_data, targets=targets, weighted=weighted)
    theirs = peer.LinearRegression(fit_intercept=intercept).fit(X, y, w)
    for rows in (X, np.asfortranarray(X), sparse.csr_array(X), sparse.csc_array(X)):
        ours = LinearRegression(fit_intercept=intercept, **settings(solver)).fit(rows, y, w)
        same(ours, theirs, X, tolerance(solver))
    assert ours.score(X, y, w) == pytest.approx(theirs.score(X, y, w), rel=1e-9)
    if solver in DIRECT and w is None and targets == 1:
        assert ours.rank_ == theirs.rank_
        assert ours.singular_ == pytest.approx(theirs.singular_, rel=1e-10)


@WEIGHTED
@INTERCEPT
@pytest.mark.parametrize("alpha", [1e-3, 7.0, "per target"])
@pytest.mark.parametrize("solver", DIRECT + ITERATIVE)
def test_ridge(solver, alpha, intercept, weighted, make_data):
    per_target = alpha == "per target"
    X, y, w = data_for(solver, make_data, targets=3 if per_target else 1, weighted=weighted)
    alpha = np.array([0.1, 5.0, 300.0]) if per_target else alpha
    theirs = peer.Ridge(alpha, fit_intercept=intercept, solver="cholesky").fit(X, y, w)
    for rows in (X, sparse.csr_array(X)):
        ours = Ridge(alpha, fit_intercept=intercept, **settings(solver)).fit(rows, y, w)
        same(ours, theirs, X, tolerance(solver))


@pytest.mark.parametrize("solver", ["auto", "svd", "cholesky", "lsqr", "sparse_cg"])
@WEIGHTED
def test_shared_solvers_of_ridge(solver, weighted, make_data):
    X, y, w = make_data(weighted=weighted)
    options = {"tol": 1e-12} if solver in ITERATIVE else {}
    theirs = peer.Ridge(2.0, solver=solver, **options).fit(X, y, w)
    same(Ridge(2.0, solver=solver, **options).fit(X, y, w), theirs, X, tolerance(solver))


@WEIGHTED
@INTERCEPT
@pytest.mark.parametrize("targets", [1, 2])
@pytest.mark.parametrize("solver", ["auto", "svd", "cholesky", "qr", "lsqr", "sparse_cg"])
@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_more_columns_than_rows(alpha, solver, targets, intercept, weighted, make_data):
    if alpha == 0.0 and solver in ("cholesky", "sparse_cg"):
        pytest.skip("no solution of least norm is promised by these")
    X, y, w = make_data(12, 30, targets, weighted)
    if alpha == 0.0:
        theirs = peer.LinearRegression(fit_intercept=intercept).fit(X, y, w)
        ours = LinearRegression(fit_intercept=intercept, **settings(solver))
    else:
        theirs = peer.Ridge(alpha, fit_intercept=intercept, solver="svd").fit(X, y, w)
        ours = Ridge(alpha, fit_intercept=intercept, **settings(solver))
    same(ours.fit(X, y, w), theirs, X, 1e-5 if solver in ITERATIVE else 1e-8)


@WEIGHTED
@pytest.mark.parametrize("solver", ["auto", "active_set", "lbfgs"])
@pytest.mark.parametrize("alpha", [0.0, 4.0])
@pytest.mark.parametrize("seed", range(4))
def test_non_negative(seed, alpha, solver, weighted, make_data):
    X, y, w = make_data(50, 8, weighted=weighted, seed=seed)
    root = np.ones(50) if w is None else np.sqrt(w)
    centre = np.average(X, axis=0, weights=w), np.average(y, weights=w)
    rows = np.vstack([root[:, None] * (X - centre[0]), np.sqrt(alpha) * np.eye(8)])
    expected, _ = nnls(rows, np.concatenate([root * (y - centre[1]), np.zeros(8)]))
    model = Ridge(alpha, positive=True, solver=solver, tol=1e-6).fit(X, y, w)
    assert model.coef_ == pytest.approx(expected, rel=1e-6, abs=1e-3 if solver == "lbfgs" else 1e-9)
    assert (model.coef_ >= 0).all()
    assert model.intercept_ == pytest.approx(centre[1] - centre[0] @ expected, abs=1e-3)
    assert model.certificate_.relative_gap < (1e-4 if solver == "lbfgs" else 1e-12)
    if alpha == 0.0 and solver == "auto":
        theirs = peer.LinearRegression(positive=True).fit(X, y, w)
        assert LinearRegression(positive=True).fit(X, y, w).coef_ == pytest.approx(
            theirs.coef_, rel=1e-7, abs=1e-9
        )


def test_non_negative_with_dependent_columns(make_data):
    X, y, _ = make_data(50, 4)
    X = np.column_stack([X, X[:, 0], np.zeros(50), X[:, 1] - X[:, 2]])
    model = LinearRegression(positive=True).fit(X, y)
    centred = X - X.mean(axis=0)
    expected = nnls(centred, y - y.mean())[1]
    residual = y - model.predict(X)
    assert residual @ residual == pytest.approx(expected**2, rel=1e-9)


@WEIGHTED
@INTERCEPT
@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 2.0])
def test_constrained_ridge(share, intercept, weighted, make_data):
    X, y, w = make_data(weighted=weighted)
    free = peer.LinearRegression(fit_intercept=intercept).fit(X, y, w)
    radius = share * float(free.coef_ @ free.coef_)
    model = ConstrainedRidge(radius, fit_intercept=intercept).fit(X, y, w)
    square = float(model.coef_ @ model.coef_)
    if share > 1:
        assert model.alpha_ == 0.0
        same(model, free, X, 1e-9)
        return
    assert square == pytest.approx(radius, rel=1e-12)
    same(model, peer.Ridge(model.alpha_, fit_intercept=intercept).fit(X, y, w), X, 1e-9)
    root = np.ones(len(y)) if w is None else np.sqrt(w)
    means = (np.average(X, axis=0, weights=w), np.average(y, weights=w)) if intercept else (0, 0)
    A, b = root[:, None] * (X - means[0]), root * (y - means[1])
    answer = minimize(
        lambda v: ((b - A @ v) ** 2).sum() / (b @ b),
        model.coef_ * 0.5,
        jac=lambda v: -2 * A.T @ (b - A @ v) / (b @ b),
        constraints={"type": "ineq", "fun": lambda v: radius - v @ v, "jac": lambda v: -2 * v},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    assert model.coef_ == pytest.approx(answer.x, rel=1e-4, abs=1e-4 * np.sqrt(radius))
    assert ((b - A @ model.coef_) ** 2).sum() <= answer.fun * (b @ b) * (1 + 1e-9)


def test_constrained_ridge_of_several_targets(make_data):
    X, Y, _ = make_data(targets=3)
    model = ConstrainedRidge(0.2).fit(X, Y)
    for t in range(3):
        one = ConstrainedRidge(0.2).fit(X, Y[:, t])
        assert model.coef_[t] == pytest.approx(one.coef_, rel=1e-10)
        assert model.alpha_[t] == pytest.approx(one.alpha_, rel=1e-10)


def test_constrained_ridge_with_dependent_columns(make_data):
    X, y, _ = make_data()
    X = np.column_stack([X, X[:, 0] * 2])
    least = peer.LinearRegression().fit(X, y)  # the solution of least norm is inside: take it
    model = ConstrainedRidge(float(least.coef_ @ least.coef_) * 1.001).fit(X, y)
    assert model.alpha_ == 0.0
    assert model.coef_ == pytest.approx(least.coef_, rel=1e-7)
    tight = ConstrainedRidge(0.01).fit(X, y)
    assert tight.coef_ == pytest.approx(peer.Ridge(tight.alpha_).fit(X, y).coef_, rel=1e-7)
