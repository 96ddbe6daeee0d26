"""Covariances that outliers do not move, and outliers told by them."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.base import Interval, RandomState, Tags
from stylobate.base.randomness import stream_of
from stylobate.base.scoring import accuracy
from stylobate.covariance.minimum_determinant import least_determinant
from stylobate.covariance.normal import NormalCovariance, pseudo_inverse, squared_distances
from stylobate.data import read_weights
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.statistics import Moments, Source

_FAR = 0.025  # of normal rows are called far when the estimate is reweighted


class MinCovDet(NormalCovariance):
    r"""The covariance of the h rows whose covariance has the least determinant, reweighted.

    Rows that lie far out by it (beyond the 97.5 % quantile of :math:`χ^2_p`) are left out, the
    others give mean and covariance, made consistent for normal rows. Up to half of the rows may be
    anywhere.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.
    support_fraction : float in (0, 1], default=None
        The share h/n; None takes ⌈(n + p + 1)/2⌉ rows.
    random_state : int, RandomState, Generator or None, default=None
        Of the subsets that the search begins from.

    Attributes
    ----------
    raw_location_, raw_covariance_, raw_support_
        Before reweighting; the support is a mask of rows.
    location_ : array of shape (n_features,)
    covariance_ : array of shape (n_features, n_features)
    precision_ : array of shape (n_features, n_features) or None
    support_ : array of bool, shape (n,)
        Rows that are not far.
    dist_ : array of shape (n,)
        Squared Mahalanobis distances of the rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(100, 2))
    >>> rows[:20] += 30.0
    >>> MinCovDet(random_state=0).fit(rows).location_.round(1)
    array([0. , 0.1])

    References
    ----------
    Rousseeuw (1984), Least median of squares regression, JASA 79; Croux & Haesbroeck (1999),
    Influence function and efficiency of the minimum covariance determinant scatter matrix
    estimator, Journal of Multivariate Analysis 71.
    """

    def __init__(
        self,
        *,
        store_precision: bool = True,
        assume_centered: bool = False,
        support_fraction: Annotated[float, Interval(0, 1, closed="right")] | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.store_precision = store_precision
        self.assume_centered = assume_centered
        self.support_fraction = support_fraction
        self.random_state = random_state

    def _tags(self) -> Tags:
        return super()._tags().but(tier="all rows")

    @property
    def _needs_rows(self) -> bool:
        return True

    @property
    def _takes_statistic(self) -> bool:
        return False

    def _learn(self, source: Source) -> None:
        """By `fit` alone: the search needs the rows."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Search the rows of least spread.

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
        table = self._read(X, reset=True, min_rows=2)
        self._source(table).compute(Moments)  # which refuses columns whose squares overflow
        rows = np.asarray(table.x, dtype=np.float64)
        if np.linalg.matrix_rank(rows - rows.mean(axis=0)) < min(rows.shape[1], len(rows) - 1):
            warnings.warn(
                "The covariance matrix associated to your dataset is not full rank: columns of "
                f"{type(self).__name__}'s X depend on each other; leave some out.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        self._store_raw(rows)
        self.correct_covariance(rows)
        self.reweight_covariance(rows)
        return self

    def _store_raw(self, rows: Array) -> None:
        estimate = partial(_covariance, centred=False)
        found = least_determinant(
            rows, self.support_fraction, estimate, stream_of(self.random_state)
        )
        location, covariance, distances = found.location, found.covariance, found.distances
        if self.assume_centered:
            location = np.zeros(rows.shape[1])
            covariance = _covariance(rows[found.support], centred=True)
            distances = squared_distances(rows, location, pseudo_inverse(covariance))
        self.raw_location_, self.raw_covariance_ = location, covariance
        self.raw_support_ = found.support
        self.location_, self.dist_ = location, distances.copy()
        self.support_: Mask = found.support

    def correct_covariance(self, data: Any) -> Array:
        """The raw covariance made consistent for normal rows; distances are scaled by it.

        Parameters
        ----------
        data : array-like of shape (n, n_features)
            The rows of the fit.

        Returns
        -------
        array of shape (n_features, n_features)
        """
        share = float(self.support_.mean())
        if share < 1.0 and np.allclose(self.raw_covariance_, 0.0):
            raise InvalidDataError(
                "The covariance matrix of the support data is equal to 0, try to increase "
                f"support_fraction: {int(self.support_.sum())} rows of {type(self).__name__}'s X "
                "are equal."
            )
        factor = _consistency(len(self.raw_covariance_), share)
        self.dist_ = self.dist_ / factor
        return np.asarray(self.raw_covariance_ * factor)

    def reweight_covariance(self, data: Any) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Mean and covariance of the rows that are not far by the corrected distances.

        Parameters
        ----------
        data : array-like of shape (n, n_features)
            The rows of the fit.

        Returns
        -------
        location : array of shape (n_features,)
        covariance : array of shape (n_features, n_features)
            Before it is made consistent.
        support : array of bool, shape (n,)
        """
        from scipy.stats import chi2

        rows = np.asarray(data, dtype=np.float64)
        near = self.dist_ < chi2(rows.shape[1]).isf(_FAR)
        location = np.zeros(rows.shape[1]) if self.assume_centered else rows[near].mean(axis=0)
        covariance = _covariance(rows[near], centred=self.assume_centered)
        self.location_, self.support_ = location, np.asarray(near)
        self._set_covariance(covariance * _consistency(rows.shape[1], 1.0 - _FAR))
        precision = self.precision_ if self.store_precision else pseudo_inverse(self.covariance_)
        self.dist_ = squared_distances(rows, location, precision)
        return location, covariance, near


class EllipticEnvelope(MinCovDet):
    """Outliers of rows that are normal otherwise: those far by a robust covariance.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.
    support_fraction : float in (0, 1], default=None
        The share of rows whose determinant is least; None takes ⌈(n + p + 1)/2⌉ rows.
    contamination : float in (0, 0.5], default=0.1
        The share of outliers among the rows of the fit.
    random_state : int, RandomState, Generator or None, default=None
        Of the subsets that the search begins from.

    Attributes
    ----------
    offset_ : float
        Rows whose `score_samples` is less are outliers.
    raw_location_, raw_covariance_, raw_support_, location_, covariance_, precision_, support_
        As in `MinCovDet`.
    dist_ : array of shape (n,)
        Squared Mahalanobis distances of the rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(100, 2))
    >>> EllipticEnvelope(random_state=0).fit(rows).predict([[0.0, 0.0], [5.0, 5.0]])
    array([ 1, -1])

    References
    ----------
    Rousseeuw & Van Driessen (1999), A fast algorithm for the minimum covariance determinant
    estimator, Technometrics 41.
    """

    def __init__(
        self,
        *,
        store_precision: bool = True,
        assume_centered: bool = False,
        support_fraction: Annotated[float, Interval(0, 1, closed="right")] | None = None,
        contamination: Annotated[float, Interval(0, 0.5, closed="right")] = 0.1,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            store_precision=store_precision,
            assume_centered=assume_centered,
            support_fraction=support_fraction,
            random_state=random_state,
        )
        self.contamination = contamination

    def _tags(self) -> Tags:
        return super()._tags().but(estimator_type="outlier_detector")

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learn which rows are far.

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
        super().fit(X)
        self.offset_ = float(np.percentile(-self.dist_, 100.0 * self.contamination))
        return self

    def decision_function(self, X: Any) -> NDArray[Any]:
        """`score_samples` − `offset_`: negative for outliers.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return np.asarray(self.score_samples(X) - self.offset_)

    def score_samples(self, X: Any) -> NDArray[Any]:
        """Squared Mahalanobis distances, negative.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        return -self.mahalanobis(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """1 for rows within, −1 for outliers.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return np.where(self.decision_function(X) >= 0.0, 1, -1)

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[Any]:
        """Fit to rows and tell which of them are outliers.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        array of shape (n,)
            −1 for outliers, 1 for the others.
        """
        return self.fit(X).predict(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of rows of which it is told rightly whether they are outliers.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            −1 for outliers, 1 for the others.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        float in [0, 1]
        """
        found = self.predict(X)
        weights = read_weights(sample_weight, len(found), owner=type(self).__name__)
        return accuracy(np.asarray(y).reshape(-1), found, weights)


def _covariance(rows: Array, *, centred: bool) -> Array:
    """The maximum likelihood covariance."""
    about = rows if centred else rows - rows.mean(axis=0)
    return np.asarray(about.T @ about / len(rows))


def _consistency(p: int, share: float) -> float:
    """What the covariance of the nearest share of normal rows is too small by."""
    from scipy.stats import chi2

    if share >= 1.0:
        return 1.0
    return float(share / chi2(p + 2).cdf(chi2(p).ppf(share)))
