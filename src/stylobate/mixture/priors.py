"""Priors of a Bayesian Gaussian mixture, and the posteriors they give with sums of rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from stylobate.arrays import Array
from stylobate.mixture.covariance_types import CovarianceType


@dataclass(frozen=True, slots=True, eq=False)
class StickBreaking:
    """A Dirichlet process, cut off: weights are parts broken off what earlier ones left."""

    concentration: float

    def posterior(self, counts: Array) -> tuple[Array, Array]:
        """Parameters of the beta distributions of the parts."""
        later = np.append(np.cumsum(counts[::-1])[-2::-1], 0.0)
        return 1.0 + counts, self.concentration + later

    def log_weights(self, posterior: tuple[Array, Array]) -> Array:
        """Means of the logarithms of the weights."""
        from scipy.special import digamma

        broken, left = posterior
        whole = digamma(broken + left)
        before = np.append(0.0, np.cumsum(digamma(left) - whole)[:-1])
        return np.asarray(digamma(broken) - whole + before)

    def weights(self, posterior: tuple[Array, Array]) -> Array:
        """Means of the weights, as shares of 1."""
        broken, left = posterior
        rest = np.append(1.0, np.cumprod(left / (broken + left))[:-1])
        found = broken / (broken + left) * rest
        return np.asarray(found / found.sum())

    def log_norm(self, posterior: tuple[Array, Array]) -> float:
        """The logarithm of the posterior's normaliser."""
        from scipy.special import betaln

        return -float(betaln(*posterior).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Dirichlet:
    """A Dirichlet distribution: all components alike."""

    concentration: float

    def posterior(self, counts: Array) -> Array:
        """Parameters of the Dirichlet distribution."""
        return np.asarray(self.concentration + counts)

    def log_weights(self, posterior: Array) -> Array:
        """Means of the logarithms of the weights."""
        from scipy.special import digamma

        return np.asarray(digamma(posterior) - digamma(posterior.sum()))

    def weights(self, posterior: Array) -> Array:
        """Means of the weights."""
        return np.asarray(posterior / posterior.sum())

    def log_norm(self, posterior: Array) -> float:
        """The logarithm of the posterior's normaliser."""
        from scipy.special import gammaln

        return float(gammaln(posterior.sum()) - gammaln(posterior).sum())


def log_wishart_norm(freedom: Array, log_det: Array, p: int) -> Array:
    """Logarithms of the normalisers of Wishart distributions, without their powers of π."""
    from scipy.special import gammaln

    gammas = gammaln(0.5 * (freedom - np.arange(p)[:, None])).sum(axis=0)
    return np.asarray(-(freedom * log_det + freedom * p * 0.5 * log(2.0) + gammas))


@dataclass(frozen=True, slots=True, eq=False)
class NormalWishart:
    """The prior of means and precisions.

    Parameters
    ----------
    mean : array of shape (p,)
    mean_precision : float
        How many rows the prior of the means is worth.
    freedom : float
        Degrees of freedom.
    covariance : array or float
        In the shape of one component's.
    """

    mean: Array
    mean_precision: float
    freedom: float
    covariance: Array

    def means(self, counts: Array, means: Array) -> tuple[Array, Array]:
        """Precisions and means of the posterior."""
        precision = self.mean_precision + counts
        whole = self.mean_precision * self.mean + counts[:, None] * means
        return precision, np.asarray(whole / precision[:, None])

    def covariances(
        self, kind: CovarianceType, counts: Array, means: Array, scatter: Array
    ) -> tuple[Array, Array]:
        """Degrees of freedom and covariances of the posterior; `scatter`: the rows' covariances."""
        away = means - self.mean
        pull = self.mean_precision / (self.mean_precision + counts)
        if kind.name == "tied":
            k = len(counts)
            freedom = np.asarray(self.freedom + counts.sum() / k)
            between = self.mean_precision / k * ((counts * pull / self.mean_precision) * away.T)
            return freedom, np.asarray(
                (self.covariance + scatter * (counts.sum() / k) + between @ away) / freedom
            )
        freedom = self.freedom + counts
        if kind.name == "full":
            between = pull[:, None, None] * away[:, :, None] * away[:, None, :]
        elif kind.name == "diag":
            between = pull[:, None] * away**2
        else:
            between = pull * (away**2).mean(axis=1)
        broad = (slice(None), *[None] * (scatter.ndim - 1))
        whole = self.covariance + counts[broad] * (scatter + between)
        return freedom, np.asarray(whole / freedom[broad])
