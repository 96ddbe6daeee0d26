"""Joined rows as a stream that knows where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers
from stylobate.data.streams import Batch, Stream
from stylobate.joins.layout import Layout
from stylobate.joins.moments_cache import MomentsCache
from stylobate.joins.passes import batches_of
from stylobate.joins.plan import JoinPlan, rows_plan
from stylobate.joins.prepared import Prepared
from stylobate.splits.hashed import HashKFold


class JoinStream(Stream):
    """The rows of a join, in the order of the facts.

    Parameters
    ----------
    prepared : Prepared
    layout : Layout
        Which columns are asked for.
    moments : MomentsCache
        What earlier fits have computed.
    """

    def __init__(self, prepared: Prepared, layout: Layout, moments: MomentsCache) -> None:
        name = " with ".join(table.name for table in prepared.tables)
        super().__init__(
            lambda: batches_of(prepared, layout),
            name,
            length=prepared.n_joined,
            targets=(lambda: batches_of(prepared, layout.without_features()))
            if layout.target
            else None,
        )
        self.prepared, self.layout, self.moments = prepared, layout, moments
        self.plan: JoinPlan | None = None  # of the last moments, and why

    def head_rows(self, most: int) -> Iterator[Batch]:
        """The first rows, so many at most."""
        return batches_of(self.prepared, self.layout, most)

    def leave_in(self, model: Any) -> None:
        """Leave the join in a fitted model: ``join_`` for predictions, ``join_plan_``."""
        from stylobate.joins.stored import StoredJoin

        model.join_ = StoredJoin.of(self.prepared, self.layout)
        model.join_plan_ = self.plan or rows_plan(self)

    @property
    def remembers_moments(self) -> bool:
        """Whether moments are kept: the rows of a join are too many to be collected for them."""
        return True

    def by_entity(self, folds: HashKFold) -> HashKFold:
        """Folds of facts, so that the rows a fact is joined to are in one of them."""
        per_fact = self.prepared.joined_per_fact
        return folds if per_fact is None else FactFolds(folds, np.cumsum(per_fact))


class FactFolds(HashKFold):
    """K folds by a hash of the number of the fact that a joined row belongs to.

    Parameters
    ----------
    folds : HashKFold
        The folds of facts.
    ends : array of shape (facts,)
        How many joined rows the facts up to each one have.

    Examples
    --------
    >>> HashKFold(3).folds_of(0, 3).tolist()
    [1, 0, 1]
    >>> FactFolds(HashKFold(3), np.array([2, 3, 5])).folds_of(0, 5).tolist()
    [1, 1, 0, 1, 1]
    """

    def __init__(self, folds: HashKFold, ends: Integers) -> None:
        super().__init__(folds.n_splits, random_state=folds.random_state)
        self.ends = ends

    def folds_of(self, first: int, count: int) -> NDArray[np.intp]:
        """The part of each of some consecutive joined rows."""
        facts = np.searchsorted(self.ends, np.arange(first, first + count), side="right")
        if not count:
            return facts
        low = int(facts[0])
        return super().folds_of(low, int(facts[-1]) - low + 1)[facts - low]
