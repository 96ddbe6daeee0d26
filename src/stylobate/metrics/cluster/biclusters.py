"""How alike two sets of biclusters are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError


def consensus_score(
    a: tuple[Any, Any], b: tuple[Any, Any], *, similarity: str | Callable[..., float] = "jaccard"
) -> float:
    """The similarity of two sets of biclusters under their best matching.

    Each bicluster of one set is matched with at most one of the other so that the similarities of
    the pairs sum to most; their sum is divided by the size of the larger set.

    Parameters
    ----------
    a, b : tuple (rows, columns)
        Indicators of shape (biclusters, n_rows) and (biclusters, n_columns).
    similarity : "jaccard" or callable, default="jaccard"
        Cells in both over cells in either, or a function of (a_rows, a_columns, b_rows, b_columns)
        of two biclusters.

    Returns
    -------
    float
        In [0, 1] by the Jaccard coefficient.

    References
    ----------
    Hochreiter et al. (2010), FABIA: factor analysis for bicluster acquisition.

    Examples
    --------
    >>> a = ([[True, False], [False, True]], [[False, True], [True, False]])
    >>> b = ([[False, True], [True, False]], [[True, False], [False, True]])
    >>> consensus_score(a, b)
    1.0
    """
    if similarity != "jaccard" and not callable(similarity):
        raise InvalidParameterError(
            f"consensus_score: similarity must be 'jaccard' or a function; got {similarity!r}."
        )
    from scipy.optimize import linear_sum_assignment

    (a_rows, a_columns), (b_rows, b_columns) = _read(a, "a"), _read(b, "b")
    alike = _jaccard if not callable(similarity) else similarity
    matrix = np.array(
        [
            [alike(*first, *second) for second in zip(b_rows, b_columns, strict=True)]
            for first in zip(a_rows, a_columns, strict=True)
        ]
    )
    rows, columns = linear_sum_assignment(1.0 - matrix)
    return float(matrix[rows, columns].sum() / max(len(a_rows), len(b_rows)))


def _read(biclusters: Any, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    if not isinstance(biclusters, tuple) or len(biclusters) != 2:
        raise InvalidParameterError(
            f"consensus_score: {name} must be a tuple (rows, columns) of indicators."
        )
    rows, columns = (np.asarray(each) for each in biclusters)
    if len(rows) != len(columns):
        raise InvalidDataError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{len(rows)}, {len(columns)}]; {name} needs rows and columns of each bicluster."
        )
    return rows, columns


def _jaccard(
    a_rows: NDArray[Any], a_columns: NDArray[Any], b_rows: NDArray[Any], b_columns: NDArray[Any]
) -> float:
    both = float((a_rows * b_rows).sum()) * float((a_columns * b_columns).sum())
    first = float(a_rows.sum()) * float(a_columns.sum())
    second = float(b_rows.sum()) * float(b_columns.sum())
    return both / (first + second - both)
