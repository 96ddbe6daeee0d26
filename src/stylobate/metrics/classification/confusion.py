"""Which classes are taken for which."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.metrics.classification.counts import ClassCounts
from stylobate.metrics.classification.labels import classes_only, read_label_pairs
from stylobate.metrics.classification.margins import places_among

_NORMALIZED = (None, "true", "pred", "all")


def confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    normalize: str | None = None,
    rows: str = "true",
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
    rows : {"true", "pred"}, default="true"
        What the rows of the matrix are: the true classes, or (the other way round, as some books
        have it) the predicted ones.

    Returns
    -------
    array of shape (k, k)
        Whole numbers unless weighted or normalised.

    Examples
    --------
    >>> confusion_matrix(["cat", "dog", "dog"], ["cat", "cat", "dog"])
    array([[1, 0],
           [1, 1]])
    >>> confusion_matrix(["cat", "dog", "dog"], ["cat", "cat", "dog"], rows="pred")
    array([[1, 1],
           [0, 1]])
    """
    owner = "confusion_matrix"
    if normalize not in _NORMALIZED:
        raise InvalidParameterError(
            f"{owner}: normalize must be one of {_NORMALIZED}, got {normalize!r}."
        )
    if rows not in ("true", "pred"):
        raise InvalidParameterError(f"{owner}: rows must be 'true' or 'pred', got {rows!r}.")
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    matrix = matrix_of(classes_only(read, owner, "multilabel_confusion_matrix"), labels, owner)
    if matrix.shape == (1, 1):
        warnings.warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have "
            "the correct shape, use the 'labels' parameter to pass all known labels.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    if sample_weight is not None and np.asarray(sample_weight).dtype.kind in "iub":
        matrix = matrix.astype(np.int64)  # whole weights give whole numbers
    found = _normalized(matrix, normalize)
    return found if rows == "true" else found.T


def matrix_of(counts: ClassCounts, labels: Any, owner: str) -> NDArray[Any]:
    """The matrix of the classes wanted, at least one of which must occur."""
    if labels is None:
        return counts.matrix()
    wanted = np.asarray(labels).reshape(-1)
    if len(wanted) == 0:
        raise InvalidParameterError(f"{owner}: 'labels' should contains at least one label.")
    places = places_among(counts.classes, wanted)
    if not np.isin(counts.true, places).any():
        raise InvalidDataError(
            f"{owner}: At least one label specified must be in y_true; labels={wanted.tolist()} "
            f"has none of {counts.classes[np.unique(counts.true)].tolist()}."
        )
    return counts.matrix(wanted)


def _normalized(matrix: NDArray[Any], normalize: str | None) -> NDArray[Any]:
    if normalize is None:
        return matrix
    axis = {"true": 1, "pred": 0, "all": None}[normalize]
    total = matrix.sum(axis=axis, keepdims=True)
    return np.asarray(np.divide(matrix, total, out=np.zeros(matrix.shape), where=total != 0))


def multilabel_confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    labels: Any = None,
    samplewise: bool = False,
) -> NDArray[Any]:
    """A 2 × 2 matrix [[tn, fp], [fn, tp]] for each label against the rest, or for each row.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, n_labels)
        The labels and what was predicted; indicators may be sparse.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    labels : array-like, optional
        The classes (with indicators: numbers of columns) to count, in that order.
    samplewise : bool, default=False
        A matrix for each row of indicators, over its labels.

    Returns
    -------
    array of shape (k, 2, 2)
        Whole numbers unless weighted.

    Examples
    --------
    >>> multilabel_confusion_matrix([[1, 0], [0, 1]], [[1, 1], [0, 1]])[1]
    array([[0, 1],
           [0, 1]])
    """
    owner = "multilabel_confusion_matrix"
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    if not samplewise:
        margins, weights = read.margins(labels), None
    elif isinstance(read, ClassCounts):
        raise InvalidDataError(
            f"{owner}: Samplewise metrics are not available outside of multilabel classification."
        )
    else:
        margins, weights = read.row_margins(labels), read.weights
    cells = np.stack(
        [margins.true_negative, margins.false_positive, margins.false_negative, margins.right]
    )
    if weights is not None:
        cells = cells * weights
    matrices = cells.T.reshape(-1, 2, 2)
    return matrices if read.weights is not None else matrices.astype(np.int64)
