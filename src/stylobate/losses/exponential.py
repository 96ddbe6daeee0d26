"""Negative log-likelihoods of exponential families with the logarithm as link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.losses.domain import NONNEGATIVE, POSITIVE, Domain
from stylobate.losses.links import LOG, Link
from stylobate.losses.loss import Loss, weighted_mean


@dataclass(frozen=True, slots=True)
class LogLinkLoss(Loss):
    """What losses of a mean e^z share."""

    link: ClassVar[Link] = LOG

    def baseline(self, y: Any, weights: Any = None) -> float:
        """The logarithm of the mean."""
        return float(np.log(max(weighted_mean(y, weights), np.finfo(np.float64).tiny)))


@dataclass(frozen=True, slots=True)
class Poisson(LogLinkLoss):
    r""":math:`e^z - yz`, up to a constant Poisson's with mean :math:`e^z`; y ≥ 0.

    Examples
    --------
    >>> float(Poisson().gradient(3.0, 0.0))
    -2.0
    """

    name: ClassVar[str] = "poisson"
    domain: ClassVar[Domain] = NONNEGATIVE


@dataclass(frozen=True, slots=True)
class Gamma(LogLinkLoss):
    r""":math:`z + y e^{-z}`, up to a constant and the shape Gamma's with mean :math:`e^z`; y > 0.

    Examples
    --------
    >>> float(Gamma().gradient(3.0, 0.0))
    -2.0
    """

    name: ClassVar[str] = "gamma"
    domain: ClassVar[Domain] = POSITIVE


@dataclass(frozen=True, slots=True)
class Tweedie(LogLinkLoss):
    r"""Half the Tweedie deviance with mean :math:`e^z`, up to a constant.

    .. math:: \frac{e^{(2-p)z}}{2-p} - \frac{y\,e^{(1-p)z}}{1-p}

    with the limits `Poisson` and `Gamma` at p = 1 and 2. Convex for powers from 1 to 2 only.

    Parameters
    ----------
    power : float in [1, 2], default=1.5
        p, the power of the mean to which the variance is proportional.

    Examples
    --------
    >>> float(Tweedie(1.5).gradient(1.0, 0.0))
    0.0

    References
    ----------
    Jørgensen (1987), Exponential dispersion models, JRSS B 49.
    """

    power: float = 1.5
    name: ClassVar[str] = "tweedie"
    domain: ClassVar[Domain] = NONNEGATIVE

    def __post_init__(self) -> None:
        if not 1.0 <= self.power <= 2.0:
            raise InvalidParameterError(
                f"Tweedie: power must be a number in [1, 2], where the loss is convex, got "
                f"{self.power!r}."
            )

    def _parameters(self) -> tuple[float, float]:
        return self.power, 0.0
