"""Constraints on what trees may learn: monotone columns, and columns that may interact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError


def monotone_directions(
    given: Any,
    n_features: int,
    names: Sequence[str] | None,
    categorical: Sequence[bool],
    owner: str,
) -> list[int]:
    """-1, 0 or 1 for every column; empty if nothing is constrained.

    Parameters
    ----------
    given : None, array-like of shape (n_features,) or mapping of names to directions
        What the user asked for.
    n_features : int
        Columns.
    names : sequence of str or None
        Of the columns.
    categorical : sequence of bool
        Which columns have categories; they have no direction.
    owner : str
        Who is asking.

    Examples
    --------
    >>> monotone_directions({"age": 1}, 2, ["size", "age"], [False, False], "example")
    [0, 1]
    """
    if given is None:
        return []
    directions = np.zeros(n_features)
    if isinstance(given, Mapping):
        if names is None:
            raise InvalidParameterError(
                f"{owner}: monotonic_cst names columns, but X has no column names; give one number "
                "for each column, or a data frame as X."
            )
        known = list(names)
        unknown = [name for name in given if name not in known]
        if unknown:
            raise InvalidParameterError(
                f"{owner}: monotonic_cst contains {len(unknown)} unexpected feature names: "
                f"{unknown[:5]}; the columns are {known[:10]}."
            )
        for name, direction in given.items():
            directions[known.index(name)] = direction
    else:
        directions = np.asarray(given, dtype=np.float64)
        if directions.shape != (n_features,):
            raise InvalidParameterError(
                f"{owner}: monotonic_cst has shape {directions.shape} but the input data X has "
                f"{n_features} features."
            )
    if not np.isin(directions, (-1, 0, 1)).all():
        raise InvalidParameterError(
            f"{owner}: monotonic_cst holds {directions[~np.isin(directions, (-1, 0, 1))][0]:g}; "
            "each must be -1 (falling), 0 (free) or 1 (rising)."
        )
    for j in np.flatnonzero(directions):
        if categorical[int(j)]:
            raise InvalidParameterError(
                f"{owner}: monotonic_cst gives a direction to column {int(j)}, which has "
                "categories; categorical features cannot have monotonic constraints."
            )
    return [int(each) for each in directions] if directions.any() else []


def interaction_masks(given: Any, n_features: int, owner: str) -> list[list[int]]:
    """Masks of the sets of columns that may meet in a path of a tree; empty if all may.

    Columns in no set form one more.

    Parameters
    ----------
    given : None, "pairwise", "no_interactions" or sequence of sets of int
        What the user asked for.
    n_features : int
        Columns.
    owner : str
        Who is asking.

    Examples
    --------
    >>> interaction_masks([{0, 1}], 3, "example")
    [[1, 1, 0], [0, 0, 1]]
    """
    sets = _interaction_sets(given, n_features, owner)
    if sets is None:
        return []
    rest = set(range(n_features)) - set().union(*sets)
    return [
        [int(j in group) for j in range(n_features)] for group in [*sets, *([rest] if rest else [])]
    ]


def _interaction_sets(given: Any, n_features: int, owner: str) -> list[set[int]] | None:
    if given is None:
        return None
    if isinstance(given, str):
        if given == "no_interactions":
            return [{j} for j in range(n_features)]
        return [{i, j} for j in range(n_features) for i in range(j)] or [{0}]
    sets = []
    for group in given:
        if isinstance(group, str) or not isinstance(group, Iterable):
            raise InvalidParameterError(
                f"{owner}: interaction_cst must be a sequence of sets of column numbers, "
                f"'pairwise' or 'no_interactions'; it holds {group!r}."
            )
        members = set(group)
        bad = [each for each in members if not _is_column(each, n_features)]
        if bad:
            raise InvalidDataError(
                f"{owner}: interaction_cst names column {bad[0]!r}; it must consist of integer "
                f"indices in [0, {n_features - 1}]."
            )
        sets.append({int(each) for each in members})
    return sets


def _is_column(value: Any, n_features: int) -> bool:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return bool(whole and 0 <= value < n_features)
