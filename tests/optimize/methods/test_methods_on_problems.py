"""Each method on each problem it claims, to the accuracy it claims."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.datasets import make_lasso, make_logistic, make_quadratic, paraboloid, rosenbrock
from stylobate.losses import HalfSquared, Logistic
from stylobate.optimize import (
    ADMM,
    BFGS,
    FISTA,
    LBFGS,
    SAGA,
    SGD,
    SVRG,
    AdaGrad,
    Adam,
    AffineSet,
    Backtracking,
    BoxSet,
    ConjugateGradient,
    Constant,
    CoordinateDescent,
    Decaying,
    EmpiricalRisk,
    GradientDescent,
    HalfSpace,
    HeavyBall,
    L1Ball,
    L2Ball,
    LInfBall,
    MirrorDescent,
    Nesterov,
    Newton,
    Polyak,
    Problem,
    ProjectedGradient,
    ProximalGradient,
    Quadratic,
    RMSProp,
    SciPy,
    Simplex,
    Smooth,
    Stopping,
    Subgradient,
    TrustRegion,
    Wolfe,
    minimize,
    quadratic_program,
)
from stylobate.penalties import L1, ElasticNet

SMOOTH = [
    GradientDescent(),
    GradientDescent(Wolfe()),
    HeavyBall(),
    Nesterov(),
    ConjugateGradient(),
    ConjugateGradient("fletcher-reeves"),
    ConjugateGradient("hestenes-stiefel"),
    BFGS(),
    LBFGS(),
    Newton(),
    TrustRegion(),
    ProximalGradient(),
    FISTA(),
    CoordinateDescent(),
    CoordinateDescent("random"),
    ADMM(),
    SciPy("BFGS"),
    SciPy("trust-exact"),
]
FAST = [BFGS(), LBFGS(), Newton(), TrustRegion(), ConjugateGradient(), SciPy("L-BFGS-B")]
COMPOSITE = [ProximalGradient(), FISTA(), CoordinateDescent(), CoordinateDescent("random"), ADMM()]


def labelled(methods):
    return [pytest.param(m, id=f"{k}-{m.name}") for k, m in enumerate(methods)]


def rows(seed=0, n=60, p=4):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, p)) * np.array([1.0, 2.0, 0.5, 1.5])[:p]
    return x, x @ np.array([1.0, -2.0, 0.0, 0.5])[:p] + 0.3 * random.normal(size=n)


@pytest.mark.parametrize("method", labelled(SMOOTH))
def test_quadratics_are_solved_by_every_method(method):
    bowl = make_quadratic(8, condition=20.0, random_state=3)
    found = minimize(bowl, method=method, stop=Stopping(20000, gradient=1e-7))
    assert found.converged
    np.testing.assert_allclose(found.x, bowl.minimizer, atol=2e-6)
    assert found.value - bowl.minimum <= 1e-12
    assert found.certificate.gap >= found.value - bowl.minimum - 1e-15


@pytest.mark.parametrize("method", labelled(FAST))
@pytest.mark.parametrize("n", [2, 6])
def test_rosenbrock(method, n):
    valley = rosenbrock(n)
    found = minimize(valley, np.full(n, 0.5), method=method, stop=Stopping(3000, gradient=1e-7))
    np.testing.assert_allclose(found.x, valley.minimizer, atol=1e-5)


@pytest.mark.parametrize("method", labelled(FAST))
def test_ridge_and_logistic_agree_with_their_estimators(method):
    from stylobate.linear_model import LogisticRegression, Ridge

    x, y = rows()
    ridge = minimize(EmpiricalRisk(HalfSquared(), x, y, l2=0.1), np.zeros(4), method=method)
    ours = Ridge(alpha=0.1 * len(y), fit_intercept=False).fit(x, y)
    np.testing.assert_allclose(ridge.x, ours.coef_, atol=1e-7)
    classes = (y > 0.5).astype(float)
    found = minimize(EmpiricalRisk(Logistic(), x, classes, l2=0.1), np.zeros(4), method=method)
    model = LogisticRegression(C=1 / (0.1 * len(y)), fit_intercept=False, tol=1e-12)
    np.testing.assert_allclose(found.x, model.fit(x, classes).coef_[0], atol=1e-6)
    assert found.certificate.optimal


@pytest.mark.parametrize("method", labelled(COMPOSITE))
def test_lasso_agrees_with_lasso(method):
    from stylobate.linear_model import Lasso

    x, y = rows(1)
    problem = Problem(EmpiricalRisk(HalfSquared(), x, y), L1(0.2))
    found = minimize(problem, np.zeros(4), method=method, stop=Stopping(5000, gradient=1e-9))
    exact = Lasso(alpha=0.2, fit_intercept=False, tol=1e-14).fit(x, y)
    np.testing.assert_allclose(found.x, exact.coef_, atol=1e-8)
    assert found.certificate.optimal
    if not isinstance(method, ADMM):
        assert (found.x == 0.0).sum() == (exact.coef_ == 0.0).sum() > 0


@pytest.mark.parametrize("method", labelled(COMPOSITE))
def test_elastic_net_logistic_meets_its_optimality_conditions(method):
    x, y = rows(2)
    classes = (y > 0).astype(float)
    risk, penalty = EmpiricalRisk(Logistic(), x, classes), ElasticNet(0.05, 0.02)
    found = minimize(
        Problem(risk, penalty), np.zeros(4), method=method, stop=Stopping(5000, gradient=1e-9)
    )
    w, slope = found.x, risk.gradient(found.x) + 0.02 * found.x
    live = np.abs(w) > 1e-9
    np.testing.assert_allclose(slope[live], -0.05 * np.sign(w[live]), atol=1e-7)
    assert (np.abs(slope[~live]) <= 0.05 + 1e-7).all()


@pytest.mark.parametrize("method", labelled(COMPOSITE))
def test_lasso_of_known_solution(method):
    problem = make_lasso(30, 60, nonzero=5)
    found = minimize(
        problem, penalty=L1(problem.l1), method=method, stop=Stopping(20000, gradient=1e-8)
    )
    np.testing.assert_allclose(found.x, problem.minimizer, atol=1e-5)
    assert found.value == pytest.approx(problem.minimum, abs=1e-10)


@pytest.mark.parametrize("method", labelled(FAST))
def test_logistic_of_known_solution_and_its_gaps(method):
    problem = make_logistic()
    found = minimize(problem, method=method, keep_gaps=True)
    np.testing.assert_allclose(found.x, problem.minimizer, atol=1e-6)
    away = np.array(found.trace.objective) - problem.minimum
    assert len(found.trace.gap) == len(away) == found.iterations + 1
    assert (away <= np.array(found.trace.gap) + 1e-15).all()
    assert found.trace.gap[-1] < 1e-12


SETS = [
    L1Ball(1.0),
    L2Ball(0.7),
    LInfBall(0.4),
    Simplex(1.5),
    BoxSet([-1.0, 0.0, 0.1, -0.2], [0.0, 1.0, 0.2, 0.3]),
    HalfSpace([1.0, 1.0, -1.0, 0.5], -0.3),
    AffineSet([[1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 0.0, 0.0]], [1.0, 0.5]),
]


def program_over(a_set, matrix, linear):
    """The same problem as a quadratic program of its own, solved by other code."""
    n = len(linear)
    if isinstance(a_set, L1Ball):  # x = u − v
        whole = np.block([[matrix, -matrix], [-matrix, matrix]])
        found = quadratic_program(
            whole, np.r_[linear, -linear], np.ones((1, 2 * n)), [a_set.radius], bounds=(0, None)
        )
        return found.x[:n] - found.x[n:]
    if isinstance(a_set, L2Ball):
        from stylobate.optimize import qcqp

        return qcqp(matrix, linear, [(2 * np.eye(n), np.zeros(n), -(a_set.radius**2))]).x
    given = {
        LInfBall: lambda s: {"bounds": (-s.radius, s.radius)},
        Simplex: lambda s: {"A_eq": np.ones((1, n)), "b_eq": [s.total], "bounds": (0, None)},
        BoxSet: lambda s: {"bounds": list(zip(s.low, s.high, strict=True))},
        HalfSpace: lambda s: {"A_ub": s.a[None], "b_ub": [s.b]},
        AffineSet: lambda s: {"A_eq": s.A, "b_eq": s.b},
    }[type(a_set)](a_set)
    return quadratic_program(matrix, linear, **given).x


@pytest.mark.parametrize("a_set", SETS, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("method", labelled([ProjectedGradient(), FISTA(), ADMM()]))
def test_sets_agree_with_their_programs(a_set, method):
    x, y = rows(3)
    matrix, linear = x.T @ x / len(y), -x.T @ y / len(y)
    found = minimize(
        Problem(Quadratic(matrix, linear), a_set), np.ones(4), method=method,
        stop=Stopping(5000, gradient=1e-9),
    )  # fmt: skip
    np.testing.assert_allclose(found.x, program_over(a_set, matrix, linear), atol=1e-6)
    assert a_set.contains(found.x)
    assert found.certificate.optimal


def test_mirror_descent_on_the_simplex():
    x, y = rows(4)
    problem = Problem(Quadratic(x.T @ x / len(y), -x.T @ y / len(y)), Simplex())
    best = minimize(problem, np.ones(4) / 4, stop=Stopping(5000, gradient=1e-10))
    found = minimize(
        problem, np.ones(4) / 4, method=MirrorDescent(Constant(0.2)), max_iter=3000,
        stop=Stopping(gradient=1e-7),
    )  # fmt: skip
    assert best.value <= found.value <= best.value + 1e-6
    slow = minimize(problem, np.ones(4) / 4, method=MirrorDescent(), max_iter=2000)
    assert slow.value <= best.value + 1e-2
    assert slow.certificate.gap >= slow.value - best.value


@pytest.mark.parametrize("method", labelled([SVRG(), SAGA()]))
@pytest.mark.parametrize("penalty", [None, L1(0.1)])
def test_variance_reduction_reaches_the_solution(method, penalty):
    x, y = rows(5)
    problem = Problem(EmpiricalRisk(HalfSquared(), x, y, l2=0.1), penalty)
    exact = minimize(problem, np.zeros(4), stop=Stopping(5000, gradient=1e-10))
    found = minimize(problem, np.zeros(4), method=method, stop=Stopping(400, gradient=1e-8))
    assert found.stopped_by == "gradient"
    np.testing.assert_allclose(found.x, exact.x, atol=1e-7)


@pytest.mark.parametrize(
    "method",
    labelled(
        [
            SGD(Decaying(0.3, 0.7)),
            SGD(Decaying(0.3, 0.5), average=True),
            SGD(Constant(0.01), batch=10, momentum=0.8),
            AdaGrad(0.5),
            RMSProp(Decaying(0.1, 0.5), batch=5),
            Adam(Decaying(0.1, 0.5), batch=5),
        ]
    ),
)
def test_stochastic_methods_come_near(method):
    x, y = rows(6)
    risk = EmpiricalRisk(HalfSquared(), x, y, l2=0.1)
    exact = minimize(risk, np.zeros(4)).value
    found = minimize(risk, np.zeros(4), method=method, max_iter=150)
    start = risk.value(np.zeros(4))
    assert found.value - exact <= 1e-2 * (start - exact)
    again = minimize(risk, np.zeros(4), method=method, max_iter=150)
    np.testing.assert_array_equal(found.x, again.x)


def test_stochastic_steps_are_right_on_average():
    """The mean of the terms' gradients is the gradient: the note's proposition 5.1."""
    x, y = rows(7)
    risk, w = EmpiricalRisk(Logistic(), x, (y > 0) * 1.0, l2=0.3), np.array([0.1, -0.4, 1.0, 0.0])
    mean = np.mean([risk.term_gradient(w, [i]) for i in range(risk.n_terms)], axis=0)
    np.testing.assert_allclose(mean, risk.gradient(w), atol=1e-14)


def test_subgradient_on_least_absolute_deviations():
    from stylobate.linear_model import LADRegressor

    x, y = rows(8)

    class Deviations:
        def value(self, w):
            return float(np.abs(x @ w - y).mean())

        def gradient(self, w):
            return x.T @ np.sign(x @ w - y) / len(y)

    exact = LADRegressor(fit_intercept=False).fit(x, y)
    best = Deviations().value(exact.coef_)
    decaying = minimize(Deviations(), np.zeros(4), method=Subgradient(), max_iter=5000)
    polyak = minimize(Deviations(), np.zeros(4), method=Subgradient(Polyak(best)), max_iter=2000)
    assert best - 1e-12 <= decaying.value <= best + 0.02
    assert best - 1e-12 <= polyak.value <= best + 1e-3


def test_newton_leaves_a_saddle():
    saddle = Smooth(lambda x: x[0] ** 2 - x[1] ** 2 + 0.25 * x[1] ** 4)
    found = minimize(saddle, [1.0, 1e-3], method=Newton())
    assert found.diagnose().kind == "minimum"
    np.testing.assert_allclose(np.abs(found.x), [0.0, np.sqrt(2.0)], atol=1e-6)


def test_trust_region_follows_negative_curvature_at_an_edge():
    found = minimize(Smooth(lambda x: np.cos(x[0]) + x[1] ** 2), [0.1, 1.0], method=TrustRegion())
    np.testing.assert_allclose(found.x, [np.pi, 0.0], atol=1e-6)


def test_backtracking_as_in_a_first_course():
    bowl = paraboloid()
    rule = Backtracking(start=8.0, sufficient=0.0, decaying=True)
    found = minimize(bowl, method=GradientDescent(rule), stop=Stopping(200, value=1e-12))
    np.testing.assert_allclose(found.x, [0.0, 1.0], atol=1e-5)
