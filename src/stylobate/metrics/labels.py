"""Labels to be compared: read once, as numbers of their classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_weights
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.outputs import require_same_length
from stylobate.splits.strata import as_array, type_of_target

Array = NDArray[np.float64]
_COUNTABLE = ("binary", "multiclass", "multilabel-indicator")


@dataclass(frozen=True, slots=True)
class Labels:
    """True and predicted labels.

    `kind` is "binary", "multiclass" or "multilabel-indicator". `truth` and `predicted` hold, for
    each row, the number of its label among the sorted `classes` that occur in either; for
    indicators they are the (n × k) matrices of 0 and 1 and `classes` numbers the columns.
    """

    kind: str
    classes: NDArray[Any]
    truth: NDArray[np.int64]
    predicted: NDArray[np.int64]
    weights: Array | None
    owner: str


def read_label_pairs(y_true: Any, y_pred: Any, sample_weight: Any, owner: str) -> Labels:
    """Read both sides of a classification metric; refuses numbers that are not labels."""
    a, b = as_array(y_true), as_array(y_pred)
    for name, labels in (("y_true", a), ("y_pred", b)):
        if labels.ndim == 0 or labels.size == 0:
            raise InvalidDataError(f"{owner}: {name} is empty; a minimum of 1 sample is required.")
    require_same_length(owner, len(a), len(b))
    kind = _common_kind(type_of_target(a), type_of_target(b), owner)
    weights = read_weights(sample_weight, len(a), owner=owner)
    if kind == "multilabel-indicator":
        if a.shape != b.shape:
            raise InvalidDataError(
                f"{owner}: y_true has {a.shape[1]} label columns and y_pred {b.shape[1]}."
            )
        truth, predicted = (np.asarray(m != 0, dtype=np.int64) for m in (a, b))
        return Labels(kind, np.arange(a.shape[1]), truth, predicted, weights, owner)
    a, b = _alike(a.reshape(-1), b.reshape(-1), owner)
    classes, numbers = np.unique(np.concatenate([a, b]), return_inverse=True)
    numbers = numbers.astype(np.int64, copy=False)
    kind = "binary" if len(classes) <= 2 else "multiclass"
    return Labels(kind, classes, numbers[: len(a)], numbers[len(a) :], weights, owner)


def _common_kind(true_kind: str, predicted_kind: str, owner: str) -> str:
    kinds = {true_kind, predicted_kind}
    if kinds == {"binary", "multiclass"}:
        return "multiclass"
    if len(kinds) > 1:
        raise InvalidDataError(
            f"{owner}: Classification metrics can't handle a mix of {true_kind} and "
            f"{predicted_kind} targets; pass labels of one kind in y_true and y_pred."
        )
    if true_kind not in _COUNTABLE:
        raise InvalidDataError(
            f"{owner}: {true_kind} is not supported; pass labels (text, integers or booleans)."
        )
    return true_kind


def _alike(a: NDArray[Any], b: NDArray[Any], owner: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both as text or both as numbers; objects of NumPy become what they hold."""
    a, b = (np.array(v.tolist()) if v.dtype.kind == "O" else v for v in (a, b))
    text = [v.dtype.kind in "US" for v in (a, b)]
    if text[0] != text[1]:
        raise InvalidDataError(
            f"{owner}: Mix of label input types (string and number): y_true has dtype {a.dtype}, "
            f"y_pred {b.dtype}."
        )
    return a, b


@dataclass(frozen=True, slots=True)
class Counts:
    """Weight of the rows for each label: right, predicted as it, truly it."""

    right: Array
    predicted: Array
    true: Array


def count_labels(labels: Labels, wanted: NDArray[Any] | None = None) -> Counts:
    """The counts of each class, or of those wanted, in that order."""
    if labels.kind == "multilabel-indicator":
        counts = _count_columns(labels)
        chosen = None if wanted is None else np.asarray(wanted, dtype=np.intp)
    else:
        k, w = len(labels.classes), labels.weights
        hit = labels.truth == labels.predicted
        counts = Counts(
            _bincount(labels.truth[hit], None if w is None else w[hit], k + 1),
            _bincount(labels.predicted, w, k + 1),
            _bincount(labels.truth, w, k + 1),
        )
        # a label that does not occur counts nothing: the extra last place
        chosen = np.arange(k) if wanted is None else places_among(labels.classes, wanted)
    if chosen is None:
        return counts
    return Counts(counts.right[chosen], counts.predicted[chosen], counts.true[chosen])


def count_rows_of(labels: Labels) -> Counts:
    """The counts of each row of an indicator matrix, which are those of its labels."""
    both = labels.truth * labels.predicted
    each = (m.sum(axis=1).astype(np.float64) for m in (both, labels.predicted, labels.truth))
    return Counts(*each)


def _count_columns(labels: Labels) -> Counts:
    w = np.ones(len(labels.truth)) if labels.weights is None else labels.weights
    both = labels.truth * labels.predicted
    return Counts(w @ both, w @ labels.predicted, w @ labels.truth)


def _bincount(numbers: NDArray[np.int64], weights: Array | None, length: int) -> Array:
    return np.bincount(numbers, weights=weights, minlength=length).astype(np.float64)


def places_among(classes: NDArray[Any], wanted: NDArray[Any]) -> NDArray[np.intp]:
    """Where each wanted label is among the classes; their number for one that is not."""
    known = {label: k for k, label in enumerate(classes.tolist())}
    absent = len(classes)
    listed = np.asarray(wanted).reshape(-1).tolist()
    return np.array([known.get(label, absent) for label in listed], dtype=np.intp)
