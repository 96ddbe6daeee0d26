"""Decisions of least expected cost, from class probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.decision.costs import CostMatrix, as_cost_matrix
from stylobate.decision.reading import as_floats
from stylobate.exceptions import InvalidDataError
from stylobate.splits.strata import as_array

_SLACK = 1e-6  # by how much the probabilities of a row may miss 1: float32 has seven digits


def expected_cost(probabilities: Any, cost: Any) -> Array:
    """The expected cost of each decision for each row, Σᵢ pᵢ cᵢⱼ.

    Parameters
    ----------
    probabilities : array-like of shape (n, n_classes), or (n,) for two classes
        Probability of each class; one number is that of the second class.
    cost : CostMatrix or array-like of shape (n_classes, n_decisions)
        What each decision costs, given the truth.

    Returns
    -------
    array of shape (n, n_decisions)

    Examples
    --------
    >>> expected_cost([0.1, 0.5], [[0, 1], [4, 0]])
    array([[0.4, 0.9],
           [2. , 0.5]])
    """
    matrix = cost if isinstance(cost, CostMatrix) else CostMatrix(cost)
    return np.asarray(_checked(probabilities, matrix, "expected_cost") @ matrix.costs)


def best_decision(probabilities: Any, cost: Any) -> NDArray[Any]:
    """The decision of least expected cost for each row; the first of equal ones.

    Parameters
    ----------
    probabilities : array-like of shape (n, n_classes), or (n,) for two classes
        Probability of each class; one number is that of the second class.
    cost : CostMatrix or array-like of shape (n_classes, n_decisions)
        What each decision costs, given the truth.

    Returns
    -------
    array of labels of shape (n,)

    Examples
    --------
    >>> cost = CostMatrix([[0, 1], [20, 0]], classes=["well", "ill"])
    >>> best_decision([0.01, 0.1, 0.6], cost)
    array(['well', 'ill', 'ill'], dtype='<U4')
    >>> best_decision([0.01, 0.1, 0.6], CostMatrix.zero_one([0, 1]).with_refusal(0.2))
    array([0, 0, 'refuse'], dtype=object)
    """
    matrix = cost if isinstance(cost, CostMatrix) else CostMatrix(cost)
    costs = _checked(probabilities, matrix, "best_decision") @ matrix.costs
    return np.asarray(matrix.decisions[costs.argmin(axis=1)])


def mean_cost(y_true: Any, y_pred: Any, cost: Any, *, sample_weight: Any = None) -> float:
    """What decisions have cost on average.

    Parameters
    ----------
    y_true : array-like of labels of shape (n,)
        The true classes.
    y_pred : array-like of labels of shape (n,)
        The decisions.
    cost : CostMatrix or array-like of shape (n_classes, n_classes)
        What each decision costs, given the truth; a plain array is for the sorted labels that
        occur.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    float

    Examples
    --------
    >>> mean_cost([0, 0, 1, 1], [0, 1, 1, 0], CostMatrix.binary(false_negative=5))
    1.5
    """
    owner = "mean_cost"
    truth, decided = as_array(y_true).reshape(-1), as_array(y_pred).reshape(-1)
    if len(truth) != len(decided) or len(truth) == 0:
        raise InvalidDataError(
            f"{owner}: y_true has {len(truth)} entries and y_pred {len(decided)}; they need one "
            "for each row, and at least one row."
        )
    if not isinstance(cost, CostMatrix):
        labels = sorted({*truth.tolist(), *decided.tolist()})
        cost = as_cost_matrix(cost, labels, owner)
    weights = read_weights(sample_weight, len(truth), owner=owner)
    rows = _places(truth, cost.classes, "y_true", "classes")
    columns = _places(decided, cost.decisions, "y_pred", "decisions")
    return float(np.average(cost.costs[rows, columns], weights=weights))


def read_probabilities(probabilities: Any, owner: str) -> Array:
    """Probabilities of the classes, in columns; each row must be a distribution.

    >>> read_probabilities([0.25], "example")
    array([[0.75, 0.25]])
    """
    values = as_floats(probabilities, owner, "probabilities")
    if values.ndim == 1:
        values = np.column_stack([1.0 - values, values])
    if values.ndim != 2 or values.shape[0] == 0 or values.shape[1] < 2:
        raise InvalidDataError(
            f"{owner}: probabilities has shape {values.shape}; it must be (n, n_classes) with at "
            "least two classes, or (n,): the probability of the second of two."
        )
    bad = ~np.isfinite(values) | (values < 0)
    if bad.any():
        i, j = (int(k) for k in np.argwhere(bad)[0])
        raise InvalidDataError(
            f"{owner}: the probability of class {j} in row {i} is {values[i, j]:g}; it must be a "
            "number in [0, 1]."
        )
    sums = values.sum(axis=1)
    off = np.abs(sums - 1.0)
    if off.max() > _SLACK:
        row = int(off.argmax())
        raise InvalidDataError(
            f"{owner}: the probabilities of row {row} sum to {sums[row]:.6g}; those of every row "
            "must sum to 1."
        )
    return values


def _checked(probabilities: Any, cost: CostMatrix, owner: str) -> Array:
    values = read_probabilities(probabilities, owner)
    if values.shape[1] != len(cost.classes):
        raise InvalidDataError(
            f"{owner}: there are probabilities of {values.shape[1]} classes and costs of "
            f"{len(cost.classes)}; the cost matrix needs a row for each class."
        )
    return values


def _places(labels: NDArray[Any], known: NDArray[Any], name: str, what: str) -> NDArray[np.intp]:
    place = {label: k for k, label in enumerate(known.tolist())}
    try:
        return np.array([place[label] for label in labels.tolist()], dtype=np.intp)
    except KeyError as unknown:
        raise InvalidDataError(
            f"mean_cost: {name} holds {unknown.args[0]!r}, which is not among the {what} of the "
            f"cost matrix, {known.tolist()!r}."
        ) from None
