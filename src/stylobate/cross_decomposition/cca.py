"""Canonical correlation analysis."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

from stylobate.base import Interval, Tags
from stylobate.cross_decomposition.blocks import Blocks, GramBlocks, RowBlocks, Scaling
from stylobate.cross_decomposition.canonical_correlation import canonical_pairs
from stylobate.cross_decomposition.correlation_tests import CorrelationSummary
from stylobate.cross_decomposition.latent_regressor import LatentRegressor
from stylobate.parallel import blas_for


class CCA(LatentRegressor):
    r"""Canonical correlations: combinations of X and of y that correlate most.

    .. math:: (a_k, b_k) = \arg\max \operatorname{corr}(X a, Y b),\qquad
              X a \perp X a_j,\; Y b \perp Y b_j \quad (j < k)

    Both blocks are whitened and one singular value decomposition gives all pairs, exactly: what
    scikit-learn's power method tends to as its `tol` falls to 0. With as many directions in X and y
    together as rows, correlations of 1 are bound to be found and mean nothing; `summary` says so.
    Dependent columns are left to vectors of least norm, and ``x_rank_``, ``y_rank_`` count what is
    independent.

    Parameters
    ----------
    n_components : int in [1, min(n, n_features, n_targets)], default=2
        How many pairs.
    scale : bool, default=True
        Whether columns of X and y are divided by their standard deviation; the correlations are
        the same.
    max_iter : int in [1, inf), default=500
        Accepted for compatibility; there is nothing to iterate.
    tol : float in [0, inf), default=1e-6
        Accepted for compatibility.
    copy : bool, default=True
        Accepted for compatibility; X and y are never written to.

    Attributes
    ----------
    correlations_ : array of shape (min(x_rank_, y_rank_),)
        All canonical correlations, largest first, however many components are kept.
    x_weights_, x_loadings_, x_rotations_ : arrays of shape (n_features, n_components)
        Orthonormal weights, slopes of X on its scores, and directions that give the scores.
    y_weights_, y_loadings_, y_rotations_ : arrays of shape (n_targets, n_components)
        The same for y.
    coef_ : array of shape (n_targets, n_features)
    intercept_ : array of shape (n_targets,)
        Predictions are ``(X - X.mean(axis=0)) @ coef_.T + intercept_``.
    x_rank_, y_rank_ : int
        Independent columns of the centred blocks.
    x_explained_variance_ratio_, y_explained_variance_ratio_ : arrays of shape (n_components,)
        Shares of the variance of the (scaled) columns that each block's scores explain.
    n_iter_ : list of int
        1 for each component.
    statistic_, solver_reason_, n_features_in_, feature_names_in_
        As in `PLSRegression`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> shared = rng.standard_normal((200, 1))
    >>> X = np.hstack([shared + rng.standard_normal((200, 1)), rng.standard_normal((200, 2))])
    >>> y = np.hstack([shared + rng.standard_normal((200, 1)), rng.standard_normal((200, 1))])
    >>> model = CCA(n_components=1).fit(X, y)
    >>> model.correlations_.round(2)
    array([0.55, 0.11])
    >>> model.summary().p_values.round(2)
    array([0.  , 0.33])

    References
    ----------
    Hotelling (1936), Relations between two sets of variates, Biometrika 28. Björck & Golub (1973),
    Numerical methods for computing angles between linear subspaces, Math. Comp. 27.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        scale: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 500,
        tol: Annotated[float, Interval(0, inf)] = 1e-6,
        copy: bool = True,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.max_iter = max_iter
        self.tol = tol
        self.copy = copy

    def _tags(self) -> Tags:
        return super()._tags().but(poor_score=True)

    def _solve(self, blocks: Blocks) -> tuple[Any, float]:
        with blas_for(_order(blocks)):
            found = canonical_pairs(blocks, self.n_components)
        return found, found.pairs.lost

    def _store(self, solution: Any, blocks: Blocks, scaling: Scaling) -> None:
        self._store_pairs(solution.pairs, blocks)
        self.correlations_ = solution.correlations
        self.x_rank_, self.y_rank_ = solution.x_rank, solution.y_rank
        self._n_rows = scaling.n_rows

    def summary(self) -> CorrelationSummary:
        """Which correlations differ from chance: Wilks' lambda with Bartlett's test.

        Returns
        -------
        CorrelationSummary
            Print it for a table.
        """
        self._check_fitted()
        return CorrelationSummary.of(self.correlations_, self._n_rows, self.x_rank_, self.y_rank_)


def _order(blocks: Blocks) -> int:
    """Columns of X, or rows where they are known and fewer: what is factored is as large."""
    if isinstance(blocks, RowBlocks):
        return int(min(blocks.x.shape))
    assert isinstance(blocks, GramBlocks)
    return len(blocks.xx)
