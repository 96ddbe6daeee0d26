"""Kernel densities in one dimension, from weighted points binned on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError

_REACH = 5.0  # bandwidths beyond which the kernel is 0 in double precision of the picture
_FINEST = 1 << 16  # grid points at most, however small the bandwidth against the range


@dataclass(frozen=True, slots=True, eq=False)
class Density:
    """A density on a grid of equal steps, the bandwidth it was smoothed with, and the rule."""

    x: Array
    y: Array
    bandwidth: float
    rule: str


def silverman_bandwidth(values: Any, weights: Any = None) -> float:
    r"""Silverman's rule of thumb, robust to long tails.

    .. math:: h = 0.9 \min(s, \mathrm{IQR}/1.34)\, n^{-1/5}

    Where the interquartile range is 0, the standard deviation alone is used.

    Parameters
    ----------
    values : array-like of shape (n,)
        Finite numbers.
    weights : array-like of shape (n,), default=None
        How often each occurs.

    Examples
    --------
    >>> round(silverman_bandwidth([1.0, 2.0, 3.0, 4.0, 5.0]), 4)
    0.9736

    References
    ----------
    Silverman (1986), Density Estimation for Statistics and Data Analysis, eq. 3.31.
    """
    x, w = _points(values, weights)
    n = w.sum()
    mean = float((w * x).sum() / n)  # a thread of its own for each sum would cost more
    sd = sqrt(float((w * (x - mean) ** 2).sum()) / max(n - 1.0, 1.0))
    order = np.argsort(x, kind="stable")
    heights = np.cumsum(w[order]) - w[order]  # ranks from 0 of the first of equal points
    low, high = (_ranked(x[order], heights, w[order], q * (n - 1.0)) for q in (0.25, 0.75))
    spread = min(sd, (high - low) / 1.34) if high > low else sd
    return float(0.9 * spread * n**-0.2)


def _ranked(x: Array, starts: Array, weights: Array, rank: float) -> float:
    """The value at a rank, linear between neighbouring ranks, of points with multiplicities."""
    at = int(np.searchsorted(starts, rank, side="right")) - 1
    beyond = rank - (starts[at] + weights[at] - 1.0)
    if beyond <= 0 or at + 1 == len(x):
        return float(x[at])
    return float(x[at] + min(beyond, 1.0) * (x[at + 1] - x[at]))


def gaussian_density(
    values: Any,
    weights: Any = None,
    *,
    bandwidth: float | None = None,
    points: int = 256,
    bounds: tuple[float, float] | None = None,
) -> Density:
    r"""The Gaussian kernel density estimate on a grid.

    .. math:: \hat f(x) = \frac1{nh} \sum_i w_i\, \varphi\!\Big(\frac{x - x_i}h\Big)

    Points are shared linearly between the neighbouring points of a grid much finer than the
    bandwidth, and the kernel is applied by a fast Fourier transform: the price does not grow with
    n times the grid. The error of the binning is below (step/h)²/8 of the height.

    Parameters
    ----------
    values : array-like of shape (n,)
        Finite numbers, not all equal unless a bandwidth is given.
    weights : array-like of shape (n,), default=None
        How often each occurs.
    bandwidth : float > 0, default=None
        Of the kernel; by Silverman's rule if None.
    points : int >= 2, default=256
        Of the grid returned.
    bounds : (float, float), default=None
        Ends of the grid; three bandwidths beyond the data if None.

    Returns
    -------
    Density

    Examples
    --------
    >>> curve = gaussian_density([0.0, 1.0, 1.0, 2.0], bandwidth=0.5, points=5, bounds=(0, 2))
    >>> curve.y.round(3)
    array([0.254, 0.365, 0.453, 0.365, 0.254])

    References
    ----------
    Silverman (1982), Algorithm AS 176: Kernel density estimation using the fast Fourier transform.
    """
    x, w = _points(values, weights)
    h = silverman_bandwidth(x, w) if bandwidth is None else float(bandwidth)
    if not h > 0:
        raise InvalidParameterError(
            f"gaussian_density: the bandwidth is {h:g} and must be positive"
            + ("; the values do not differ, so give one." if bandwidth is None else ".")
        )
    low, high = bounds or (float(x.min()) - 3 * h, float(x.max()) + 3 * h)
    grid = np.linspace(low, high, points)
    fine = max(h / 32.0, (high - low + 2 * _REACH * h) / _FINEST)
    start = low - _REACH * h
    size = ceil((high - low + 2 * _REACH * h) / fine) + 2
    heights = _smooth(_binned(x, w, start, fine, size), fine, h)
    y = np.interp(grid, start + fine * np.arange(size), heights) / float(w.sum())
    return Density(grid, y, h, "given" if bandwidth is not None else "Silverman")


def _points(values: Any, weights: Any) -> tuple[Array, Array]:
    x = np.asarray(values, dtype=np.float64).ravel()
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
    if len(x) == 0 or not np.isfinite(x).all() or len(w) != len(x):
        raise InvalidDataError(
            f"A density needs finite numbers and as many weights, got {len(x)} values, "
            f"{int((~np.isfinite(x)).sum())} of them not finite, and {len(w)} weights."
        )
    return x, w


def _binned(x: Array, w: Array, start: float, step: float, size: int) -> Array:
    """Each point's weight shared between its two neighbours on the grid; others are left out."""
    place = (x - start) / step
    inside = (place >= 0) & (place < size - 1)
    place, w = place[inside], w[inside]
    left = place.astype(np.intp)
    part = place - left
    heights = np.bincount(left, w * (1 - part), size)
    heights += np.bincount(left + 1, w * part, size)
    return np.asarray(heights)


def _smooth(heights: Array, step: float, h: float) -> Array:
    """Convolution with the normal density of standard deviation h."""
    from scipy.fft import irfft, next_fast_len, rfft

    reach = min(ceil(_REACH * 1.6 * h / step), len(heights))
    offset = step * np.arange(-reach, reach + 1)
    kernel = np.exp(-0.5 * (offset / h) ** 2) / (h * sqrt(2 * np.pi))
    length = next_fast_len(len(heights) + 2 * reach, real=True)
    smooth = irfft(rfft(heights, length) * rfft(kernel, length), length)
    return np.maximum(smooth[reach : reach + len(heights)], 0.0)
