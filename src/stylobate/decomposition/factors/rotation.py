"""Rotations of loadings that make them easy to read."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError


def rotated_loadings(
    loadings: Any, method: str = "varimax", *, tol: float = 1e-6, max_iter: int = 100
) -> tuple[Array, Array]:
    r"""Loadings under the rotation that makes their squares as uneven as it can.

    .. math:: \max_{R^\top R = I} \sum_{jk} (LR)_{jk}^4
              - \frac{γ}{p}\sum_k \Big(\sum_j (LR)_{jk}^2\Big)^2

    with γ = 1 for varimax (each factor loads on few columns), 0 for quartimax (each column on few
    factors). Communalities :math:`\sum_k (LR)_{jk}^2` and the model's covariance stay the same.

    Parameters
    ----------
    loadings : array-like of shape (p, k)
        L, columns of the data by factors.
    method : {"varimax", "quartimax"}, default="varimax"
        Which.
    tol : float in [0, inf), default=1e-6
        Relative growth of the criterion's bound at which the steps end.
    max_iter : int in [1, inf), default=100
        Steps at most.

    Returns
    -------
    rotated : array of shape (p, k)
        LR.
    rotation : array of shape (k, k)
        R.

    Examples
    --------
    >>> import numpy as np
    >>> simple = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.5]])
    >>> turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    >>> np.abs(rotated_loadings(simple @ turn)[0]).round(2)
    array([[1. , 0. ],
           [2. , 0. ],
           [0. , 1.5]])

    References
    ----------
    Kaiser (1958), The varimax criterion for analytic rotation in factor analysis, Psychometrika 23.
    """
    if method not in ("varimax", "quartimax"):
        raise InvalidParameterError(
            f"rotated_loadings: method must be 'varimax' or 'quartimax', got {method!r}."
        )
    matrix = np.asarray(loadings, dtype=np.float64)
    p, k = matrix.shape
    share = 1.0 / p if method == "varimax" and p else 0.0
    rotation, reached = np.eye(k), 0.0
    for _ in range(max_iter):
        turned = matrix @ rotation
        gradient = turned**3 - share * turned * (turned**2).sum(axis=0)
        u, sizes, vt = np.linalg.svd(matrix.T @ gradient)
        rotation = u @ vt
        total = float(sizes.sum())
        if reached != 0.0 and total < reached * (1.0 + tol):
            break
        reached = total
    return matrix @ rotation, rotation
