"""Powers of columns far from zero for their spread.

The images (bᵖ − 1)/p of b = 1 + x about 101 under p = −35 are all −1/p to sixteen digits, and those
of b about 1e4 under p = 3000 exceed double precision. Taken about a middle g of the column,
((b/g)ᵖ − 1)/p, they keep their digits and their size; after standardisation both are the same, for
one is an affine function of the other.
"""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.preprocessing.scaling.likeliest_power import (
    FLAT,
    box_cox,
    inverse_yeo_johnson,
    yeo_johnson,
)
from stylobate.statistics import ColumnRange

LEVELS = 100  # that double precision must leave for every row between a column's images


def middles(ranges: ColumnRange, powers: Array, box: bool) -> Array:
    """Log g of columns whose images could not be held or told apart, negative for 1 − x; else 0."""
    found = np.zeros(len(powers))
    bend = box_cox if box else yeo_johnson
    least = LEVELS * ranges.n_rows * np.finfo(np.float64).eps
    for j, power in enumerate(powers.tolist()):
        ends = np.array([ranges.low[j], ranges.high[j]], dtype=np.float64)
        if power == 1.0 or not np.isfinite(ends).all() or (not box and ends[0] < 0.0 < ends[1]):
            continue
        with np.errstate(all="ignore"):
            low, high = bend(ends, power)
            kept = high - low >= least * max(abs(low), abs(high))
        if not kept or not np.isfinite([low, high]).all():
            found[j] = np.log(ends).mean() if box else _signed_middle(ends)
    return found


def _signed_middle(ends: Array) -> float:
    return float(np.copysign(np.log1p(np.abs(ends)).mean(), ends.sum()))


def bend_about(x: Array, power: float, middle: float, box: bool) -> Array:
    """The images of x about the middle."""
    if box:
        return _grown(np.log(x) - middle, power)
    side, own, reach = _side(power, middle)
    near = side * _grown(np.log1p(np.abs(x)) - reach, own)
    # beyond zero, where the other power rules: the same affine function of the images
    far = yeo_johnson(x, power) * np.exp(-own * reach) + side * _grown(-reach, own)
    return np.where(side * x >= 0, near, np.where(np.isnan(x), np.nan, far))


def unbend_about(y: Array, power: float, middle: float, box: bool) -> Array:
    """The x of `bend_about`; NaN where there is none."""
    if box:
        return np.asarray(np.exp(_shrunk(y, power) + middle))
    side, own, reach = _side(power, middle)
    log = _shrunk(side * y, own) + reach
    far = inverse_yeo_johnson(y * np.exp(own * reach) + side * _grown(reach, own), power)
    return np.where(log >= 0, side * np.expm1(log), far)


def _side(power: float, middle: float) -> tuple[float, float, float]:
    """The sign of the column, the power that rules there, and log g."""
    return (1.0, power, middle) if middle > 0 else (-1.0, 2.0 - power, -middle)


def _grown(log: Array | float, power: float) -> Array:
    """(eᵖˡ − 1)/p"""
    return np.asarray(log if abs(power) < FLAT else np.expm1(power * np.asarray(log)) / power)


def _shrunk(y: Array, power: float) -> Array:
    return np.asarray(y if abs(power) < FLAT else np.log1p(power * y) / power)
