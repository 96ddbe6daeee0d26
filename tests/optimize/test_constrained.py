"""Constraints: Lagrangian, Karush–Kuhn–Tucker conditions, and `minimize` under them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize as scipy_optimize

from stylobate.datasets import load_iris
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize import (
    ConstrainedProblem,
    kkt_conditions,
    minimize,
    quadratic_program,
)


def test_the_lagrangian_of_a_line_is_the_textbooks():
    """min x² + y² with x + y = 1: L = x² + y² + μ(x + y − 1), dual q(μ) = −μ²/2 − μ."""
    problem = ConstrainedProblem(lambda x: x @ x, equalities=lambda x: x[0] + x[1] - 1)
    assert problem.lagrangian([2.0, 3.0], equalities=[0.5]) == pytest.approx(13 + 0.5 * 4)
    np.testing.assert_allclose(
        problem.lagrangian_gradient([2.0, 3.0], equalities=[0.5]), [4.5, 6.5], atol=1e-9
    )
    for mu in (-3.0, -1.0, 0.5):
        assert problem.dual([0.0, 0.0], equalities=[mu]) == pytest.approx(-(mu**2) / 2 - mu)
    found = minimize(lambda x: x @ x, [3.0, -1.0], equalities=lambda x: x[0] + x[1] - 1)
    np.testing.assert_allclose(found.x, [0.5, 0.5], atol=1e-6)
    np.testing.assert_allclose(found.multipliers[1], [-1.0], atol=1e-5)
    # strong duality: the best lower bound is the value
    assert problem.dual([0.0, 0.0], equalities=found.multipliers[1]) == pytest.approx(0.5, abs=1e-6)


def test_the_conditions_say_which_one_fails():
    def inside(x):
        return x @ x - 1.0

    def f(x):
        return -x[0]

    best = kkt_conditions(f, [1.0, 0.0], inequalities=inside)
    assert best.hold()
    assert best.inequality_multipliers[0] == pytest.approx(0.5)
    assert best.active.tolist() == [0]
    assert best.duality_gap == pytest.approx(0.0, abs=1e-9)
    elsewhere = kkt_conditions(f, [0.0, 1.0], inequalities=inside)
    assert elsewhere.stationarity > 0.5
    assert not elsewhere.hold()
    assert kkt_conditions(f, [2.0, 0.0], inequalities=inside).primal_violation == 3.0
    wrong = kkt_conditions(f, [-1.0, 0.0], inequalities=inside, multipliers=([-0.5], []))
    assert wrong.dual_violation == 0.5  # stationary, but it is the maximum
    assert wrong.stationarity == pytest.approx(0.0, abs=1e-9)
    loose = kkt_conditions(f, [0.5, 0.0], inequalities=inside, multipliers=([1.0], []))
    assert loose.complementarity == pytest.approx(0.75)
    assert "do not hold" in str(loose)


@pytest.mark.parametrize("seed", range(4))
def test_quadratic_programs_are_those_of_the_interior_point_solver(seed):
    random = np.random.default_rng(seed)
    root = random.normal(size=(4, 4))
    P, q = root @ root.T + 0.1 * np.eye(4), random.normal(size=4)
    A, b = random.normal(size=(5, 4)), random.random(5)
    C, d = random.normal(size=(1, 4)), random.normal(size=1) * 0.1
    known = quadratic_program(P, q, A, b, C, d)
    found = minimize(
        lambda x: 0.5 * x @ P @ x + q @ x,
        np.ones(4),
        gradient=lambda x: P @ x + q,
        inequalities=[lambda x, a=a, t=t: a @ x - t for a, t in zip(A, b, strict=True)],
        equalities=[lambda x: C[0] @ x - d[0]],
    )
    assert found.converged
    np.testing.assert_allclose(found.x, known.x, atol=2e-5)
    np.testing.assert_allclose(found.multipliers[0], known.duals["A_ub"], atol=2e-4)
    np.testing.assert_allclose(found.multipliers[1], known.duals["A_eq"], atol=2e-4)
    assert kkt_conditions(
        lambda x: 0.5 * x @ P @ x + q @ x, known.x,
        inequalities=[lambda x, a=a, t=t: a @ x - t for a, t in zip(A, b, strict=True)],
        equalities=[lambda x: C[0] @ x - d[0]],
    ).hold(1e-5)  # fmt: skip


def test_a_curved_problem_against_scipy():
    def f(x):
        return (x[0] - 2) ** 4 + (x[0] - 2 * x[1]) ** 2

    def g(x):
        return x[0] ** 2 - x[1]

    known = scipy_optimize.minimize(
        f, [0.5, 0.5], constraints={"type": "ineq", "fun": lambda x: -g(x)}, tol=1e-12
    )
    found = minimize(f, [0.5, 0.5], inequalities=g, keep_path=True)
    np.testing.assert_allclose(found.x, known.x, atol=1e-5)
    assert found.path.shape == (found.iterations + 1, 2)
    assert "hold at" in str(found)


def test_the_widest_street_has_multipliers_on_its_support_vectors():
    """Hard-margin support vectors: ½‖w‖² under y(w·x + b) ≥ 1, w = Σ α y x."""
    X, y = load_iris(return_X_y=True)
    X, sign = X[:100:6, :2], np.where(y[:100:6] == 0, -1.0, 1.0)
    rows = zip(X, sign, strict=True)
    found = minimize(
        lambda v: 0.5 * (v[0] ** 2 + v[1] ** 2),
        np.zeros(3),
        inequalities=[lambda v, x=x, s=s: 1 - s * (v[:2] @ x + v[2]) for x, s in rows],
    )
    from sklearn.svm import SVC

    known = SVC(kernel="linear", C=1e9).fit(X, sign)
    np.testing.assert_allclose(found.x[:2], known.coef_[0], atol=2e-3)
    alpha = found.multipliers[0]
    np.testing.assert_allclose((alpha * sign) @ X, found.x[:2], atol=1e-4)
    assert set(np.flatnonzero(alpha > 1e-3)) <= set(known.support_)
    assert (alpha @ sign) == pytest.approx(0.0, abs=1e-4)


def test_what_cannot_be_is_said():
    found = minimize(lambda x: x @ x, [1.0], inequalities=[lambda x: x[0] + 1, lambda x: 1 - x[0]])
    assert not found.converged
    assert found.conditions.primal_violation > 0.5
    with pytest.raises(InvalidParameterError, match="method has no meaning"):
        minimize(lambda x: x @ x, [1.0], method="newton", inequalities=lambda x: x[0])
    with pytest.raises(InvalidDataError, match="must return a number"):
        minimize(lambda x: x @ x, [1.0, 2.0], inequalities=lambda x: x)
    with pytest.raises(InvalidDataError, match="one for each of the 1"):
        ConstrainedProblem(lambda x: x @ x, lambda x: x[0]).lagrangian([1.0], [1.0, 2.0])
    with pytest.raises(InvalidParameterError, match="functions"):
        ConstrainedProblem(lambda x: x @ x, [3.0])
