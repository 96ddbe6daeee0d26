"""Partial least squares of two blocks that are alike."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

from stylobate.base import Interval, Options, Tags
from stylobate.cross_decomposition.blocks import Blocks, Scaling
from stylobate.cross_decomposition.deflation import DeflationRequest, deflated_pairs
from stylobate.cross_decomposition.latent_regressor import LatentRegressor
from stylobate.cross_decomposition.power_method import warn_of_iterations


class PLSCanonical(LatentRegressor):
    r"""Pairs of directions, one of X and one of y, whose scores vary most together.

    .. math:: (w_k, c_k) = \arg\max_{\|w\|=\|c\|=1} \operatorname{cov}(X_k w, Y_k c),\qquad
              X_{k+1} = X_k - t_k p_k^\top,\quad Y_{k+1} = Y_k - u_k d_k^\top

    Unlike in `PLSRegression`, each block is reduced by its own scores :math:`t_k = X_k w_k` and
    :math:`u_k = Y_k c_k`. It follows from the products of columns, which one pass over the rows
    gives.

    Parameters
    ----------
    n_components : int in [1, min(n, n_features, n_targets)], default=2
        How many pairs.
    scale : bool, default=True
        Whether columns of X and y are divided by their standard deviation.
    algorithm : {"nipals", "svd"}, default="nipals"
        How each pair is found: by the power method, up to `tol`, or exactly.
    max_iter : int in [1, inf), default=500
        Limit of the power method.
    tol : float in [0, inf), default=1e-6
        Squared change of a direction at which it stops.
    copy : bool, default=True
        Accepted for compatibility; X and y are never written to.

    Attributes
    ----------
    x_weights_, x_loadings_, x_rotations_ : arrays of shape (n_features, n_components)
        Directions :math:`w_k`, slopes :math:`p_k` of X on its scores, and directions that give the
        scores of X as it was.
    y_weights_, y_loadings_, y_rotations_ : arrays of shape (n_targets, n_components)
        The same for y.
    coef_ : array of shape (n_targets, n_features)
    intercept_ : array of shape (n_targets,)
        Predictions are ``(X - X.mean(axis=0)) @ coef_.T + intercept_``.
    n_iter_ : list of int
        Steps of the power method; empty with ``algorithm="svd"``.
    x_explained_variance_ratio_, y_explained_variance_ratio_ : arrays of shape (n_components,)
        Shares of the variance of the (scaled) columns that each block's scores explain.
    statistic_, solver_reason_, n_features_in_, feature_names_in_
        As in `PLSRegression`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [2.0, 2.0, 2.0], [2.0, 5.0, 4.0]])
    >>> y = np.array([[0.1, -0.2], [0.9, 1.1], [6.2, 5.9], [11.9, 12.3]])
    >>> t, u = PLSCanonical(n_components=1).fit_transform(X, y)
    >>> t.ravel().round(2), u.ravel().round(2)
    (array([-1.4 , -1.2 ,  0.56,  2.03]), array([-1.23, -0.96,  0.32,  1.86]))

    References
    ----------
    Wegelin (2000), A survey of partial least squares methods, TR 371, University of Washington.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        scale: bool = True,
        algorithm: Annotated[str, Options("nipals", "svd")] = "nipals",
        max_iter: Annotated[int, Interval(1, inf)] = 500,
        tol: Annotated[float, Interval(0, inf)] = 1e-6,
        copy: bool = True,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.algorithm = algorithm
        self.max_iter = max_iter
        self.tol = tol
        self.copy = copy

    def _tags(self) -> Tags:
        return super()._tags().but(poor_score=True)

    def _solve(self, blocks: Blocks) -> tuple[Any, float]:
        by_svd = self.algorithm == "svd"
        request = DeflationRequest(self.n_components, True, by_svd, self.max_iter, self.tol)
        pairs = deflated_pairs(blocks, request)
        return pairs, pairs.lost

    def _store(self, solution: Any, blocks: Blocks, scaling: Scaling) -> None:
        self._store_pairs(solution, blocks)
        warn_of_iterations(self, solution)
