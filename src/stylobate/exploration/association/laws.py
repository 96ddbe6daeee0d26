"""Intervals and tests of measures of association, for arrays of pairs at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.inference.distributions import two_sided_quantile

Ends = tuple[Array, Array]
_EXACT_UP_TO = 3000.0  # noncentrality up to which the noncentral F is evaluated exactly


def correlation_p(r: ArrayLike, n: ArrayLike) -> Array:
    """Two-sided p-value of no correlation: t = r√((n−2)/(1−r²)) with n − 2 degrees of freedom.

    >>> float(correlation_p(0.5, 20).round(4))
    0.0248
    """
    from scipy.special import stdtr

    r, n = np.asarray(r, dtype=float), np.asarray(n, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(r) * np.sqrt((n - 2.0) / ((1.0 - r) * (1.0 + r)))
        p = 2.0 * stdtr(n - 2.0, -t)
    return np.where(n > 2, p, np.nan)


def fisher_interval(r: ArrayLike, n: ArrayLike, level: float, *, ranks: bool = False) -> Ends:
    r"""Interval of a correlation by Fisher's z: :math:`\tanh(\operatorname{artanh} r \pm q\,s)`.

    :math:`s^2 = 1/(n-3)` for Pearson's r and :math:`(1 + r^2/2)/(n-3)` for Spearman's (Bonett &
    Wright 2000). NaN with fewer than 4 rows.

    >>> [float(end.round(3)) for end in fisher_interval(0.5, 28, 0.95)]
    [0.156, 0.736]
    """
    r, n = np.asarray(r, dtype=float), np.asarray(n, dtype=float)
    q = two_sided_quantile(level, float("inf"))
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt((1.0 + (0.5 * r**2 if ranks else 0.0)) / (n - 3.0))
        z = np.arctanh(r)
        low, high = np.tanh(z - q * error), np.tanh(z + q * error)
    known = n > 3
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def noncentral_chi2_interval(statistic: ArrayLike, df: ArrayLike, level: float) -> Ends:
    """The noncentralities under which a χ² statistic is neither too large nor too small.

    The upper end is that of a statistic of at least df: one far smaller than chance makes it is
    luck, not knowledge, and would give an interval of no width.

    >>> [float(end.round(2)) for end in noncentral_chi2_interval(50.0, 4, 0.95)]
    [23.58, 78.17]
    """
    from scipy.special import chdtr, chndtrinc

    x, df = np.broadcast_arrays(np.asarray(statistic, float), np.asarray(df, float))
    tail = (1.0 - level) / 2.0
    ends = []
    for chance, seen in ((1.0 - tail, x), (tail, np.maximum(x, df))):
        inside = chdtr(df, seen) > chance  # else less than this is no rarer without association
        found = np.zeros(x.shape)
        if inside.any():
            found[inside] = chndtrinc(seen[inside], df[inside], chance)
        ends.append(found)
    return ends[0], ends[1]


def noncentral_f_interval(f: ArrayLike, df1: ArrayLike, df2: ArrayLike, level: float) -> Ends:
    """The noncentralities under which an F statistic is neither too large nor too small.

    The normal approximation of Severo & Zelen (1960) is inverted by bisection, then corrected by
    its error against the exact law at the point found. The upper end is that of a statistic of at
    least 1, its mean without differences.

    >>> [float(end.round(2)) for end in noncentral_f_interval(8.0, 4, 95, 0.95)]
    [9.99, 56.82]
    """
    from scipy.special import fdtr, ndtri

    f, df1, df2 = np.broadcast_arrays(*(np.asarray(v, float) for v in (f, df1, df2)))
    tail = (1.0 - level) / 2.0
    ends = []
    for chance, seen in ((1.0 - tail, f), (tail, np.maximum(f, 1.0))):
        wanted = float(ndtri(chance))
        found = _invert_f_score(seen, df1, df2, np.full(f.shape, wanted))
        for _ in range(3):
            error = _noncentral_f_error(seen, df1, df2, found)
            found = _invert_f_score(seen, df1, df2, wanted - error)
        ends.append(np.where(fdtr(df1, df2, seen) > chance, found, 0.0))
    return ends[0], ends[1]


def _invert_f_score(f: Array, df1: Array, df2: Array, wanted: Array) -> Array:
    """The noncentrality with that normal score, by bisection: the score falls as it grows."""
    low, high = np.zeros(f.shape), 4.0 * df1 * (f + 1.0) + 100.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        above = _noncentral_f_score(f, df1, df2, middle) > wanted
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(0.5 * (low + high))


def _noncentral_f_error(f: Array, df1: Array, df2: Array, noncentrality: Array) -> Array:
    """Exact less approximate normal score; 0 where the exact law is slow and hardly differs."""
    from scipy.special import ncfdtr, ndtri

    error = np.zeros(f.shape)
    small = noncentrality < _EXACT_UP_TO
    if small.any():
        parts = f[small], df1[small], df2[small], noncentrality[small]
        exact = ndtri(ncfdtr(parts[1], parts[2], parts[3], parts[0]))
        error[small] = exact - _noncentral_f_score(*parts)
    return np.where(np.isfinite(error), error, 0.0)


def _noncentral_f_score(f: Array, df1: Array, df2: Array, noncentrality: Array) -> Array:
    """Normal score of P(F ≤ f): a cube root of a ratio of two χ²."""
    scale = df1 + noncentrality
    root = np.cbrt(df1 * f / scale)
    top = 2.0 * (scale + noncentrality) / (9.0 * scale**2)
    bottom = 2.0 / (9.0 * df2)
    return np.asarray(
        (root * (1.0 - bottom) - (1.0 - top)) / np.sqrt(top + bottom * root**2), dtype=float
    )


def benjamini_hochberg(p_values: ArrayLike) -> Array:
    r"""Each p-value's q-value: the least false discovery rate at which it is still a discovery.

    .. math:: q_{(i)} = \min_{j \ge i} \frac{m}{j} p_{(j)}

    NaN stays NaN and does not count.

    References
    ----------
    Benjamini & Hochberg (1995), Controlling the false discovery rate.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, np.nan]).tolist()
    [0.03, 0.04, 0.04, nan]
    """
    p = np.asarray(p_values, dtype=float)
    q = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    m = len(order)
    scaled = p[order] * m / np.arange(1, m + 1)
    q[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return q
