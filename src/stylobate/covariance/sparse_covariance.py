"""The graphical lasso as an estimator."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Options, Tags
from stylobate.covariance.normal import NormalCovariance
from stylobate.covariance.sparse_precision import sparse_precision
from stylobate.exceptions import InvalidDataError
from stylobate.statistics import Source

_EPS = float(np.finfo(np.float64).eps)


class GraphicalLasso(NormalCovariance):
    r"""A covariance whose inverse K is sparse: columns that are independent given all others.

    .. math:: \min_{K \succ 0} \operatorname{tr}(SK) - \log\det K + α \sum_{i \ne j} |K_{ij}|

    Parameters
    ----------
    alpha : float in [0, inf), default=0.01
        Penalty; larger makes K sparser.
    mode : {"cd", "lars"}, default="cd"
        For compatibility; columns are solved by coordinate descent and finished exactly.
    covariance : {"precomputed"} or None, default=None
        "precomputed": X is the empirical covariance.
    tol : float in (0, inf), default=1e-4
        Duality gap at which sweeps end.
    enet_tol : float in (0, inf), default=1e-4
        Relative gap at which each column's lasso ends.
    max_iter : int in [0, inf), default=100
        Sweeps at most.
    verbose : bool, default=False
        For compatibility; nothing is printed.
    eps : float in (0, inf)
        For compatibility.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.

    Attributes
    ----------
    location_ : array of shape (n_features,)
        The mean.
    covariance_, precision_ : arrays of shape (n_features, n_features)
        W and its sparse inverse K.
    costs_ : list of (float, float)
        Objective and duality gap after each sweep.
    n_iter_ : int
        Sweeps.
    statistic_ : Moments
        What `partial_fit` goes on from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(200, 3))
    >>> rows[:, 1] += rows[:, 0]
    >>> (np.abs(GraphicalLasso(alpha=0.2).fit(rows).precision_) > 0).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [0, 0, 1]])

    References
    ----------
    Friedman, Hastie & Tibshirani (2008), Sparse inverse covariance estimation with the graphical
    lasso, Biostatistics 9.
    """

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 0.01,
        *,
        mode: Annotated[str, Options("cd", "lars")] = "cd",
        covariance: Annotated[str, Options("precomputed")] | None = None,
        tol: Annotated[float, Interval(0, inf, closed="right")] = 1e-4,
        enet_tol: Annotated[float, Interval(0, inf, closed="right")] = 1e-4,
        max_iter: Annotated[int, Interval(0, inf)] = 100,
        verbose: bool = False,
        eps: Annotated[float, Interval(0, inf, closed="both")] = _EPS,
        assume_centered: bool = False,
    ) -> None:
        self.alpha = alpha
        self.mode = mode
        self.covariance = covariance
        self.tol = tol
        self.enet_tol = enet_tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.assume_centered = assume_centered

    def _tags(self) -> Tags:
        given = self.covariance == "precomputed"
        return super()._tags().but(tier="all rows" if given else "one pass")

    @property
    def _needs_rows(self) -> bool:
        return self.covariance == "precomputed"

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learn the covariance of rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows; a covariance with ``covariance="precomputed"``.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._start_afresh()
        if self.covariance != "precomputed":
            table = self._read(X, reset=True, check_finite="deferred", min_rows=2, min_features=2)
            self._learn(self._source(table))
            return self
        table = self._read(X, reset=True, min_features=2)
        if table.n_rows != table.n_features:
            raise InvalidDataError(
                "GraphicalLasso: with covariance='precomputed' X is a square matrix, got shape "
                f"{table.x.shape}."
            )
        self.location_ = np.zeros(table.n_features)
        self._solve(np.array(table.x, dtype=np.float64))
        return self

    def _learn(self, source: Source) -> None:
        self._solve(self._covariance_of(source))

    def _solve(self, empirical: Array) -> None:
        found = sparse_precision(
            empirical, self.alpha, tol=self.tol, inner_tol=self.enet_tol, max_iter=self.max_iter
        )
        self.covariance_, self.precision_ = found.covariance, found.precision
        self.costs_, self.n_iter_ = found.costs, found.n_iter
