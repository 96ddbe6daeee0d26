"""Covariances shrunk towards a multiple of the identity."""

from __future__ import annotations

from typing import Annotated, Any, Self

from stylobate.base import Interval, Tags
from stylobate.covariance.normal import NormalCovariance
from stylobate.data import Table
from stylobate.sources import MemorySource
from stylobate.statistics import Source
from stylobate.statistics.moments.shrinkage import fourth_moment, ledoit_wolf_of, oas_of, shrunk


class ShrunkCovariance(NormalCovariance):
    r"""The covariance mixed with its mean variance: :math:`(1 - δ)S + δ \frac{tr S}{p} I`.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.
    shrinkage : float in [0, 1], default=0.1
        The share δ of the mean variance.

    Attributes
    ----------
    location_ : array of shape (n_features,)
        The mean.
    covariance_ : array of shape (n_features, n_features)
    precision_ : array of shape (n_features, n_features) or None
        Its inverse.
    statistic_ : Moments
        What `partial_fit` goes on from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> ShrunkCovariance(shrinkage=0.5).fit([[0.0, 0.0], [2.0, 4.0]]).covariance_
    array([[1.75, 1.  ],
           [1.  , 3.25]])
    """

    def __init__(
        self,
        *,
        store_precision: bool = True,
        assume_centered: bool = False,
        shrinkage: Annotated[float, Interval(0, 1, "both")] = 0.1,
    ) -> None:
        self.store_precision = store_precision
        self.assume_centered = assume_centered
        self.shrinkage = shrinkage

    def _learn(self, source: Source) -> None:
        self._set_covariance(shrunk(self._covariance_of(source), self.shrinkage))


class OAS(NormalCovariance):
    r"""The covariance shrunk by the oracle approximating amount, for normal rows.

    .. math:: (1 - δ)S + δ \frac{\operatorname{tr} S}{p} I

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.

    Attributes
    ----------
    location_ : array of shape (n_features,)
        The mean.
    covariance_ : array of shape (n_features, n_features)
    precision_ : array of shape (n_features, n_features) or None
        Its inverse.
    shrinkage_ : float in [0, 1]
        The estimated δ.
    statistic_ : Moments
        What `partial_fit` goes on from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(20, 3)) * [1.0, 2.0, 3.0]
    >>> round(OAS().fit(rows).shrinkage_, 6)
    0.637117

    References
    ----------
    Chen, Wiesel, Eldar & Hero (2010), Shrinkage algorithms for MMSE covariance estimation, IEEE
    Transactions on Signal Processing 58.
    """

    def __init__(self, *, store_precision: bool = True, assume_centered: bool = False) -> None:
        self.store_precision = store_precision
        self.assume_centered = assume_centered

    def _learn(self, source: Source) -> None:
        covariance = self._covariance_of(source)
        self.shrinkage_ = oas_of(covariance, float(self.statistic_.weight))
        self._set_covariance(shrunk(covariance, self.shrinkage_))


class LedoitWolf(NormalCovariance):
    r"""The covariance shrunk by Ledoit and Wolf's estimate of the best amount.

    .. math:: (1 - δ)S + δ \frac{\operatorname{tr} S}{p} I

    δ needs fourth moments about the mean, so that the rows are read twice.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.
    block_size : int, default=1000
        For compatibility; nothing p × p beside the answer is formed.

    Attributes
    ----------
    location_ : array of shape (n_features,)
        The mean.
    covariance_ : array of shape (n_features, n_features)
    precision_ : array of shape (n_features, n_features) or None
        Its inverse.
    shrinkage_ : float in [0, 1]
        The estimated δ.
    statistic_ : Moments
        Of the rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(20, 3)) * [1.0, 2.0, 3.0]
    >>> round(LedoitWolf().fit(rows).shrinkage_, 6)
    0.826418

    References
    ----------
    Ledoit & Wolf (2004), A well-conditioned estimator for large-dimensional covariance matrices,
    Journal of Multivariate Analysis 88.
    """

    def __init__(
        self,
        *,
        store_precision: bool = True,
        assume_centered: bool = False,
        block_size: Annotated[int, Interval(1, float("inf"))] = 1000,
    ) -> None:
        self.store_precision = store_precision
        self.assume_centered = assume_centered
        self.block_size = block_size

    def _tags(self) -> Tags:
        return super()._tags().but(tier="all rows")

    @property
    def _needs_rows(self) -> bool:
        return True

    @property
    def _takes_statistic(self) -> bool:
        return False

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learn the covariance of rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._start_afresh()
        self._learn_rows(self._read(X, reset=True, check_finite="deferred"))
        return self

    def _learn(self, source: Source) -> None:
        """By `_learn_rows` alone: moments are not enough."""
        raise NotImplementedError

    def _learn_rows(self, table: Table) -> None:
        covariance = self._covariance_of(MemorySource(table))
        fourth = fourth_moment(table, self.location_)
        self.shrinkage_ = ledoit_wolf_of(covariance, fourth, table.n_rows)
        self._set_covariance(shrunk(covariance, self.shrinkage_))
