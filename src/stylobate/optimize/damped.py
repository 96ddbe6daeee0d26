"""Damped steps: the whole step where it helps, less of it where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.steps import Ray, StepRule

_ROUNDING = 2.0**-48  # differences of values below this share of them say nothing
_FLATTER = 0.9  # share of the slope that may be left where values say nothing


@dataclass(frozen=True, slots=True)
class Damped(StepRule):
    r"""Newton's steps: 1, cut back until :math:`f(x + \eta d) \le f(x) + \sigma \eta g^\top d`.

    A step that fails is cut to the minimum of the parabola through value and slope here and the
    value there, between a tenth and a half of it; to a quarter where there is no finite value.
    Near the optimum a decrease is lost in rounding: there a flatter slope will do. The rule of
    `Newton`, and of the estimators that fit by it.

    Parameters
    ----------
    sufficient : float in (0, 0.5), default=1e-4
        σ, the share of the promised decrease that a step must keep.

    References
    ----------
    Dennis & Schnabel (1983), Numerical Methods for Unconstrained Optimization, section 6.3; Hager &
    Zhang (2005), SIAM J. Optimization 16, for judging a step whose decrease is lost in rounding.

    Examples
    --------
    >>> ray = Ray(lambda t: (2 - 4 * t) ** 2, lambda t: -8 * (2 - 4 * t), 4.0, -16.0)
    >>> Damped().length(ray, 1, 0.0)  # x², from 2, along −4: half of it is best
    0.5
    """

    sufficient: float = 1e-4

    def __post_init__(self) -> None:
        if not 0.0 < self.sufficient < 0.5:
            raise InvalidParameterError(
                f"Damped: sufficient must be a number in (0, 0.5), got {self.sufficient!r}."
            )

    def length(self, ray: Ray, t: int, before: float) -> float | None:
        length = 1.0
        for _ in range(60):
            value = ray.value_at(length)
            if not value < float("inf"):  # NaN as well
                length *= 0.25
                continue
            gain = value - ray.value
            if gain <= self.sufficient * length * ray.slope or not isfinite(value):
                return length
            if abs(gain) <= _ROUNDING * max(abs(ray.value), abs(value)):
                if abs(ray.slope_at(length)) <= _FLATTER * abs(ray.slope):
                    return length  # flatter, as far as rounding lets us see
                if length < 1.0:
                    return None
            curved = 2.0 * (gain - length * ray.slope)
            best = -ray.slope * length * length / curved if curved > 0.0 else 0.5 * length
            length = min(max(best, 0.1 * length), 0.5 * length)
        return None
