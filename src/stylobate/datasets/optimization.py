"""Functions to try optimisers on, with all that is known of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.arrays import Array


@dataclass(frozen=True, eq=False)
class TestFunction:
    """A function with its derivatives, a start, and the answer.

    Parameters
    ----------
    name : str
        Its formula.
    value, gradient, hessian : callable
        Of an array (n,).
    start : array (n,)
        Where optimisers usually begin.
    minimizer : array (n,)
    minimum : float
    convex : bool
    lipschitz : float or None
        Of the gradient, everywhere.
    strong_convexity : float
    l1 : float
        Strength of an ℓ1 penalty that goes with it: `minimizer` and `minimum` are then those of
        f(x) + l1·‖x‖₁.

    Examples
    --------
    >>> valley = rosenbrock()
    >>> round(float(valley.value(valley.start)), 1), valley.minimum
    (24.2, 0.0)
    """

    __test__ = False  # not a test of pytest's

    name: str
    value: Callable[[Array], Any] = field(repr=False)
    gradient: Callable[[Array], Array] = field(repr=False)
    hessian: Callable[[Array], Array] = field(repr=False)
    start: Array
    minimizer: Array
    minimum: float
    convex: bool = True
    lipschitz: float | None = None
    strong_convexity: float = 0.0
    l1: float = 0.0


def parabola() -> TestFunction:
    r""":math:`f(x) = x^2` from 2: a step of η = 1 bounces to −2, η = ½ hits 0 at once.

    Examples
    --------
    >>> f = parabola()
    >>> f.start - 1.0 * f.gradient(f.start), f.start - 0.5 * f.gradient(f.start)
    (array([-2.]), array([0.]))
    """
    return _quadratic("x²", np.array([[2.0]]), np.zeros(1), np.array([2.0]))


def paraboloid() -> TestFunction:
    r""":math:`z = x^2 + (y - 1)^2` from (1, 0), where it is 2 and its gradient (2, −2).

    Examples
    --------
    >>> f = paraboloid()
    >>> float(f.value(f.start)), f.gradient(f.start)
    (2.0, array([ 2., -2.]))
    """
    return _quadratic("x² + (y − 1)²", 2.0 * np.eye(2), np.array([0.0, 1.0]), np.array([1.0, 0.0]))


def make_quadratic(n: int = 10, condition: float = 100.0, *, random_state: int = 0) -> TestFunction:
    r""":math:`\tfrac12 (x - x^*)^\top A (x - x^*)`, eigenvalues from 1/κ to 1.

    Parameters
    ----------
    n : int in [1, inf), default=10
    condition : float in [1, inf), default=100.0
        κ.
    random_state : int, default=0

    Examples
    --------
    >>> bowl = make_quadratic(3, condition=10.0)
    >>> np.linalg.eigvalsh(bowl.hessian(bowl.start)).round(3)
    array([0.1  , 0.316, 1.   ])
    """
    random = np.random.default_rng(random_state)
    turned, _ = np.linalg.qr(random.normal(size=(n, n)))
    values = np.geomspace(1.0 / condition, 1.0, n) if n > 1 else np.ones(1)
    matrix = (turned * values) @ turned.T
    center = random.normal(size=n)
    return _quadratic(
        f"a quadratic of condition {condition:g}", 0.5 * (matrix + matrix.T), center, np.zeros(n)
    )


def rosenbrock(n: int = 2) -> TestFunction:
    r""":math:`\sum_i 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2`: a curved valley, not convex.

    Parameters
    ----------
    n : int in [2, inf), default=2

    References
    ----------
    Rosenbrock (1960), An automatic method for finding the greatest or least value of a function,
    Computer Journal 3.

    Examples
    --------
    >>> rosenbrock().gradient(np.array([1.0, 2.0]))
    array([-400.,  200.])
    """

    def value(x: Array) -> Any:
        ahead, here = x[1:], x[:-1]
        return np.sum(100.0 * (ahead - here**2) ** 2 + (1.0 - here) ** 2)

    def gradient(x: Array) -> Array:
        ahead, here = x[1:], x[:-1]
        slope = np.zeros_like(x)
        slope[:-1] = -400.0 * here * (ahead - here**2) - 2.0 * (1.0 - here)
        slope[1:] += 200.0 * (ahead - here**2)
        return slope

    def hessian(x: Array) -> Array:
        ahead, here = x[1:], x[:-1]
        diagonal = np.zeros(len(x))
        diagonal[:-1] = 1200.0 * here**2 - 400.0 * ahead + 2.0
        diagonal[1:] += 200.0
        beside = -400.0 * here
        return np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)

    start = np.tile([-1.2, 1.0], (n + 1) // 2)[:n]
    return TestFunction(
        "Rosenbrock's valley", value, gradient, hessian, start, np.ones(n), 0.0, convex=False
    )


def make_logistic(
    n: int = 200, p: int = 5, *, l2: float = 0.1, random_state: int = 0
) -> TestFunction:
    r"""Logistic, :math:`\tfrac1n \sum_i \log(1 + e^{-y_i x_i^\top w}) + \tfrac\lambda2 \|w\|^2`.

    Parameters
    ----------
    n, p : int in [1, inf), defaults 200 and 5
        Rows and variables.
    l2 : float in (0, inf), default=0.1
        λ.
    random_state : int, default=0

    Examples
    --------
    >>> problem = make_logistic()
    >>> bool(np.abs(problem.gradient(problem.minimizer)).max() < 1e-12)
    True
    """
    random = np.random.default_rng(random_state)
    rows = random.normal(size=(n, p))
    signs = np.where(rows @ random.normal(size=p) + random.normal(size=n) > 0, 1.0, -1.0)
    signed = signs[:, None] * rows

    def value(w: Array) -> Any:
        return np.logaddexp(0.0, -(signed @ w)).mean() + 0.5 * l2 * (w @ w)

    def share(w: Array) -> Array:
        return np.asarray(1.0 / (1.0 + np.exp(signed @ w)))  # probability of the other class

    def gradient(w: Array) -> Array:
        return np.asarray(-(signed.T @ share(w)) / n + l2 * w)

    def hessian(w: Array) -> Array:
        other = share(w)
        return np.asarray((signed.T * (other * (1 - other))) @ signed / n + l2 * np.eye(p))

    w = np.zeros(p)
    for _ in range(50):  # Newton's steps are safe here: each row's curvature is at most ¼
        w = w - np.linalg.solve(hessian(w), gradient(w))
    largest = float(np.linalg.eigvalsh(rows.T @ rows / n)[-1])
    return TestFunction(
        "logistic regression", value, gradient, hessian, np.zeros(p), w, float(value(w)),
        lipschitz=0.25 * largest + l2, strong_convexity=l2,
    )  # fmt: skip


def make_lasso(
    n: int = 50, p: int = 100, *, nonzero: int = 8, l1: float = 0.1, random_state: int = 0
) -> TestFunction:
    r"""A lasso of known solution: :math:`\tfrac1{2n} \|y - Xw\|^2` with :math:`\lambda \|w\|_1`.

    The solution w* is chosen first; then y = Xw* + r with :math:`X^\top r / n` equal to λ·sign(w*)
    where w* is not 0, and smaller elsewhere.

    Parameters
    ----------
    n, p : int in [1, inf), defaults 50 and 100
        Rows and variables.
    nonzero : int in [0, min(n, p)], default=8
        Entries of w* that are not 0.
    l1 : float in (0, inf), default=0.1
        λ.
    random_state : int, default=0

    References
    ----------
    Nesterov (2013), Gradient methods for minimizing composite functions, Math. Programming 140,
    section 6, for the construction.

    Examples
    --------
    >>> problem = make_lasso()
    >>> slope = -problem.gradient(problem.minimizer)
    >>> bool(np.allclose(slope[problem.minimizer != 0], 0.1 * np.sign(
    ...     problem.minimizer[problem.minimizer != 0])) and np.abs(slope).max() <= 0.1 + 1e-12)
    True
    """
    random = np.random.default_rng(random_state)
    residual = random.normal(size=n)
    rows = random.normal(size=(n, p))
    rows -= np.outer(residual, residual @ rows) / (residual @ residual)
    pulls = random.uniform(-0.9, 0.9, p)
    pulls[:nonzero] = np.sign(random.normal(size=nonzero))
    rows += np.outer(residual, l1 * n * pulls) / (residual @ residual)
    solution = np.zeros(p)
    solution[:nonzero] = pulls[:nonzero] * random.uniform(0.5, 2.0, nonzero)
    y = rows @ solution + residual
    values = np.linalg.eigvalsh(rows.T @ rows / n)
    return TestFunction(
        "the lasso",
        lambda w: 0.5 * np.sum((y - rows @ w) ** 2) / n,
        lambda w: np.asarray(rows.T @ (rows @ w - y) / n),
        lambda w: np.asarray(rows.T @ rows / n),
        np.zeros(p),
        solution,
        float(0.5 * residual @ residual / n + l1 * np.abs(solution).sum()),
        lipschitz=float(values[-1]),
        l1=l1,
    )


def make_two_feature_regression(
    n: int = 1000, *, noise: float = 1.0, random_state: int = 0
) -> tuple[Array, Array]:
    r"""The rows of the experiment of stochastic against full gradients.

    Two columns, :math:`x_1 \sim N(0, 5)` and :math:`x_2 \sim N(0, 8)` (variances), and
    :math:`y = x_1 + x_2 + \varepsilon`: descents from (−2, −3) end at (1, 1).

    Parameters
    ----------
    n : int in [2, inf), default=1000
    noise : float in [0, inf), default=1.0
        Standard deviation of ε.
    random_state : int, default=0

    Returns
    -------
    X : array (n, 2)
    y : array (n,)

    Examples
    --------
    >>> X, y = make_two_feature_regression()
    >>> X.shape, np.linalg.lstsq(X, y, rcond=None)[0].round(1)
    ((1000, 2), array([1., 1.]))
    """
    random = np.random.default_rng(random_state)
    rows = random.normal(size=(n, 2)) * np.sqrt([5.0, 8.0])
    return rows, rows.sum(axis=1) + noise * random.normal(size=n)


def _quadratic(name: str, matrix: Array, center: Array, start: Array) -> TestFunction:
    values = np.linalg.eigvalsh(matrix)
    return TestFunction(
        name,
        lambda x: 0.5 * (x - center) @ matrix @ (x - center),
        lambda x: matrix @ (x - center),
        lambda x: matrix,
        start,
        center,
        0.0,
        lipschitz=float(values[-1]),
        strong_convexity=float(values[0]),
    )
