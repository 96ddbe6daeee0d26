"""Some of the rows of whatever has rows, in the container it came in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.sparse import check_sparse, is_sparse
from stylobate.data.words import Input, kind_of

_ROWS = Input("choosing rows", "the table")


def indexable(thing: Any, source: Input = _ROWS) -> Any:
    """The same rows in a container that `take_rows` can choose from; refuses damaged ones.

    Parameters
    ----------
    thing : object
        What the caller passed.
    source : Input
        Named in refusals.
    """
    if thing is None or isinstance(thing, np.ndarray | list | tuple):
        return thing
    if is_sparse(thing):
        check_sparse(thing, source)
        return thing.tocsr()
    if hasattr(thing, "iloc") or hasattr(thing, "take") or hasattr(thing, "__getitem__"):
        return thing
    return np.asarray(thing)


def take_rows(thing: Any, rows: NDArray[Any] | slice) -> Any:
    """The rows of these numbers (or this slice), in that order.

    Parameters
    ----------
    thing : array, sparse array, data frame, series, list or None
        What to take from; None gives None.
    rows : array of row numbers, mask or slice
        A slice of an array is a view.

    Examples
    --------
    >>> take_rows(["a", "b", "c"], np.array([2, 0]))
    ['c', 'a']
    """
    if thing is None:
        return None
    if isinstance(thing, np.ndarray) or is_sparse(thing):
        return thing[rows]
    if hasattr(thing, "iloc"):
        return thing.iloc[rows]
    numbers = _numbers(rows, len(thing))
    if isinstance(thing, list | tuple):
        return [thing[i] for i in numbers.tolist()]
    if kind_of(thing).startswith("pyarrow"):
        return thing.take(numbers)
    return thing[numbers]


def as_slice(rows: NDArray[Any]) -> NDArray[Any] | slice:
    """The same rows as a slice, which needs no copy, if they are consecutive."""
    if rows.dtype == bool:
        rows = np.flatnonzero(rows)
    if len(rows) and rows[-1] - rows[0] + 1 == len(rows) and (np.diff(rows) == 1).all():
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def _numbers(rows: NDArray[Any] | slice, n: int) -> NDArray[np.intp]:
    if isinstance(rows, slice):
        return np.arange(n)[rows]
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows
