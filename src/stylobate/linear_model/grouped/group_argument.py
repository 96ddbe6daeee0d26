"""Groups of columns as users give them: labels, lists of columns, or a size."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NoReturn

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidParameterError


def read_groups(groups: Any, names: list[str], owner: str) -> Indices:
    """The group of each column, numbered from 0 in the order of their first columns.

    Parameters
    ----------
    groups : None, int, array of labels, or list of lists of columns
        None: every column by itself; a number: that many columns in a row make a group; else a
        label for every column, or the columns (numbers or names) of every group.
    names : list of str
        Of the columns.
    owner : str
        Who asks, named in a refusal.

    Examples
    --------
    >>> read_groups(["a", "b", "a"], ["x", "y", "z"], "GroupLasso")
    array([0, 1, 0])
    >>> read_groups([["x", "z"], ["y"]], ["x", "y", "z"], "GroupLasso")
    array([0, 1, 0])
    """
    p = len(names)
    if groups is None:
        return np.arange(p)
    if isinstance(groups, Integral) and not isinstance(groups, bool):
        size = int(groups)
        if size < 1 or p % size:
            _refuse(owner, f"groups of {size} columns do not divide the {p} columns of X")
        return np.arange(p) // size
    if isinstance(groups, str) or not hasattr(groups, "__len__"):
        _refuse(owner, f"it must be a size, a label per column or lists of columns, got {groups!r}")
    nested = [isinstance(each, list | tuple | set | np.ndarray) for each in groups]
    if any(nested):
        if not all(nested):
            _refuse(owner, "some of its entries are lists of columns and some are not")
        return _of_lists(list(groups), names, owner)
    if len(groups) != p:
        _refuse(owner, f"it has {len(groups)} labels, but X has {p} columns")
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in _plain(groups)])


def _of_lists(groups: list[Any], names: list[str], owner: str) -> Indices:
    place = {name: j for j, name in enumerate(names)}
    labels = np.full(len(names), -1)
    for number, columns in enumerate(groups):
        if not len(columns):
            _refuse(owner, f"group {number} is empty")
        for column in columns:
            j = place.get(column, -1) if isinstance(column, str) else column
            if not isinstance(j, Integral) or not 0 <= int(j) < len(names):
                _refuse(owner, f"group {number} names {column!r}, which is no column of X")
            if labels[int(j)] >= 0:
                _refuse(
                    owner,
                    f"column {names[int(j)]} is in groups {labels[int(j)]} and {number}; groups "
                    "must not overlap (repeat the column in X to let them share it)",
                )
            labels[int(j)] = number
    if (labels < 0).any():
        missed = names[int(np.argmin(labels))]
        _refuse(owner, f"column {missed} is in no group; give it one of its own")
    return labels


def group_strengths(labels: Indices, weights: Any, owner: str) -> Array:
    """Of each group: √size, or what was given."""
    sizes = np.bincount(labels)
    if weights is None:
        return np.sqrt(sizes)
    try:
        given = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.array(np.nan)
    if given.shape != sizes.shape:
        raise InvalidParameterError(
            f"{owner}: group_weights must hold one number for each of the {len(sizes)} groups, got "
            f"{'an array of shape ' + str(given.shape) if given.ndim else repr(weights)}."
        )
    if not (np.isfinite(given).all() and (given >= 0.0).all()):
        at = int(np.argmin(np.isfinite(given) & (given >= 0.0)))
        raise InvalidParameterError(
            f"{owner}: group_weights must be finite and not negative, got {given[at]:g} for group "
            f"{at}; 0 leaves a group unpenalised."
        )
    return given


def _plain(labels: Any) -> list[Any]:
    return labels.tolist() if hasattr(labels, "tolist") else list(labels)


def _refuse(owner: str, why: str) -> NoReturn:
    raise InvalidParameterError(f"{owner}: groups: {why}.")
