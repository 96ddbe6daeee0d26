"""Scores of the classes judged by their order: top-k accuracy and the hinge loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.regression.outputs import require_same_length, warn_undefined
from stylobate.splits.strata import as_array, class_numbers, type_of_target


def top_k_accuracy_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
) -> float:
    """Share of the rows whose class is among the k that score highest.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels.
    y_score : array-like of shape (n,) or (n, n_classes)
        Scores of the classes in sorted order; for two classes those of the second.
    k : int, default=2
        How many of the highest scores count; of equal scores the later class is first.
    normalize : bool, default=True
        Whether to return the share; otherwise the number (or weight) of rows.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    labels : array-like of shape (n_classes,), optional
        All classes, sorted, if some do not occur in `y_true`.

    Returns
    -------
    float
        In [0, 1], or a number of rows.

    Examples
    --------
    >>> top_k_accuracy_score([0, 1, 2], [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.7, 0.2, 0.1]], k=2)
    0.6666666666666666
    """
    owner = "top_k_accuracy_score"
    if isinstance(k, bool) or not k >= 1:
        raise InvalidParameterError(f"{owner}: k must be a whole number from 1 on, got {k!r}.")
    truth, scores = _read(y_true, y_score, owner, "y_score")
    kind = type_of_target(truth)
    if kind == "binary" and labels is not None and len(labels) > 2:
        kind = "multiclass"
    if kind not in ("binary", "multiclass"):
        raise InvalidDataError(
            f"{owner}: y type must be 'binary' or 'multiclass', got {kind!r} instead."
        )
    classes, numbers = _classes(truth, labels, owner)
    if kind == "binary" and scores.ndim == 2 and scores.shape[1] != 1:
        raise InvalidDataError(
            f"{owner}: y_score should be a 1d array, got an array of shape {scores.shape} instead; "
            "for two classes pass the scores of the second, or all classes in `labels`."
        )
    columns = 2 if kind == "binary" else (scores.shape[1] if scores.ndim == 2 else 1)
    if columns != len(classes):
        raise InvalidDataError(
            f"{owner}: Number of classes in {'y_true' if labels is None else 'labels'} "
            f"({len(classes)}) not equal to the number of classes in 'y_score' ({columns}). "
            "You can provide a list of all known classes by assigning it to the `labels` parameter."
        )
    if k >= columns:
        warn_undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({columns}) will result in a perfect "
            "score and is therefore meaningless."
        )
    hit = _two(scores, numbers, k) if kind == "binary" else _several(scores, numbers, k)
    weights = read_weights(sample_weight, len(hit), owner=owner)
    if normalize:
        return float(np.average(hit, weights=weights))
    return float(hit.sum() if weights is None else weights @ hit)


def _two(scores: Array, numbers: NDArray[np.intp], k: int) -> NDArray[np.bool_]:
    if k > 1:
        return np.ones(len(scores), dtype=bool)
    score = scores.reshape(-1)
    threshold = 0.5 if score.min() >= 0 and score.max() <= 1 else 0.0
    return np.asarray((score > threshold) == numbers)


def _several(scores: Array, numbers: NDArray[np.intp], k: int) -> NDArray[np.bool_]:
    """Fewer than k classes come before the true one."""
    own = np.take_along_axis(scores, numbers[:, None], axis=1)
    later = np.arange(scores.shape[1]) > numbers[:, None]
    before = (scores > own) | ((scores == own) & later)
    return np.asarray(before.sum(axis=1) < k)


def hinge_loss(
    y_true: Any, pred_decision: Any, *, labels: Any = None, sample_weight: Any = None
) -> float:
    """Mean of max(0, 1 − margin), an upper bound of the share of errors.

    The margin is y·f(x) for labels −1 and 1; for several classes the score of the true class less
    the highest of the others (Crammer & Singer 2001).

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels; of two, the greater is positive.
    pred_decision : array-like of shape (n,) or (n, n_classes)
        Margins, as `decision_function` gives them.
    labels : array-like, optional
        All classes, if some do not occur in `y_true`.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    float
        In [0, inf).

    Examples
    --------
    >>> hinge_loss([-1, 1, 1], [-2.0, 0.5, 3.0]).__round__(6)
    0.166667
    """
    owner = "hinge_loss"
    truth, scores = _read(y_true, pred_decision, owner, "pred_decision")
    classes, numbers = _classes(truth, None if labels is None else np.unique(labels), owner)
    if len(classes) > 2:
        margins = _margins(scores, numbers, len(classes), labels is None, owner)
    else:
        margins = scores.reshape(len(scores), -1)[:, 0] * (
            2.0 * (numbers == len(classes) - 1) - 1.0
        )
    weights = read_weights(sample_weight, len(margins), owner=owner)
    return float(np.average(np.maximum(0.0, 1.0 - margins), weights=weights))


def _margins(scores: Array, numbers: NDArray[np.intp], k: int, found: bool, owner: str) -> Array:
    if scores.ndim < 2 or scores.shape[1] != k:
        where = "found in y_true; pass all of them in `labels`" if found else "in labels"
        raise InvalidDataError(
            f"{owner}: pred_decision has shape {scores.shape}, and {k} classes were {where}. The "
            "shape of pred_decision must be (n_samples, n_classes) for several classes."
        )
    own = np.take_along_axis(scores, numbers[:, None], axis=1)[:, 0]
    others = scores.copy()
    others[np.arange(len(others)), numbers] = -np.inf
    return np.asarray(own - others.max(axis=1))


def _classes(truth: NDArray[Any], labels: Any, owner: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """All classes, and the number of each row's among them."""
    present, numbers = class_numbers(truth, len(truth), owner)
    if labels is None:
        return present, numbers
    classes = np.asarray(labels).reshape(-1)
    if not np.array_equal(np.unique(classes), classes):
        raise InvalidParameterError(
            f"{owner}: Parameter 'labels' must be unique and ordered, got {classes.tolist()}."
        )
    unknown = np.setdiff1d(present, classes)
    if len(unknown):
        raise InvalidDataError(
            f"{owner}: 'y_true' contains labels not in parameter 'labels': {unknown.tolist()}."
        )
    return classes, np.searchsorted(classes, present)[numbers]


def _read(y_true: Any, y_score: Any, owner: str, name: str) -> tuple[NDArray[Any], Array]:
    source = Input(owner, name)
    scores = np.asarray(unpack(y_score, source).values, dtype=np.float64)
    if scores.ndim not in (1, 2) or scores.size == 0:
        raise InvalidDataError(f"{source} has shape {scores.shape}; expected (n,) or (n, k).")
    refuse_nonfinite(scores.reshape(len(scores), -1), source)
    truth = as_array(y_true)
    require_same_length(owner, len(truth), len(scores))
    return truth, scores
