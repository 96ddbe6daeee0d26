"""Partial least squares by one singular value decomposition."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

from stylobate.base import Interval
from stylobate.cross_decomposition.blocks import EPS, Blocks, Scaling
from stylobate.cross_decomposition.latent_pairs import signs_of
from stylobate.cross_decomposition.two_block_model import TwoBlockModel
from stylobate.interrupts import interruptible


class PLSSVD(TwoBlockModel):
    r"""Singular vectors of the cross-covariance: directions whose scores vary most together.

    .. math:: X_c^\top Y_c = U Σ V^\top,\qquad t = X_c U_k,\quad u = Y_c V_k

    The first pair is that of `PLSCanonical`; the others come from the same matrix, with nothing
    taken away in between. One pass over the rows.

    Parameters
    ----------
    n_components : int in [1, min(n, n_features, n_targets)], default=2
        How many pairs.
    scale : bool, default=True
        Whether columns of X and y are divided by their standard deviation.
    copy : bool, default=True
        Accepted for compatibility; X and y are never written to.

    Attributes
    ----------
    x_weights_ : array of shape (n_features, n_components)
    y_weights_ : array of shape (n_targets, n_components)
        Singular vectors; of each x weight the entry of largest size is positive.
    covariances_ : array of shape (n_components,)
        Covariances of the pairs of scores.
    statistic_, solver_reason_, n_features_in_, feature_names_in_
        As in `PLSRegression`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [2.0, 2.0, 2.0], [2.0, 5.0, 4.0]])
    >>> y = np.array([[0.1, -0.2], [0.9, 1.1], [6.2, 5.9], [11.9, 12.3]])
    >>> model = PLSSVD(n_components=2).fit(X, y)
    >>> model.x_weights_.round(2)
    array([[ 0.52, -0.11],
           [ 0.62,  0.73],
           [ 0.59, -0.67]])

    References
    ----------
    Wegelin (2000), A survey of partial least squares methods, TR 371, University of Washington.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        scale: bool = True,
        copy: bool = True,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.copy = copy

    @property
    def _rotations(self) -> tuple[Any, Any]:
        return self.x_weights_, self.y_weights_

    def _solve(self, blocks: Blocks) -> tuple[Any, float]:
        from scipy import linalg

        u, s, vt = interruptible(linalg.svd, blocks.cross(), full_matrices=False)
        k = self.n_components
        sign = signs_of(u[:, :k])
        # entries of XᵀY have the digits of the rows: rounding moves a singular value by that much
        return (sign * u[:, :k], sign * vt[:k].T, s[:k]), EPS

    def _store(self, solution: Any, blocks: Blocks, scaling: Scaling) -> None:
        self.x_weights_, self.y_weights_, strengths = solution
        self.covariances_ = strengths / max(scaling.n_rows - 1, 1)
