"""Links: from the predictor z of a model to the mean μ of its target, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from stylobate.arrays import Array

LinkName = Literal["identity", "log", "logit"]


@dataclass(frozen=True, slots=True)
class Link:
    r"""A link g with z = g(μ): the identity, the logarithm or the log-odds.

    Parameters
    ----------
    name : {"identity", "log", "logit"}
        Which one.

    Examples
    --------
    >>> Link("log").predictor(1.0), Link("logit").mean(np.zeros(1))
    (0.0, array([0.5]))
    """

    name: LinkName

    def mean(self, z: Array) -> Array:
        """μ = g⁻¹(z)."""
        if self.name == "identity":
            return z
        if self.name == "logit":
            return np.asarray(0.5 * (1.0 + np.tanh(0.5 * z)))
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(z))

    def predictor(self, mu: float) -> float:
        """Predictor z = g(μ)."""
        if self.name == "identity":
            return float(mu)
        with np.errstate(divide="ignore"):
            return float(np.log(mu) if self.name == "log" else np.log(mu) - np.log1p(-mu))

    def mean_slope(self, mu: Array) -> Array:
        """dμ/dz at the mean μ."""
        if self.name == "identity":
            return np.ones_like(mu)
        return mu if self.name == "log" else mu * (1.0 - mu)


IDENTITY, LOG, LOGIT = Link("identity"), Link("log"), Link("logit")
