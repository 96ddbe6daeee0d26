"""The covariance of rows as an estimator: how likely rows are, and how far from their mean."""

from __future__ import annotations

import warnings
from math import log, pi, sqrt
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Tags
from stylobate.base.availability import available_if
from stylobate.base.learning import LearnsFromStatistic
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.statistics import Moments, Source

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _UnknownNormError(InvalidParameterError, NotImplementedError):
    """A norm of another name."""


class NormalCovariance(LearnsFromStatistic):
    """What all estimators of a covariance share: likelihood, distances, and errors of norms."""

    assume_centered: bool
    store_precision: bool = True

    if TYPE_CHECKING:
        location_: Array
        covariance_: Array
        precision_: Any

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass")

    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Learn the covariance of rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows; or rows that are read on request.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        return super().fit(X)

    @available_if(lambda self: not self._needs_rows)
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn from more rows, as if they and all rows so far had been given to `fit`.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        self
        """
        learnt: Self = super().partial_fit(X)
        return learnt

    @property
    def _takes_statistic(self) -> bool:
        return True

    def _covariance_of(self, source: Source) -> Array:
        """The maximum likelihood covariance, and what is kept of its statistic."""
        moments: Moments = source.compute(Moments)
        self.statistic_ = moments
        if moments.n_rows == 1:
            warnings.warn(
                "Only one sample available. You may want to reshape your data array: the "
                f"covariance that {type(self).__name__} learns from one row is 0.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        if self.assume_centered:
            moments = moments.about_zero()
            self.location_ = np.zeros(moments.n_features)
        else:
            self.location_ = moments.x_mean.copy()
        return np.asarray(moments.xx / moments.weight)

    def _set_covariance(self, covariance: Array) -> None:
        self.covariance_ = covariance
        self.precision_ = pseudo_inverse(covariance) if self.store_precision else None

    def get_precision(self) -> Array:
        """The inverse of the covariance; its pseudo-inverse where it has none.

        Returns
        -------
        array of shape (n_features, n_features)
        """
        self._check_fitted()
        return self.precision_ if self.store_precision else pseudo_inverse(self.covariance_)

    def score(self, X_test: Any, y: Any = None) -> float:
        """Mean log density of rows under the normal law of this mean and covariance.

        Parameters
        ----------
        X_test : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        float
        """
        precision = self.get_precision()
        sign, size = np.linalg.slogdet(precision)
        size = size if sign > 0 else -np.inf
        return float(
            0.5 * (size - len(precision) * log(2.0 * pi) - self.mahalanobis(X_test).mean())
        )

    def mahalanobis(self, X: Any) -> NDArray[Any]:
        """Squared Mahalanobis distances of rows to the mean: (x − m)ᵀ S⁻¹ (x − m).

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        precision = self.get_precision()
        return squared_distances(self._read(X, reset=False).x, self.location_, precision)

    def error_norm(
        self, comp_cov: Any, norm: str = "frobenius", scaling: bool = True, squared: bool = True
    ) -> float:
        """How far another covariance is from this one.

        Parameters
        ----------
        comp_cov : array-like of shape (n_features, n_features)
            The other one.
        norm : {"frobenius", "spectral"}, default="frobenius"
            √Σ aᵢⱼ², or the largest singular value, of the difference A.
        scaling : bool, default=True
            Whether the squared norm is divided by the number of columns.
        squared : bool, default=True
            Whether the square is returned.

        Returns
        -------
        float
        """
        self._check_fitted()
        error = np.asarray(comp_cov, dtype=np.float64) - self.covariance_
        if norm not in ("frobenius", "spectral"):
            raise _UnknownNormError(
                f"{type(self).__name__}.error_norm: norm must be 'frobenius' or 'spectral', got "
                f"{norm!r}."
            )
        size = float(np.linalg.norm(error, 2 if norm == "spectral" else "fro")) ** 2
        size = size / len(error) if scaling else size
        return size if squared else sqrt(size)


class EmpiricalCovariance(NormalCovariance):
    r"""The maximum likelihood covariance, :math:`\frac1n \sum_i (x_i - m)(x_i - m)^\top`.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.

    Attributes
    ----------
    location_ : array of shape (n_features,)
        The mean m.
    covariance_ : array of shape (n_features, n_features)
    precision_ : array of shape (n_features, n_features) or None
        Its (pseudo-)inverse.
    statistic_ : Moments
        What `partial_fit` goes on from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> model = EmpiricalCovariance().fit([[0.0, 0.0], [2.0, 1.0], [4.0, 5.0]])
    >>> model.covariance_.round(4)
    array([[2.6667, 3.3333],
           [3.3333, 4.6667]])
    >>> model.mahalanobis([[2.0, 2.0]])
    array([0.])
    """

    def __init__(self, *, store_precision: bool = True, assume_centered: bool = False) -> None:
        self.store_precision = store_precision
        self.assume_centered = assume_centered

    def _learn(self, source: Source) -> None:
        self._set_covariance(self._covariance_of(source))


def pseudo_inverse(covariance: Array) -> Array:
    """The pseudo-inverse of a symmetric matrix."""
    from scipy.linalg import pinvh

    return np.asarray(pinvh(covariance, check_finite=False))


def squared_distances(rows: Array, location: Array, precision: Array) -> Array:
    """(x − m)ᵀ P (x − m) of each row."""
    centred = rows - location
    return np.asarray(np.einsum("ij,ij->i", centred @ precision, centred))
