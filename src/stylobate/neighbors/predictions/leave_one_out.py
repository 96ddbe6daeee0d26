"""How well k neighbours predict the rows left out, for all k at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import clone
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neighbors.predictions.classification import KNeighborsClassifier
from stylobate.neighbors.predictions.regression import KNeighborsRegressor
from stylobate.neighbors.predictions.weights import (
    NAMED,
    DistanceWeights,
    GeometricWeights,
    KernelWeights,
    RankWeights,
    UniformWeights,
)


@dataclass(frozen=True, slots=True, eq=False)
class NeighborsCurve:
    """Leave-one-out scores of k = 1, 2, ….

    Attributes
    ----------
    n_neighbors : array of shape (m,)
        k.
    scores : array of shape (m,)
        Accuracy, or for numbers the negative mean squared error.
    standard_errors : array of shape (m,)
        Of the scores: standard deviation over rows / √n.
    scoring : str
        Which.
    """

    n_neighbors: NDArray[np.intp]
    scores: Array
    standard_errors: Array
    scoring: str

    @property
    def best(self) -> int:
        """The k of the best score; of equal ones the largest, which averages most."""
        return int(self.n_neighbors[np.flatnonzero(self.scores == self.scores.max())[-1]])

    @property
    def smoothest(self) -> int:
        """The largest k whose score is within one standard error of the best."""
        at = int(np.argmax(self.scores))
        near = self.scores >= self.scores[at] - self.standard_errors[at]
        return int(self.n_neighbors[np.flatnonzero(near)[-1]])

    def plot(self, ax: Any = None) -> Any:
        """Draw the scores: `stylobate.plot.plot_neighbors_curve`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot import plot_neighbors_curve

        return plot_neighbors_curve(self, ax=ax)

    def __str__(self) -> str:
        """The best in a sentence."""
        at = list(self.n_neighbors).index(self.best)
        return (
            f"Leave-one-out {self.scoring} is best with {self.best} neighbours, "
            f"{self.scores[at]:.4g} ± {self.standard_errors[at]:.2g} (standard error); "
            f"up to {self.smoothest} are within one standard error."
        )


def leave_one_out_curve(
    estimator: KNeighborsClassifier | KNeighborsRegressor,
    X: Any,
    y: Any,
    max_neighbors: int | None = None,
) -> NeighborsCurve:
    """Leave-one-out scores for every number of neighbours, at the price of one query.

    The neighbours of a row for k are the first k of those for the largest, so votes and sums are
    built up one neighbour at a time.

    Parameters
    ----------
    estimator : KNeighborsClassifier or KNeighborsRegressor
        Its metric and weights count; its `n_neighbors` does not.
    X, y : as for `fit`
        Rows and one target.
    max_neighbors : int in [1, n) or None, default=None
        The largest k; None for min(n − 1, 100).

    Returns
    -------
    NeighborsCurve

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0.0, 3.0, 31)[:, None]
    >>> y = np.sin(x[:, 0]) + 0.1 * (-1.0) ** np.arange(31)
    >>> curve = leave_one_out_curve(KNeighborsRegressor(), x, y, max_neighbors=6)
    >>> curve.scores.round(3)
    array([-0.04 , -0.038, -0.022, -0.015, -0.02 , -0.026])
    >>> curve.best
    4
    """
    model = clone(estimator).fit(X, y)
    n = model.n_samples_fit_
    most = min(n - 1, 100) if max_neighbors is None else max_neighbors
    if not 1 <= most <= n - 1:
        raise InvalidParameterError(
            f"leave_one_out_curve: max_neighbors must be from 1 to {n - 1}, the other rows; got "
            f"{max_neighbors!r}."
        )
    distances, rows = model.kneighbors(None, most)
    classifier = isinstance(model, KNeighborsClassifier)
    if classifier and model.outputs_2d_:
        raise InvalidDataError("leave_one_out_curve: give one target at a time.")
    if not classifier and model.loss != "squared_error":
        raise InvalidParameterError(
            f"leave_one_out_curve: scores are of averages of neighbours, and loss={model.loss!r} "
            "asks for another answer; use cross_validate."
        )
    weights = _weights(model.weights, distances)
    losses = _right_labels if classifier else _squared_errors
    quality = losses(model, rows, distances, weights)
    return NeighborsCurve(
        np.arange(1, most + 1),
        quality.mean(axis=1),
        quality.std(axis=1, ddof=1) / np.sqrt(n),
        "accuracy" if classifier else "negative mean squared error",
    )


def _weights(rule: Any, distances: Array) -> Any:
    """Weights that do not depend on k, or the name of a rule that builds up otherwise."""
    rule = NAMED[rule] if isinstance(rule, str) else rule
    if rule is None or isinstance(rule, UniformWeights):
        return np.ones(distances.shape)
    if isinstance(rule, RankWeights):
        return "rank"
    fixed = isinstance(rule, DistanceWeights | GeometricWeights) or (
        isinstance(rule, KernelWeights) and not isinstance(rule.bandwidth, str)
    )
    if not fixed:
        raise InvalidParameterError(
            "leave_one_out_curve: these weights change with every k; use cross_validate, or "
            "weights 'uniform', 'distance', 'rank', 'geometric' or a kernel of fixed bandwidth."
        )
    return rule(distances)


def _built_up(one: Array, weights: Any) -> Any:
    """Σ_{s ≤ k} w_s v_s for k = 1, 2, …, where v_s is ``one[:, s]``; a generator of sums.

    By rank the weight of neighbour s among k is proportional to k + 1 − s: the sums of the sums.
    """
    total = np.zeros((len(one), *one.shape[2:]))
    plain = np.zeros_like(total)
    for s in range(one.shape[1]):
        if isinstance(weights, str):
            plain += one[:, s]
            total += plain
        else:
            w = weights[:, s]
            total += w.reshape(-1, *[1] * (one.ndim - 2)) * one[:, s]
        yield total


def _right_labels(model: Any, rows: Any, distances: Array, weights: Any) -> Array:
    codes = model._y[rows, 0]
    own = model._y[:, 0]
    right = []
    n, most = codes.shape
    votes = np.zeros((n, len(model.classes_)))
    single = np.zeros_like(votes)
    everyone = np.arange(n)
    for s in range(most):
        if isinstance(weights, str):
            single[everyone, codes[:, s]] += 1.0
            votes += single
        else:
            votes[everyone, codes[:, s]] += weights[:, s]
        labels = model._winners(votes, codes[:, : s + 1], distances[:, : s + 1], model.classes_)
        right.append(labels == model.classes_[own])
    return np.array(right, dtype=np.float64)


def _squared_errors(model: Any, rows: Any, distances: Array, weights: Any) -> Array:
    targets = model._y[rows]
    if targets.ndim > 2:
        raise InvalidDataError("leave_one_out_curve: give one target at a time.")
    sums = _built_up(targets, weights)
    totals = _built_up(np.ones(targets.shape), weights)
    errors = []
    for total, weight in zip(sums, totals, strict=True):
        with np.errstate(invalid="ignore"):
            errors.append(-((total / weight - model._y) ** 2))
    return np.array(errors)
