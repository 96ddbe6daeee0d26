"""Discounted cumulative gain: rankings whose top matters most."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.ranking.label_ranking import read_score_matrix, tie_ends
from stylobate.metrics.regression.outputs import require_same_length
from stylobate.splits.strata import as_array, type_of_target

_KINDS = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    r"""Sum of the relevances in the order of the scores, discounted by the logarithm of the rank.

    .. math:: \sum_{r=1}^{k} \frac{y_{(r)}}{\log_b(1 + r)}

    averaged over the rows. Equal scores share the mean of their relevances.

    Parameters
    ----------
    y_true : array-like of shape (n, n_labels)
        Relevances.
    y_score : array-like of shape (n, n_labels)
        Scores that rank them, the highest first.
    k : int, optional
        Only the k highest ranks count; default: all.
    log_base : float, default=2
        Base of the logarithm; a low one discounts more sharply.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    ignore_ties : bool, default=False
        Whether there are no ties, which saves time.

    Returns
    -------
    float

    References
    ----------
    Järvelin & Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques.

    Examples
    --------
    >>> dcg_score([[3.0, 0.0, 1.0]], [[0.9, 0.1, 0.5]]).__round__(6)
    3.63093
    """
    owner = "dcg_score"
    truth, scores = _read(y_true, y_score, owner)
    weights = read_weights(sample_weight, len(truth), owner=owner)
    discount = _discount(truth.shape[1], k, log_base, owner)
    gains = _gains(truth, scores, discount, ignore_ties=ignore_ties)
    return float(np.average(gains, weights=weights))


def ndcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Discounted cumulative gain over that of the best ranking.

    Parameters
    ----------
    y_true : array-like of shape (n, n_labels)
        Relevances, not negative; at least two labels.
    y_score, k, sample_weight, ignore_ties
        As of `dcg_score`.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> ndcg_score([[3.0, 0.0, 1.0]], [[0.9, 0.5, 0.1]]).__round__(6)
    0.96394
    """
    owner = "ndcg_score"
    truth, scores = _read(y_true, y_score, owner)
    if truth.min() < 0:
        raise InvalidDataError(
            f"{owner}: ndcg_score should not be used on negative y_true values, and the least is "
            f"{truth.min():g}."
        )
    if truth.shape[1] < 2:
        raise InvalidDataError(
            f"{owner}: Computing NDCG is only meaningful when there is more than 1 document. Got "
            f"{truth.shape[1]} instead."
        )
    weights = read_weights(sample_weight, len(truth), owner=owner)
    discount = _discount(truth.shape[1], k, 2, owner)
    gains = _gains(truth, scores, discount, ignore_ties=ignore_ties)
    best = _gains(truth, truth, discount, ignore_ties=True)
    shares = np.divide(gains, best, out=np.zeros(len(gains)), where=best != 0)
    return float(np.average(shares, weights=weights))


def _read(y_true: Any, y_score: Any, owner: str) -> tuple[Array, Array]:
    plain = as_array(y_true)
    kind = type_of_target(plain)
    if kind not in _KINDS and not (kind == "binary" and plain.ndim == 2):
        raise InvalidDataError(
            f"{owner}: Only {_KINDS} formats are supported. Got {kind} instead; pass a row of "
            "relevances for each row of scores."
        )
    truth = read_score_matrix(y_true, owner, "y_true")
    scores = read_score_matrix(y_score, owner)
    require_same_length(owner, len(truth), len(scores))
    if truth.shape != scores.shape:
        raise InvalidDataError(
            f"{owner}: y_true and y_score have different shape: {truth.shape} and {scores.shape}."
        )
    return truth, scores


def _discount(labels: int, k: int | None, log_base: float, owner: str) -> Array:
    if k is not None and (isinstance(k, bool) or not k >= 1):
        raise InvalidParameterError(f"{owner}: k must be a whole number from 1 on, got {k!r}.")
    if not log_base > 0 or log_base == 1:
        raise InvalidParameterError(
            f"{owner}: log_base must be in (0, inf) and not 1, got {log_base!r}."
        )
    discount = np.log(log_base) / np.log(np.arange(labels) + 2.0)
    if k is not None:
        discount[k:] = 0.0
    return np.asarray(discount)


def _gains(truth: Array, scores: Array, discount: Array, *, ignore_ties: bool) -> Array:
    """The discounted gain of each row."""
    order = np.argsort(scores, axis=1, kind="stable")[:, ::-1]
    gains = np.take_along_axis(truth, order, axis=1)
    if not ignore_ties:
        ends = tie_ends(np.take_along_axis(scores, order, axis=1))
        run = ends + scores.shape[1] * np.arange(len(scores))[:, None]  # one number for each tie
        total = np.bincount(run.ravel(), gains.ravel(), scores.size)
        length = np.bincount(run.ravel(), minlength=scores.size)
        gains = (total / np.maximum(length, 1))[run]
    return np.asarray(gains @ discount)
