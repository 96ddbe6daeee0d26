"""The correlation ratio of a numeric column between categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exploration.association.columns import CategoryColumn, NumberColumn
from stylobate.exploration.association.laws import noncentral_f_interval
from stylobate.exploration.association.value import Association, finite
from stylobate.inference.distributions import f_p


class GroupSums(NamedTuple):
    """Counts, means and scatters (sums of squared deviations) of groups, each of length k."""

    n: NDArray[np.int64]
    mean: Array
    scatter: Array


class Variance(NamedTuple):
    """A one-way analysis of variance: rows, groups, sums of squares, F and its p-value."""

    n: int
    groups: int
    between: float
    within: float
    f: float
    p_value: float

    @property
    def explained(self) -> float:
        """η², the share of the variance that lies between the groups."""
        total = self.between + self.within
        return self.between / total if total > 0 else 0.0

    @property
    def corrected(self) -> float:
        """ε² (Kelley): η² less what chance adds, not below 0."""
        if self.n <= self.groups:
            return 0.0
        left = (1.0 - self.explained) * (self.n - 1) / (self.n - self.groups)
        return max(1.0 - left, 0.0)


def group_sums(values: Array, codes: NDArray[np.int64], levels: int) -> GroupSums:
    """Means and scatters of numbers by group; rows without a number or a group take no part.

    >>> group_sums(np.array([1.0, 3.0, 5.0, np.nan]), np.array([0, 0, 1, 1]), 2).mean.tolist()
    [2.0, 5.0]
    """
    known = np.isfinite(values) & (codes >= 0)
    if not known.all():
        values, codes = values[known], codes[known]
    n = np.bincount(codes, minlength=levels)
    some = np.maximum(n, 1)
    centre = float(values.mean()) if len(values) else 0.0
    values = values - centre  # digits of the mean are not lost in sums
    mean = np.bincount(codes, weights=values, minlength=levels) / some
    left = values - mean[codes]
    scatter = np.bincount(codes, weights=np.square(left), minlength=levels).astype(float)
    return GroupSums(n.astype(np.int64), np.where(n > 0, mean + centre, np.nan), scatter)


def scaled(column: NumberColumn) -> Array:
    """Its values in a unit of their own size, whose squares neither overflow nor vanish."""
    size = float(np.nanmax(np.abs(column.values), initial=0.0))
    return column.values if size == 0.0 or 1e-100 < size < 1e100 else column.values / size


def analysis_of_variance(groups: GroupSums) -> Variance:
    """F test of equal means, from the sums of groups; empty ones are left out."""
    kept = groups.n > 0
    n, mean = groups.n[kept].astype(float), groups.mean[kept]
    total, k = float(n.sum()), len(n)
    if k == 0:
        return Variance(0, 0, 0.0, 0.0, np.nan, np.nan)
    grand = float(n @ mean) / total
    between, within = float(n @ np.square(mean - grand)), float(groups.scatter[kept].sum())
    size = (np.abs(mean).max() * 1e-14) ** 2 * total  # what is left of a constant
    between, within = (between if between > size else 0.0), (within if within > size else 0.0)
    if k < 2 or total <= k:
        return Variance(int(total), k, between, within, np.nan, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = float(np.divide(between / (k - 1), within / (total - k)))
    p = f_p(f, k - 1, total - k) if not np.isnan(f) else np.nan
    return Variance(int(total), k, between, within, f, p)


def correlation_ratios(
    categories: Sequence[CategoryColumn],
    numbers: Sequence[NumberColumn],
    *,
    level: float,
    exact: bool,
) -> list[Association]:
    r"""η of every category and every numeric column: the F test and an interval.

    .. math:: \eta^2 = \frac{\sum_k n_k (\bar x_k - \bar x)^2}{\sum_i (x_i - \bar x)^2}, \quad
              \varepsilon^2 = 1 - (1 - \eta^2)\frac{n-1}{n-K}

    The value is ε, the square root corrected for the number of categories; `raw` is η. The interval
    holds the ratios :math:`\lambda/(\lambda + n)` whose noncentral F does not reject the data.

    References
    ----------
    Kelley (1935), An unbiased correlation ratio measure; Smithson (2003), Confidence Intervals.
    """
    pairs, found = [], []
    for category in categories:
        for number in numbers:
            sums = group_sums(scaled(number), category.codes, len(category.labels))
            found.append(analysis_of_variance(sums))
            pairs.append((category.name, number.name))
    return _listed(pairs, found, level, exact)


def _listed(
    pairs: Sequence[tuple[str, str]], found: Sequence[Variance], level: float, exact: bool
) -> list[Association]:
    testable = np.array([np.isfinite(v.f) for v in found], dtype=bool)
    f, df1, df2 = np.ones((3, len(found)))
    for k, v in enumerate(found):
        if testable[k]:
            f[k], df1[k], df2[k] = v.f, v.groups - 1, v.n - v.groups
    low, high = noncentral_f_interval(f, df1, df2, level)
    out = []
    for k, ((a, b), v) in enumerate(zip(pairs, found, strict=True)):
        why = _why(a, b, v)
        if why:
            none = Association(a, b, "correlation_ratio", None, n=v.n, exact=exact, reason=why)
            out.append(none)
            continue
        value = v.corrected**0.5
        ends = (1.0, 1.0)  # no scatter within the groups: F is infinite
        if testable[k]:
            ends = ((low[k] / (low[k] + v.n)) ** 0.5, (high[k] / (high[k] + v.n)) ** 0.5)
        ends = (min(ends[0], value), max(ends[1], value))
        raw = v.explained**0.5
        p = finite(v.p_value)
        out.append(
            Association(a, b, "correlation_ratio", value, *ends, p, v.n, exact, None, raw, value)
        )
    return out


def _why(a: str, b: str, v: Variance) -> str | None:
    if v.n < 3:
        return f"only {v.n} rows have both values; at least 3 are needed"
    if v.groups < 2:
        return f"{a} has a single value in the {v.n} rows that have both values"
    if v.n <= v.groups:
        return f"{a} has a different value in each of the {v.n} rows that have both values"
    if v.between + v.within <= 0:
        return f"{b} is constant in the {v.n} rows that have both values"
    return None
