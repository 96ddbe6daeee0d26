"""Schedules: steps of stochastic methods that shrink by plan."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi

from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.steps import Ray, StepRule, require_positive_steps


class Schedule(StepRule):
    """A step that depends on its number alone: no line is searched."""

    def length(self, ray: Ray, t: int, before: float) -> float:
        return self.rate(t)


def _count(owner: str, name: str, value: int, least: int = 1) -> None:
    if isinstance(value, bool) or int(value) != value or value < least:
        raise InvalidParameterError(
            f"{owner}: {name} must be a whole number in [{least}, inf), got {value!r}."
        )


def _share(owner: str, name: str, value: float) -> None:
    if not 0.0 < value <= 1.0:
        raise InvalidParameterError(f"{owner}: {name} must be a number in (0, 1], got {value!r}.")


@dataclass(frozen=True, slots=True)
class StepDecay(Schedule):
    r""":math:`\eta_t = c\,\gamma^{\lfloor (t - 1) / k \rfloor}`: cut after every k steps.

    Parameters
    ----------
    c : float in (0, inf)
    every : int in [1, inf)
        k; steps are batches, not epochs.
    factor : float in (0, 1], default=0.1
        γ.

    Examples
    --------
    >>> [StepDecay(1.0, 2, 0.5).rate(t) for t in (1, 2, 3, 4, 5)]
    [1.0, 1.0, 0.5, 0.5, 0.25]
    """

    c: float
    every: int
    factor: float = 0.1

    def __post_init__(self) -> None:
        require_positive_steps("StepDecay", c=self.c)
        _count("StepDecay", "every", self.every)
        _share("StepDecay", "factor", self.factor)

    def rate(self, t: int) -> float:
        return float(self.c * self.factor ** ((t - 1) // self.every))


@dataclass(frozen=True, slots=True)
class ExponentialDecay(Schedule):
    r""":math:`\eta_t = c\,\gamma^{(t - 1) / k}`.

    Parameters
    ----------
    c : float in (0, inf)
    every : int in [1, inf), default=1
        k: after so many steps (batches) the step is γ times as long.
    factor : float in (0, 1], default=0.99
        γ.

    Examples
    --------
    >>> ExponentialDecay(1.0, 10, 0.5).rate(21)
    0.25
    """

    c: float
    every: int = 1
    factor: float = 0.99

    def __post_init__(self) -> None:
        require_positive_steps("ExponentialDecay", c=self.c)
        _count("ExponentialDecay", "every", self.every)
        _share("ExponentialDecay", "factor", self.factor)

    def rate(self, t: int) -> float:
        return float(self.c * self.factor ** ((t - 1) / self.every))


@dataclass(frozen=True, slots=True)
class CosineDecay(Schedule):
    r""":math:`\eta_t = l + (c - l)\,\tfrac12 (1 + \cos \pi u)`, u from 0 to 1; then l for good.

    Parameters
    ----------
    c : float in (0, inf)
        The longest step.
    steps : int in [1, inf)
        Until the shortest: epochs × batches in an epoch.
    least : float in [0, c], default=0.0
        l.
    warmup : int in [0, steps), default=0
        First steps, which grow in proportion to their number up to c.

    References
    ----------
    Loshchilov & Hutter (2017), SGDR: stochastic gradient descent with warm restarts.

    Examples
    --------
    >>> [round(CosineDecay(1.0, 4).rate(t), 3) for t in (1, 2, 3, 4, 5, 6)]
    [1.0, 0.854, 0.5, 0.146, 0.0, 0.0]
    """

    c: float
    steps: int
    least: float = 0.0
    warmup: int = 0

    def __post_init__(self) -> None:
        require_positive_steps("CosineDecay", c=self.c)
        _count("CosineDecay", "steps", self.steps)
        _count("CosineDecay", "warmup", self.warmup, 0)
        if self.warmup >= self.steps or not 0.0 <= self.least <= self.c:
            raise InvalidParameterError(
                f"CosineDecay: warmup must be below steps={self.steps} and least in [0, {self.c}], "
                f"got {self.warmup!r} and {self.least!r}."
            )

    def rate(self, t: int) -> float:
        if t <= self.warmup:
            return self.c * t / self.warmup
        gone = min((t - 1 - self.warmup) / (self.steps - self.warmup), 1.0)
        return self.least + (self.c - self.least) * 0.5 * (1.0 + cos(pi * gone))
