"""How well scores rank the rows: areas under the ROC and the precision–recall curve."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.classification.averaging import average_columns
from stylobate.metrics.classification.label_codes import two_values
from stylobate.metrics.classification.probabilities import positives
from stylobate.metrics.curves.areas import trapezoids
from stylobate.metrics.curves.ranked_counts import packed, ranked_counts
from stylobate.metrics.regression.outputs import require_same_length, warn_undefined
from stylobate.splits.strata import as_array, class_numbers, type_of_target


def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> float | Array:
    """Area under the ROC curve: the chance that a positive row scores above a negative one.

    Ties count half. Pairs are counted by buckets of scores, without sorting: O(n).

    Parameters
    ----------
    y_true : array-like of shape (n,), or indicators of shape (n, n_labels)
        Labels; of two, the greater is positive.
    y_score : array-like of shape (n,) or (n, n_classes)
        Scores that grow with the chance of being positive; probabilities for several classes.
    average : {"macro", "micro", "weighted", "samples"} or None, default="macro"
        How scores of several labels become one.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    max_fpr : float in (0, 1] or None, default=None
        Only the area up to this false positive rate, rescaled to [0.5, 1] (McClish 1989).
    multi_class : {"raise", "ovr", "ovo"}, default="raise"
        Several classes: each against the rest, or each pair (Hand & Till 2001).
    labels : array-like of shape (n_classes,), optional
        The classes in the order of the columns of `y_score`, which must be sorted.

    Returns
    -------
    float or array of shape (n_classes,)
        In [0, 1]; NaN (with a warning) where only one class is present.

    Examples
    --------
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    owner = "roc_auc_score"
    scores = _read_scores(y_score, owner)
    truth = as_array(y_true)
    require_same_length(owner, len(truth), len(scores))
    weights = read_weights(sample_weight, len(scores), owner=owner)
    two = two_classes(truth)
    many = scores.ndim == 2 and scores.shape[1] > 2
    if two is not None and not many:
        classes, greater = two
        if len(classes) < 2:
            return _one_class()
        return _roc_area(greater, _one_column(scores, owner), weights, max_fpr)
    kind = "multiclass" if two is not None else type_of_target(truth)
    _refuse_nonfinite(scores, owner)
    if kind == "multiclass":
        if max_fpr not in (None, 1):
            raise InvalidParameterError(
                f"{owner}: Partial AUC computation not available in multiclass setting, 'max_fpr' "
                f"must be None, got {max_fpr!r}."
            )
        return _several_classes(y_true, scores, labels, multi_class, average, weights)
    if kind != "multilabel-indicator":
        raise InvalidDataError(f"{owner}: {kind} format is not supported; pass labels.")

    def area(positive: NDArray[Any], score: Array, w: Array | None) -> float:
        return _roc_area(positive, score, w, max_fpr)

    return average_columns(area, truth != 0, scores, average, weights, owner)


def average_precision_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    pos_label: Any = 1,
    sample_weight: Any = None,
) -> float | Array:
    """Precision averaged over the recall gained at each threshold, Σ (Rₖ − Rₖ₋₁) Pₖ.

    Parameters
    ----------
    y_true : array-like of shape (n,), or indicators of shape (n, n_labels)
        Labels.
    y_score : array-like of shape (n,) or (n, n_classes)
        Scores that grow with the chance of being positive.
    average : {"macro", "micro", "weighted", "samples"} or None, default="macro"
        How scores of several labels become one.
    pos_label : label, default=1
        The positive one of two labels.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    float or array of shape (n_classes,)
        In [0, 1].

    Examples
    --------
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 6)
    0.833333
    """
    owner = "average_precision_score"
    scores = _read_scores(y_score, owner)
    truth = as_array(y_true)
    require_same_length(owner, len(truth), len(scores))
    weights = read_weights(sample_weight, len(scores), owner=owner)
    if two_classes(truth) is not None:
        positive = positives(truth, pos_label, owner)
        return _precision_area(positive, _one_column(scores, owner), weights)
    kind = type_of_target(truth)
    _refuse_nonfinite(scores, owner)
    if pos_label != 1:
        raise InvalidParameterError(
            f"{owner}: Parameter pos_label is fixed to 1 for {kind} y_true. Do not set pos_label "
            "or set pos_label to 1."
        )
    if kind == "multiclass":
        truth = _one_hot(truth, scores, owner)
    elif kind != "multilabel-indicator":
        raise InvalidDataError(f"{owner}: {kind} format is not supported; pass labels.")
    return average_columns(_precision_area, truth != 0, scores, average, weights, owner)


