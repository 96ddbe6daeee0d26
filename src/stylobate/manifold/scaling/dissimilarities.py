"""Matrices of dissimilarities: given ones checked, others computed from rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.metrics.pairwise.dispatch import pairwise_distances

_ABSOLUTE, _RELATIVE = 1e-10, 1e-5  # how far from symmetric a matrix may be, as in scikit-learn
_LARGEST = 1e150  # squares of more, added up, leave the range of doubles


def checked_dissimilarities(matrix: Any, owner: str, *, signed: bool = False) -> Array:
    """A square symmetric matrix in double precision; NaN says that a pair is not known.

    Parameters
    ----------
    matrix : array-like of shape (n, n)
        Checked numbers.
    owner : str
        Who asks, for the sentence that refuses.
    signed : bool, default=False
        Whether entries may be negative: similarities.

    Examples
    --------
    >>> checked_dissimilarities([[0, 3], [3, 0]], "MDS")
    array([[0., 3.],
           [3., 0.]])
    """
    given = np.ascontiguousarray(matrix, dtype=np.float64)
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise InvalidDataError(
            f"{owner}: a precomputed array must be 2-dimensional and square. shape = {given.shape}"
        )
    least, most, worst = _core.symmetry(given)
    if worst > _ABSOLUTE + _RELATIVE * max(most, -least):
        raise InvalidDataError(
            f"{owner}: Array must be symmetric: the dissimilarity of i and j is that of j and i; "
            f"they differ by up to {worst:.3g}. The mean with the transpose is."
        )
    if not signed and least < 0:
        raise InvalidDataError(
            f"{owner}: dissimilarities cannot be negative; the least is {least:.3g}."
        )
    return given if worst == 0.0 else (given + given.T) / 2.0


def dissimilarities_between(
    rows: Any, others: Any, metric: Any, params: dict[str, Any] | None
) -> Array:
    """Dissimilarities of every row to every other, in double precision.

    >>> import numpy as np
    >>> dissimilarities_between(np.array([[0.0], [2.0]]), None, "euclidean", None)
    array([[0., 2.],
           [2., 0.]])
    """
    found = pairwise_distances(rows, others, metric=metric, **(params or {}))
    return np.ascontiguousarray(found, dtype=np.float64)


def refuse_too_large(dissimilarities: Array, owner: str) -> None:
    """Refuse what cannot be squared and added up; NaN, where unknown, is let through.

    >>> refuse_too_large(np.array([[0.0, np.nan], [np.nan, 0.0]]), "MDS")
    """
    largest = np.max(dissimilarities, where=~np.isnan(dissimilarities), initial=0.0)
    if largest > _LARGEST:
        raise NumericalError(
            f"{owner}: dissimilarities up to {largest:.3g} are too large to be squared in double "
            "precision; divide them, or the large columns of X, by a constant first."
        )
