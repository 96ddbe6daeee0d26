"""Counts whose variance is μ + αμ², with log μ and log α as predictors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.vector_glm.likelihood import Derivatives


@dataclass(frozen=True, slots=True)
class PoissonCounts:
    """The Poisson log-probability of counts in log μ, with its constant.

    Examples
    --------
    >>> float(PoissonCounts().at(np.zeros(1), np.zeros((1, 1))).value[0])
    -1.0
    """

    @property
    def n_predictors(self) -> int:
        """One."""
        return 1

    def at(self, y: Array, z: Array) -> Derivatives:
        """At the predictors (n, 1)."""
        from scipy.special import gammaln

        mu = np.exp(z[:, 0])
        value = y * z[:, 0] - mu - gammaln(y + 1.0)
        curve = mu[:, None, None]
        return Derivatives(value, (y - mu)[:, None], curve, curve)


@dataclass(frozen=True, slots=True)
class NegativeBinomial:
    """The negative binomial log-probability (NB2) in log μ and log α.

    Examples
    --------
    With α = 1 the distribution is geometric: P(0) = 1/(1 + μ).

    >>> found = NegativeBinomial().at(np.zeros(1), np.zeros((1, 2)))
    >>> round(float(np.exp(found.value[0])), 12)
    0.5
    """

    @property
    def n_predictors(self) -> int:
        """Two."""
        return 2

    def at(self, y: Array, z: Array) -> Derivatives:
        """At the predictors (n, 2)."""
        mu, r = np.exp(z[:, 0]), np.exp(-z[:, 1])
        both, rest = r + mu, y - mu
        chance, first, second = _gamma_parts(y, r)
        value = chance - r * np.log1p(mu / r) + y * (z[:, 0] - np.log(both))
        in_r = first - np.log1p(mu / r) - rest / both
        in_rr = second + mu / (r * both) + rest / both**2
        slope = np.column_stack([rest * r / both, -r * in_r])
        curve = np.empty((len(y), 2, 2))
        curve[:, 0, 0] = mu * r * (r + y) / both**2
        curve[:, 0, 1] = curve[:, 1, 0] = r * rest * mu / both**2
        curve[:, 1, 1] = -(r * r * in_rr + r * in_r)
        return Derivatives(value, slope, curve)


def _gamma_parts(y: Array, r: Array) -> tuple[Array, Array, Array]:
    """The logarithm of `Γ(y + r) / (Γ(r) y!)` and its first two derivatives in r.

    Of each count once where all rows have the same r.
    """
    from scipy.special import digamma, gammaln, polygamma

    place: Any = slice(None)
    if len(r) and (r == r[0]).all():
        y, place = np.unique(y, return_inverse=True)
        r = r[:1]
    chance = gammaln(y + r) - gammaln(r) - gammaln(y + 1.0)
    first = digamma(y + r) - digamma(r)
    second = polygamma(1, y + r) - polygamma(1, r)
    return chance[place], first[place], second[place]