def _read_scores(y_score: Any, owner: str) -> Array:
    source = Input(owner, "y_score")
    values = unpack(y_score, source).values
    if values.ndim not in (1, 2) or values.size == 0:
        raise InvalidDataError(f"{source} has shape {values.shape}; expected (n,) or (n, k).")
    return values if values.dtype == np.float32 else np.asarray(values, dtype=np.float64)


def _refuse_nonfinite(scores: Array, owner: str) -> None:
    refuse_nonfinite(scores.reshape(len(scores), -1), Input(owner, "y_score"))


def two_classes(truth: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint8]] | None:
    """The classes of one column with at most two, and which rows have the greater; else None."""
    if truth.ndim == 2 and truth.shape[1] == 1:
        truth = truth.reshape(-1)
    if truth.ndim != 1 or truth.dtype.kind not in "biufUSO" or truth.size == 0:
        return None
    if truth.dtype.kind == "O":
        truth = np.array(truth.tolist())
        if truth.dtype.kind not in "biufUS":
            return None
    found = two_values(truth)
    whole = found is None or found[0].dtype.kind != "f" or (found[0] == np.floor(found[0])).all()
    return found if whole else None


def _one_column(scores: Array, owner: str) -> Array:
    if scores.ndim == 2 and scores.shape[1] != 1:
        raise InvalidDataError(
            f"{owner}: y_score should be a 1d array, got an array of shape {scores.shape} instead; "
            "for two classes pass the scores of the positive one."
        )
    return scores.reshape(-1)


def _compute(compute: Any, positive: Any, score: Array, weights: Array | None, owner: str) -> Any:
    """One of the core's sums over ranked rows."""
    found = compute(*packed(positive, score), weights)
    if found is None:
        _refuse_nonfinite(score, owner)
    return found


def _roc_area(
    positive: NDArray[Any], score: Array, weights: Array | None, max_fpr: float | None = None
) -> float:
    owner = "roc_auc_score"
    if max_fpr is None or max_fpr == 1:
        above, below, pairs = _compute(_core.ranked_pairs, positive, score, weights, owner)
        return pairs / (above * below) if above > 0 and below > 0 else _one_class()
    if not 0 < max_fpr <= 1:
        raise InvalidParameterError(
            f"roc_auc_score: Expected max_fpr in range (0, 1], got: {max_fpr!r}"
        )
    _refuse_nonfinite(score, owner)
    _, true, false = ranked_counts(positive, score, weights)
    if true[-1] == 0 or false[-1] == 0:
        return _one_class()
    rate, fall = (np.concatenate([[0.0], c / c[-1]]) for c in (true, false))
    stop = int(np.searchsorted(fall, max_fpr, side="right"))
    height = np.interp(max_fpr, fall[stop - 1 : stop + 1], rate[stop - 1 : stop + 1])
    area = trapezoids(np.append(fall[:stop], max_fpr), np.append(rate[:stop], height))
    least, most = 0.5 * max_fpr**2, max_fpr
    return 0.5 * (1.0 + (area - least) / (most - least))


def _one_class() -> float:
    warn_undefined(
        "Only one class is present in y_true. ROC AUC score is not defined in that case."
    )
    return float("nan")


