"""The best decision for a conditional distribution: mode, mean, quantile, or least cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.decision.joint_density import JointDensity
from stylobate.decision.losses import DecisionLoss
from stylobate.exceptions import InvalidDataError, InvalidParameterError

_GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)


def best_of_weights(loss: DecisionLoss, values: NDArray[Any], weights: Array) -> NDArray[Any]:
    """The best decision for each row of probabilities of finitely many values.

    Parameters
    ----------
    loss : DecisionLoss
        What mistakes cost.
    values : array of shape (k,)
        The values of y.
    weights : array of shape (n, k)
        Their probabilities (or in proportion to them), rows of positive sum.

    Returns
    -------
    array of shape (n,)
        Of equally good decisions the least; quantiles are values that occur.

    Examples
    --------
    >>> from stylobate.decision.losses import as_loss
    >>> weights = np.array([[0.25, 0.25, 0.5]])
    >>> [float(best_of_weights(as_loss(loss, ""), np.array([1, 2, 6]), weights)[0])
    ...  for loss in ("zero_one", "absolute", "squared")]
    [6.0, 2.0, 3.75]
    """
    if loss.best == "mode":
        return np.asarray(values[weights.argmax(axis=1)])
    if loss.best == "cost":
        assert loss.cost is not None
        costs = loss.cost.arranged(values, "best_predictor")
        return np.asarray(loss.cost.decisions[(weights @ costs).argmin(axis=1)])
    if loss.best == "search":  # no structure known: each value of y is tried
        table = np.stack([loss(values, np.full(len(values), each)) for each in values], axis=1)
        return np.asarray(values[(weights @ table).argmin(axis=1)])
    numbers = _numbers(values, loss)
    order = np.argsort(numbers)
    numbers, weights = numbers[order], weights[:, order]
    if loss.best == "mean":
        return np.asarray((weights @ numbers) / weights.sum(axis=1))
    if loss.best == "quantile":
        behind = np.cumsum(weights, axis=1)
        wanted = loss.level * behind[:, -1:] * (1 - 1e-12)
        return np.asarray(numbers[(behind < wanted).sum(axis=1)])
    assert loss.slope is not None
    low, high = np.full(len(weights), numbers[0]), np.full(len(weights), numbers[-1])
    for _ in range(100):
        middle = 0.5 * (low + high)
        up = (weights * loss.slope(numbers, middle[:, None])).sum(axis=1) < 0
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    return np.asarray(0.5 * (low + high))


def best_of_density(loss: DecisionLoss, density: JointDensity, at: Array) -> Array:
    """The best decision given each x under a joint density."""
    low, high = (np.array(end, dtype=np.float64) for end in density.ends(at))
    mass = density.integral(at, lambda _: 1.0)
    if not (mass > 0).all():
        place = int((~(mass > 0)).argmax())
        raise InvalidDataError(
            f"best_predictor: the density is 0 for every y at x = {at[place]:g}, so that there is "
            "no conditional distribution; predict inside the range of x."
        )
    if loss.best == "mean":
        return np.asarray(density.integral(at, lambda y: y) / mass)
    if loss.best == "quantile":
        for _ in range(60):
            middle = 0.5 * (low + high)
            short = density.integral(at, lambda _: 1.0, middle, below=True) < loss.level * mass
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return 0.5 * (low + high)
    if loss.best == "root":
        slope = loss.slope
        assert slope is not None
        for _ in range(60):
            middle = 0.5 * (low + high)
            up = density.integral(at, lambda y, m=middle: slope(y, m[:, None]), middle) < 0  # type: ignore[misc]
            low, high = np.where(up, middle, low), np.where(up, high, middle)
        return 0.5 * (low + high)
    if loss.best == "search":
        return _searched(loss, density, at, low, high)
    raise InvalidParameterError(
        f"best_predictor: the loss {loss.name!r} is of labels; a number with a density needs "
        "'squared', 'absolute', a Quantile, Huber or a function of (y, decision)."
    )


def _searched(
    loss: DecisionLoss, density: JointDensity, at: Array, low: Array, high: Array
) -> Array:
    """The best of evenly spaced decisions, then golden sections about it."""

    def risk(decision: Array) -> Array:
        return density.integral(at, lambda y: loss(y, decision[:, None]), decision)

    shares = np.linspace(0.0, 1.0, 65)
    risks = np.stack([risk(low + share * (high - low)) for share in shares])
    step = (high - low) / 64
    middle = low + shares[risks.argmin(axis=0)] * (high - low)
    a, b = np.maximum(middle - step, low), np.minimum(middle + step, high)
    for _ in range(45):
        c, d = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
        left = risk(c) < risk(d)
        a, b = np.where(left, a, c), np.where(left, d, b)
    return np.asarray(0.5 * (a + b))


def _numbers(values: NDArray[Any], loss: DecisionLoss) -> Array:
    if values.dtype.kind not in "biuf":
        raise InvalidParameterError(
            f"best_predictor: the loss {loss.name!r} is of numbers and the values of y are "
            f"{values.tolist()[:4]!r}; use 'zero_one' or a CostMatrix for labels."
        )
    return values.astype(np.float64)
