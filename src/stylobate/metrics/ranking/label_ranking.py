"""How well scores rank the labels of each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.regression.outputs import require_same_length
from stylobate.splits.strata import as_array, type_of_target


@dataclass(frozen=True, slots=True)
class _RankedLabels:
    """The labels of each row from the highest score on.

    `rank` is the number of labels that score as high as each, itself included; `found` how many of
    them are relevant.
    """

    relevant: NDArray[np.bool_]
    rank: NDArray[np.intp]
    found: NDArray[np.intp]
    weights: Array | None

    def mean(self, values: Array) -> float:
        return float(np.average(values, weights=self.weights))


def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """How far down the ranked labels one has to go to find all that are relevant, on average.

    Parameters
    ----------
    y_true : indicators of shape (n, n_labels)
        Which labels are relevant; may be sparse.
    y_score : array-like of shape (n, n_labels)
        Scores of the labels; equal ones share the worse rank.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    float
        At least the mean number of relevant labels, which is best.

    Examples
    --------
    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    ranked = _rank(y_true, y_score, sample_weight, "coverage_error")
    return ranked.mean(np.where(ranked.relevant, ranked.rank, 0).max(axis=1))


def label_ranking_average_precision_score(
    y_true: Any, y_score: Any, *, sample_weight: Any = None
) -> float:
    """For each relevant label the share of relevant ones among those ranked as high, averaged.

    Parameters
    ----------
    y_true, y_score, sample_weight
        As of `coverage_error`.

    Returns
    -------
    float
        In (0, 1]; rows whose labels are all relevant, or none, score 1.

    Examples
    --------
    >>> label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[1, 0, 0], [1, 0, 0.5]])
    0.75
    """
    owner = "label_ranking_average_precision_score"
    ranked = _rank(y_true, y_score, sample_weight, owner)
    relevant = ranked.relevant
    count = relevant.sum(axis=1)
    precision = np.where(relevant, ranked.found / ranked.rank, 0.0).sum(axis=1)
    some = (count > 0) & (count < relevant.shape[1])
    return ranked.mean(np.divide(precision, count, out=np.ones(len(count)), where=some))


def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Share of the pairs (relevant, irrelevant) of labels that are ranked wrongly, averaged.

    Parameters
    ----------
    y_true, y_score, sample_weight
        As of `coverage_error`; ties are wrong.

    Returns
    -------
    float
        In [0, 1]; rows whose labels are all relevant, or none, have no loss.

    Examples
    --------
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    ranked = _rank(y_true, y_score, sample_weight, "label_ranking_loss")
    count = ranked.relevant.sum(axis=1)
    wrong = np.where(ranked.relevant, ranked.rank - ranked.found, 0).sum(axis=1)
    pairs = count * (ranked.relevant.shape[1] - count)
    return ranked.mean(np.divide(wrong, pairs, out=np.zeros(len(count)), where=pairs > 0))


def _rank(y_true: Any, y_score: Any, sample_weight: Any, owner: str) -> _RankedLabels:
    truth = as_array(y_true)
    scores = read_score_matrix(y_score, owner)
    require_same_length(owner, len(truth), len(scores))
    kind = type_of_target(truth)
    if kind != "multilabel-indicator" and not (kind == "binary" and truth.ndim == 2):
        raise InvalidDataError(
            f"{owner}: {kind} format is not supported; pass columns of 0 and 1, one for each label."
        )
    if truth.shape != scores.shape:
        raise InvalidDataError(
            f"{owner}: y_true and y_score have different shape: {truth.shape} and {scores.shape}."
        )
    weights = read_weights(sample_weight, len(scores), owner=owner)
    order = np.argsort(-scores, axis=1, kind="stable")
    relevant = np.take_along_axis(truth != 0, order, axis=1)
    ends = tie_ends(np.take_along_axis(scores, order, axis=1))
    found = np.take_along_axis(relevant.cumsum(axis=1), ends, axis=1)
    return _RankedLabels(relevant, ends + 1, found, weights)


def tie_ends(ordered: Array) -> NDArray[np.intp]:
    """For sorted rows, where the run of equal values that each belongs to ends.

    >>> tie_ends(np.array([[3.0, 2.0, 2.0, 1.0]]))
    array([[0, 2, 2, 3]])
    """
    k = ordered.shape[1]
    last = np.ones(ordered.shape, dtype=bool)
    last[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    places = np.where(last, np.arange(k), k)
    ends = np.minimum.accumulate(places[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(ends, dtype=np.intp)


def read_score_matrix(values: Any, owner: str, name: str = "y_score") -> Array:
    """Finite numbers of shape (n, k)."""
    source = Input(owner, name)
    scores = np.asarray(unpack(values, source).values, dtype=np.float64)
    if scores.ndim != 2 or scores.size == 0:
        raise InvalidDataError(
            f"{source} has shape {scores.shape}; expected (n, k), a row of numbers for each sample."
        )
    refuse_nonfinite(scores, source)
    return scores
