"""Coefficients of ridge regression along a path of penalties, as a function."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model.ridge.path import path_from_factor, path_from_moments, path_from_rows
from stylobate.statistics import Moments, TriangularFactor


def ridge_path(
    X: Any, y: Any, *, alphas: Any = 100, eps: float = 1e-6, fit_intercept: bool = True
) -> tuple[Array, Array, Array]:
    r"""Coefficients of ridge regression at many penalties, from one pass over the rows.

    .. math:: \min_{w, b} \; \|y - Xw - b\|^2 + \alpha \|w\|^2

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Rows; scale the columns first where their units differ.
    y : array-like of shape (n,)
        Target.
    alphas : int or array-like, default=100
        How many penalties, or which ones (not negative; used from large to small). A number gives
        that many from 100 times the largest eigenvalue of the centred :math:`X^\top X`, where
        all coefficients are near 0, down to `eps` of it.
    eps : float in (0, 1), default=1e-6
        The smallest penalty of the grid as a share of that eigenvalue.
    fit_intercept : bool, default=True
        Whether to fit b, which is not shrunk.

    Returns
    -------
    alphas : array of shape (n_alphas,)
        From large to small.
    coefs : array of shape (p, n_alphas)
        As `plot_path` draws them.
    intercepts : array of shape (n_alphas,)

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[-1.0], [0.0], [1.0]]), [1.0, 3.0, 5.0]
    >>> alphas, coefs, intercepts = ridge_path(X, y, alphas=[0.0, 2.0, 6.0])
    >>> alphas, coefs, intercepts  # Σxy / (Σx² + α) with centred columns
    (array([6., 2., 0.]), array([[0.5, 1. , 2. ]]), array([3., 3., 3.]))

    References
    ----------
    Hoerl & Kennard (1970), Ridge regression: biased estimation for nonorthogonal problems,
    Technometrics 12.
    """
    table = read_table(X, y, owner="ridge_path", y_required=True)
    assert table.y is not None
    if table.y.shape[1] != 1:
        raise InvalidDataError(
            f"ridge_path: y has {table.y.shape[1]} targets; ask for one path per target."
        )
    grid = _grid(alphas, eps, lambda: _largest(table.x, fit_intercept))
    if table.n_features > table.n_rows:
        path = path_from_rows(table, grid, intercept=fit_intercept)
    else:
        known = path_from_moments(Moments.of(table), grid, intercept=fit_intercept)
        path = known or path_from_factor(TriangularFactor.of(table), grid, intercept=fit_intercept)
    return grid, np.ascontiguousarray(path.coef[:, :, 0].T), path.intercept[:, 0].copy()


def _grid(alphas: Any, eps: float, largest: Any) -> Array:
    if not isinstance(alphas, Integral):
        grid = np.sort(np.asarray(alphas, dtype=np.float64).reshape(-1))[::-1].copy()
        if not len(grid) or not (np.isfinite(grid).all() and grid[-1] >= 0.0):
            raise InvalidParameterError(
                f"ridge_path: alphas must be finite numbers that are not negative, got {alphas!r}."
            )
        return grid
    if alphas < 1 or not 0.0 < eps < 1.0:
        raise InvalidParameterError(
            f"ridge_path: a number of alphas must be at least 1 and eps in (0, 1), got {alphas!r} "
            f"and {eps!r}."
        )
    top = largest()
    return np.geomspace(100.0 * top, eps * top, int(alphas))


def _largest(x: Any, centred: bool) -> float:
    """The largest eigenvalue of XᵀX; 1 where X is constant."""
    rows = np.asarray(x, dtype=np.float64)
    rows = rows - rows.mean(axis=0) if centred else rows
    value = float(np.linalg.norm(rows, 2)) ** 2
    return value if value > 0.0 else 1.0
