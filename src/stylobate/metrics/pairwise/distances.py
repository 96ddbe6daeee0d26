"""Matrices of distances, one function for each metric people call by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.distances import Cosine, Euclidean, Haversine, Manhattan, NanEuclidean
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.pairwise.arrays import read_pair


def euclidean_distances(
    X: Any,
    Y: Any = None,
    *,
    Y_norm_squared: Any = None,
    squared: bool = False,
    X_norm_squared: Any = None,
) -> NDArray[Any]:
    r"""Euclidean distances :math:`\sqrt{\sum_l (x_l - y_l)^2}` of every row of X to every row of Y.

    Computed from a product of the centred rows; where that would lose digits (rows that nearly
    coincide) again from the differences, so that equal rows are at exactly 0 and no distance is
    off by more than about 1e-13 of itself.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.
    Y_norm_squared : array-like of shape (m,), (m, 1) or (1, m), default=None
        Accepted and checked for its shape; not needed here.
    squared : bool, default=False
        Give the squares.
    X_norm_squared : array-like of shape (n,), (n, 1) or (1, n), default=None
        As ``Y_norm_squared``.

    Returns
    -------
    ndarray of shape (n, m)
        float32 if both tables are, else float64.

    Examples
    --------
    >>> euclidean_distances([[0, 1], [1, 1]], [[0, 0]])
    array([[1.        ],
           [1.41421356]])
    """
    x, y = read_pair(X, Y, "euclidean_distances")
    _check_norms(X_norm_squared, x, "X")
    _check_norms(Y_norm_squared, y, "Y")
    return Euclidean(squared=squared).matrix(x, y)


def _check_norms(norms: Any, x: Any, name: str) -> None:
    if norms is None:
        return
    shape, n = np.shape(norms), x.shape[0]
    if shape not in ((n,), (n, 1), (1, n)):
        raise InvalidDataError(
            f"euclidean_distances: Incompatible dimensions for {name} of shape {x.shape} and "
            f"{name}_norm_squared of shape {shape}."
        )


def nan_euclidean_distances(
    X: Any,
    Y: Any = None,
    *,
    squared: bool = False,
    missing_values: Any = np.nan,
    copy: bool = True,
) -> NDArray[Any]:
    r"""Euclidean distances over the columns both rows have, scaled up to all of them.

    .. math:: \sqrt{\frac{p}{|S|} \sum_{l \in S} (x_l - y_l)^2}

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense; NaN is missing.
    Y : table-like of shape (m, p), default=None
        None means X.
    squared : bool, default=False
        Give the squares.
    missing_values : nan or number, default=nan
        The value that stands for a missing one.
    copy : bool, default=True
        Accepted for compatibility: the tables are never changed.

    Returns
    -------
    ndarray of shape (n, m)
        NaN where two rows have no column in common.

    References
    ----------
    Dixon (1979), Pattern recognition with partly missing data.

    Examples
    --------
    >>> nan = float("nan")
    >>> nan_euclidean_distances([[3, nan, nan, 6]], [[1, nan, 4, 5]])
    array([[3.16227766]])
    """
    is_nan = isinstance(missing_values, float | np.floating) and np.isnan(missing_values)
    x, y = read_pair(
        X, Y, "nan_euclidean_distances", sparse=False, finite="allow-nan" if is_nan else True
    )
    if not is_nan:
        same = y is x
        x = np.where(x == missing_values, np.nan, x)
        y = x if same else np.where(y == missing_values, np.nan, y)
    return NanEuclidean(squared).matrix(x, y)


def manhattan_distances(X: Any, Y: Any = None) -> NDArray[np.float64]:
    r"""City-block distances :math:`\sum_l |x_l - y_l|`.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.

    Returns
    -------
    ndarray of shape (n, m)

    Examples
    --------
    >>> manhattan_distances([[1, 2], [3, 4]], [[1, 2], [0, 3]])
    array([[0., 2.],
           [4., 4.]])
    """
    return Manhattan().matrix(*read_pair(X, Y, "manhattan_distances"))


def cosine_distances(X: Any, Y: Any = None) -> NDArray[Any]:
    r"""One minus the cosine, :math:`1 - x \cdot y / (\|x\| \|y\|)`; 1 for a row of zeros.

    Computed as half the squared distance of the directions, so that rows of nearly one direction
    keep their digits.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.

    Returns
    -------
    ndarray of shape (n, m)
        In [0, 2].

    Examples
    --------
    >>> cosine_distances([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]])
    array([[1.        , 1.        ],
           [0.42264973, 0.18350342]])
    """
    return Cosine().matrix(*read_pair(X, Y, "cosine_distances"))


def haversine_distances(X: Any, Y: Any = None) -> NDArray[np.float64]:
    r"""Great-circle distances of points given as latitude and longitude in radians.

    .. math:: 2 \arcsin \sqrt{\sin^2 \tfrac{\Delta\phi}{2}
              + \cos\phi_x \cos\phi_y \sin^2 \tfrac{\Delta\lambda}{2}}

    Parameters
    ----------
    X : table-like of shape (n, 2)
        Latitude and longitude, in radians.
    Y : table-like of shape (m, 2), default=None
        None means X.

    Returns
    -------
    ndarray of shape (n, m)
        In radians; times 6371 gives kilometres on the Earth.

    Examples
    --------
    >>> import numpy as np
    >>> places = np.radians([[-34.83333, -58.5166646], [49.0083899664, 2.53844117956]])
    >>> (haversine_distances(places) * 6371).round(1)  # Buenos Aires, Paris
    array([[    0. , 11099.5],
           [11099.5,     0. ]])
    """
    return Haversine().matrix(*read_pair(X, Y, "haversine_distances", sparse=False))
