"""Dissimilarity of rows whose columns are numbers, ranks and categories, some of them missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.distances import Gower


def gower_distances(
    X: Any,
    Y: Any = None,
    *,
    kinds: Mapping[Any, str] | Sequence[str] | None = None,
    weights: Any = None,
    ranges: Mapping[Any, Any] | None = None,
    f: Callable[..., Any] | None = None,
) -> NDArray[np.float64]:
    r"""Gower's dissimilarity of every row of X to every row of Y, of mixed columns.

    .. math:: d(x, y) = \frac{\sum_l w_l \delta_l d_l(x_l, y_l)}{\sum_l w_l \delta_l}

    where :math:`\delta_l` is 1 if both rows have column l, and :math:`d_l` is
    :math:`|x_l - y_l| / \text{range}_l` for numbers, dates and ranks, and 0 for equal and 1 for
    different categories. The ranges are those of the rows of X and Y; a `stylobate.distances.Gower`
    that has learnt its columns keeps its own.

    Parameters
    ----------
    X : data frame or array-like of shape (n, p)
        Columns of numbers, dates, text, categories or booleans; None and NaN are missing.
    Y : data frame or array-like of shape (m, p), default=None
        None means X.
    kinds : mapping of column to kind, or one kind for each column, default=None
        ``numeric`` (numbers or dates), ``ordinal`` (ranks, in the order the categories declare or
        else sorted), ``nominal`` or ``binary``. By default numbers and dates are numeric, ordered
        categories ordinal and all others nominal.
    weights : array-like of shape (p,), default=None
        Not negative; None means ones.
    ranges : mapping of column to float or timedelta, default=None
        Ranges, where those of the rows at hand are not meant.
    f : callable, default=None
        Of arrays, entry by entry, not decreasing: distances are :math:`f(\sum_l w_l d_l)`.

    Returns
    -------
    ndarray of shape (n, m)
        In [0, 1] with the default ranges; NaN where two rows have no column in common.

    References
    ----------
    Gower (1971), A general coefficient of similarity and some of its properties.

    Examples
    --------
    >>> rows = [[20, "red"], [30, "red"], [40, None]]
    >>> gower_distances(rows)
    array([[0.  , 0.25, 1.  ],
           [0.25, 0.  , 0.5 ],
           [1.  , 0.5 , 0.  ]])
    """
    return Gower(kinds, weights, ranges, f).between(X, Y).write()
