"""How far two labellings agree beyond chance: correlation and kappa."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.classification.confusion import matrix_of
from stylobate.metrics.classification.labels import classes_only, read_label_pairs
from stylobate.metrics.regression.outputs import warn_undefined

_WEIGHTS = (None, "linear", "quadratic")


def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    r"""Correlation of true and predicted classes, for any number of them.

    .. math:: \frac{c\,s - \sum_k t_k p_k}{\sqrt{(s^2 - \sum_k p_k^2)(s^2 - \sum_k t_k^2)}}

    with c right rows of s, and :math:`t_k` true and :math:`p_k` predicted rows of class k. For two
    classes it is the correlation of two columns of 0 and 1, and fair whatever their shares.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        The labels and what was predicted.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    float
        In [-1, 1]; 0 is chance, and what a constant prediction gets.

    References
    ----------
    Gorodkin (2004), Comparing two K-category assignments by a K-category correlation coefficient.

    Examples
    --------
    >>> round(matthews_corrcoef([1, 1, 1, 0], [1, 0, 1, 1]), 6)
    -0.333333
    """
    owner = "matthews_corrcoef"
    read = classes_only(read_label_pairs(y_true, y_pred, sample_weight, owner), owner)
    margins = read.margins()
    total = margins.true.sum()
    together = margins.right.sum() * total - margins.true @ margins.predicted
    of_true = total**2 - margins.true @ margins.true
    of_predicted = total**2 - margins.predicted @ margins.predicted
    scale = of_true * of_predicted
    return float(together / np.sqrt(scale)) if scale > 0 else 0.0


def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: Any = None,
    weights: str | None = None,
    sample_weight: Any = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Agreement of two labellings beyond chance: (observed − expected) / (1 − expected).

    Parameters
    ----------
    y1, y2 : array-like of shape (n,)
        Labels of both; their order does not matter.
    labels : array-like of shape (k,), optional
        The classes, in order; rows with others are left out. Default: all that occur, sorted.
    weights : {"linear", "quadratic"} or None, default=None
        How far a disagreement counts: by the distance of the classes in that order, or its square.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    replace_undefined_by : float in [-1, 1] or nan, default=nan
        The score (with a warning) where chance alone would agree on everything.

    Returns
    -------
    float
        In [-1, 1].

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales.

    Examples
    --------
    >>> cohen_kappa_score(["n", "p", "n", "m", "p"], ["n", "p", "n", "m", "n"])
    0.6875
    """
    owner = "cohen_kappa_score"
    if weights not in _WEIGHTS:
        raise InvalidParameterError(f"{owner}: weights must be one of {_WEIGHTS}, got {weights!r}.")
    if not (np.isnan(replace_undefined_by) or -1.0 <= replace_undefined_by <= 1.0):
        raise InvalidParameterError(
            f"{owner}: replace_undefined_by must be in [-1, 1] or nan, got "
            f"{replace_undefined_by!r}."
        )
    counts = classes_only(read_label_pairs(y1, y2, sample_weight, owner), owner)
    matrix = matrix_of(counts, labels, owner).astype(np.float64)
    steps = np.abs(np.subtract.outer(np.arange(len(matrix)), np.arange(len(matrix))))
    cost = {None: steps > 0, "linear": steps, "quadratic": steps**2}[weights].astype(np.float64)
    chance = np.outer(matrix.sum(axis=1), matrix.sum(axis=0))
    expected = float((cost * chance).sum())
    if expected == 0.0:
        warn_undefined(
            "Cohen's kappa is ill-defined: chance alone agrees on every label, or no label of "
            f"interest occurs; it is set to {replace_undefined_by}. Use `replace_undefined_by` to "
            "control this behavior."
        )
        return float(replace_undefined_by)
    return float(1.0 - (cost * matrix).sum() * matrix.sum() / expected)
