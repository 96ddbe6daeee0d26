"""Stochastic gradient descent against the convex optimum, its certificates, and bad input."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit

from stylobate import losses
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
)
from stylobate.linear_model import SGDClassifier, SGDRegressor
from stylobate.linear_model.stochastic.model import LOSSES, REGRESSION_LOSSES, WITH_EPSILON

RNG = np.random.default_rng(11)
X = RNG.normal(size=(400, 4))
LABELS = (X @ [1.0, -1.0, 0.5, 0.0] + RNG.normal(size=400) > 0).astype(int)
Y = X @ [1.0, -2.0, 0.5, 0.0] + 3.0 + RNG.normal(size=400)


def loss_of(name):
    kind = getattr(losses, LOSSES[name])
    return kind(0.1) if name in WITH_EPSILON else kind()


def objective(name, y, alpha, w, b, l1_ratio=0.0):
    penalty = l1_ratio * np.abs(w).sum() + 0.5 * (1 - l1_ratio) * w @ w
    return loss_of(name).value(y, X @ w + b).mean() + alpha * penalty


def least(name, y, alpha, l1_ratio=0.0):
    """The minimum by a method that knows nothing of gradients."""
    best = None
    start = np.zeros(5)
    for method in ("Powell", "Nelder-Mead", "Powell"):
        best = minimize(lambda v: objective(name, y, alpha, v[:4], v[4], l1_ratio), start,
                        method=method, options={"maxiter": 20000, "maxfev": 20000,
                                                "xtol": 1e-9, "ftol": 1e-12}
                        if method == "Powell" else {"maxfev": 20000, "fatol": 1e-11})  # fmt: skip
        start = best.x
    return float(best.fun)


def signs(name, labels):
    return labels.astype(float) if name == "log_loss" else 2.0 * labels - 1.0


@pytest.mark.parametrize("loss", [each for each in LOSSES if each != "perceptron"])
def test_reaches_the_optimum_of_every_loss(loss):
    model = SGDClassifier(loss, alpha=0.05, max_iter=300, tol=None, average=2000, random_state=0)
    model.fit(X, LABELS)
    y = signs(loss, LABELS)
    found = objective(loss, y, 0.05, model.coef_[0], model.intercept_[0])
    best = least(loss, y, 0.05)
    assert found <= best * 1.002
    proof = model.certificate_
    assert proof.primal == pytest.approx(found, rel=1e-12)
    assert proof.dual <= best * (1 + 1e-9)  # a true lower bound
    assert proof.gap >= found - best - 1e-9
    assert proof.relative_gap < 0.1


@pytest.mark.parametrize("loss", REGRESSION_LOSSES)
@pytest.mark.parametrize(("penalty", "ratio"), [("l2", 0.0), ("l1", 1.0), ("elasticnet", 0.5)])
def test_reaches_the_optimum_of_every_penalty(loss, penalty, ratio):
    model = SGDRegressor(loss, penalty=penalty, l1_ratio=0.5, alpha=0.05, max_iter=200, tol=None,
                         average=2000, random_state=0, power_t=0.5,
                         eta0=1.0 if loss == "huber" else 0.1)  # fmt: skip
    model.fit(X, Y)
    found = objective(loss, Y, 0.05, model.coef_, model.intercept_[0], ratio)
    best = least(loss, Y, 0.05, ratio)
    assert found <= best * 1.01
    assert model.certificate_.dual <= best * (1 + 1e-9)
    assert model.certificate_.primal == pytest.approx(found, rel=1e-12)


def test_l1_finds_the_column_that_does_nothing():
    model = SGDRegressor(penalty="l1", alpha=0.2, random_state=0, eta0=0.05, power_t=0.5)
    assert model.fit(X, Y).coef_[3] == 0.0
    assert np.count_nonzero(model.coef_) == 3
    assert model.sparsify().coef_.nnz == 3
    assert model.densify().predict(X).shape == (400,)


@given(st.integers(0, 10**6))
def test_certificate_bounds_hold_anywhere(seed):
    """Weak duality at arbitrary weights, weights of rows and penalties."""
    from stylobate.optimize.linear_gap import LinearObjective, bounds

    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(1, 20)), int(rng.integers(1, 5))
    x = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-3, 4)
    name = str(rng.choice(list(LOSSES)))
    y = signs(name, rng.integers(0, 2, n)) if name not in REGRESSION_LOSSES else rng.normal(size=n)
    l1, l2 = rng.choice([0.0, 0.01, 1.0], 2)
    value = LinearObjective(loss_of(name), l1, l2, bool(rng.integers(2)))
    shares = rng.uniform(0.0, 1.0, n)
    w, b = rng.normal(size=p), float(rng.normal()) if value.intercept else 0.0
    here = bounds(value, x, y, shares, w, b)
    for other in (np.zeros(p), w * 0.5, rng.normal(size=p)):
        c = float(rng.normal()) if value.intercept else 0.0
        there = shares @ value.loss.value(y, x @ other + c) + value.penalty(other)
        assert here.dual <= there * (1 + 1e-9) + 1e-12


def test_probabilities():
    labels = np.digitize(Y, [1.0, 4.0])
    model = SGDClassifier("log_loss", random_state=0).fit(X, labels)
    chance = model.predict_proba(X)
    expected = expit(model.decision_function(X))
    np.testing.assert_allclose(chance, expected / expected.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(np.log(chance), model.predict_log_proba(X))
    two = SGDClassifier("modified_huber", random_state=0).fit(X, LABELS)
    cut = np.clip((two.decision_function(X) + 1) / 2, 0, 1)
    np.testing.assert_allclose(two.predict_proba(X)[:, 1], cut)
    assert not hasattr(SGDClassifier("hinge"), "predict_proba")
    with pytest.raises(AttributeError, match="estimate probabilities"):
        SGDClassifier("hinge").predict_proba  # noqa: B018


def test_no_class_likely_means_all_alike():
    model = SGDClassifier("modified_huber", random_state=0).fit(X, np.digitize(Y, [1.0, 4.0]))
    model.coef_[:], model.intercept_[:] = 0.0, -5.0
    np.testing.assert_allclose(model.predict_proba(X[:2]), 1 / 3)


def test_early_stopping_holds_rows_out():
    model = SGDClassifier(early_stopping=True, random_state=0, validation_fraction=0.25,
                          alpha=0.01, average=True)  # fmt: skip
    model.fit(X, LABELS)
    assert model.n_iter_ < 50
    assert model.score(X, LABELS) > 0.7
    assert model.t_ == 1 + 300 * model.n_iter_
    regressor = SGDRegressor(early_stopping=True, random_state=0).fit(X, Y)
    assert regressor.score(X, Y) > 0.8
    with pytest.raises(InvalidDataError, match="hold out"):
        SGDRegressor(early_stopping=True, validation_fraction=0.99).fit(X[:5], Y[:5])


def test_steps_too_long_are_said_in_words():
    with pytest.warns(ConvergenceWarning, match=r"Scale the columns"):
        SGDRegressor(random_state=0).fit(X * 1e8, Y)
    with pytest.raises(NumericalError, match=r"Scale the columns"):
        SGDRegressor(random_state=0).fit(X * 1e200, Y)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (SGDClassifier(alpha=0.0), "alpha must be > 0"),
        (SGDClassifier("log_loss", learning_rate="pa1"), "only works with loss 'hinge'"),
        (SGDRegressor(learning_rate="pa2"), "'epsilon_insensitive'"),
        (SGDClassifier(penalty="elasticnet", l1_ratio=None), "l1_ratio must be set"),
    ],
)
def test_parameters_that_do_not_fit_together(model, words):
    with pytest.raises(InvalidParameterError, match=words):
        model.fit(X, LABELS)


def test_partial_fit_refusals():
    with pytest.raises(InvalidDataError, match="classes must be passed"):
        SGDClassifier().partial_fit(X, LABELS)
    model = SGDClassifier(random_state=0).partial_fit(X, LABELS, classes=[0, 1])
    with pytest.raises(InvalidDataError, match="not the same as on last call"):
        model.partial_fit(X, LABELS, classes=[0, 2])
    with pytest.raises(InvalidDataError, match="not among the classes"):
        model.partial_fit(X, LABELS + 1)
    with pytest.raises(InvalidParameterError, match="early_stopping"):
        SGDRegressor(early_stopping=True).partial_fit(X, Y)
    with pytest.raises(InvalidParameterError, match="balanced"):
        SGDClassifier(class_weight="balanced").partial_fit(X, LABELS, classes=[0, 1])
    with pytest.raises(InvalidDataError, match="coef_init"):
        SGDClassifier().fit(X, LABELS, coef_init=np.zeros(3))


def test_constant_and_tiny_columns():
    x = np.column_stack([X, np.ones(400), X[:, 0] * 1e-8])
    model = SGDClassifier(random_state=0).fit(x, LABELS)
    assert np.isfinite(model.coef_).all()
    assert model.score(x, LABELS) > 0.75


def test_separable_classes_and_more_columns_than_rows():
    x = RNG.normal(size=(10, 200))
    labels = np.arange(10) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = SGDClassifier(random_state=0).fit(x, labels)
    assert model.score(x, labels) == 1.0
