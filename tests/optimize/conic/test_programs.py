"""Programs against SciPy, each other, the dedicated estimators and closed forms; duals and rays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse

from stylobate.exceptions import InvalidDataError
from stylobate.optimize import (
    linear_program,
    qcqp,
    quadratic_program,
    semidefinite_program,
)


def feasible_program(seed, n=4, m=7, k=1):
    """Bounded and feasible: the cost lies in the cone of the constraints."""
    random = np.random.default_rng(seed)
    A, B = random.normal(size=(m, n)), random.normal(size=(k, n))
    inside = random.normal(size=n)
    b = A @ inside + random.uniform(0.1, 2.0, m)
    c = -A.T @ random.uniform(0.0, 1.0, m) + B.T @ random.normal(size=k)
    return c, A, b, B, B @ inside


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_linear_programs_agree_with_scipy_and_the_interior_point(seed):
    c, A, b, B, f = feasible_program(seed)
    found = linear_program(c, A, b, B, f)
    theirs = optimize.linprog(c, A, b, B, f, bounds=(None, None))
    inner = quadratic_program(np.zeros((4, 4)), c, A, b, B, f)
    assert found.optimal
    assert found.value == pytest.approx(theirs.fun, abs=1e-7, rel=1e-7)
    assert inner.value == pytest.approx(theirs.fun, abs=1e-6, rel=1e-6)
    assert found.dual_value == pytest.approx(found.value, abs=1e-7, rel=1e-7)
    assert found.residuals.worst < 1e-7
    # duals: the slope of v* in the right-hand side
    at = int(np.argmax(found.duals["A_ub"]))
    if found.duals["A_ub"][at] > 1e-3:
        nudged = b.copy()
        nudged[at] += 1e-6
        slope = (linear_program(c, A, nudged, B, f).value - found.value) / 1e-6
        assert -slope == pytest.approx(found.duals["A_ub"][at], abs=1e-2, rel=1e-2)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_quadratic_programs_meet_their_conditions(seed):
    c, A, b, B, f = feasible_program(seed)
    root = np.random.default_rng(seed + 1).normal(size=(3, 4))
    P = root.T @ root
    found = quadratic_program(P, c, sparse.csr_array(A), b, B, f, bounds=(-5, 5), constant=2.0)
    assert found.optimal
    assert found.residuals.worst < 1e-6
    assert found.dual_value == pytest.approx(found.value, abs=1e-5, rel=1e-6)
    theirs = optimize.minimize(
        lambda x: 0.5 * x @ P @ x + c @ x + 2.0, found.x, jac=lambda x: P @ x + c,
        constraints=[
            {"type": "ineq", "fun": lambda x: b - A @ x, "jac": lambda x: -A},
            {"type": "eq", "fun": lambda x: B @ x - f, "jac": lambda x: B},
        ],
        bounds=[(-5, 5)] * 4, method="SLSQP",
    )  # fmt: skip
    assert found.value <= theirs.fun + 1e-6


def test_infeasible_is_plus_infinity_with_farkas_proof():
    A, b = np.array([[1.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]), np.array([-1.0, 0.0, 0.0])
    for found in (linear_program([1.0, 1.0], A, b), quadratic_program(np.eye(2), [0, 0], A, b)):
        assert found.status == "infeasible"
        assert found.value == np.inf
        y = found.ray["A_ub"]
        assert (y >= -1e-9).all()
        np.testing.assert_allclose(A.T @ y, 0.0, atol=1e-7 * np.abs(y).max())
        assert b @ y < 0.0  # 0ᵀx ≤ a negative number
        assert "Infeasible" in str(found)


def test_crossed_bounds_are_infeasible():
    found = linear_program([1.0], bounds=(1.0, 0.0))
    assert found.value == np.inf
    assert found.ray["low"][0] > 0.0


def test_unbounded_is_minus_infinity_with_a_direction():
    A, b = np.array([[1.0, -1.0]]), np.array([1.0])
    for found in (
        linear_program([-1.0, -1.0], A, b), quadratic_program(np.zeros((2, 2)), [-1, -1], A, b),
    ):  # fmt: skip
        assert found.status == "unbounded"
        assert found.value == -np.inf
        d = found.ray["x"]
        assert (A @ d <= 1e-7 * np.abs(d).max()).all()
        assert -d.sum() < 0.0


def test_the_distance_to_a_ball_and_its_price():
    q = np.array([-3.0, -4.0])
    found = qcqp(np.eye(2), q, [(2 * np.eye(2), np.zeros(2), -1.0)])  # ½‖x − (3, 4)‖² in the disc
    np.testing.assert_allclose(found.x, [0.6, 0.8], atol=1e-7)
    # x − (3, 4) + 2λx = 0 at x = (3, 4)/5: λ = 2
    assert found.duals["quadratic"][0] == pytest.approx(2.0, abs=1e-4)
    assert found.residuals.worst < 1e-6
    assert found.dual_value == pytest.approx(found.value, abs=1e-6)


def test_qcqp_with_two_discs_against_slsqp():
    discs = [(np.array([0.0, 0.0]), 1.0), (np.array([1.0, 0.5]), 0.8)]
    q = np.array([1.0, -2.0])
    constraints = [(2 * np.eye(2), -2 * c, float(c @ c) - r**2) for c, r in discs]
    found = qcqp(np.zeros((2, 2)), q, constraints)
    theirs = optimize.minimize(
        lambda x: q @ x, np.array([0.6, 0.3]), method="SLSQP", options={"ftol": 1e-12},
        constraints=[
            {"type": "ineq", "fun": lambda x, c=c, r=r: r**2 - np.sum((x - c) ** 2)}
            for c, r in discs
        ],
    )  # fmt: skip
    np.testing.assert_allclose(found.x, theirs.x, atol=1e-5)
    pull = q + sum(
        p * (Q @ found.x + r)
        for p, (Q, r, _) in zip(found.duals["quadratic"], constraints, strict=True)
    )
    np.testing.assert_allclose(pull, 0.0, atol=3e-4)  # cones: multipliers to the gap's root


def test_discs_apart_are_infeasible():
    constraints = [(2 * np.eye(1), np.zeros(1), -1.0), (2 * np.eye(1), np.array([-10.0]), 24.0)]
    assert qcqp(np.eye(1), [0.0], constraints).value == np.inf


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_smallest_eigenvalue_by_a_semidefinite_program(seed):
    root = np.random.default_rng(seed).normal(size=(4, 4))
    C = root + root.T
    found = semidefinite_program(C, [np.eye(4)], [1.0])
    lowest = np.linalg.eigvalsh(C)[0]
    assert found.value == pytest.approx(lowest, abs=1e-6)
    assert found.duals["A"][0] == pytest.approx(lowest, abs=1e-6)
    assert np.linalg.eigvalsh(found.x)[0] >= -1e-7
    assert np.trace(found.x) == pytest.approx(1.0, abs=1e-7)
    assert found.residuals.worst < 1e-6


def test_max_cut_of_a_five_cycle():
    """The relaxation of Goemans and Williamson: ¼ Σ (1 − Xᵢⱼ) is (5/8)(5 + √5)/… = 4.5225."""
    n = 5
    adjacency = np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1)
    ones = [np.diag(np.eye(n)[i]) for i in range(n)]
    found = semidefinite_program(adjacency / 4.0, ones, np.ones(n))
    cut = adjacency.sum() / 4.0 - found.value
    assert cut == pytest.approx(5.0 * (1.0 - np.cos(4 * np.pi / 5)) / 2.0, abs=1e-6)


def test_semidefinite_infeasible_and_unbounded():
    corner = np.diag([1.0, 0.0])
    none = semidefinite_program(np.eye(2), [corner], [-1.0])
    assert none.value == np.inf
    y = none.ray["A"]
    assert y[0] * -1.0 > 0.0 or none.ray["X"][0, 0] > 0.0
    assert semidefinite_program(-np.eye(2), [corner], [1.0]).value == -np.inf


def rows(seed=0, n=30, p=3):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, p))
    return x, x @ [1.0, -2.0, 0.0] + random.normal(size=n)


def test_least_absolute_deviations_as_a_linear_program():
    from stylobate.linear_model import LADRegressor

    x, y = rows()
    n, p = x.shape
    A = np.block([[x, -np.eye(n)], [-x, -np.eye(n)]])
    found = linear_program(np.r_[np.zeros(p), np.ones(n)], A, np.r_[y, -y])
    model = LADRegressor(fit_intercept=False).fit(x, y)
    assert found.value == pytest.approx(np.abs(y - x @ model.coef_).sum(), rel=1e-9)
    np.testing.assert_allclose(found.x[:p], model.coef_, atol=1e-6)


def test_the_lasso_as_a_quadratic_program():
    from stylobate.linear_model import Lasso

    x, y = rows(1)
    n, p = x.shape
    P = np.zeros((2 * p, 2 * p))
    P[:p, :p] = x.T @ x / n
    eye = np.eye(p)
    found = quadratic_program(
        P, np.r_[-x.T @ y / n, np.full(p, 0.3)], np.block([[eye, -eye], [-eye, -eye]]),
        np.zeros(2 * p),
    )  # fmt: skip
    model = Lasso(alpha=0.3, fit_intercept=False, tol=1e-12).fit(x, y)
    np.testing.assert_allclose(found.x[:p], model.coef_, atol=1e-6)


def test_hard_and_soft_margins():
    """max margin: min ½‖w‖² with y(wᵀx + b) ≥ 1; the dual prices are the support vectors."""
    from sklearn.svm import SVC

    random = np.random.default_rng(3)
    x = np.r_[random.normal(size=(15, 2)) + 2.5, random.normal(size=(15, 2)) - 2.5]
    y = np.repeat([1.0, -1.0], 15)
    A = -y[:, None] * np.column_stack([x, np.ones(30)])
    hard = quadratic_program(np.diag([1.0, 1.0, 0.0]), np.zeros(3), A, -np.ones(30))
    svm = SVC(kernel="linear", C=1e8, tol=1e-9).fit(x, y)
    np.testing.assert_allclose(hard.x[:2], svm.coef_[0], rtol=1e-4)
    assert set(np.flatnonzero(hard.duals["A_ub"] > 1e-6)) == set(svm.support_)
    n, C = 30, 0.5
    soft = quadratic_program(
        np.diag(np.r_[1.0, 1.0, 0.0, np.zeros(n)]), np.r_[np.zeros(3), np.full(n, C)],
        np.column_stack([A, -np.eye(n)]), -np.ones(n),
        bounds=[(None, None)] * 3 + [(0, None)] * n,
    )  # fmt: skip
    soft_svm = SVC(kernel="linear", C=C, tol=1e-10).fit(x, y)
    np.testing.assert_allclose(soft.x[:2], soft_svm.coef_[0], atol=1e-4)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: linear_program([1.0], [[1.0]]), "b_ub is missing"),
        (lambda: linear_program([1.0], [[1.0, 2.0]], [1.0]), "2 columns for 1"),
        (lambda: linear_program([1.0], [[1.0]], [1.0, 2.0]), "vector of 1 entries"),
        (lambda: linear_program([np.nan]), "finite"),
        (lambda: linear_program(["a"]), "numbers"),
        (lambda: linear_program([1.0], bounds=[(0, 1), (0, 1), (0, 1)]), "bounds"),
        (lambda: quadratic_program([[1.0, 2.0], [0.0, 1.0]], [0.0, 0.0]), "symmetric"),
        (lambda: quadratic_program([[-1.0]], [0.0]), "negative eigenvalue -1"),
        (lambda: qcqp([[1.0]], [0.0], [([[-1.0]], [0.0], 0.0)]), "Q of constraint 0"),
        (lambda: qcqp([[1.0]], [0.0], [3]), "triple"),
        (lambda: semidefinite_program(np.ones((2, 3)), [], []), "square"),
        (lambda: semidefinite_program(np.eye(2), [np.eye(3)], [1.0]), r"\(2, 2\)"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InvalidDataError, match=words):
        call()
