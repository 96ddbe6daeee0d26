"""Rare categories that become one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

INFREQUENT = "infrequent_sklearn"
"""The name of the merged category, as scikit-learn writes it."""


def infrequent_positions(
    counts: NDArray[Any], n_rows: int, min_frequency: Any, max_categories: Any
) -> NDArray[np.intp] | None:
    """Which categories are rare; None if none is.

    Parameters
    ----------
    counts : array of shape (k,)
        Rows of each category.
    n_rows : int
        All rows.
    min_frequency : int, float or None
        Fewer rows than this (or than this share of all) is rare.
    max_categories : int or None
        At most this many are left, the merged one included.

    Examples
    --------
    >>> infrequent_positions(np.array([5, 1, 3]), 9, 2, None)
    array([1])
    """
    rare = np.zeros(len(counts), dtype=bool)
    if min_frequency is not None:
        is_share = isinstance(min_frequency, float | np.floating)
        rare = counts < (min_frequency * n_rows if is_share else min_frequency)
    left = len(counts) - rare.sum() + 1  # the merged one counts, as in scikit-learn even if empty
    if max_categories is not None and max_categories < left:
        fewest = np.argsort(counts, kind="stable")
        rare[fewest[: len(counts) - (int(max_categories) - 1)]] = True
    return np.flatnonzero(rare) if rare.any() else None


def merged(n_categories: int, rare: NDArray[np.intp] | None) -> NDArray[np.intp]:
    """The group of each category: frequent ones in order, all rare ones last.

    >>> merged(4, np.array([1, 3]))
    array([0, 2, 1, 2])
    """
    if rare is None:
        return np.arange(n_categories)
    groups = np.full(n_categories, n_categories - len(rare), dtype=np.intp)
    frequent = np.setdiff1d(np.arange(n_categories), rare)
    groups[frequent] = np.arange(len(frequent))
    return groups


def group_labels(categories: NDArray[Any], rare: NDArray[np.intp] | None) -> NDArray[Any]:
    """What each group is called: the frequent categories, then the merged one."""
    if rare is None:
        return categories
    frequent = np.delete(categories, rare).astype(object)
    return np.append(frequent, np.array([INFREQUENT], dtype=object))
