"""Classes and their weights, as every classifier reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_labels
from stylobate.exceptions import InvalidDataError, InvalidParameterError


def read_classes(
    y: Any, *, owner: str, n_rows: int, least: int = 2
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Sorted classes and every row's class number; refuses fewer than `least` classes.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels.
    owner : str
        Who is asking.
    n_rows : int
        Rows of X.
    least : int, default=2
        How many classes there must be.

    Examples
    --------
    >>> read_classes(["b", "a", "b"], owner="example", n_rows=3)[1].tolist()
    [1, 0, 1]
    """
    classes, codes = read_labels(y, owner=owner, n_rows=n_rows)
    if len(classes) < least:
        raise InvalidDataError(
            f"{owner} needs samples of at least {least} classes in the data, but the data contains "
            f"only one class: {classes.tolist()[0]!r}."
        )
    return classes, codes


def agreed_classes(known: NDArray[Any] | None, classes: Any, owner: str) -> NDArray[Any]:
    """The classes of the first call of `partial_fit`; refuses none then, and others later.

    Parameters
    ----------
    known : array or None
        Those of the calls before; None in the first.
    classes : array-like or None
        Those of this call.
    owner : str
        Who is asking.

    Examples
    --------
    >>> agreed_classes(None, ["b", "a"], "example").tolist()
    ['a', 'b']
    """
    if classes is None:
        if known is None:
            raise InvalidDataError(
                f"{owner}: classes must be passed on the first call to partial_fit."
            )
        return known
    given, _ = read_labels(classes, owner=owner)
    if known is not None and not np.array_equal(known, given):
        raise InvalidDataError(
            f"{owner}: `classes={classes!r}` is not the same as on last call to partial_fit, was: "
            f"{known!r}."
        )
    return given


def refuse_one_weighted_class(
    codes: NDArray[np.int64], weights: NDArray[np.float64] | None, owner: str
) -> None:
    """Refuse weights that leave only one of several classes."""
    if weights is not None and np.ptp(codes) > 0 and np.ptp(codes[weights > 0]) == 0:
        raise InvalidDataError(
            f"{owner}: sample_weight is positive for rows of one class only; at least two classes "
            "must count."
        )


def class_weights(
    class_weight: Mapping[Any, float] | str | None,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
    *,
    owner: str,
    sample_weight: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """One factor per class.

    ``"balanced"`` gives n / (k·nⱼ), with the rows of each class counted by `sample_weight` where
    given; a mapping gives the factors itself, 1 for classes it leaves out.

    Parameters
    ----------
    class_weight : mapping from class to float, "balanced" or None
        What the user asked for.
    classes, codes : arrays
        As `read_classes` gave them.
    owner : str
        Who is asking.
    sample_weight : array of shape (n,), optional
        Weights of the rows.

    Examples
    --------
    >>> classes, codes = np.array(["a", "b"]), np.array([0, 0, 0, 1])
    >>> class_weights("balanced", classes, codes, owner="example")
    array([0.66666667, 2.        ])
    """
    factors = np.ones(len(classes))
    if class_weight is None:
        return factors
    if isinstance(class_weight, str):
        counts = np.bincount(codes, weights=sample_weight, minlength=len(classes))
        with np.errstate(divide="ignore"):
            balanced = counts.sum() / (len(classes) * counts)
        return np.where(counts > 0, balanced, 1.0)
    known = {label: k for k, label in enumerate(classes.tolist())}
    unknown = [label for label in class_weight if label not in known]
    if unknown:
        raise InvalidParameterError(
            f"{owner}: class_weight names {unknown[0]!r}, which is not among the classes "
            f"{classes.tolist()!r}; the keys must be labels of y."
        )
    for label, factor in class_weight.items():
        factors[known[label]] = factor
    return factors


def codes_among(
    classes: NDArray[Any], y: Any, *, owner: str, n_rows: int | None = None
) -> NDArray[np.int64]:
    """The place of every label among sorted classes; refuses a label that is none of them.

    >>> codes_among(np.array(["a", "b", "c"]), ["c", "a"], owner="example").tolist()
    [2, 0]
    """
    seen, codes = read_labels(y, owner=owner, n_rows=n_rows)
    unknown = ~np.isin(seen, classes)
    if unknown.any():
        raise InvalidDataError(
            f"{owner}: y holds {seen[unknown][0]!r}, which is not among the classes "
            f"{classes.tolist()!r}."
        )
    return np.asarray(np.searchsorted(classes, seen)[codes], dtype=np.int64)
