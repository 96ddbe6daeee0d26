"""Measured rates against those of theory."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.datasets import make_quadratic
from stylobate.losses import HalfSquared
from stylobate.optimize import (
    FISTA,
    SVRG,
    ConjugateGradient,
    Constant,
    CoordinateDescent,
    Decaying,
    EmpiricalRisk,
    GradientDescent,
    HeavyBall,
    Nesterov,
    Newton,
    Problem,
    ProximalGradient,
    Quadratic,
    Smooth,
    Stopping,
    Subgradient,
    minimize,
)
from stylobate.penalties import L1

NEVER = Stopping(300, gradient=0.0)


def distances(found, optimum):
    return np.array(found.trace.objective) - optimum


@pytest.mark.parametrize("condition", [10.0, 100.0])
def test_gradient_descent_is_linear_with_the_factor_of_theory(condition):
    bowl = make_quadratic(5, condition=condition)
    method = GradientDescent(Constant(1.0 / bowl.lipschitz))
    found = minimize(bowl, method=method, stop=Stopping(200, gradient=0.0))
    away = distances(found, 0.0)
    bound = found.rate.bound(np.arange(len(away)), away[0])
    assert (away <= bound * (1 + 1e-9)).all()
    late = away[away > 1e-20]
    slope = (late[-1] / late[-20]) ** (1 / 19)  # (1 − 1/κ)² in the end, along the flattest axis
    assert slope == pytest.approx((1 - 1 / condition) ** 2, rel=1e-3)


def test_momentum_takes_the_root_of_the_condition():
    bowl = make_quadratic(5, condition=400.0)
    counts = {
        name: minimize(bowl, method=method, stop=Stopping(20000, gradient=1e-8)).iterations
        for name, method in {
            "plain": GradientDescent(Constant(1.0 / bowl.lipschitz)),
            "heavy": HeavyBall(),
            "nesterov": Nesterov(),
        }.items()
    }
    assert counts["heavy"] * 8 < counts["plain"]
    assert counts["nesterov"] * 5 < counts["plain"]


def test_nesterov_stays_below_its_bound():
    bowl = make_quadratic(6, condition=100.0)
    found = minimize(bowl, method=Nesterov(restart=False), stop=NEVER)
    away = distances(found, 0.0)
    first = away[0] + 0.5 * bowl.strong_convexity * np.sum((bowl.start - bowl.minimizer) ** 2)
    bound = found.rate.bound(np.arange(len(away)), first)
    assert (away <= bound * (1 + 1e-9) + 1e-30).all()


def worst_of_nesterov(n):
    """The function on which no first-order method beats 1/t² before t = n/2."""
    matrix = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    linear = np.zeros(n)
    linear[0] = -1.0
    return Quadratic(matrix / 4.0, linear / 4.0)


def test_sublinear_slopes_on_the_worst_function():
    hard = worst_of_nesterov(400)
    x = np.linalg.solve(hard.A, -hard.b)
    optimum = hard.value(x)
    flat = Smooth(hard.value, hard.gradient, hard.hessian, lipschitz=1.0, convex=True)
    slopes = {}
    for name, method in {
        "plain": ProximalGradient(), "fast": FISTA(restart=False),
    }.items():  # fmt: skip
        away = distances(minimize(flat, np.zeros(400), method=method, stop=NEVER), optimum)
        t = np.arange(len(away))
        slopes[name] = np.polyfit(np.log(t[40:200]), np.log(away[40:200]), 1)[0]
        power = method.rate(Problem(flat)).power
        constant = 2.0 * float(x @ x) if name == "fast" else 0.5 * float(x @ x)
        assert (away[1:] <= constant / t[1:] ** power).all()
    assert -1.0 < slopes["plain"] < -0.3
    assert slopes["fast"] < 1.7 * slopes["plain"]


def test_conjugate_gradients_end_after_n_steps_and_below_chebyshev():
    bowl = make_quadratic(12, condition=50.0)
    quadratic = Quadratic(bowl.hessian(None), -bowl.hessian(None) @ bowl.minimizer)
    found = minimize(
        quadratic, np.zeros(12), method=ConjugateGradient(), stop=Stopping(13, gradient=1e-9)
    )  # one step more than in exact arithmetic, for rounding
    assert found.stopped_by == "gradient"
    optimum = quadratic.value(bowl.minimizer)
    away = distances(found, optimum)
    bound = 4.0 * found.rate.bound(np.arange(len(away)), away[0])
    assert (away <= bound + 1e-13).all()


def test_newton_squares_its_error():
    found = minimize(
        Smooth(lambda x: np.exp(x[0]) - 2.0 * x[0], convex=True), [1.5], method=Newton(),
        keep_path=True, stop=Stopping(20, gradient=1e-13),
    )  # fmt: skip
    errors = np.abs(found.path[:, 0] - np.log(2.0))
    near = errors[(errors < 0.3) & (errors > 1e-7)]
    assert len(near) >= 3
    assert (near[1:] <= near[:-1] ** 2).all()


def test_subgradient_is_like_one_over_root_t():
    f = Smooth(lambda x: np.abs(x).sum(), np.sign, convex=True)
    start = np.array([2.0, -3.0, 1.0])
    found = minimize(f, start, method=Subgradient(Decaying(1.0, 0.5)), stop=Stopping(4000))
    best = np.minimum.accumulate(found.trace.objective)
    t = np.arange(1, len(best) + 1)
    # (R² + Σηₜ²)/2Σηₜ, with η = c/√t
    eta = 1.0 / np.sqrt(t)
    radius = float(start @ start)
    bound = np.sqrt(3) * (radius + np.cumsum(eta**2)) / (2.0 * np.cumsum(eta))
    assert (best <= bound).all()


def test_random_coordinates_and_svrg_are_linear():
    random = np.random.default_rng(0)
    x = random.normal(size=(40, 3))
    risk = EmpiricalRisk(HalfSquared(), x, x @ [1.0, 2.0, 3.0] + random.normal(size=40), l2=0.2)
    optimum = minimize(risk, np.zeros(3), method="newton").value
    for method in (CoordinateDescent("random"), SVRG()):
        found = minimize(risk, np.zeros(3), method=method, stop=Stopping(25, gradient=1e-12))
        away = distances(found, optimum)
        bound = found.rate.bound(np.arange(len(away)), away[0])
        assert (away[1:] <= bound[1:] + 1e-15).all()


def test_proximal_gradient_stays_below_its_bound_on_the_lasso():
    random = np.random.default_rng(1)
    x = random.normal(size=(30, 50))
    y = x[:, :3].sum(axis=1) + 0.1 * random.normal(size=30)
    problem = Problem(EmpiricalRisk(HalfSquared(), x, y), L1(0.1))
    best = minimize(problem, np.zeros(50), stop=Stopping(20000, gradient=1e-11))
    for method in (ProximalGradient(), FISTA(restart=False)):
        found = minimize(problem, np.zeros(50), method=method, stop=NEVER)
        away = distances(found, best.value)
        t = np.arange(len(away))
        length = float(best.x @ best.x)
        L = problem.lipschitz
        bound = (
            L * length / (2 * t[1:])
            if method.name != "FISTA"
            else (2 * L * length / (t[1:] + 1) ** 2)
        )
        assert (away[1:] <= bound + 1e-12).all()
