"""What is known of one column, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from stylobate.exceptions import InvalidDataError
from stylobate.report.plain_values import plain

QUANTILES = (0.01, 0.03, 0.05, 0.25, 0.5, 0.75, 0.95, 0.97, 0.99)


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval, and how many values lie outside of it on either side."""

    lower: float
    upper: float
    below: int
    above: int


@dataclass(frozen=True, slots=True)
class Outliers:
    """Values far out by the box rule (quartiles ∓ 1.5 IQR) and by the percentile rule."""

    box: Bounds
    percentile: Bounds


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts between edges; `below` and `above` lie outside the edges (long tails are cut off)."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    below: int = 0
    above: int = 0


@dataclass(frozen=True, slots=True)
class DensityCurve:
    """A kernel density on a grid, and its bandwidth."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    bandwidth: float


@dataclass(frozen=True, slots=True)
class NumericSummary:
    """Numbers of a column of numbers.

    Parameters
    ----------
    min, max, mean, sd, skewness, kurtosis : float
        Of the finite values; the standard deviation with n - 1, skewness and excess kurtosis
        g₁ = m₃/m₂^1.5 and g₂ = m₄/m₂² - 3 of the central moments, uncorrected (SciPy's
        ``bias=True``); pandas corrects them for small samples.
    zeros, negatives, infinite : int
        How many values are 0, below 0, infinite.
    quantiles : dict from float to float
        Interpolated linearly between ranks, as NumPy does, where `rank_error` is 0.
    rank_error : float
        Bound on the share of rows by which the rank of a quantile may be off; 0 if exact.
    outliers : Outliers
        Bounds and counts.
    histogram : Histogram
        Over round edges.
    density : DensityCurve or None
        None where the column is no amount.
    """

    min: float
    max: float
    mean: float
    sd: float
    skewness: float
    kurtosis: float
    zeros: int
    negatives: int
    infinite: int
    quantiles: dict[float, float]
    rank_error: float
    outliers: Outliers
    histogram: Histogram
    density: DensityCurve | None = None


@dataclass(frozen=True, slots=True)
class ValueCount:
    """A value and how often it occurs."""

    value: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """The most frequent values; `others` rows hold further ones. Counts are off by ≤ `error`.

    The values of an ordinal column are in the order of its scale, others by frequency.
    """

    values: tuple[ValueCount, ...]
    others: int
    exact: bool = True
    error: int = 0


@dataclass(frozen=True, slots=True)
class PeriodCount:
    """How many rows fall into a period."""

    start: str
    count: int


@dataclass(frozen=True, slots=True)
class DatetimeSummary:
    """Moments in time.

    Parameters
    ----------
    first, last : datetime
        The range.
    median_step : float or None
        Seconds between neighbouring distinct moments, the median.
    gaps : int or None
        Steps longer than 1.5 times the median; None where most steps differ from it.
    per : str
        The period counted: "second", "minute", "hour", "day", "week", "month", "quarter", "year",
        "decade" or "century".
    trend : tuple of PeriodCount
        Rows per period.
    zone : str or None
        "UTC" where the moments know their zone, and all of this is in universal time.
    """

    first: datetime
    last: datetime
    median_step: float | None
    gaps: int | None
    per: str
    trend: tuple[PeriodCount, ...]
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class WordCount:
    """A word and how often it occurs."""

    word: str
    count: int


@dataclass(frozen=True, slots=True)
class TextSummary:
    """Lengths in characters, and the most frequent words (of the sampled rows)."""

    min_length: int
    mean_length: float
    max_length: int
    words: tuple[WordCount, ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """Everything known of one column; prints in detail.

    Parameters
    ----------
    name, kind, reason, type : str
        Its name, kind (see `stylobate.data.kinds`), why it is of that kind, its type at the source.
    rows, missing : int
        Rows of the table, and those without a value.
    distinct : int
        Different values, estimated if not `distinct_exact`; `distinct_error` is then the relative
        standard error.
    numeric, counts, datetime, text : summaries or None
        Those that make sense for the kind.
    mixed : str or None
        What does not fit the kind, if anything.
    examples : tuple of str
        A few values.
    """

    name: str
    kind: str
    reason: str
    type: str
    rows: int
    missing: int
    distinct: int
    distinct_exact: bool = True
    distinct_error: float | None = None
    numeric: NumericSummary | None = None
    counts: ValueCounts | None = None
    datetime: DatetimeSummary | None = None
    text: TextSummary | None = None
    mixed: str | None = None
    examples: tuple[str, ...] = field(default=())

    @property
    def missing_share(self) -> float:
        """Share of the rows without a value."""
        return self.missing / self.rows if self.rows else 0.0

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """A histogram with its density, or bars of the most frequent values; returns the axes."""
        from stylobate import plot

        if self.numeric is not None and self.kind != "ordinal":
            return plot.plot_histogram(self, ax=ax, **options)
        if self.counts is None:
            raise InvalidDataError(
                f"The column {self.name!r} is {self.kind}; there is nothing to draw but of numbers "
                "and of values that repeat."
            )
        return plot.plot_bars(self, ax=ax, **options)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; skewness and kurtosis are the uncorrected moments' (g₁, g₂)."""
        told = {name: plain(getattr(self, name)) for name in self.__slots__ if name != "rows"}
        told["missing_share"] = self.missing_share
        return told

    def __str__(self) -> str:
        from stylobate.exploration.text.variable import variable_text

        return variable_text(self)
