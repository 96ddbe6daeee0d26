"""What can be watched of a run: every step of SGD, rows in their own order, the last callback."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.losses import HalfSquared, Logistic
from stylobate.optimize import SGD, Constant, EmpiricalRisk, GradientDescent, minimize

X = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, -1.0], [1.0, 0.5]])
Y = np.array([1.0, 3.0, -2.0, 0.5])


def by_hand(epochs, rate):
    w, points = np.zeros(2), [np.zeros(2)]
    for _ in range(epochs):
        for x, y in zip(X, Y, strict=True):
            w = w - rate * (x @ w - y) * x
            points.append(w)
    return np.array(points)


def test_every_step_in_the_order_of_the_rows():
    risk = EmpiricalRisk(HalfSquared(), X, Y)
    method = SGD(Constant(0.1), shuffle=False, every_step=True)
    found = minimize(risk, [0.0, 0.0], method=method, max_iter=8, keep_path=True)
    np.testing.assert_allclose(found.path, by_hand(2, 0.1), rtol=1e-13)
    assert found.iterations == 8
    np.testing.assert_allclose(
        found.trace.objective, [risk.value(w) for w in by_hand(2, 0.1)], rtol=1e-13
    )


def test_epochs_in_the_order_of_the_rows_by_the_compiled_engine():
    risk = EmpiricalRisk(HalfSquared(), X, Y)
    found = minimize(
        risk, [0.0, 0.0], method=SGD(Constant(0.1), shuffle=False), max_iter=3, keep_path=True
    )
    np.testing.assert_allclose(found.path, by_hand(3, 0.1)[::4], rtol=1e-12)


def test_batches_are_steps_too():
    risk = EmpiricalRisk(Logistic(), X, (Y > 0).astype(float))
    method = SGD(Constant(0.5), batch=2, shuffle=False, every_step=True)
    found = minimize(risk, [0.0, 0.0], method=method, max_iter=4, keep_path=True)
    w, points = np.zeros(2), [np.zeros(2)]
    for rows in ([0, 1], [2, 3], [0, 1], [2, 3]):
        w = w - 0.5 * risk.term_gradient(w, rows)
        points.append(w)
    np.testing.assert_allclose(found.path, points, rtol=1e-12)


def test_the_callback_sees_the_last_iteration():
    for limit in (1, 5):
        seen = []
        found = minimize(
            lambda x: x @ x, [1.0], method=GradientDescent(Constant(0.1)), max_iter=limit,
            callback=lambda t, state, seen=seen: seen.append((t, float(state.x[0]))),
        )  # fmt: skip
        assert [t for t, _ in seen] == list(range(1, limit + 1))
        assert seen[-1][1] == pytest.approx(0.8**limit)
        assert found.stopped_by == "iterations"
    ended = minimize(lambda x: x @ x, [1.0], method="newton", callback=lambda t, state: False)
    assert ended.stopped_by == "gradient"
