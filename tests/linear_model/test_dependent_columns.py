"""Least squares on nearly dependent columns, against scikit-learn, NumPy and SciPy.

Every estimator of a linear model without a penalty to speak of × bases that are nearly dependent:
the training error is held against the peers', the error on rows left out against scikit-learn's and
the mean's, and the certificate's objective against the rows.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.optimize
import sklearn.linear_model as peer
from scipy.sparse import csr_array
from sklearn.preprocessing import PolynomialFeatures, SplineTransformer

from stylobate.exceptions import StylobateWarning
from stylobate.linear_model import (
    ConstrainedRidge,
    ElasticNet,
    Lasso,
    LinearRegression,
    Ridge,
    RidgeClassifier,
    RidgeCV,
)
from stylobate.preprocessing import RBFFeatures

N, TRAIN = 240, 180
FADING = ("radial", "wide radial", "polynomial", "polynomial and ones")  # no gap before rounding


def basis(name, seed):
    """X and y of which the first `TRAIN` rows are to be fitted."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, (N, 1))
    wave = np.sin(2 * x[:, 0]) + 0.2 * rng.normal(size=N)
    if "radial" in name:
        width = 0.5 if name.startswith("wide") else 0.1
        return RBFFeatures("all", width=width).fit(x[:TRAIN]).transform(x), wave
    if "polynomial" in name:
        powers = PolynomialFeatures(18, include_bias="ones" in name)
        return powers.fit_transform(10 * (x + 3) / 6), wave
    if name == "spline":
        return SplineTransformer(n_knots=60).fit(x[:TRAIN]).transform(x), wave
    X = rng.normal(size=(N, 5))
    y = X @ np.arange(1.0, 6.0) + rng.normal(size=N)
    kind, size = name.split()
    if kind == "offset":
        return X + float(size), y
    return np.column_stack([X, X[:, :2] + float(size) * rng.normal(size=(N, 2))]), y


BASES = (
    *FADING, "spline", "copies 1e-6", "copies 1e-9", "copies 1e-12", "copies 1e-14", "copies 0",
    "offset 1e8", "offset 1e12",
)  # fmt: skip

ESTIMATORS = {
    "auto": LinearRegression(),
    "qr": LinearRegression(solver="qr"),
    "svd": LinearRegression(solver="svd"),
    "no intercept": LinearRegression(fit_intercept=False),
    "ridge": Ridge(alpha=0.0),
    "ridge by svd": Ridge(alpha=0.0, solver="svd"),
    "ridge, hardly": Ridge(alpha=1e-30),
    "lasso": Lasso(alpha=0.0),
    "elastic net": ElasticNet(alpha=1e-30, l1_ratio=0.0),
    "ball": ConstrainedRidge(1e60),
}


def squares(y, predicted):
    return float(((y - predicted) ** 2).sum())


def rounding(model, X, found):
    """By how much two orders of adding up xᵀw + b can set a sum of squares apart.

    Each rounds by at most about ε·Σⱼ|xⱼwⱼ| a row, so by δ over all rows: 2δ√f + δ².
    """
    coef = np.atleast_2d(model.coef_)
    sizes = np.abs(X) @ np.abs(coef).T + np.abs(model.intercept_)
    delta = 2 * np.finfo(float).eps * np.linalg.norm(sizes)
    return 2 * delta * np.sqrt(found) + delta**2


def fitted(model, X, y, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StylobateWarning)  # of Lasso without a penalty
        return model.fit(X, y, **more)


def least_squares(X, y, intercept=True):
    """Training error of NumPy's least squares."""
    design = np.column_stack([np.ones(len(X)), X]) if intercept else X
    return squares(y, design @ np.linalg.lstsq(design, y, rcond=None)[0])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("which", ESTIMATORS)
