"""Estimates that are means of something known for each row, or nearly so: their standard errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.metrics.intervals.interval import Interval
from stylobate.metrics.intervals.scales import PLAIN, Scale


@dataclass(frozen=True, slots=True)
class Linear:
    """An estimate and what each row adds to it, to first order.

    The estimate varies from sample to sample as the sum of the means of `parts` does: one part for
    a mean (the losses of the rows) or a smooth function of means (the influence of the rows), two
    independent parts for a comparison of positive with negative rows. Two models measured on the
    same rows are subtracted row by row, which is what makes their comparison a paired one.

    Parameters
    ----------
    estimate : float
        The value.
    parts : tuple of arrays
        What the rows of each part add.
    weights : tuple of arrays or None
        The weights of the rows of each part.
    scale : Scale
        Where the estimate is close to normal.
    df : float
        Degrees of freedom of Student's t; inf for the normal law.
    method : str
        What this is called.

    Examples
    --------
    >>> one = Linear(2.0, (np.array([1.0, 2.0, 3.0]),), (None,), df=2.0, method="t")
    >>> round(one.std_error(), 6)
    0.57735
    """

    estimate: float
    parts: tuple[Array, ...]
    weights: tuple[Array | None, ...]
    scale: Scale = PLAIN
    df: float = float("inf")
    method: str = "delta"

    def std_error(self) -> float:
        """The standard deviation of the estimate over samples."""
        pairs = zip(self.parts, self.weights, strict=True)
        return float(np.sqrt(sum(_variance_of_mean(x, w) for x, w in pairs)))

    def interval(self, confidence: float, scale: Scale | None = None) -> Interval:
        """The estimate ± a quantile times its standard error, on its scale."""
        from stylobate.inference.distributions import two_sided_quantile

        scale = self.scale if scale is None else scale
        quantile = two_sided_quantile(confidence, self.df)
        error = self.std_error()
        if error == 0.0 or not scale.inside(self.estimate):
            scale = scale.plain() if scale.low <= self.estimate <= scale.high else PLAIN
        half = quantile * error * abs(scale.slope(self.estimate))
        middle = scale.forward(self.estimate)
        low, high = sorted((scale.back(middle - half), scale.back(middle + half)))
        found = Interval(self.estimate, low, high, self.method, confidence)
        return found.clipped(scale.low, scale.high)

    def minus(self, other: Linear) -> Linear:
        """The difference of two estimates from the same rows."""
        return self.combined(other, self.estimate - other.estimate, 1.0, -1.0)

    def relative_to(self, other: Linear) -> Linear:
        """self/other − 1, for the same rows."""
        ratio = self.estimate / other.estimate
        return self.combined(other, ratio - 1.0, 1.0 / other.estimate, -ratio / other.estimate)

    def combined(self, other: Linear, estimate: float, a: float, b: float) -> Linear:
        """An estimate whose slopes in this and the other one are a and b."""
        parts = tuple(a * x + b * y for x, y in zip(self.parts, other.parts, strict=True))
        return Linear(estimate, parts, self.weights, df=self.df, method=self.method)


def mean_of(losses: Array, weights: Array | None, scale: Scale) -> Linear:
    """A mean of losses of the rows."""
    counted = len(losses) if weights is None else int(np.count_nonzero(weights))
    estimate = float(np.average(losses, weights=weights))
    return Linear(estimate, (losses,), (weights,), scale, float(max(counted - 1, 0)), "t")


def _variance_of_mean(values: Array, weights: Array | None) -> float:
    """Variance of a weighted mean of independent rows; s²/n without weights."""
    if weights is None:
        n = len(values)
        return float(values.var(ddof=1)) / n if n > 1 else float("inf")
    n = int(np.count_nonzero(weights))
    if n < 2:
        return float("inf")
    away = weights * (values - np.average(values, weights=weights))
    return float(away @ away) / float(weights.sum()) ** 2 * n / (n - 1)
