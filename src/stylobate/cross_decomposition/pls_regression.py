"""Partial least squares regression."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Tags
from stylobate.cross_decomposition.blocks import Blocks, Scaling
from stylobate.cross_decomposition.deflation import DeflationRequest, deflated_pairs
from stylobate.cross_decomposition.latent_regressor import LatentRegressor
from stylobate.cross_decomposition.power_method import warn_of_iterations
from stylobate.cross_decomposition.scores import scores_of


class PLSRegression(LatentRegressor):
    r"""Regression on the few directions of X that vary most with y (PLS1, PLS2).

    .. math:: w_k = \arg\max_{\|w\|=1} \; \max_{\|c\|=1} \operatorname{cov}(X_k w, Y_k c),\qquad
              t_k = X_k w_k,\qquad X_{k+1} = X_k - t_k p_k^\top,\quad Y_{k+1} = Y_k - t_k q_k^\top

    All of it follows from :math:`X^\top X, X^\top Y, Y^\top Y`: the rows are read once, so streams,
    batches and merged parts give the model of all rows, and cross-validation reads them once for
    all folds and numbers of components. Fewer rows than columns are worked on as they are.

    Parameters
    ----------
    n_components : int in [1, min(n, n_features)], default=2
        How many directions.
    scale : bool, default=True
        Whether columns of X and y are divided by their standard deviation.
    max_iter : int in [1, inf), default=500
        Limit of the power method that finds each direction.
    tol : float in [0, inf), default=1e-6
        Squared change of a direction at which it stops (one target: one step is exact).
    copy : bool, default=True
        Accepted for compatibility; X and y are never written to.

    Attributes
    ----------
    x_weights_, x_loadings_, x_rotations_ : arrays of shape (n_features, n_components)
        Directions :math:`w_k` in what is left of X, slopes :math:`p_k` of X on the scores, and
        directions that give the scores of X as it was.
    y_weights_, y_loadings_, y_rotations_ : arrays of shape (n_targets, n_components)
        The same for y.
    x_scores_, y_scores_ : arrays of shape (n, n_components)
        Scores of the rows given to `fit`; not there after fits of streams.
    coef_ : array of shape (n_targets, n_features)
    intercept_ : array of shape (n_targets,)
        Predictions are ``(X - X.mean(axis=0)) @ coef_.T + intercept_``.
    n_iter_ : list of int
        Steps of the power method.
    x_explained_variance_ratio_, y_explained_variance_ratio_ : arrays of shape (n_components,)
        Shares of the variance of the (scaled) columns that each component explains.
    vip_ : array of shape (n_features,)
        Variable importance in projection; their mean square is 1.
    statistic_ : Moments
        What `partial_fit` goes on from, where products of columns were used.
    solver_reason_ : str
        What was computed from, and why.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [2.0, 2.0, 2.0], [2.0, 5.0, 4.0]])
    >>> y = np.array([[0.1, -0.2], [0.9, 1.1], [6.2, 5.9], [11.9, 12.3]])
    >>> model = PLSRegression(n_components=2).fit(X, y)
    >>> model.predict(X).round(1)
    array([[ 0.3,  0.2],
           [ 0.6,  0.5],
           [ 6.5,  6.5],
           [11.8, 12. ]])
    >>> model.y_explained_variance_ratio_.round(3)
    array([0.992, 0.001])

    References
    ----------
    Wold, Sjöström & Eriksson (2001), PLS-regression: a basic tool of chemometrics, Chemometrics and
    Intelligent Laboratory Systems 58.
    """

    _deflates_by_x = True

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

    def _most_components(self, n: int, p: int, q: int) -> int:
        return min(n, p)

    def _solve(self, blocks: Blocks) -> tuple[Any, float]:
        request = DeflationRequest(
            self.n_components, canonical=False, max_iter=self.max_iter, tol=self.tol
        )
        pairs = deflated_pairs(blocks, request)
        return pairs, pairs.lost

    def _store(self, solution: Any, blocks: Blocks, scaling: Scaling) -> None:
        for name in ("_x_scores", "_y_scores"):
            vars(self).pop(name, None)
        self._store_pairs(solution, blocks)
        explained = self.y_explained_variance_ratio_
        total = explained.sum()
        share = explained / total if total > 0.0 else explained
        self.vip_ = np.sqrt(len(self.x_weights_) * (self.x_weights_**2 @ share))
        warn_of_iterations(self, solution)

    def _keep_scores(self, table: Any) -> None:
        self._x_scores = scores_of(table.x, self._x_mean, self._x_std, self.x_rotations_)
        squares = (self.y_weights_**2).sum(axis=0)
        directions = self.y_weights_ / np.where(squares > 0.0, squares, 1.0)
        # scores of what earlier components had left of y
        known = np.triu(self.y_loadings_.T @ directions, 1)
        y_scores = scores_of(table.y, self._y_mean, self._y_std, directions)
        self._y_scores = y_scores - self._x_scores @ known

    @property
    def x_scores_(self) -> Array:
        """Scores of the rows given to `fit`."""
        return self._kept("_x_scores")

    @property
    def y_scores_(self) -> Array:
        """Scores of their targets."""
        return self._kept("_y_scores")

    def _kept(self, name: str) -> Array:
        if name not in vars(self):
            raise AttributeError(
                f"{type(self).__name__} has no {name[1:]}_: scores are kept by `fit` to rows in "
                "memory alone; `transform` gives those of any rows"
            )
        scores: Array = vars(self)[name]
        return scores
