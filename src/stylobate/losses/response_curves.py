"""Distributions F whose curve takes a predictor to a probability: of binary and ordered targets.

Everything is said in logarithms and ratios, so that it keeps its digits far out in the tails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from stylobate.arrays import Array

CurveName = Literal["logit", "probit", "cloglog", "loglog", "cauchit"]
CURVES: tuple[CurveName, ...] = ("logit", "probit", "cloglog", "loglog", "cauchit")


@dataclass(frozen=True, slots=True)
class ResponseCurve:
    r"""A response curve μ = F(z), named by its link F⁻¹.

    Parameters
    ----------
    name : {"logit", "probit", "cloglog", "loglog", "cauchit"}
        The logistic, normal, Gumbel (of minima and of maxima) and Cauchy distributions.

    Examples
    --------
    >>> ResponseCurve("probit").mean(np.array([0.0]))
    array([0.5])
    >>> ResponseCurve("cloglog").predictor(np.array([1 - np.exp(-1.0)])).round(12)
    array([0.])
    """

    name: CurveName

    def mean(self, z: Array) -> Array:
        """F(z)."""
        from scipy.special import expit, ndtr

        if self.name == "logit":
            return np.asarray(expit(z))
        if self.name == "probit":
            return np.asarray(ndtr(z))
        return np.exp(self.log_mean(z))

    def predictor(self, mu: Array) -> Array:
        """F⁻¹(μ)."""
        from scipy.special import logit, ndtri

        mu = np.asarray(mu, dtype=np.float64)
        with np.errstate(divide="ignore"):
            if self.name == "logit":
                return np.asarray(logit(mu))
            if self.name == "probit":
                return np.asarray(ndtri(mu))
            if self.name == "cloglog":
                return np.log(-np.log1p(-mu))
            if self.name == "loglog":
                return -np.log(-np.log(mu))
            return np.tan(np.pi * (mu - 0.5))

    def log_mean(self, z: Array) -> Array:
        """The logarithm of F(z)."""
        from scipy.special import log_expit, log_ndtr

        with np.errstate(over="ignore", under="ignore", divide="ignore"):
            if self.name == "logit":
                return np.asarray(log_expit(z))
            if self.name == "probit":
                return np.asarray(log_ndtr(z))
            if self.name == "cloglog":
                return np.log(-np.expm1(-np.exp(z)))
            if self.name == "loglog":
                return -np.exp(-z)
            return np.log(_cauchy(z))

    def log_complement(self, z: Array) -> Array:
        """The logarithm of 1 − F(z)."""
        if self.name == "cloglog":
            with np.errstate(over="ignore"):
                return -np.exp(z)
        if self.name == "loglog":
            return ResponseCurve("cloglog").log_mean(-z)
        return self.log_mean(-z)

    def log_slope(self, z: Array) -> Array:
        """The logarithm of F′(z)."""
        from scipy.special import log_expit

        with np.errstate(over="ignore"):
            if self.name == "logit":
                return np.asarray(log_expit(z) + log_expit(-z))
            if self.name == "probit":
                return np.asarray(-0.5 * z * z - 0.5 * np.log(2.0 * np.pi))
            if self.name == "cloglog":
                return np.asarray(z - np.exp(z))
            if self.name == "loglog":
                return np.asarray(-z - np.exp(-z))
            return np.asarray(-np.log(np.pi) - np.log1p(z * z))

    def bend(self, z: Array) -> Array:
        """F″(z) / F′(z)."""
        with np.errstate(over="ignore"):
            if self.name == "logit":
                return np.asarray(-np.tanh(0.5 * z))
            if self.name == "probit":
                return -z
            if self.name == "cloglog":
                return 1.0 - np.exp(z)
            if self.name == "loglog":
                return np.exp(-z) - 1.0
            return -2.0 * z / (1.0 + z * z)

    def log_between(self, low: Array, high: Array) -> Array:
        """The logarithm of F(high) − F(low); the ends may be infinite, and low below high."""
        if self.name == "loglog":
            return ResponseCurve("cloglog").log_between(-high, -low)
        if self.name != "cloglog":  # symmetric: look from the side where F is small
            flip = low + high > 0
            low, high = np.where(flip, -high, low), np.where(flip, -low, high)
            top, below = self.log_mean(high), self.log_mean(low)
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(top + np.log(-np.expm1(below - top)))
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            first, last = np.exp(low), np.exp(high)
            return np.asarray(-first + np.log(-np.expm1(first - last)))


def _cauchy(z: Array) -> Array:
    """F of Cauchy's distribution, with its digits in the lower tail."""
    with np.errstate(divide="ignore"):
        tail = np.arctan(-1.0 / np.where(z < -1.0, z, -1.0)) / np.pi
    return np.asarray(np.where(z < -1.0, tail, 0.5 + np.arctan(z) / np.pi))
