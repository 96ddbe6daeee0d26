"""Numbers known from a summary of all rows: moments and range exactly, ranks within an error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exploration.summaries.numbers import Distribution, ExactNumbers
from stylobate.statistics.columns.column_summary import ColumnSummary

_LARGEST = float(np.finfo(np.float64).max)


def numbers_of(summary: ColumnSummary, sampled: ExactNumbers) -> Distribution:
    """The distribution of a summarised column: exact where all its values are known."""
    if not summary.frequent.is_exact:
        return SketchedNumbers(summary, sampled)
    listed = summary.frequent.most_common(None)
    values = np.array([float(each.value) for each in listed])
    counts = np.array([each.count for each in listed], dtype=np.intp)
    order = np.argsort(values)
    return ExactNumbers(values[order], counts[order])


class SketchedNumbers:
    """The distribution of more numbers than are kept.

    Parameters
    ----------
    summary : ColumnSummary
        Of all rows.
    sampled : ExactNumbers
        The numbers of a sample of the rows, from which the density is drawn.
    """

    def __init__(self, summary: ColumnSummary, sampled: ExactNumbers) -> None:
        """Take moments and ranks from the summary."""
        moments = summary.moments
        self.n, self.infinite = moments.count, moments.infinite
        self.low, self.high = moments.low, moments.high
        self.mean, self.sd = moments.mean, moments.deviation
        self.skewness, self.kurtosis = moments.skewness, moments.kurtosis
        self.zeros, self.negatives = moments.zeros, moments.negatives
        self.whole = summary.kind != "real" or sampled.whole
        self.rank_error = summary.quantiles.rank_error()
        self._sketch = summary.quantiles
        self._sampled = sampled
        real = summary.kind == "real" and self.infinite > 0
        self._lost = float(self._sketch.cdf(-_LARGEST)) if real else 0.0  # share of -infinity

    def quantiles(self, shares: Array) -> Array:
        """Of the finite values."""
        total = self.n + self.infinite
        asked = self._lost + shares * self.n / total
        found = np.asarray(self._sketch.quantile(np.clip(asked, 0.0, 1.0)), dtype=np.float64)
        return np.clip(found, self.low, self.high)

    def below(self, bounds: Array, *, inclusive: bool) -> NDArray[np.int64]:
        """Counted by ranks."""
        at = bounds if inclusive else np.nextafter(bounds, -np.inf)
        share = np.asarray(self._sketch.cdf(at), dtype=np.float64) - self._lost
        counted = np.rint(share * (self.n + self.infinite)).astype(np.int64)
        return np.clip(counted, 0, self.n)

    def points(self) -> tuple[Array, Array]:
        """Those of the sample."""
        return self._sampled.points()