def _precision_area(positive: NDArray[Any], score: Array, weights: Array | None) -> float:
    owner = "average_precision_score"
    above, _, precision = _compute(_core.ranked_precision, positive, score, weights, owner)
    if above == 0:
        warn_undefined(
            "No positive class found in y_true, recall is set to one for all thresholds."
        )
        return 0.0
    return float(precision / above)


def _one_hot(truth: NDArray[Any], scores: Array, owner: str) -> NDArray[np.bool_]:
    classes, numbers = class_numbers(truth, len(scores), owner)
    if scores.shape != (len(truth), len(classes)):
        raise InvalidDataError(
            f"{owner}: `y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` "
            f"contains multiple classes. Got `y_score.shape={scores.shape}`."
        )
    return np.asarray(numbers[:, None] == np.arange(len(classes)))


def _several_classes(
    y_true: Any,
    scores: Array,
    labels: Any,
    multi_class: str,
    average: str | None,
    weights: Array | None,
) -> float | Array:
    owner = "roc_auc_score"
    if multi_class not in ("ovr", "ovo"):
        raise InvalidParameterError(
            f"{owner}: multi_class must be in ('ovo', 'ovr') for several classes, got "
            f"{multi_class!r}."
        )
    allowed = ("macro", "weighted", None) if multi_class == "ovo" else (
        "micro", "macro", "weighted", None
    )  # fmt: skip
    if average not in allowed or (average is None and multi_class == "ovo"):
        raise InvalidParameterError(
            f"{owner}: average must be one of {allowed} for multi_class={multi_class!r}, got "
            f"{average!r}."
        )
    if multi_class == "ovo" and weights is not None:
        raise InvalidParameterError(
            f"{owner}: sample_weight is not supported for multiclass one-vs-one ROC AUC."
        )
    present, numbers = class_numbers(y_true, len(scores), owner)
    classes = present if labels is None else np.asarray(labels)
    _refuse_unmatched(present, classes, scores, owner)
    numbers = np.searchsorted(classes, present)[numbers]
    if multi_class == "ovr":
        hot = numbers[:, None] == np.arange(len(classes))
        return average_columns(_roc_area, hot, scores, average, weights, owner)
    return _pairwise(numbers, scores, weighted=average == "weighted")


def _refuse_unmatched(
    present: NDArray[Any], classes: NDArray[Any], scores: Array, owner: str
) -> None:
    if not np.array_equal(np.unique(classes), classes):
        raise InvalidParameterError(f"{owner}: Parameter 'labels' must be unique and ordered.")
    if len(np.setdiff1d(present, classes)):
        raise InvalidDataError(f"{owner}: 'y_true' contains labels not in parameter 'labels'.")
    if scores.ndim != 2 or scores.shape[1] != len(classes):
        raise InvalidDataError(
            f"{owner}: Number of classes ({len(classes)}) not equal to the number of columns in "
            f"'y_score' (shape {scores.shape}); pass a probability for each class, and `labels` if "
            "y_true lacks some."
        )
    if not np.allclose(scores.sum(axis=1), 1.0):
        raise InvalidDataError(
            f"{owner}: Target scores need to be probabilities for multiclass roc_auc, i.e. they "
            "should sum up to 1.0 over classes."
        )


def _pairwise(numbers: NDArray[np.intp], scores: Array, *, weighted: bool) -> float:
    """Mean over pairs of classes of the area of either against the other."""
    areas, shares = [], []
    for a, b in combinations(np.unique(numbers).tolist(), 2):
        either = (numbers == a) | (numbers == b)
        is_a = numbers[either] == a
        pair = (_roc_area(is_a, scores[either, a], None), _roc_area(~is_a, scores[either, b], None))
        areas.append(0.5 * sum(pair))
        shares.append(either.mean())
    return float(np.average(areas, weights=shares if weighted else None))
