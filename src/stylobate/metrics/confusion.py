"""Which classes are taken for which."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.metrics.labels import places_among, read_label_pairs

_NORMALIZED = (None, "true", "pred", "all")


def confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    normalize: str | None = None,
) -> NDArray[Any]:
    """Rows of class i that were predicted as class j, for all i and j.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        The labels and what was predicted.
    labels : array-like of shape (k,), optional
        The classes, in the order of rows and columns; rows with others are left out. Default: all
        that occur, sorted.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    normalize : {"true", "pred", "all"} or None, default=None
        Divide by the sums of the rows (the true classes), of the columns (the predictions), or of
        all; 0 where there is nothing to divide by.

    Returns
    -------
    array of shape (k, k)
        Whole numbers unless weighted or normalised.

    Examples
    --------
    >>> confusion_matrix(["cat", "dog", "dog"], ["cat", "cat", "dog"])
    array([[1, 0],
           [1, 1]])
    """
    owner = "confusion_matrix"
    if normalize not in _NORMALIZED:
        raise InvalidParameterError(
            f"{owner}: normalize must be one of {_NORMALIZED}, got {normalize!r}."
        )
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    if read.kind == "multilabel-indicator":
        raise InvalidDataError(
            f"{owner}: multilabel-indicator is not supported; use multilabel_confusion_matrix."
        )
    k = len(read.classes)
    pairs = np.bincount(read.truth * k + read.predicted, weights=read.weights, minlength=k * k)
    matrix = pairs.reshape(k, k)
    if labels is not None:
        matrix = _chosen(matrix, read.classes, labels, owner)
    if matrix.shape == (1, 1):
        warnings.warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have "
            "the correct shape, use the 'labels' parameter to pass all known labels.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return _normalized(matrix, normalize)


def _chosen(matrix: NDArray[Any], classes: NDArray[Any], labels: Any, owner: str) -> NDArray[Any]:
    wanted = np.asarray(labels).reshape(-1)
    if len(wanted) == 0:
        raise InvalidParameterError(f"{owner}: 'labels' should contains at least one label.")
    places = places_among(classes, wanted)
    if not matrix.sum(axis=1)[places[places < len(classes)]].any():
        raise InvalidParameterError(
            f"{owner}: At least one label specified must be in y_true; labels={wanted.tolist()} "
            f"has none of {classes.tolist()}."
        )
    absent = np.pad(matrix, (0, 1))  # a label that does not occur counts nothing
    return absent[np.ix_(places, places)]


def _normalized(matrix: NDArray[Any], normalize: str | None) -> NDArray[Any]:
    if normalize is None:
        return matrix
    axis = {"true": 1, "pred": 0, "all": None}[normalize]
    total = matrix.sum(axis=axis, keepdims=True)
    share = np.zeros(matrix.shape)
    return np.divide(matrix, total, out=share, where=total != 0)