def test_errors_on_the_rows_and_on_others(which, name, seed):
    X, y = basis(name, seed)
    train, rest = slice(0, TRAIN), slice(TRAIN, None)
    model = ESTIMATORS[which]
    intercept = model.fit_intercept
    fitted(model, X[train], y[train])
    theirs = peer.LinearRegression(fit_intercept=intercept).fit(X[train], y[train])
    mean = intercept * y[train].mean()
    null = squares(y[train], mean)
    found = squares(y[train], model.predict(X[train]))
    limits = [null, squares(y[train], theirs.predict(X[train]))]
    if name not in FADING:
        limits.append(least_squares(X[train], y[train], intercept))
    assert found <= 1.01 * min(limits) + 1e-12 * squares(y[train], 0.0)
    left_out = squares(y[rest], model.predict(X[rest]))
    assert left_out <= 10 * max(squares(y[rest], theirs.predict(X[rest])), squares(y[rest], mean))
    proof = model.certificate_
    scale = 2 * TRAIN if which in ("lasso", "elastic net") else 1
    noise = rounding(model, X[train], found)
    assert proof.primal * scale == pytest.approx(found, rel=1e-6, abs=noise)
    assert proof.dual <= proof.primal
    if proof.optimal:  # then the peers cannot be better, but for luck with their rounding
        assert found <= (1 + 1e-5) * min(limits) + noise


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", FADING)
def test_a_small_tolerance_keeps_every_direction_that_can_be_told(name, seed):
    X, y = basis(name, seed)
    model = LinearRegression(tol=0.0).fit(X, y)
    found = squares(y, model.predict(X))
    noise = rounding(model, X, found)
    assert found <= 1.01 * least_squares(X, y)
    assert model.certificate_.primal == pytest.approx(found, rel=1e-6, abs=noise)
    careful = LinearRegression().fit(X, y)
    # what the others would gain is in the certificate of the fit that leaves them out
    assert careful.certificate_.dual <= found * (1 + 1e-6) + noise
    assert careful.rank_ <= model.rank_
    if careful.rank_ < model.rank_:
        assert not careful.certificate_.proved
        assert f"{X.shape[1] - careful.rank_} of {X.shape[1]} directions" in careful.solver_reason_


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("solver", ["cholesky", "lsqr", "gradient_descent"])
def test_solvers_with_fewer_digits_are_no_worse_than_the_mean_and_say_what_they_reach(solver, name):
    X, y = basis(name, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StylobateWarning)
        model = LinearRegression(solver=solver, max_iter=50 if solver != "cholesky" else None)
        model.fit(X, y)
    found = squares(y, model.predict(X))
    assert found <= squares(y, y.mean()) * (1 + 1e-9)
    noise = rounding(model, X, found)
    assert model.certificate_.primal == pytest.approx(found, rel=1e-6, abs=noise)
    if solver == "cholesky":
        assert found <= 1.01 * squares(y, peer.LinearRegression().fit(X, y).predict(X))
    if model.certificate_.optimal:
        assert found <= (1 + 1e-5) * least_squares(X, y)


@pytest.mark.parametrize("name", BASES)
def test_batches_weights_and_sparse_rows(name):
    X, y = basis(name, 1)
    whole = LinearRegression().fit(X, y)
    reached = squares(y, whole.predict(X))
    weights = np.ones(N)
    weights[:3] = 2.0
    again = np.r_[np.arange(N), :3]
    others = [
        (LinearRegression().fit_batches([(X[:100], y[:100]), (X[100:], y[100:])]), X, y),
        (LinearRegression().fit(csr_array(X), y), X, y),
        (LinearRegression().fit(X, y, sample_weight=weights), X[again], y[again]),
    ]
    for model, rows, target in others:
        found = squares(target, model.predict(rows))
        noise = rounding(model, rows, found)
        assert model.certificate_.primal == pytest.approx(found, rel=1e-6, abs=noise)
        assert found <= 1.01 * squares(target, whole.predict(rows))
    once = LinearRegression().fit_batches(iter([(X[:100], y[:100]), (X[100:], y[100:])]))
    found = squares(y, once.predict(X))
    assert found <= squares(y, y.mean())
    assert found >= reached * (1 - 1e-6) or "offset" in name or name in FADING


@pytest.mark.parametrize("name", BASES)
def test_targets_together_are_as_good_as_one_by_one(name):
    X, y = basis(name, 2)
    Y = np.column_stack([y, 1e-6 * y[::-1], X[:, 0], np.ones(N)])
    model = LinearRegression().fit(X, Y)
    predicted, total = model.predict(X), 0.0
    for t in range(Y.shape[1]):
        one = LinearRegression().fit(X, Y[:, t])
        alone, found = squares(Y[:, t], one.predict(X)), squares(Y[:, t], predicted[:, t])
        assert found <= 1.01 * alone + 1e-24 * squares(Y[:, t], 0.0)
        total += found
    noise = rounding(model, X, total)
    assert model.certificate_.primal == pytest.approx(total, rel=1e-6, abs=noise)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("alpha", [1e-20, 1e-10, 1e-4])
