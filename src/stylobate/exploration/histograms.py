"""Where the bars of a histogram begin and end: round numbers, whole ones for whole values."""

from __future__ import annotations

from math import ceil, floor, isfinite, log2, log10, sqrt

import numpy as np

from stylobate.arrays import Array

MOST_BARS = 60
_TAIL = 1.5  # a range this many times that between the 1 % and 99 % quantiles is cut


def histogram_edges(
    low: float,
    high: float,
    *,
    n: int,
    quartiles: tuple[float, float],
    tails: tuple[float, float],
    skewness: float,
    whole: bool,
    most: int = MOST_BARS,
) -> Array:
    r"""Edges of equal steps of 1, 2, 2.5 or 5 · 10ᵏ.

    The number of bars is the larger of Freedman and Diaconis' and Doane's,

    .. math:: \frac{(b - a)\, n^{1/3}}{2\,\mathrm{IQR}}, \qquad
              1 + \log_2 n + \log_2\!\Big(1 + \frac{|g_1|}{\sigma_{g_1}}\Big), \quad
              \sigma_{g_1}^2 = \frac{6(n-2)}{(n+1)(n+3)},

    at most `most`. Whole numbers have edges halfway between them.

    Parameters
    ----------
    low, high : float
        Smallest and largest value.
    n : int
        How many values there are.
    quartiles, tails : pairs of float
        The quartiles, and the 1 % and 99 % quantiles; a range that goes far beyond the latter is
        cut there.
    skewness : float
        g₁ of the values.
    whole : bool
        Whether all are whole numbers.
    most : int, default=60
        Bars, at most.

    Examples
    --------
    >>> quarters = {"quartiles": (20.0, 38.0), "tails": (1.0, 70.0), "skewness": 0.4}
    >>> histogram_edges(0.4, 80.0, n=714, whole=False, **quarters)[[0, 1, -1]]
    array([ 0.,  5., 80.])
    """
    low, high = _cut(low, high, tails)
    span = high - low
    if not span > 0 or not isfinite(span):
        return _around(low, high, whole)
    iqr = quartiles[1] - quartiles[0]
    wanted = _doane(n, skewness)
    if iqr > 0:
        wanted = max(wanted, span * n ** (1 / 3) / (2 * iqr))
    bars = min(max(wanted, 1.0), most)
    size = max(abs(low), abs(high))
    if span < 1e-290 or span < 1e-10 * size or size > 1e290:  # no round numbers there
        unit = 4.0 if size > 1e290 else 1.0
        return np.unique(unit * np.linspace(low / unit, high / unit, ceil(bars) + 1))
    step = _round(span / bars)
    while floor(high / step) - floor(low / step) + 1 > most:
        step = _round(step * 2.0)
    if whole:
        step = max(1.0, float(ceil(step)))
        first = low - 0.5 if step == 1 else floor(low / step) * step - 0.5
        return np.asarray(first + step * np.arange(ceil((high - first) / step) + 1))
    first = floor(low / step)
    last = max(ceil(high / step), first + 1)
    return np.asarray(step * np.arange(first, last + 1))


def _cut(low: float, high: float, tails: tuple[float, float]) -> tuple[float, float]:
    core = tails[1] - tails[0]
    if not core > 0:
        return low, high
    if high - tails[1] > _TAIL * core:
        high = tails[1]
    if tails[0] - low > _TAIL * core:
        low = tails[0]
    return low, high


def _around(low: float, high: float, whole: bool) -> Array:
    """One bar about a single value, or about a range no number can hold."""
    if not isfinite(high - low):
        return np.array([low, high])
    half = 0.5 if whole and abs(low) < 1e15 else max(abs(low) * 1e-3, 1e-300)
    return np.array([low - half, high + half])


def _doane(n: int, skewness: float) -> float:
    if n < 3:
        return 1.0
    spread = sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3.0)))
    lean = abs(skewness) / spread if isfinite(skewness) else 0.0
    return 1 + log2(n) + log2(1 + lean)


def _round(step: float) -> float:
    """The nearest of 1, 2, 2.5, 5 times a power of ten, by ratio."""
    power = 10.0 ** floor(log10(step))
    candidates = [each * power for each in (1.0, 2.0, 2.5, 5.0, 10.0)]
    return min(candidates, key=lambda each: abs(log10(each) - log10(step)))
