"""Families of generalised linear models: mean, variance, deviance and density as one value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.losses.domain import NONNEGATIVE, POSITIVE, REALS, SHARES, Domain
from stylobate.losses.links import Link, LinkName

MOST_COUNTS = 4096  # counts below this are tabulated before functions of them are added up
_NAMES = {0.0: "Gaussian", 1.0: "Poisson", 2.0: "Gamma", 3.0: "inverse Gaussian"}


@dataclass(frozen=True, slots=True)
class Family:
    r"""An exponential dispersion model with variance φ·V(μ) and mean μ = g⁻¹(z).

    Parameters
    ----------
    power : float, or None for the binomial family
        V(μ) = μ^power: 0 Gaussian, 1 Poisson, (1, 2) compound Poisson–Gamma, 2 Gamma, 3 inverse
        Gaussian. No such distribution exists for powers in (0, 1). The binomial V is μ(1 − μ).
    link : {"identity", "log", "logit"}
        g.

    Examples
    --------
    >>> POISSON.name, POISSON.dispersion_known
    ('Poisson', True)
    >>> POISSON.deviance(np.array([2.0]), np.array([1.0])).round(4)
    array([0.7726])

    References
    ----------
    Jørgensen (1997), The Theory of Dispersion Models; McCullagh & Nelder (1989).
    """

    power: float | None
    link: LinkName

    @property
    def name(self) -> str:
        if self.power is None:
            return "binomial"
        return _NAMES.get(float(self.power), f"Tweedie (power {self.power:g})")

    @property
    def dispersion_known(self) -> bool:
        """Whether φ is 1 by the distribution itself."""
        return self.power is None or self.power == 1.0

    @property
    def is_canonical(self) -> bool:
        """Whether observed and expected information are the same thing."""
        pairs = ((None, "logit"), (0.0, "identity"), (1.0, "log"))
        return (self.power, self.link) in pairs

    # --- the mean -------------------------------------------------------------------------------

    def mean(self, z: Array) -> Array:
        """μ = g⁻¹(z)."""
        return Link(self.link).mean(z)

    def predictor(self, mu: float) -> float:
        """Predictor z = g(μ)."""
        return Link(self.link).predictor(mu)

    def mean_slope(self, mu: Array) -> Array:
        """dμ/dz at the mean μ."""
        return Link(self.link).mean_slope(mu)

    def variance(self, mu: Array) -> Array:
        """V(μ)."""
        if self.power is None:
            return mu * (1.0 - mu)
        if self.power == 1.0:
            return np.abs(mu)
        return mu * mu if self.power == 2.0 else np.asarray(np.abs(mu) ** self.power)

    def gradient(self, y: Array, mu: Array) -> Array:
        """Derivative in z of half the unit deviance: (μ − y)·μ′/V."""
        if self.is_canonical:
            return mu - y
        return (mu - y) * self.mean_slope(mu) / self.variance(mu)

    def expected_curvature(self, mu: Array) -> Array:
        """Fisher's information of a row about z: μ′²/V."""
        if self.power is None:
            return self.variance(mu)
        if self.link == "log":
            return np.asarray(mu ** (2.0 - self.power))
        return 1.0 / self.variance(mu)

    def observed_curvature(self, y: Array, mu: Array) -> Array:
        """Second derivative in z of half the unit deviance."""
        p = self.power
        if p is None or self.is_canonical:
            return self.expected_curvature(mu)
        if self.link == "log":
            return np.asarray((2.0 - p) * mu ** (2.0 - p) + (p - 1.0) * y * mu ** (1.0 - p))
        return np.asarray((1.0 + p * (y - mu) / mu) / self.variance(mu))

    # --- deviance and density -------------------------------------------------------------------

    def deviance(self, y: Array, mu: Array) -> Array:
        """Unit deviance d(y, μ) ≥ 0 of each row: twice the log-likelihood ratio at φ = 1."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            if self.power is None:
                value = 2.0 * (_entropy(y, mu) + _entropy(1.0 - y, 1.0 - mu))
            elif self.power == 0.0:
                value = (y - mu) ** 2
            elif self.power == 1.0:
                value = 2.0 * (_entropy(y, mu) - (y - mu))
            elif self.power == 2.0:
                value = 2.0 * (y / mu - 1.0 - np.log(y / mu))
            else:
                value = 2.0 * self._power_deviance(y, mu, self.power)
        return np.asarray(np.maximum(value, 0.0))

    def _power_deviance(self, y: Array, mu: Array, p: float) -> Array:
        at_y = np.maximum(y, 0.0) ** (2.0 - p) / ((1.0 - p) * (2.0 - p))
        return np.asarray(at_y - y * mu ** (1.0 - p) / (1.0 - p) + mu ** (2.0 - p) / (2.0 - p))

    def in_domain(self, mu: Array) -> NDArray[np.bool_]:
        """Whether a mean can be one of this family's."""
        if self.power == 0.0 or self.power is None:
            return np.isfinite(mu)
        return (mu > 0.0) & np.isfinite(mu)

    # --- the target -----------------------------------------------------------------------------

    @property
    def domain(self) -> Domain:
        """What the target may be."""
        if self.power is None:
            return SHARES
        if self.power <= 0.0:
            return REALS
        return NONNEGATIVE if self.power < 2.0 else POSITIVE

    def refuse_target(self, y: Array, owner: str) -> None:
        """Refuse a target this family cannot have produced, naming the first such row."""
        self.domain.require(y, owner, self.name)


def distinct(y: Array, w: Array) -> tuple[Array, Array]:
    """The values of y with their weights added up, if they are few counts; else y and w."""
    if len(y) < 4 * MOST_COUNTS or not 0.0 <= y.min() <= y.max() < MOST_COUNTS:
        return y, w
    codes = y.astype(np.intp)
    if (codes != y).any():
        return y, w
    totals = np.asarray(np.bincount(codes, weights=w), dtype=np.float64)
    seen = np.flatnonzero(totals)
    return seen.astype(np.float64), totals[seen]


def _entropy(y: Array, mu: Array) -> Array:
    """The term y log(y/μ), 0 at y = 0."""
    return np.asarray(np.where(y > 0.0, y * np.log(np.where(y > 0.0, y / mu, 1.0)), 0.0))


GAUSSIAN = Family(0.0, "identity")
BINOMIAL = Family(None, "logit")
POISSON = Family(1.0, "log")
GAMMA = Family(2.0, "log")
