"""Least slack without C, hinge by SGD against the quadratic program, ties of one-vs-one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from stylobate.datasets import load_iris
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model import SGDClassifier
from stylobate.multiclass import OneVsOneClassifier
from stylobate.optimize import quadratic_program
from stylobate.svm import LinearSVC, least_slack

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
MIXED = np.where(X @ [1.0, -1.0] + RNG.normal(size=40) > 0, 1, -1)


def test_the_sum_of_slacks_is_that_of_another_solver():
    rows = np.column_stack([X, np.ones(40)])
    costs = np.concatenate([np.zeros(3), np.ones(40)])
    known = linprog(
        costs, np.column_stack([-MIXED[:, None] * rows, -np.eye(40)]), -np.ones(40),
        bounds=[(None, None)] * 3 + [(0, None)] * 40,
    )  # fmt: skip
    found = least_slack(X, MIXED)
    assert found.total == pytest.approx(known.fun, rel=1e-6)
    # the soft margin gets there as C grows
    soft = LinearSVC(C=1e4, loss="hinge", max_iter=100_000).fit(X, MIXED)
    hinge = np.maximum(0, 1 - MIXED * soft.decision_function(X)).sum()
    assert found.total <= hinge <= found.total + 0.05


def test_separable_classes_need_none():
    y = X @ [1.0, -1.0] + 0.2 > 0
    found = least_slack(X, y)
    assert found.total == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_array_equal(X @ found.coef + found.intercept > 0, y)
    with pytest.raises(InvalidDataError, match="two"):
        least_slack(X, np.arange(40) % 3)


def test_hinge_descent_reaches_the_quadratic_program():
    """½α‖w‖² + mean hinge: SGD, and the same as a QP in (w, b, ξ)."""
    alpha, n = 0.05, len(X)
    P = np.diag([alpha, alpha, 0.0] + [0.0] * n)
    q = np.concatenate([np.zeros(3), np.full(n, 1 / n)])
    A = np.column_stack([-MIXED[:, None] * X, -MIXED, -np.eye(n)])
    bounds = [(None, None)] * 3 + [(0.0, None)] * n
    best = quadratic_program(P, q, A, -np.ones(n), bounds=bounds)
    model = SGDClassifier(alpha=alpha, tol=None, max_iter=3000, average=True, random_state=0)
    model.fit(X, MIXED)
    w = model.coef_[0]
    hinge = np.maximum(0, 1 - MIXED * model.decision_function(X)).mean()
    assert best.value <= 0.5 * alpha * w @ w + hinge <= 1.005 * best.value
    np.testing.assert_allclose(w, best.x[:2], atol=0.02)


def test_ties_of_one_vs_one_are_broken_by_the_scores():
    rows, y = load_iris(return_X_y=True)
    model = OneVsOneClassifier(LinearSVC()).fit(rows[:, :2], y)
    grid = np.random.default_rng(0).uniform([4, 2], [8, 4.5], size=(4000, 2))
    pairs = {(0, 1): 0, (0, 2): 1, (1, 2): 2}
    scores = np.column_stack([each.decision_function(grid) for each in model.estimators_])
    votes, sums = np.zeros((4000, 3)), np.zeros((4000, 3))
    for (i, j), k in pairs.items():
        votes[np.arange(4000), np.where(scores[:, k] > 0, j, i)] += 1
        sums[:, i] -= scores[:, k]
        sums[:, j] += scores[:, k]
    tied = (votes == 1).all(axis=1)
    assert tied.any()
    np.testing.assert_array_equal(model.predict(grid[tied]), sums[tied].argmax(axis=1))
