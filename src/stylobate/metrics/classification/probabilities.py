"""How good predicted probabilities are: logarithmic loss and Brier score."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.words import Input, user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.metrics.classification.label_codes import two_values
from stylobate.metrics.regression.outputs import require_same_length
from stylobate.splits.strata import as_array, class_numbers, type_of_target


def log_loss(
    y_true: Any,
    y_proba: Any,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
) -> float:
    """Mean of −log of the probability given to the true class.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels.
    y_proba : array-like of shape (n, n_classes) or (n,)
        Probabilities of the classes in sorted order; one column: of the second of two classes.
        They are kept away from 0 and 1 by the rounding of their precision.
    normalize : bool, default=True
        Whether to return the mean; otherwise the sum.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    labels : array-like, optional
        All classes, if some do not occur in `y_true`.

    Returns
    -------
    float
        In [0, inf).

    Examples
    --------
    >>> round(log_loss(["no", "yes"], [[0.5, 0.5], [0.2, 0.8]]), 6)
    0.458145
    """
    owner = "log_loss"
    p, eps = _read_probabilities(y_proba, owner)
    numbers, p = _match_classes(y_true, p, labels, eps, owner)
    weights = read_weights(sample_weight, len(p), owner=owner)
    losses = -np.log(np.clip(p[np.arange(len(p)), numbers], eps, 1.0 - eps))
    if normalize:
        return float(np.average(losses, weights=weights))
    return float(losses.sum() if weights is None else weights @ losses)


def brier_score_loss(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    scale_by_half: Any = "auto",
) -> float:
    """Mean squared difference between the probabilities and what happened (1 or 0).

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels.
    y_proba : array-like of shape (n,) or (n, n_classes)
        Probabilities of `pos_label`, or of the classes in sorted order.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    pos_label : label, optional
        The class `y_proba` is of; default 1 where the labels are 0 and 1 or -1 and 1.
    labels : array-like, optional
        All classes, if some do not occur in `y_true`.
    scale_by_half : bool or "auto", default="auto"
        Whether to take half of the sum over the classes, as is usual for two; "auto": for two.

    Returns
    -------
    float
        In [0, 1], or [0, 2] for several classes.

    Examples
    --------
    >>> brier_score_loss([0, 1], [0.5, 1.0])
    0.125
    """
    owner = "brier_score_loss"
    numbers, p = probabilities_of(y_true, y_proba, pos_label, labels, owner)
    weights = read_weights(sample_weight, len(p), owner=owner)
    errors = p.copy()
    errors[np.arange(len(p)), numbers] -= 1.0
    score = float(np.average((errors**2).sum(axis=1), weights=weights))
    half = p.shape[1] < 3 if isinstance(scale_by_half, str) else scale_by_half
    return 0.5 * score if half else score


def probabilities_of(
    y_true: Any, y_proba: Any, pos_label: Any, labels: Any, owner: str
) -> tuple[NDArray[np.intp], Array]:
    """The number of each row's class, and the probabilities of the classes (n × k).

    One column of probabilities is of `pos_label`, which is number 1 then.
    """
    p, eps = _read_probabilities(y_proba, owner)
    if p.shape[1] > 1:
        return _match_classes(y_true, p, labels, eps, owner)
    numbers = _is_positive(y_true, pos_label, owner).astype(np.intp)
    require_same_length(owner, len(numbers), len(p))
    return numbers, np.column_stack([1.0 - p, p])


def _read_probabilities(y_proba: Any, owner: str) -> tuple[Array, float]:
    """Probabilities as (n × k), and the rounding of the precision they came in."""
    source = Input(owner, "y_proba")
    values = unpack(y_proba, source).values
    if values.ndim not in (1, 2) or values.size == 0:
        raise InvalidDataError(f"{source} has shape {values.shape}; expected (n,) or (n, k).")
    eps = float(np.finfo(values.dtype).eps) if values.dtype.kind == "f" else 2.0**-52
    p = np.asarray(values.reshape(len(values), -1), dtype=np.float64)
    refuse_nonfinite(p, source)
    if p.max() > 1 or p.min() < 0:
        value = float(p.max() if p.max() > 1 else p.min())
        what = f"values greater than 1: {value}" if value > 1 else f"values lower than 0: {value}"
        raise InvalidDataError(f"{owner}: y_prob contains {what}; pass probabilities.")
    return p, eps


def _match_classes(
    y_true: Any, p: Array, labels: Any, eps: float, owner: str
) -> tuple[NDArray[np.intp], Array]:
    """The number of each row's class, and one column of probabilities for each class."""
    classes, numbers = class_numbers(y_true, len(p), owner)
    if labels is not None:
        present, classes = classes, np.unique(np.asarray(labels))
        unknown = np.setdiff1d(present, classes)
        if len(unknown):
            raise InvalidDataError(
                f"{owner}: y_true contains {unknown[0]!r}, which is not among the labels "
                f"{classes.tolist()}."
            )
        numbers = np.searchsorted(classes, present)[numbers]
    if len(classes) == 1:
        raise InvalidDataError(
            f"{owner}: y_true contains only one label ({classes[0]!r}). Please provide the list of "
            "all expected class labels explicitly through the labels argument."
        )
    if p.shape[1] == 1:
        p = np.column_stack([1.0 - p, p])
    if p.shape[1] != len(classes):
        raise InvalidDataError(
            f"{owner}: {'y_true' if labels is None else 'labels'} and y_prob contain different "
            f"number of classes: {len(classes)} vs {p.shape[1]}. Please provide the true labels "
            f"explicitly through the labels argument. Classes found: {classes.tolist()}."
        )
    if not np.allclose(p.sum(axis=1), 1.0, rtol=np.sqrt(eps), atol=0.0):
        warnings.warn(
            "The y_prob values do not sum to one. Make sure to pass probabilities.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return numbers, p


def _is_positive(y_true: Any, pos_label: Any, owner: str) -> NDArray[np.bool_]:
    kind = type_of_target(y_true)
    if kind != "binary":
        raise InvalidDataError(
            f"{owner}: Only binary classification is supported with one column of probabilities. "
            f"The type of the target is {kind}."
        )
    return positives(y_true, pos_label, owner)


def positives(y_true: Any, pos_label: Any, owner: str) -> NDArray[np.bool_]:
    """Which rows have the positive label; by default 1, if the labels leave no doubt."""
    values = as_array(y_true).reshape(-1)
    if values.dtype.kind == "O":
        values = np.array(values.tolist())
    two = two_values(values)
    present = np.unique(values) if two is None else two[0]
    if pos_label is None:
        plain = present.dtype.kind not in "US" and bool(np.isin(present, (-1, 0, 1)).all())
        if not plain or (len(present) == 2 and 1 not in present):
            raise InvalidDataError(
                f"{owner}: y_true takes value in {present.tolist()} and pos_label is not "
                "specified: either make y_true take value in {0, 1} or {-1, 1} or pass pos_label "
                "explicitly."
            )
        pos_label = 1
    elif len(present) == 2 and pos_label not in present.tolist():
        raise InvalidDataError(
            f"{owner}: pos_label={pos_label!r} is not a valid label. It should be one of "
            f"{present.tolist()}."
        )
    if two is not None and len(present) == 2:
        return np.asarray(two[1] == (pos_label == present[1]))
    return np.asarray(values == pos_label)
