"""Rows that depend on each other: by groups (patients, sites), or on their neighbours in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.intervals.linear import Linear
from stylobate.splits.splitter import is_integer
from stylobate.splits.strata import as_array

_FEWEST = 2  # groups or blocks, for there to be a spread


class Dependence(Protocol):
    """Which rows belong together."""

    words: str

    def linear(self, known: Linear) -> Linear | None:
        """An estimate whose spread is that of groups or blocks; None if it is not of all rows."""
        ...

    def drawn(self, random: np.random.Generator) -> Indices:
        """The rows of a resample."""
        ...

    def kept(self) -> Iterator[Indices]:
        """The rows that are left without each group or block."""
        ...


@dataclass(frozen=True)
class Groups:
    r"""Rows of a group belong together, groups are independent of each other.

    What the rows of a group add to an estimate is summed first, so that with G groups

    .. math:: \widehat{\mathrm{var}} = \tfrac{G}{G-1} \sum_g \Big(\sum_{i \in g}
              w_i (x_i - \bar x) / \textstyle\sum w\Big)^2

    and Student's t has G − 1 degrees of freedom; resamples draw whole groups.

    Parameters
    ----------
    of_row : array of int of shape (n,)
        Numbers of the groups from 0.
    """

    of_row: Indices
    words = "by groups"

    @cached_property
    def count(self) -> int:
        """How many groups there are."""
        return int(self.of_row.max()) + 1

    @cached_property
    def members(self) -> list[Indices]:
        """The rows of each group."""
        order = np.argsort(self.of_row, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.of_row))[:-1])

    def linear(self, known: Linear) -> Linear | None:
        """The estimate with the spread of sums over groups."""
        away = _added(known, len(self.of_row))
        if away is None:
            return None
        sums: Array = np.bincount(self.of_row, weights=away, minlength=self.count).astype(float)
        return _of_units(known, self.count * sums, self.count - 1.0, self.words)

    def drawn(self, random: np.random.Generator) -> Indices:
        """The rows of as many groups, drawn with replacement."""
        chosen = random.integers(self.count, size=self.count)
        return np.concatenate([self.members[k] for k in chosen])

    def kept(self) -> Iterator[Indices]:
        """The rows without each group."""
        for k in range(self.count):
            yield np.flatnonzero(self.of_row != k)


@dataclass(frozen=True)
class Blocks:
    r"""Rows in order of time: near ones belong together, rows further apart than a block do not.

    With what the rows add, :math:`s_i = w_i (x_i - \bar x)/\sum w`, and the sums :math:`b_j` of
    :math:`l` consecutive ones (the first follow the last),

    .. math:: \widehat{\mathrm{var}} = \frac{1}{1 - l/n}\, \frac1l \sum_{j=1}^n b_j^2

    and Student's t has n/l − 1 degrees of freedom; resamples put blocks drawn at random one after
    the other.

    Parameters
    ----------
    n : int
        Rows.
    length : int in [1, n/2]
        Of a block: long enough that rows so far apart are nearly independent.

    References
    ----------
    Künsch (1989), The jackknife and the bootstrap for general stationary observations; Politis &
    Romano (1992), A circular block-resampling procedure for stationary data.
    """

    n: int
    length: int
    words = "by blocks"

    def linear(self, known: Linear) -> Linear | None:
        """The estimate with the spread of sums over blocks."""
        away = _added(known, self.n)
        if away is None:
            return None
        total = np.concatenate([[0.0], np.cumsum(np.concatenate([away, away[: self.length - 1]]))])
        sums = total[self.length :] - total[: -self.length]
        scale = np.sqrt(self.n * (self.n - 1.0) / self.length / (1.0 - self.length / self.n))
        return _of_units(known, scale * sums, self.n / self.length - 1.0, self.words)

    def drawn(self, random: np.random.Generator) -> Indices:
        """Blocks that begin at random rows, as many rows as there are."""
        starts = random.integers(self.n, size=-(-self.n // self.length))
        rows = (starts[:, None] + np.arange(self.length)).reshape(-1)[: self.n]
        return np.asarray(rows % self.n)

    def kept(self) -> Iterator[Indices]:
        """The rows without each of the blocks that follow each other."""
        rows = np.arange(self.n)
        for start in range(0, self.n - self.length + 1, self.length):
            yield np.delete(rows, slice(start, start + self.length))


def dependence_of(groups: Any, block_length: Any, n: int, owner: str) -> Dependence | None:
    """What was asked for, checked; None for independent rows."""
    if groups is not None and block_length is not None:
        raise InvalidParameterError(
            f"{owner}: rows belong together by groups or by blocks; pass groups or block_length."
        )
    if groups is not None:
        return _groups(groups, n, owner)
    if block_length is None:
        return None
    if not is_integer(block_length) or not 1 <= block_length <= n // _FEWEST:
        raise InvalidParameterError(
            f"{owner}: block_length must be a whole number from 1 to half of the {n} rows, got "
            f"{block_length!r}."
        )
    return Blocks(n, int(block_length))


def _groups(groups: Any, n: int, owner: str) -> Groups:
    values = as_array(groups)
    if values.shape != (n,):
        raise InvalidDataError(
            f"{owner}: groups needs one entry for each of the {n} rows, got shape {values.shape}."
        )
    values = np.array(values.tolist()) if values.dtype.kind == "O" else values
    distinct, numbers = np.unique(values, return_inverse=True)
    if len(distinct) < _FEWEST:
        only = distinct.tolist()[0]
        raise InvalidDataError(
            f"{owner}: all rows are of the group {only!r}, and the spread between groups cannot be "
            "seen from one."
        )
    return Groups(numbers.reshape(-1).astype(np.intp))


def _added(known: Linear, n: int) -> Array | None:
    """What each row moves the estimate by; None where that is not known row by row."""
    if len(known.parts) != 1 or len(known.parts[0]) != n:
        return None
    values, weights = known.parts[0], known.weights[0]
    if weights is None:
        return np.asarray((values - values.mean()) / n)
    away = values - np.average(values, weights=weights)
    return np.asarray(weights * away / weights.sum())


def _of_units(known: Linear, values: NDArray[np.float64], df: float, words: str) -> Linear:
    method = f"{known.method}, {words}"
    return replace(known, parts=(values,), weights=(None,), df=df, method=method)
