"""What estimators know of where statistics come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table


class Mergeable(Protocol):
    """What every engine needs of a statistic."""

    def merge(self, other: Self) -> Self: ...

    def is_finite(self) -> bool: ...

    def column_lengths(self) -> NDArray[np.float64]: ...


S = TypeVar("S", bound=Mergeable)
S_co = TypeVar("S_co", bound=Mergeable, covariant=True)


class Recipe(Protocol[S_co]):
    """What is to be known of rows: a statistic's class, or a value such as `LinearModel`.

    `of` is the compiled core's way to compute it from a table in memory, the registry's entry for
    every recipe; other engines (`stylobate.engines`) register their own.
    """

    def of(self, table: Table) -> S_co: ...


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a source can do.

    Parameters
    ----------
    rows_in_memory : bool
        Whether `Source.rows` gives all rows as a table.
    repeatable : bool
        Whether the rows can be passed over again.
    row_numbers : bool
        Whether rows come in a fixed order, so that their numbers mean something.
    length : int or None
        How many rows there are, where that is known without a pass.
    device : str
        Where the numbers are.
    growing : bool
        Whether more rows may come later, so that few of them are no reason to refuse.
    """

    rows_in_memory: bool
    repeatable: bool
    row_numbers: bool = True
    length: int | None = None
    device: str = "cpu"
    growing: bool = False


class Source(Protocol):
    """Someone who can have statistics computed of rows an estimator never sees.

    `rows` gives all of them for methods that cannot do with less, and refuses in a sentence where
    they are not in memory. `compute_parts` gives the statistic of each of several sets of rows.
    `count_rows` takes a pass where `Capabilities.length` is not known.
    """

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def n_features(self) -> int: ...

    @property
    def is_sparse(self) -> bool: ...

    @property
    def y_is_vector(self) -> bool: ...

    @property
    def is_weighted(self) -> bool: ...

    def count_rows(self) -> int: ...

    def rows(self, why: str = "") -> Table: ...

    def windows(self) -> Iterator[Table]: ...

    def compute(self, recipe: Recipe[S]) -> S: ...

    def compute_parts(
        self, recipe: Recipe[S], parts: Sequence[NDArray[np.intp] | slice]
    ) -> Sequence[S]: ...


def rows_at_hand(source: Source) -> Table | None:
    """The rows, if the source has them in memory: for methods that gain by them.

    A method that cannot do without calls `Source.rows`, which refuses in words.
    """
    return source.rows() if source.capabilities.rows_in_memory else None
