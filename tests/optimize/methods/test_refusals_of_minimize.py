"""Bad functions, starts and methods: a sentence, and the trace so far."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidDataError, InvalidParameterError, ObjectiveError
from stylobate.losses import Hinge, Logistic
from stylobate.optimize import (
    SGD,
    Adam,
    Backtracking,
    BoxSet,
    Constant,
    CoordinateDescent,
    Damped,
    Decaying,
    EmpiricalRisk,
    GradientDescent,
    L1Ball,
    L2Ball,
    MirrorDescent,
    Newton,
    Problem,
    ProjectedGradient,
    Quadratic,
    SciPy,
    Simplex,
    Stopping,
    TargetLevel,
    TrustRegion,
    Wolfe,
    check_gradient,
    convexity,
    linear_program,
    minimize,
    stationary_point,
)
from stylobate.penalties import L1


def test_an_objective_that_raises_keeps_the_trace():
    def function(x):
        if x[0] < 0.5:
            raise RuntimeError("no data below a half")
        return float((x[0] - 0.1) ** 2)

    with pytest.raises(
        ObjectiveError, match=r"raised RuntimeError at x = .*no data below"
    ) as caught:
        minimize(
            function, [2.0], gradient=lambda x: 2 * (x - 0.1), method=GradientDescent(Constant(0.2))
        )
    assert len(caught.value.solution.trace) >= 2
    assert caught.value.solution.x[0] >= 0.5
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_nan_at_the_start_is_refused_and_later_avoided():
    with pytest.raises(ObjectiveError, match="at the start"):
        minimize(lambda x: float("nan"), [1.0], gradient=lambda x: x)
    found = minimize(
        lambda x: x[0] - np.log(x[0]), [3.0], gradient=lambda x: 1 - 1 / x,
        method=GradientDescent(Backtracking(start=16.0)),
    )  # fmt: skip
    assert found.x[0] == pytest.approx(1.0)


def test_nan_gradient_names_the_entry():
    with pytest.raises(ObjectiveError, match="entry 1 is nan"):
        minimize(lambda x: 0.0, [1.0, 2.0], gradient=lambda x: np.array([0.0, np.nan]))


def test_a_function_without_a_minimum():
    found = minimize(lambda x: -x[0], [1.0], method=GradientDescent(Backtracking(growth=8.0)))
    assert found.stopped_by == "unbounded"
    assert not found.converged


def test_one_number_in_and_one_entry_out_are_fine():
    assert minimize(lambda x: (x - 2.0) ** 2, 3.0).x[0] == pytest.approx(2.0)
    assert minimize(lambda x: (x[0] - 2.0) ** 2, 3.0, method=GradientDescent(0.5)).iterations == 1


def test_divergence_is_said():
    found = minimize(
        lambda x: float(x[0] ** 4), [3.0], gradient=lambda x: 4 * x**3,
        method=GradientDescent(Constant(1.0)),
    )  # fmt: skip
    assert found.stopped_by == "diverged"
    assert not found.converged
    assert found.value <= 81.0  # the best point is kept
    assert "no longer finite" in str(found)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: minimize(lambda x: x, [1.0, 2.0], gradient=lambda x: x), "shape"),
        (lambda: minimize(lambda x: 0.0, [1.0, 2.0], gradient=lambda x: 1.0), r"must be \(2,\)"),
        (
            lambda: minimize(
                lambda x: float(x @ x), [1.0, 2.0], gradient=lambda x: 2 * x,
                hessian=lambda x: np.eye(3), method="newton",
            ),
            r"\(2, 2\)",
        ),
    ],
)  # fmt: skip
def test_wrong_shapes(call, words):
    with pytest.raises(ObjectiveError, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: minimize(lambda x: 0.0), InvalidParameterError, "start is missing"),
        (lambda: minimize(lambda x: 0.0, [np.nan]), InvalidDataError, "finite"),
        (lambda: minimize(lambda x: 0.0, ["a"]), InvalidDataError, "numbers"),
        (lambda: minimize(lambda x: 0.0, [[1.0]]), InvalidDataError, "shape"),
        (lambda: minimize(lambda x: 0.0, []), InvalidDataError, "shape"),
        (lambda: minimize(3, [1.0]), InvalidParameterError, "must be a function"),
        (
            lambda: minimize(lambda x: 0.0, [1.0], method="newtn"),
            InvalidParameterError,
            "did you mean 'newton'",
        ),
        (lambda: minimize(lambda x: 0.0, [1.0], method=3), InvalidParameterError, "name or a"),
        (lambda: GradientDescent("0.1"), InvalidParameterError, "step must be a number or a rule"),
        (lambda: SGD(momentum=1.0), InvalidParameterError, "momentum must be"),
        (lambda: minimize(lambda x, y: x, [1.0, 2.0]), ObjectiveError, "one array that holds"),
        (lambda: Constant(0.0), InvalidParameterError, "c must be"),
        (lambda: Decaying(1.0, -1.0), InvalidParameterError, "power must be"),
        (lambda: Backtracking(shrink=1.0), InvalidParameterError, "shrink"),
        (lambda: Wolfe(0.5, 0.1), InvalidParameterError, "sufficient < curvature"),
        (lambda: Stopping(max_iter=-1), InvalidParameterError, "max_iter must be"),
        (lambda: TrustRegion(radius=0.0), InvalidParameterError, "radius must be"),
        (lambda: L2Ball(-1.0), InvalidParameterError, "radius must be"),
        (lambda: BoxSet(1.0, 0.0), InvalidParameterError, "low must not exceed"),
        (lambda: Quadratic(np.ones((2, 3))), InvalidDataError, "square"),
        (lambda: Quadratic([[0.0, 1.0], [0.0, 0.0]]), InvalidDataError, "symmetric"),
        (lambda: Problem(3), InvalidParameterError, "must be a function"),
        (lambda: Problem(Quadratic(np.eye(2)), 3), InvalidParameterError, "simple must be"),
        (lambda: Damped(2.0), InvalidParameterError, r"sufficient must be a number in \(0, 0.5\)"),
        (lambda: TargetLevel(0), InvalidParameterError, "patience must be"),
        (
            lambda: minimize(
                Quadratic(np.eye(2)), np.ones(2), method=GradientDescent(TargetLevel())
            ),
            InvalidParameterError,
            "step of Subgradient alone",
        ),
        (
            lambda: minimize(
                lambda x: x @ x, np.ones(2), method=CoordinateDescent(accelerate=True)
            ),
            InvalidParameterError,
            "accelerate=True is for",
        ),
        (lambda: CoordinateDescent("random", -1), InvalidParameterError, "random_state must be"),
        (
            lambda: minimize(lambda x: x @ x, [1.0], hessian=lambda x: [[np.nan]], method="newton"),
            ObjectiveError,
            "hessian holds NaN or infinity at x",
        ),
        (
            lambda: EmpiricalRisk(Logistic(), np.ones((2, 1)), [-1.0, 1.0]),
            InvalidDataError,
            r"Logistic loss takes targets in \[0, 1\], but y holds -1",
        ),
        (
            lambda: EmpiricalRisk(Hinge(), np.ones((2, 1)), [0.0, 1.0]),
            InvalidDataError,
            "takes targets -1 or 1, but y holds 0",
        ),
        (
            lambda: linear_program([1.0], [[1.0]], [1.0], method="simplex"),
            InvalidParameterError,
            "method must be one of highs, highs-ds, highs-ipm, got 'simplex'",
        ),
        (lambda: convexity(lambda x: 0.0, [1.0], [0.0]), InvalidDataError, "low not above high"),
    ],
)
def test_mistakes_get_a_sentence(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize(
    ("method", "simple", "words"),
    [
        (Newton(), L1(1.0), "cannot take"),
        (ProjectedGradient(), L1(1.0), "is a penalty, not a set"),
        (MirrorDescent(), L2Ball(1.0), "must be a Simplex"),
        (CoordinateDescent(), L1Ball(1.0), "ties coordinates together"),
        (SciPy("BFGS"), BoxSet(0, 1), "of simple parts"),
        (SGD(), None, "must be a mean of terms"),
        (Adam(), None, "must be a mean of terms"),
    ],
)
def test_methods_refuse_what_they_are_not_for(method, simple, words):
    with pytest.raises(InvalidParameterError, match=words):
        minimize(Problem(Quadratic(np.eye(2)), simple), np.ones(2), method=method)


def test_an_infeasible_start_is_moved_into_the_set():
    problem = Problem(Quadratic(np.eye(3), [-1.0, 0.0, 0.0]), Simplex())
    for method in ("projected gradient", "fista", "mirror descent", "subgradient", "admm"):
        found = minimize(problem, [10.0, -10.0, 3.0], method=method, keep_path=True, max_iter=50)
        assert all(Simplex().contains(x) for x in found.path)


def test_a_callback_can_end_the_run():
    seen = []
    found = minimize(
        Quadratic(np.diag([1.0, 50.0])), [1.0, 1.0], method="gradient descent",
        callback=lambda t, state: seen.append(state.value) or t == 3,
    )  # fmt: skip
    assert found.stopped_by == "callback"
    assert found.iterations == len(seen) == 3


def test_a_wrong_gradient_is_named():
    def function(x):
        return float(np.sum(x**2) + x[2] * x[0])

    def wrong(x):
        g = 2 * x
        g[2] += x[0]
        return g  # entry 0 lacks x[2]

    said = check_gradient(function, wrong, [1.0, 2.0, 3.0])
    assert not said.right
    assert said.worst == 0
    assert said.given == pytest.approx(2.0)
    assert said.found == pytest.approx(5.0)
    right = check_gradient(function, lambda x: 2 * x + [x[2], 0, x[0]], [1.0, 2.0, 3.0])
    assert right.right


def test_kinds_of_stationary_points():
    kinds = {
        "minimum": (lambda x: x[0] ** 2 + 3 * x[1] ** 2, [0.0, 0.0]),
        "maximum": (lambda x: -(x[0] ** 2) - x[1] ** 2, [0.0, 0.0]),
        "saddle": (lambda x: x[0] * x[1], [0.0, 0.0]),
        "flat": (lambda x: x[0] ** 2 + x[1] ** 4, [0.0, 0.0]),
        "not stationary": (lambda x: x[0] ** 2 + x[1], [0.0, 0.0]),
    }
    for kind, (function, x) in kinds.items():
        assert stationary_point(function, x).kind == kind


def test_convexity_is_only_disproved():
    assert convexity(lambda x: np.exp(x[0]) + x[1] ** 2, [-1, -1], [1, 1]).convex
    report = convexity(lambda x: x[0] ** 4 - x[0] ** 2, [-1.0], [1.0])
    assert not report.convex
    assert 12 * report.witness[0] ** 2 - 2 == pytest.approx(report.lowest, rel=1e-4)
    assert "Not convex" in str(report)


def test_an_endless_fall_is_seen_at_once():
    found = minimize(lambda x: 1.0 * x[0], [1.0])
    assert found.stopped_by == "unbounded"
    assert found.evaluations["value"] < 1000


def test_newton_without_curvature_goes_along_the_gradient():
    """A sum of hinges has no second derivative anywhere; that is no reason to stay at the start."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    risk = EmpiricalRisk(Hinge(), X, np.where(X[:, 0] > 0, 1.0, -1.0))
    found = minimize(risk, np.zeros(3), method="newton", max_iter=60)
    assert found.value < 0.1 * risk.value(np.zeros(3))


def test_newton_on_a_flat_valley_takes_the_nearest_minimum():
    found = minimize(Quadratic([[1.0, 1.0], [1.0, 1.0]], [-2.0, -2.0]), [5.0, 0.0], method="newton")
    np.testing.assert_allclose(found.x, [3.5, -1.5], rtol=1e-12)
    assert found.iterations == 1
