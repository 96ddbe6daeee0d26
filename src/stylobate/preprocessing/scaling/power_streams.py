"""The likeliest powers of all columns at once, by passes over rows that are not in memory.

A pass tries several powers of every column and adds up the variances of what they make of it. The
first looks from −2 to 2, the next ones around the lowest point of a parabola through the best
three, closer each time, until a parabola has the digits that the likelihood has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.preprocessing.scaling.likeliest_power import FLAT, MINUTE
from stylobate.statistics import ColumnRange, Source

_FIRST = np.linspace(-2.0, 2.0, 17)
_AROUND = np.arange(-2.0, 3.0)
_CLOSER = 8.0  # times, once the lowest point is between powers tried
_FARTHER = 2.0  # times, as long as it is beyond them
_CLOSE = 1e-4  # spacing, as a share of large powers, at which a parabola has the digits
_MOST_PASSES = 60


@dataclass(frozen=True, slots=True, eq=False)
class PowerFacts:
    """A recipe, and its statistic: ranges, values there, sums of their signed logarithms."""

    box_cox: bool
    extent: ColumnRange | None = None
    counts: Array | None = None
    slopes: Array | None = None

    subtractable: ClassVar[bool] = False
    skips_missing: ClassVar[bool] = True

    def of(self, table: Table) -> Self:
        """The facts of a table."""
        columns = [_present(table, j) for j in range(table.n_features)]
        logs = [np.log(x) if self.box_cox else np.sign(x) * np.log1p(np.abs(x)) for x in columns]
        return replace(
            self,
            extent=ColumnRange.of(table),
            counts=np.array([float(len(x)) for x in columns]),
            slopes=np.array([float(each.sum()) for each in logs]),
        )

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        if self.extent is None or self.counts is None or self.slopes is None:
            return other
        assert other.extent is not None
        assert other.counts is not None
        assert other.slopes is not None
        return replace(
            self,
            extent=self.extent.merge(other.extent),
            counts=self.counts + other.counts,
            slopes=self.slopes + other.slopes,
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return self.slopes is not None and bool(np.isfinite(self.slopes).all())


@dataclass(frozen=True, slots=True, eq=False)
class BentSpread:
    """A recipe, and its statistic: how far the values of columns spread, bent by several powers.

    Parameters
    ----------
    kinds : tuple of str
        "log" (Box–Cox), "one sign" or "two signs" (Yeo–Johnson), "" for columns not looked at.
    powers : array of shape (p, k)
        What is tried.
    counts : array of shape (p,)
        Values there.
    scale, mean, squares : arrays of shape (p, k)
        exp(scale) is the unit of the mean and of the root of the sum of squares about it.
    """

    kinds: tuple[str, ...]
    powers: Array
    counts: Array | None = None
    scale: Array | None = None
    mean: Array | None = None
    squares: Array | None = None

    subtractable: ClassVar[bool] = False
    skips_missing: ClassVar[bool] = True

    def of(self, table: Table) -> Self:
        """The spread in a table."""
        found = np.zeros((3, *self.powers.shape))
        counts = np.zeros(len(self.kinds))
        for j, kind in enumerate(self.kinds):
            x = _present(table, j) if kind else np.zeros(0)
            counts[j] = len(x)
            if len(x):
                size = np.log(x) if kind == "log" else np.log1p(np.abs(x))
                signs = np.sign(x) if kind == "two signs" else None
                for k, power in enumerate(self.powers[j]):
                    found[:, j, k] = _spread(size, signs, float(power))
        return replace(self, counts=counts, scale=found[0], mean=found[1], squares=found[2])

    def merge(self, other: Self) -> Self:
        """Of both parts' rows, in the larger of the two units."""
        if self.counts is None or self.scale is None or self.mean is None or self.squares is None:
            return other
        assert other.counts is not None
        assert other.scale is not None
        assert other.mean is not None
        assert other.squares is not None
        a, b = self.counts[:, np.newaxis], other.counts[:, np.newaxis]
        scale = np.where(
            a == 0, other.scale, np.where(b == 0, self.scale, np.maximum(self.scale, other.scale))
        )
        with np.errstate(under="ignore", over="ignore"):
            mine, theirs = np.exp(self.scale - scale), np.exp(other.scale - scale)
        mine, theirs = np.where(a == 0, 0.0, mine), np.where(b == 0, 0.0, theirs)
        total = np.maximum(a + b, 1.0)
        apart = other.mean * theirs - self.mean * mine
        squares = self.squares * mine**2 + other.squares * theirs**2 + apart**2 * (a * b / total)
        mean = self.mean * mine + apart * (b / total)
        return replace(
            self, counts=self.counts + other.counts, scale=scale, mean=mean, squares=squares
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return self.squares is not None and not bool(np.isnan(self.squares).any())

    def losses(self, slopes: Array) -> Array:
        """n/2 · log var(p) − (p − 1) · slope of every power tried."""
        assert self.counts is not None
        assert self.scale is not None
        assert self.squares is not None
        n = self.counts[:, np.newaxis]
        with np.errstate(divide="ignore", invalid="ignore"):
            log_variance = np.log(self.squares / n) + 2.0 * self.scale
            return np.asarray(0.5 * n * log_variance - (self.powers - 1.0) * slopes[:, np.newaxis])


def _present(table: Table, j: int) -> Array:
    values = table.x[:, j].astype(np.float64)
    return np.asarray(values[~np.isnan(values)])


def _spread(size: Array, signs: Array | None, power: float) -> tuple[float, float, float]:
    """Unit, mean and squares of (exp(power · size) − 1) / power, with signs of their own."""
    if signs is None:
        if abs(power) < FLAT:
            return 0.0, *_about_mean(size)
        exponent = power * size
        top = float(exponent.max())
        with np.errstate(under="ignore"):
            bent = np.exp(exponent - top)
        return top - float(np.log(abs(power))), *_about_mean(bent)
    own = np.where(signs < 0, 2.0 - power, power)
    flat = np.abs(own) < FLAT
    safe = np.where(flat, 1.0, own)
    with np.errstate(all="ignore"):
        exponent = own * size
        grown = np.where(
            exponent > 30.0, exponent, np.log(np.abs(np.expm1(np.minimum(exponent, 30.0))))
        )
        logs = np.where(flat, np.log(size), grown - np.log(np.abs(safe)))
        top = float(logs.max())
        if top == -np.inf:  # zeros alone
            return 0.0, 0.0, 0.0
        return top, *_about_mean(signs * np.exp(logs - top))


def _about_mean(values: Array) -> tuple[float, float]:
    mean = float(values.mean())
    return mean, float(((values - mean) ** 2).sum())


def likeliest_powers(source: Source, *, box_cox: bool) -> Array:
    """The power of largest likelihood of every column; 1 where there is nothing to tell.

    Parameters
    ----------
    source : Source
        That can be passed over again; missing values are left out.
    box_cox : bool
        Whether the powers are Box–Cox's, of positive values, or Yeo and Johnson's.
    """
    facts = source.compute(PowerFacts(box_cox))
    assert facts.extent is not None
    assert facts.counts is not None
    assert facts.slopes is not None
    if box_cox and not facts.counts.all():
        j = int(np.argmin(facts.counts))
        raise InvalidDataError(f"PowerTransformer: Column must not be all nan, but column {j} is.")
    low, high = facts.extent.low, facts.extent.high
    tiny = np.maximum(np.abs(low), np.abs(high)) < MINUTE
    left = facts.extent.is_constant | (facts.counts == 0) | (tiny & (not box_cox))
    if left.all():
        return np.ones(len(low))
    turned = (high <= 0.0) & (not box_cox)  # the power of −x is 2 less it
    word = np.where((low < 0.0) & (high > 0.0), "two signs", "one sign")
    kinds = np.where(left, "", np.where(box_cox, "log", word))
    slopes = np.where(turned, -facts.slopes, facts.slopes)
    found = _search(source, tuple(kinds.tolist()), slopes)
    return np.where(left, 1.0, np.where(turned, 2.0 - found, found))


def _search(source: Source, kinds: tuple[str, ...], slopes: Array) -> Array:
    """Powers of least loss, each pass closer to them."""
    p = len(kinds)
    powers, best = np.tile(_FIRST, (p, 1)), np.ones(p)
    steps = np.full(p, _FIRST[1] - _FIRST[0])
    for _ in range(_MOST_PASSES):
        losses = source.compute(BentSpread(kinds, powers)).losses(slopes)
        for j in np.flatnonzero(kinds):
            best[j], inside = _lowest(powers[j], losses[j])
            done = inside and steps[j] <= _CLOSE * max(1.0, abs(best[j]))
            steps[j] *= 1.0 / _CLOSER if inside else _FARTHER
            kinds = (*kinds[:j], "", *kinds[j + 1 :]) if done else kinds
        if not any(kinds):
            break
        powers = best[:, np.newaxis] + np.outer(steps, _AROUND)
    return best


def _lowest(powers: Array, losses: Array) -> tuple[float, bool]:
    """Where a parabola through the best three is lowest; the end, if the best is there."""
    k = int(np.nanargmin(losses))
    if k in (0, len(powers) - 1):
        return float(powers[k]), False
    step = powers[k + 1] - powers[k]
    before, here, after = losses[k - 1 : k + 2]
    bend = before - 2.0 * here + after
    move = 0.5 * (before - after) / bend if np.isfinite(bend) and bend > 0.0 else 0.0
    return float(powers[k] + step * move), True
