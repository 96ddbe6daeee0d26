"""The expected prediction error of a rule under a known distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.decision.class_densities import ClassDensities
from stylobate.decision.expected_error import ExpectedError
from stylobate.decision.joint_density import JointDensity
from stylobate.decision.losses import DecisionLoss, as_loss
from stylobate.decision.quadrature import change_points, integrate
from stylobate.decision.rules import apply_rule
from stylobate.decision.tables import JointTable
from stylobate.exceptions import InvalidParameterError

_MANY = 100  # decisions that change more often than this are taken for a smooth function


def expected_prediction_error(
    rule: Any,
    distribution: Any,
    loss: Any = "zero_one",
    *,
    n_samples: int = 100_000,
    random_state: Any = None,
) -> ExpectedError:
    """E L(Y, f(X)) of a rule f under a known joint distribution of X and Y.

    Tables are summed exactly. For class densities of one coordinate the regions of the rule are
    found first and weighed by the distribution functions (or integrated); two coordinates and joint
    densities are integrated; what is left is drawn at random.

    Parameters
    ----------
    rule : callable, mapping, sequence, estimator, `BayesRule` or best predictor
        A function of x; for tables also a decision for each value of x.
    distribution : JointTable, ClassDensities, JointDensity, or object with ``sample(n, seed)``
        The joint distribution; `sample` gives points and their y.
    loss : str, Loss, CostMatrix or callable, default="zero_one"
        "zero_one", "absolute", "squared", "huber"; a value of `stylobate.losses`; a cost matrix; or
        a function of (y, decision).
    n_samples : int >= 2, default=100000
        Draws, where nothing better is known.
    random_state : int, RandomState or None, default=None
        Seed of these draws.

    Returns
    -------
    ExpectedError
        A float that tells by `method` and `uncertainty` how it was found.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> from stylobate.decision import ClassDensities
    >>> classes = ClassDensities([norm(0, 1), norm(2, 1)])
    >>> expected_prediction_error(lambda x: x > 1, classes)  # Φ(-1), the least there is
    0.1586552539 (distribution functions)
    >>> expected_prediction_error(lambda x: x > 0, classes)
    0.261375066 (distribution functions)

    References
    ----------
    Hastie, Tibshirani & Friedman (2009), The elements of statistical learning, section 2.4.
    """
    owner = "expected_prediction_error"
    function = as_loss(loss, owner)

    def decide(points: Any) -> NDArray[Any]:
        return apply_rule(rule, points, owner)

    if isinstance(distribution, JointTable):
        decisions = decide(distribution.x)
        losses = function(distribution.y[None, :], decisions[:, None])
        return ExpectedError((distribution.probabilities * losses).sum(), "exact sum")
    if isinstance(distribution, JointDensity):
        return ExpectedError(*_swap(distribution.expected(decide, function), "quadrature"))
    if isinstance(distribution, ClassDensities):
        if distribution.dimension == 1:
            return _on_line(decide, distribution, function)
        if distribution.dimension == 2:
            return _on_plane(decide, distribution, function)
        return _drawn_classes(decide, distribution, function, n_samples, random_state)
    if hasattr(distribution, "sample"):
        points, y = distribution.sample(n_samples, random_state)
        return _mean_of_draws(function(y, decide(np.asarray(points))))
    raise InvalidParameterError(
        f"{owner}: distribution must be a JointTable, ClassDensities, JointDensity or an object "
        f"with sample(n, random_state), got {type(distribution).__name__}."
    )


def class_losses(classes: NDArray[Any], loss: DecisionLoss, decisions: NDArray[Any]) -> Array:
    """The loss of each decision (row) given each class (column)."""
    return loss(classes[None, :], decisions[:, None])


def _swap(found: tuple[float, float], method: str) -> tuple[float, str, float]:
    return found[0], method, found[1]


def _on_line(
    decide: Callable[[Any], NDArray[Any]], model: ClassDensities, loss: DecisionLoss
) -> ExpectedError:
    grid = model.grid()
    labels = decide(grid)
    if np.count_nonzero(labels[1:] != labels[:-1]) > _MANY:  # no step function
        cuts = np.concatenate([grid[:: max(1, len(grid) // 64)], grid[-1:]])
        return ExpectedError(*_swap(integrate(_risk(decide, model, loss), cuts), "quadrature"))
    points, decisions = change_points(decide, grid)
    losses = class_losses(model.classes, loss, _as_labels(decisions, labels))
    if all(hasattr(each, "cdf") for each in model.densities):
        edges = np.concatenate([[-np.inf], points, [np.inf]])
        chances = np.stack([_chances(each, edges) for each in model.densities], axis=1)
        return ExpectedError(((losses * chances) @ model.priors).sum(), "distribution functions")
    cuts = np.concatenate([grid[:1], points, grid[-1:]])
    total, off = 0.0, 0.0
    for low, high, row in zip(cuts[:-1], cuts[1:], losses, strict=True):
        piece = np.linspace(low, high, 9)
        found = integrate(lambda x, r=row: np.exp(model.log_joint(x)) @ r, piece)  # type: ignore[misc]
        total, off = total + found[0], off + found[1]
    return ExpectedError(total, "quadrature", off)


def _chances(density: Any, edges: Array) -> Array:
    """Probability between neighbouring edges, without loss of digits in the upper tail."""
    below, above = density.cdf(edges), density.sf(edges)
    upper = below[:-1] > 0.5
    return np.asarray(np.where(upper, above[:-1] - above[1:], below[1:] - below[:-1]))


def _risk(
    decide: Callable[[Any], NDArray[Any]], model: ClassDensities, loss: DecisionLoss
) -> Callable[[Array], Array]:
    """X ↦ Σ p(c) p(x | c) L(c, f(x))."""

    def risk(points: Array) -> Array:
        losses = class_losses(model.classes, loss, decide(points))
        return np.asarray((np.exp(model.log_joint(points)) * losses).sum(axis=1))

    return risk


def _on_plane(
    decide: Callable[[Any], NDArray[Any]], model: ClassDensities, loss: DecisionLoss
) -> ExpectedError:
    """Along each line of the first coordinate the pieces between changes of the decision."""
    from scipy.integrate import quad

    (low, high), (bottom, top) = model.box()
    grid = np.linspace(bottom, top, 129)
    risk = _risk(decide, model, loss)

    def along(first: float) -> float:
        def on(second: Array) -> Array:
            return np.column_stack([np.full(len(second), first), second])

        labels = decide(on(grid))
        cuts = grid[::8]
        if np.count_nonzero(labels[1:] != labels[:-1]) <= _MANY:
            points, _ = change_points(lambda s: decide(on(s)), grid, steps=40)
            cuts = np.unique(np.concatenate([cuts, points]))
        return integrate(lambda s: risk(on(s)), cuts)[0]

    value, off = quad(along, low, high, epsabs=1e-7, epsrel=1e-7, limit=100)
    return ExpectedError(value, "quadrature", off)


def _drawn_classes(
    decide: Callable[[Any], NDArray[Any]],
    model: ClassDensities,
    loss: DecisionLoss,
    n_samples: int,
    random_state: Any,
) -> ExpectedError:
    """Drawn points, each with the expectation over its classes: less noise than drawn classes."""
    points, _ = model.sample(n_samples, random_state)
    losses = class_losses(model.classes, loss, decide(points))
    return _mean_of_draws((model.posterior(points) * losses).sum(axis=1))


def _mean_of_draws(losses: Array) -> ExpectedError:
    off = losses.std(ddof=1) / np.sqrt(len(losses))
    return ExpectedError(losses.mean(), "Monte Carlo", float(off))


def _as_labels(decisions: list[Any], like: NDArray[Any]) -> NDArray[Any]:
    return np.array(decisions, dtype=like.dtype)
