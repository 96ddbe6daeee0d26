"""Clusterings as the caller passed them: one label for each row, of any kind."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.metrics.classification.label_codes import code
from stylobate.splits.strata import as_array, type_of_target


def read_labeling(labels: Any, name: str) -> NDArray[Any]:
    """Labels as an array of one dimension without missing values.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Numbers, text or objects; n may be 0.
    name : str
        What they are called in refusals.

    Examples
    --------
    >>> read_labeling(["a", "b"], "labels")
    array(['a', 'b'], dtype='<U1')
    """
    values = as_array(labels)
    if values.dtype.kind == "f":
        for what, found in (("NaN", np.isnan(values)), ("infinity", np.isinf(values))):
            if found.any():
                raise InvalidDataError(
                    f"Input {name} contains {what}; every row needs a label, such as -1 for noise."
                )
    elif values.dtype.kind == "O" and any(_is_missing(each) for each in values.flat):
        raise InvalidDataError(
            f"Input {name} contains NaN or None; every row needs a label, such as 'none'."
        )
    if values.ndim != 1:
        raise InvalidDataError(
            f"{name} must be 1D: shape is {values.shape!r}; pass one label for each row."
        )
    return values


def read_two_labelings(labels_true: Any, labels_pred: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two clusterings of the same rows; warns of numbers that are no labels.

    Examples
    --------
    >>> read_two_labelings([0, 1], ["a", "b"])
    (array([0, 1]), array(['a', 'b'], dtype='<U1'))
    """
    a = read_labeling(labels_true, "labels_true")
    b = read_labeling(labels_pred, "labels_pred")
    if len(a) != len(b):
        raise InvalidDataError(
            f"Found input variables with inconsistent numbers of samples: [{len(a)}, {len(b)}]; "
            "both clusterings need one label for each row."
        )
    if "f" in (a.dtype.kind, b.dtype.kind) and len(a):
        kinds = type_of_target(a), type_of_target(b)
        if "continuous" in kinds:
            warnings.warn(
                f"Clustering metrics expects discrete values but received {kinds[0]} values for "
                f"label, and {kinds[1]} values for target",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
    return a, b


def read_clusters(labels: Any, rows: int, name: str = "labels") -> NDArray[np.int64]:
    """The number of each row's cluster, from 0; at least two clusters and fewer than rows.

    Parameters
    ----------
    labels : array-like of shape (n,) or (n, 1)
        A label for each row.
    rows : int
        How many rows there are.
    name : str, default="labels"
        What they are called in refusals.

    Examples
    --------
    >>> read_clusters(["b", "a", "b"], 3)
    array([1, 0, 1])
    """
    values = as_array(labels)
    values = read_labeling(values[:, 0] if values.shape[1:] == (1,) else values, name)
    if len(values) != rows:
        raise InvalidDataError(
            f"Found input variables with inconsistent numbers of samples: [{rows}, {len(values)}]; "
            f"{name} must have one entry for each row of X."
        )
    distinct, numbers = code(values)
    if not 1 < len(distinct) < rows:
        raise InvalidDataError(
            f"Number of labels is {len(distinct)}. Valid values are 2 to n_samples - 1 (inclusive)"
            + ("." if name == "labels" else f"; these are those of {name}.")
        )
    return numbers


def named_labelings(labelings: Any) -> dict[str, Any]:
    """Several clusterings by name: of a mapping its own, of a sequence their numbers.

    Examples
    --------
    >>> named_labelings([[0, 1], [1, 1]])
    {'0': [0, 1], '1': [1, 1]}
    """
    if isinstance(labelings, Mapping):
        found = {str(name): labels for name, labels in labelings.items()}
    elif isinstance(labelings, np.ndarray | Sequence) and not isinstance(labelings, str):
        found = {str(place): labels for place, labels in enumerate(labelings)}
    else:
        raise InvalidDataError(
            "Clusterings must be a dictionary of labels by name or a sequence of labels; got "
            f"{type(labelings).__name__}."
        )
    if not found:
        raise InvalidDataError("There is no clustering; pass one at least.")
    return found


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)
