"""Weights that make up for classes of unequal size."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.classes import class_weights
from stylobate.data.labels import read_labels
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, InvalidParameterError


def compute_class_weight(
    class_weight: Any, *, classes: Any, y: Any, sample_weight: Any = None
) -> Array:
    r"""A weight for each class; "balanced" gives :math:`n / (k\, n_j)`.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        Weights by class, or how to compute them; None: all 1.
    classes : array of shape (k,)
        The classes, sorted.
    y : array-like of shape (n,)
        The class of each row.
    sample_weight : array-like of shape (n,), optional
        Rows count by these.

    Returns
    -------
    array of shape (k,)

    Examples
    --------
    >>> compute_class_weight("balanced", classes=np.array([0, 1]), y=[0, 0, 0, 1])
    array([0.66666667, 2.        ])
    """
    listed = np.asarray(classes)
    found, codes = read_labels(y, owner="compute_class_weight")
    if set(found.tolist()) - set(listed.tolist()):
        raise InvalidDataError("classes should include all valid labels that can be in y.")
    if isinstance(class_weight, str) and class_weight != "balanced":
        raise InvalidParameterError(
            f"compute_class_weight: class_weight must be a dictionary, 'balanced' or None, got "
            f"{class_weight!r}."
        )
    if isinstance(class_weight, str) and len(found) != len(listed):
        raise InvalidDataError("classes should have valid labels that are in y.")
    places = np.searchsorted(listed, found)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    return class_weights(
        class_weight, listed, places[codes], owner="compute_class_weight", sample_weight=weights
    )


def compute_sample_weight(class_weight: Any, y: Any, *, indices: Any = None) -> Array:
    """A weight for each row by its class; products where a row has several targets.

    Parameters
    ----------
    class_weight : dict, list of dict, "balanced" or None
        Weights by class; a list for several targets.
    y : array-like of shape (n,) or (n, n_targets)
        Classes.
    indices : array-like, optional
        Rows of a sample drawn with repetition: with "balanced", classes are counted in it, and a
        class that is not in it gets 0.

    Returns
    -------
    array of shape (n,)

    Examples
    --------
    >>> compute_sample_weight({"a": 2.0, "b": 1.0}, ["a", "b", "b"])
    array([2., 1., 1.])
    """
    table = y.toarray() if is_sparse(y) else np.asarray(y)
    columns = table.reshape(-1, 1) if table.ndim == 1 else table
    listed = isinstance(class_weight, list | tuple)
    if indices is not None and class_weight != "balanced":
        raise InvalidParameterError(
            "The only valid class_weight for subsampling is 'balanced'. Given "
            f"{class_weight!r}; leave indices out."
        )
    if columns.shape[1] > 1 and class_weight is not None and class_weight != "balanced":
        if not listed:
            raise InvalidParameterError(
                "For multi-output, class_weight should be a list of dicts, or the string "
                "'balanced'."
            )
        if len(class_weight) != columns.shape[1]:
            raise InvalidParameterError(
                f"For multi-output, number of elements in class_weight ({len(class_weight)}) "
                f"should match number of outputs ({columns.shape[1]})."
            )
    weights = np.ones(len(columns))
    for k, column in enumerate(columns.T):
        one = class_weight[k] if listed else class_weight
        weights *= _of_column(one, column, indices)
    return weights


def _of_column(class_weight: Any, column: Array, indices: Any) -> Array:
    classes, codes = np.unique(column, return_inverse=True)
    if indices is None:
        return compute_class_weight(class_weight, classes=classes, y=column)[codes]
    sample = column[np.asarray(indices)]
    present = np.unique(sample)
    by_class = np.zeros(len(classes))
    by_class[np.searchsorted(classes, present)] = compute_class_weight(
        class_weight, classes=present, y=sample
    )
    return by_class[codes]
