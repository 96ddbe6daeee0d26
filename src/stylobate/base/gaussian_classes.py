"""Normal densities of classes, of rows that may lack some of their features."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.base.class_scores import Answer, ScoresClasses, answer_from
from stylobate.exceptions import InvalidDataError, NumericalError

if TYPE_CHECKING:
    from stylobate.data import Table


@dataclass(frozen=True, slots=True, eq=False)
class GaussianClasses:
    r"""Classes c with prior :math:`\pi_c` and density :math:`\mathcal N(\mu_c, \Sigma_c)`.

    Parameters
    ----------
    log_prior : array of shape (k,)
    mean : array of shape (k, p)
    covariance : array of shape (k, p), variances of independent columns, or (k, p, p)

    Examples
    --------
    >>> one = GaussianClasses(np.zeros(1), np.zeros((1, 2)), np.ones((1, 2)))
    >>> np.exp(one.joint_log_density(np.array([[0.0, np.nan]]))).round(4)  # of one column alone
    array([[0.3989]])
    """

    log_prior: Array
    mean: Array
    covariance: Array

    def joint_log_density(self, x: Array) -> Array:
        r""":math:`\log \pi_c + \log p(x_o \mid c)` of the features o that each row has (n × k).

        The others are integrated out: of a normal density, that leaves the mean and the
        covariance of the observed ones. Rows that lack the same features are taken together.
        """
        there = ~np.isnan(x)
        kinds, kind = np.unique(there, axis=0, return_inverse=True)
        found = np.empty((len(x), len(self.mean)))
        for number, observed in enumerate(kinds):
            rows = np.flatnonzero(kind.reshape(-1) == number)
            found[rows] = self._of_observed(x[np.ix_(rows, np.flatnonzero(observed))], observed)
        return found + self.log_prior

    def _of_observed(self, x: Array, observed: Mask) -> Array:
        from scipy.linalg import cholesky, solve_triangular

        found = np.empty((len(x), len(self.mean)))
        constant = 0.5 * x.shape[1] * log(2.0 * pi)
        for c, (mean, spread) in enumerate(zip(self.mean, self.covariance, strict=True)):
            apart = x - mean[observed]
            if spread.ndim == 1:
                widths = np.sqrt(spread[observed])
                distance = apart / widths
                log_root = float(np.log(widths).sum())
            else:
                factor = cholesky(spread[np.ix_(observed, observed)], lower=True)
                distance = solve_triangular(factor, apart.T, lower=True).T
                log_root = float(np.log(np.diag(factor)).sum())
            found[:, c] = -0.5 * (distance**2).sum(axis=1) - log_root - constant
        return found


class MarginalizesMissing(ScoresClasses):
    """Answers for rows with missing features, which are integrated out of the densities."""

    missing: str

    if TYPE_CHECKING:
        n_features_in_: int

    def _gaussian_classes(self) -> GaussianClasses:
        """The densities that the answers come from."""
        raise NotImplementedError

    def _answer(self, X: Any, answer: Answer) -> NDArray[Any]:
        if self.missing == "refuse":
            return super()._answer(X, answer)
        self._check_fitted()
        table = self._read(X, reset=False, check_finite="allow-nan")
        if not np.isnan(table.x).any():
            return super()._answer(X, answer)
        return self._answer_with_gaps(table, answer)

    def _answer_with_gaps(self, table: Table, answer: Answer) -> NDArray[Any]:
        scores = self._gaussian_classes().joint_log_density(np.asarray(table.x, dtype=np.float64))
        found, finite = answer_from(scores, answer)
        if not finite and answer is not Answer.SCORES:
            raise NumericalError(
                f"{type(self).__name__}: a row of X is so far from every class that its density is "
                "0 in double precision; scale its columns."
            )
        return found


def covariance_of_factors(spread: Array) -> Array:
    """Σ = LLᵀ of the inverse factors L⁻¹ (k × p × p), or variances of 1 / σ (k × p).

    >>> covariance_of_factors(np.array([[[0.5]]]))
    array([[[4.]]])
    """
    if spread.ndim == 2:
        return np.asarray(1.0 / spread**2)
    factors = np.linalg.inv(spread)
    return np.asarray(factors @ factors.transpose(0, 2, 1))


def require_covariance(covariance: Array | None, owner: str) -> Array:
    """Refuse where none was kept."""
    if covariance is None:
        raise InvalidDataError(
            f"{owner}: of fewer rows than columns no covariance matrix was kept; fit with "
            "store_covariance=True, or with solver='lsqr' and shrinkage."
        )
    return covariance
