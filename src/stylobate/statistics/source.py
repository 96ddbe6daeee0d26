"""What estimators know of where statistics come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table


class Mergeable(Protocol):
    """What every source needs of a statistic."""

    def merge(self, other: Self) -> Self: ...

    def is_finite(self) -> bool: ...

    def column_lengths(self) -> NDArray[np.float64]: ...


S = TypeVar("S", bound=Mergeable)
S_co = TypeVar("S_co", bound=Mergeable, covariant=True)


class Recipe(Protocol[S_co]):
    """How to compute a statistic of a table: its class, or a value such as `LinearModel`."""

    def of(self, table: Table) -> S_co: ...


class Source(Protocol):
    """Someone who can compute statistics of rows an estimator never sees.

    `repeatable` tells whether the rows can be passed over again; `table` holds them if they are all
    in memory, for methods that cannot do with less. `compute_parts` gives the statistic of each of
    several sets of rows, where `table` holds them.
    """

    @property
    def repeatable(self) -> bool: ...

    @property
    def table(self) -> Table | None: ...

    @property
    def y_is_vector(self) -> bool: ...

    def compute(self, recipe: Recipe[S]) -> S: ...

    def compute_parts(
        self, recipe: Recipe[S], parts: Sequence[NDArray[np.intp] | slice]
    ) -> Sequence[S]: ...
