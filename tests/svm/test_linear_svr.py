"""LinearSVR against scikit-learn's LIBLINEAR, a conic solver and itself."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.svm import LinearSVR as Peer

from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.conic.quadratic import quadratic_program
from stylobate.svm import LinearSVR

RANDOM = np.random.default_rng(11)
X = RANDOM.standard_normal((120, 5))
Y = X @ RANDOM.standard_normal(5) + 2.0 + RANDOM.standard_t(3, 120)
WEIGHTS = RANDOM.uniform(0.0, 2.0, 120) * (RANDOM.uniform(size=120) > 0.1)
LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive")


def objective(model: Any, loss: str, epsilon: float, c: Any) -> float:
    out = np.maximum(0.0, np.abs(Y - X @ model.coef_ - model.intercept_[0]) - epsilon)
    losses = out if loss == LOSSES[0] else out**2
    return float(
        0.5 * model.coef_ @ model.coef_ + 0.5 * model.intercept_[0] ** 2 + (c * losses).sum()
    )


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("epsilon", [0.0, 0.8])
@pytest.mark.parametrize("C", [0.01, 5.0])
def test_objective_is_no_larger_than_liblinear_s(loss: str, epsilon: float, C: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = Peer(
            loss=loss, epsilon=epsilon, C=C, tol=1e-12, max_iter=100_000, random_state=0
        ).fit(X, Y, WEIGHTS)
    ours = LinearSVR(loss=loss, epsilon=epsilon, C=C).fit(X, Y, WEIGHTS)
    values = [objective(m, loss, epsilon, C * WEIGHTS) for m in (ours, peer)]
    assert values[0] <= values[1] * (1 + 1e-9)
    assert ours.certificate_.primal == pytest.approx(values[0], rel=1e-12)
    assert ours.certificate_.relative_gap <= 1e-8
    assert ours.coef_.shape == (5,)
    assert ours.intercept_.shape == (1,)
    np.testing.assert_allclose(ours.predict(X), X @ ours.coef_ + ours.intercept_, rtol=1e-12)
    by_dual = LinearSVR(loss=loss, epsilon=epsilon, C=C, solver="dual", random_state=0)
    proof = by_dual.fit(X, Y, WEIGHTS).certificate_
    assert proof.relative_gap <= 1e-6
    assert proof.primal == pytest.approx(values[0], rel=2e-6)


def test_clarabel_agrees() -> None:
    """(w, b, ξ) with ξᵢ ≥ |yᵢ − xᵢw − b| − ε, ξᵢ ≥ 0, by a program's solver."""
    n = len(Y)
    fits = np.hstack([X, np.ones((n, 1))])
    constraint = np.vstack([np.hstack([fits, -np.eye(n)]), np.hstack([-fits, -np.eye(n)])])
    bounds = np.array([(-np.inf, np.inf)] * 6 + [(0.0, np.inf)] * n)
    for loss, linear, square in ((LOSSES[0], 2.0, 0.0), (LOSSES[1], 0.0, 4.0)):
        found = quadratic_program(
            np.diag(np.append(np.ones(6), np.full(n, square))),
            np.append(np.zeros(6), np.full(n, linear)),
            constraint,
            np.concatenate([Y + 0.5, 0.5 - Y]),
            bounds=bounds,
        )
        ours = LinearSVR(loss=loss, epsilon=0.5, C=2.0).fit(X, Y)
        assert ours.certificate_.primal == pytest.approx(found.value, rel=1e-7)


def test_streams_give_the_answer_of_memory() -> None:
    batches = [(X[at : at + 50], Y[at : at + 50]) for at in range(0, 120, 50)]
    model = LinearSVR(loss="squared_epsilon_insensitive", epsilon=0.3)
    np.testing.assert_allclose(
        model.fit(lambda: iter(batches)).coef_, model.fit(X, Y).coef_, rtol=1e-9
    )


def test_pegasos_comes_near() -> None:
    for loss in LOSSES:
        best = LinearSVR(loss=loss, epsilon=0.3).fit(X, Y).certificate_.primal
        rough = LinearSVR(loss=loss, epsilon=0.3, solver="pegasos", random_state=0).fit(X, Y)
        assert rough.certificate_.primal <= 1.002 * best


def test_refusals() -> None:
    with pytest.raises(InvalidParameterError, match="are not supported when dual=False"):
        LinearSVR(dual=False).fit(X, Y)
    with pytest.raises(InvalidParameterError, match="epsilon"):
        LinearSVR(epsilon=-1.0).fit(X, Y)
