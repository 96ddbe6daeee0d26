"""Losses of a residual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from stylobate.exceptions import InvalidParameterError
from stylobate.losses.loss import Loss, require_positive, weighted_mean, weighted_quantile


@dataclass(frozen=True, slots=True)
class HalfSquared(Loss):
    r""":math:`\tfrac12 (y - z)^2`: the mean is its best constant.

    Examples
    --------
    >>> float(HalfSquared().value(1.0, 3.0))
    2.0
    """

    name: ClassVar[str] = "half_squared"
    alias: ClassVar[str] = "squared_error"

    @property
    def steepest(self) -> float:
        return 1.0

    def baseline(self, y: Any, weights: Any = None) -> float:
        """The mean."""
        return weighted_mean(y, weights)


@dataclass(frozen=True, slots=True)
class Absolute(Loss):
    r""":math:`|y - z|`: the median is its best constant.

    Examples
    --------
    >>> float(Absolute().prox(0.0, 3.0, step=1.0))
    2.0
    """

    name: ClassVar[str] = "absolute"
    alias: ClassVar[str] = "absolute_error"
    smooth: ClassVar[bool] = False

    def baseline(self, y: Any, weights: Any = None) -> float:
        """The median."""
        return weighted_quantile(y, weights, 0.5)


@dataclass(frozen=True, slots=True)
class Quantile(Loss):
    r"""The pinball loss: :math:`\tau r` for :math:`r = y - z \ge 0`, :math:`(\tau - 1) r` below.

    Parameters
    ----------
    level : float in [0, 1]
        τ: the best constant is the τ-quantile.

    Examples
    --------
    >>> Quantile(0.9).value([1.0, -1.0], 0.0)
    array([0.9, 0.1])

    References
    ----------
    Koenker & Bassett (1978), Regression quantiles, Econometrica 46.
    """

    level: float = 0.5
    name: ClassVar[str] = "quantile"
    smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.level <= 1.0:
            raise InvalidParameterError(
                f"Quantile: level must be a number in [0, 1], got {self.level!r}."
            )

    def _parameters(self) -> tuple[float, float]:
        return self.level, 0.0

    def baseline(self, y: Any, weights: Any = None) -> float:
        """The quantile."""
        return weighted_quantile(y, weights, self.level)


@dataclass(frozen=True, slots=True)
class Huber(Loss):
    r"""The two-parameter Huber loss :math:`h_{\lambda,\mu}` of the residual :math:`r = z - y`.

    .. math::
        h_{\lambda,\mu}(r) = \begin{cases}
        \mu r^2 & |r| \le \lambda / (2\mu) \\ \lambda (|r| - \lambda / (4\mu)) & \text{else}
        \end{cases}

    Parameters
    ----------
    slope : float in (0, inf), default=1.0
        λ, the slope far out.
    steepness : float in (0, inf), default=0.5
        μ, the factor of the square; with ½ the loss is ½r² up to |r| = λ.

    Examples
    --------
    >>> Huber(slope=2.0, steepness=1.0).value(0.0, [0.5, 3.0])
    array([0.25, 5.  ])

    References
    ----------
    Huber (1964), Robust estimation of a location parameter, Annals of Mathematical Statistics 35.
    """

    slope: float = 1.0
    steepness: float = 0.5
    name: ClassVar[str] = "huber"

    def __post_init__(self) -> None:
        require_positive("Huber", "slope", self.slope)
        require_positive("Huber", "steepness", self.steepness)

    @property
    def steepest(self) -> float:
        return 2.0 * self.steepness

    def _parameters(self) -> tuple[float, float]:
        return self.slope, self.steepness


@dataclass(frozen=True, slots=True)
class EpsilonInsensitive(Loss):
    r""":math:`\max(|y - z| - \varepsilon, 0)`: small errors cost nothing.

    Parameters
    ----------
    margin : float in [0, inf), default=0.1
        ε.

    Examples
    --------
    >>> EpsilonInsensitive(0.5).value(0.0, [0.25, 1.0])
    array([0. , 0.5])
    """

    margin: float = 0.1
    name: ClassVar[str] = "epsilon_insensitive"
    smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not self.margin >= 0.0:
            raise InvalidParameterError(
                f"{type(self).__name__}: margin must be a number in [0, inf), got {self.margin!r}."
            )

    def _parameters(self) -> tuple[float, float]:
        return self.margin, 0.0


@dataclass(frozen=True, slots=True)
class SquaredEpsilonInsensitive(EpsilonInsensitive):
    r""":math:`\max(|y - z| - \varepsilon, 0)^2`.

    Parameters
    ----------
    margin : float in [0, inf), default=0.1
        ε.

    Examples
    --------
    >>> float(SquaredEpsilonInsensitive(0.5).value(0.0, 1.0))
    0.25
    """

    name: ClassVar[str] = "squared_epsilon_insensitive"
    smooth: ClassVar[bool] = True

    @property
    def steepest(self) -> float:
        return 2.0
