"""An estimate between two ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Interval:
    """An estimate and the ends that hold the true value in a given share of all samples.

    Unpacks into its two ends (``low, high = interval``) and answers ``value in interval``.

    Parameters
    ----------
    estimate : float
        The value for the rows at hand.
    low, high : float
        The ends.
    method : str
        How they were found.
    confidence : float in (0, 1), default=0.95
        The share of samples whose interval holds the true value.

    Examples
    --------
    >>> interval = Interval(0.8, 0.711, 0.867, "wilson")
    >>> 0.75 in interval, 0.5 in interval
    (True, False)
    >>> print(interval)
    0.8 (95 % interval 0.711 to 0.867, wilson)
    """

    estimate: float
    low: float
    high: float
    method: str
    confidence: float = 0.95

    @property
    def width(self) -> float:
        """The distance between the ends."""
        return self.high - self.low

    def negated(self) -> Interval:
        """The interval of minus the value."""
        return Interval(-self.estimate, -self.high, -self.low, self.method, self.confidence)

    def clipped(self, low: float, high: float) -> Interval:
        """The ends kept within the values that are possible at all."""
        ends = max(self.low, low), min(self.high, high)
        return Interval(self.estimate, *ends, self.method, self.confidence)

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __str__(self) -> str:
        ends = f"{self.low:.4g} to {self.high:.4g}"
        return f"{self.estimate:.4g} ({100 * self.confidence:g} % interval {ends}, {self.method})"

    def __repr__(self) -> str:
        numbers = f"estimate={self.estimate:.6g}, low={self.low:.6g}, high={self.high:.6g}"
        return f"Interval({numbers}, method={self.method!r}, confidence={self.confidence:g})"
