"""Families of one predictor: exponential dispersion models, and binary targets with any curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.losses.response_curves import CurveName, ResponseCurve
from stylobate.optimize.vector_glm.likelihood import Derivatives

MeanLink = Literal["identity", "log", "inverse", "sqrt", "inverse_squared"]
MEAN_LINKS: tuple[MeanLink, ...] = ("identity", "log", "inverse", "sqrt", "inverse_squared")


@dataclass(frozen=True, slots=True)
class BinaryResponse:
    """Labels 0 and 1, or shares of trials, with P(1) = F(z).

    Parameters
    ----------
    link : {"logit", "probit", "cloglog", "loglog", "cauchit"}

    Examples
    --------
    >>> found = BinaryResponse("logit").at(np.array([1.0]), np.zeros((1, 1)))
    >>> float(np.exp(found.value[0])), float(found.slope[0, 0])
    (0.5, 0.5)
    """

    link: CurveName

    @property
    def n_predictors(self) -> int:
        """One."""
        return 1

    def at(self, y: Array, z: Array) -> Derivatives:
        """At the predictors (n, 1)."""
        curve, t = ResponseCurve(self.link), z[:, 0]
        high, low, steep = curve.log_mean(t), curve.log_complement(t), curve.log_slope(t)
        value = np.where(y > 0, y * high, 0.0) + np.where(y < 1, (1.0 - y) * low, 0.0)
        up, down, bend = np.exp(steep - high), np.exp(steep - low), curve.bend(t)
        slope = np.where(y > 0, y * up, 0.0) - np.where(y < 1, (1.0 - y) * down, 0.0)
        ones = np.where(y > 0, y * up * (up - bend), 0.0)
        zeros = np.where(y < 1, (1.0 - y) * down * (down + bend), 0.0)
        expected = np.exp(2.0 * steep - high - low)
        if self.link == "logit":
            return Derivatives(
                value, slope[:, None], expected[:, None, None], expected[:, None, None]
            )
        return Derivatives(
            value, slope[:, None], (ones + zeros)[:, None, None], expected[:, None, None]
        )


@dataclass(frozen=True, slots=True)
class ExponentialFamily:
    """Half the (negative) deviance of an exponential dispersion model, V(μ) = μ^power (1 + αμ).

    Parameters
    ----------
    power : {0, 1, 2, 3}
        Gaussian, Poisson, Gamma, inverse Gaussian.
    link : {"identity", "log", "inverse", "sqrt", "inverse_squared"}
    extra : float >= 0, default=0.0
        α of the negative binomial variance, of power 1 only.

    Examples
    --------
    >>> found = ExponentialFamily(1, "log").at(np.array([2.0]), np.zeros((1, 1)))
    >>> float(found.slope[0, 0]), float(found.curvature[0, 0, 0])
    (1.0, 1.0)
    """

    power: int
    link: MeanLink
    extra: float = 0.0

    @property
    def n_predictors(self) -> int:
        """One."""
        return 1

    def mean(self, z: Array) -> Array:
        """μ of the predictor."""
        with np.errstate(all="ignore"):
            if self.link == "identity":
                return z
            if self.link == "log":
                return np.exp(z)
            if self.link == "inverse":
                return 1.0 / z
            return z * z if self.link == "sqrt" else np.where(z > 0, z, np.nan) ** -0.5

    def predictor(self, mu: Array) -> Array:
        """The predictor of μ."""
        mu = np.asarray(mu, dtype=np.float64)
        with np.errstate(all="ignore"):
            if self.link == "identity":
                return mu
            if self.link == "log":
                return np.log(mu)
            if self.link == "inverse":
                return 1.0 / mu
            return np.sqrt(mu) if self.link == "sqrt" else mu**-2.0

    def mean_slopes(self, z: Array) -> tuple[Array, Array]:
        """First and second derivative of μ in z."""
        if self.link == "identity":
            return np.ones_like(z), np.zeros_like(z)
        if self.link == "log":
            return np.exp(z), np.exp(z)
        if self.link == "inverse":
            return -1.0 / z**2, 2.0 / z**3
        if self.link == "sqrt":
            return 2.0 * z, np.full_like(z, 2.0)
        return -0.5 * z**-1.5, 0.75 * z**-2.5

    def variance(self, mu: Array) -> Array:
        """V(μ)."""
        return np.asarray(mu**self.power * (1.0 + self.extra * mu))

    def variance_slope(self, mu: Array) -> Array:
        """V′(μ)."""
        p = self.power
        first = p * mu ** (p - 1) if p else np.zeros_like(mu)
        return np.asarray(first + (p + 1) * self.extra * mu**p)

    def deviance(self, y: Array, mu: Array) -> Array:
        """Unit deviances."""
        from scipy.special import xlogy

        with np.errstate(all="ignore"):
            if self.extra:
                r = 1.0 / self.extra
                found = 2.0 * (xlogy(y, y / mu) - (y + r) * np.log((y + r) / (mu + r)))
            elif self.power == 0:
                found = (y - mu) ** 2
            elif self.power == 1:
                found = 2.0 * (xlogy(y, y / mu) - (y - mu))
            elif self.power == 2:
                found = 2.0 * (y / mu - 1.0 - np.log(y / mu))
            else:
                found = (y - mu) ** 2 / (y * mu * mu)
        return np.asarray(np.maximum(found, 0.0))

    def at(self, y: Array, z: Array) -> Derivatives:
        """At the predictors (n, 1)."""
        t = z[:, 0]
        mu = self.mean(t)
        good = np.isfinite(mu) & ((mu > 0) | (self.power == 0))
        slope, bend = self.mean_slopes(t)
        v, rest = self.variance(mu), y - mu
        value = np.where(good, -0.5 * self.deviance(y, mu), -np.inf)
        expected = slope**2 / v
        observed = expected - rest * (bend / v - slope**2 * self.variance_slope(mu) / v**2)
        if (self.power, self.link, self.extra) in ((0, "identity", 0.0), (1, "log", 0.0)):
            observed = expected  # without the rounding of a difference that is zero
        return Derivatives(
            value,
            (rest * slope / v)[:, None],
            observed[:, None, None],
            expected[:, None, None],
        )