@pytest.mark.parametrize("solver", ["auto", "svd"])
def test_small_penalties_against_scikit_learn(name, alpha, solver):
    X, y = basis(name, 0)
    model = Ridge(alpha=alpha, solver=solver).fit(X, y)
    theirs = peer.Ridge(alpha=alpha, solver="svd").fit(X, y)

    def objective(fit):
        return squares(y, fit.predict(X)) + alpha * float((fit.coef_**2).sum())

    assert objective(model) <= 1.01 * min(objective(theirs), squares(y, y.mean()))
    noise = rounding(model, X, objective(model))
    assert model.certificate_.primal == pytest.approx(objective(model), rel=1e-6, abs=noise)


@pytest.mark.parametrize("name", BASES)
def test_non_negative_coefficients_against_scipy(name):
    X, y = basis(name, 0)
    model = LinearRegression(positive=True).fit(X, y)
    centred, target = X - X.mean(axis=0), y - y.mean()
    best = scipy.optimize.nnls(centred / (np.abs(centred).max(axis=0) + 1e-300), target)[1] ** 2
    found = squares(y, model.predict(X))
    assert (model.coef_ >= 0).all()
    assert found <= 1.01 * min(best, squares(y, y.mean()))
    noise = rounding(model, X, found)
    assert model.certificate_.primal == pytest.approx(found, rel=1e-6, abs=noise)


@pytest.mark.parametrize("name", BASES)
def test_classes_by_least_squares(name):
    X, y = basis(name, 0)
    labels = y > np.median(y)
    model = RidgeClassifier(alpha=0.0).fit(X, labels)
    signs = np.where(labels, 1.0, -1.0)
    found = squares(signs, model.decision_function(X))
    theirs = peer.LinearRegression().fit(X, signs)
    assert found <= 1.01 * squares(signs, theirs.predict(X))
    noise = rounding(model, X, found)
    assert model.certificate_.primal == pytest.approx(found, rel=1e-6, abs=noise)


@pytest.mark.parametrize("name", BASES)
def test_penalties_chosen_by_folds_are_scored_on_the_rows(name):
    """A fold's error is that of its own predictions, not of moments that have lost their digits."""
    X, y = basis(name, 0)
    alphas = [1e-12, 1e-6, 1.0]
    folds = [(np.arange(60, N), np.arange(60)), (np.arange(N - 60), np.arange(N - 60, N))]
    model = RidgeCV(alphas, cv=folds, scoring="neg_mean_squared_error").fit(X, y)
    for a, alpha in enumerate(alphas):
        for f, (rows, others) in enumerate(folds):
            one = Ridge(alpha=alpha).fit(X[rows], y[rows])
            error = squares(y[others], one.predict(X[others]))
            noise = rounding(one, X[others], error)
            assert -60 * model.cv_scores_[a, f] == pytest.approx(error, rel=1e-3, abs=noise)


def test_a_perfect_fit_is_no_worse_for_a_near_copy():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 5))
    X = np.column_stack([X, X[:, :2] + 1e-9 * rng.normal(size=(N, 2))])
    y = X[:, :5] @ np.arange(1.0, 6.0)
    model = LinearRegression().fit(X, y)
    assert squares(y, model.predict(X)) <= 1e-24 * squares(y, 0.0)
    assert model.certificate_.optimal


def test_columns_whose_rounding_exceeds_the_target_predict_the_mean():
    rng = np.random.default_rng(0)
    X = 1e14 + rng.normal(size=(N, 2))
    y = 1e-6 * rng.normal(size=N) + 1e-6 * (X[:, 0] - 1e14)
    for solver in ("auto", "qr", "svd", "cholesky"):
        model = LinearRegression(solver=solver).fit(X, y)
        assert squares(y, model.predict(X)) <= squares(y, y.mean()) * (1 + 1e-9)


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 100.0])
def test_ridge_by_singular_values_has_the_digits_it_claims(alpha):
    x = np.arange(21.0)
    powers, y = np.column_stack([x**k for k in range(1, 7)]), np.sin(x)
    model = Ridge(alpha=alpha, solver="svd").fit(powers, y)
    exact = Ridge(alpha=alpha, solver="qr").fit(powers, y)  # in 32-digit arithmetic
    digits = -np.log10(np.abs(model.coef_ / exact.coef_ - 1.0).max())
    assert digits >= int(model.certificate_.digits)
