"""What kind of target it is, and which labels there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError
from stylobate.splits import strata

_CLASSES = (
    "binary",
    "multiclass",
    "multiclass-multioutput",
    "multilabel-indicator",
    "multilabel-sequences",
)


def type_of_target(y: Any, input_name: str = "", raise_unknown: bool = False) -> str:
    """The kind of a target.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, t)
        Labels or numbers.
    input_name : str, default=""
        For messages.
    raise_unknown : bool, default=False
        Whether what is of no known kind is refused.

    Returns
    -------
    str
        "binary", "multiclass", "continuous", "multilabel-indicator", "multiclass-multioutput",
        "continuous-multioutput" or "unknown".

    Examples
    --------
    >>> type_of_target([1, 2, 3]), type_of_target([0.5, 1.0])
    ('multiclass', 'continuous')
    """
    kind = strata.type_of_target(y)
    if raise_unknown and kind == "unknown":
        raise InvalidDataError(f"Unknown label type for {input_name or 'data'}: {y!r}")
    return kind


def is_multilabel(y: Any) -> bool:
    """Whether y is a table of zeros and ones with more than one column.

    Parameters
    ----------
    y : array-like or sparse matrix
        Labels.

    Examples
    --------
    >>> is_multilabel(np.array([[1, 0], [0, 0]])), is_multilabel([0, 1])
    (True, False)
    """
    return strata.type_of_target(y) == "multilabel-indicator"


def check_classification_targets(y: Any) -> None:
    """Refuse targets that are no classes.

    Parameters
    ----------
    y : array-like
        Labels.

    Examples
    --------
    >>> check_classification_targets(["a", "b"])
    """
    kind = strata.type_of_target(y)
    if kind not in _CLASSES:
        raise InvalidDataError(
            f"Unknown label type: {kind}. Maybe you are trying to fit a classifier, which expects "
            "discrete classes on a regression target with continuous values."
        )


def unique_labels(*ys: Any) -> Array:
    """The labels that occur in any of the targets, sorted.

    Parameters
    ----------
    *ys : array-like
        Targets of one kind; tables of zeros and ones give the numbers of their columns.

    Returns
    -------
    array

    Examples
    --------
    >>> unique_labels([3, 5, 5], [5, 1])
    array([1, 3, 5])
    """
    if not ys:
        raise InvalidDataError("No argument has been passed; give at least one target.")
    kinds = {strata.type_of_target(y) for y in ys}
    if kinds == {"binary", "multiclass"}:
        kinds = {"multiclass"}
    if len(kinds) > 1:
        raise InvalidDataError(f"Mix type of y not allowed, got types {kinds}")
    kind = kinds.pop()
    if kind not in ("binary", "multiclass", "multilabel-indicator"):
        raise InvalidDataError(f"Unknown label type: {ys!r}")
    if kind == "multilabel-indicator":
        widths = {np.shape(y)[1] for y in ys}
        if len(widths) > 1:
            raise InvalidDataError(
                "Multi-label binary indicator input with different numbers of labels"
            )
        return np.arange(widths.pop())
    labels = [np.unique(strata.as_array(y)) for y in ys]
    texts = {isinstance(each.flat[0], str) for each in labels if each.size}
    if len(texts) > 1:
        raise InvalidDataError("Mix of label input types (string and number)")
    return np.unique(np.concatenate(labels))


def class_distribution(y: Any, sample_weight: Any = None) -> tuple[list[Any], list[int], list[Any]]:
    """Classes of each target, how many there are, and their shares.

    Parameters
    ----------
    y : array-like or sparse matrix of shape (n,) or (n, t)
        Classes.
    sample_weight : array-like of shape (n,), optional
        Rows count by these.

    Returns
    -------
    classes : list of arrays
    n_classes : list of int
    class_prior : list of arrays

    Examples
    --------
    >>> class_distribution([[1], [2], [2], [2]])
    ([array([1, 2])], [2], [array([0.25, 0.75])])
    """
    table = y.toarray() if is_sparse(y) else np.asarray(y)
    columns = table.reshape(len(table), -1)
    weights = np.ones(len(columns)) if sample_weight is None else np.asarray(sample_weight)
    classes, counts, priors = [], [], []
    for column in columns.T:
        found, codes = np.unique(column, return_inverse=True)
        share = np.bincount(codes, weights=weights)
        classes.append(found)
        counts.append(len(found))
        priors.append(share / share.sum())
    return classes, counts, priors
