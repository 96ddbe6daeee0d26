"""Joined rows as a stream that knows where they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.streams import Stream
from stylobate.joins.layout import Layout
from stylobate.joins.moments_cache import MomentsCache
from stylobate.joins.passes import batches_of
from stylobate.joins.plan import JoinPlan, rows_plan
from stylobate.joins.prepared import Prepared


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

    def leave_in(self, model: Any) -> None:
        """Leave the join in a fitted model: ``join_`` for predictions, ``join_plan_``."""
        from stylobate.joins.stored import StoredJoin

        model.join_ = StoredJoin.of(self.prepared, self.layout)
        model.join_plan_ = self.plan or rows_plan(self)

    def where(self, chosen: Callable[[int, int], NDArray[np.bool_]]) -> Stream:
        """The rows of some facts, told by their numbers, so that no fact is in two parts."""
        per_fact = self.prepared.joined_per_fact
        if per_fact is None:
            return super().where(chosen)
        kept = np.repeat(chosen(0, len(per_fact)), per_fact)
        return super().where(lambda first, count: kept[first : first + count])
