"""Batches of whatever offers Arrow's stream of columns, read by the core; pyarrow is not needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate.data.arrow import BATCH_ROWS, column_batches
from stylobate.data.column_table import ColumnTable
from stylobate.data.streams.columns import ColumnRoles
from stylobate.data.streams.stream import Batch


class NoFeatures:
    """Stands for the features of rows of which the targets alone were read."""

    def __init__(self, n_rows: int) -> None:
        self.shape = (n_rows, 0)


def batches_of(origin: Any, roles: ColumnRoles, rows: int = BATCH_ROWS) -> Iterator[Batch]:
    """The rows of an Arrow stream: features as a table of NumPy columns, target and weights apart.

    Examples
    --------
    >>> import pyarrow
    >>> table = pyarrow.table({"a": [1.0, 2.0], "y": [3.0, 4.0]})
    >>> batch = next(batches_of(table, ColumnRoles.of("Ridge", "y", None, None)))
    >>> batch.x.columns, batch.y.tolist()
    (('a',), [3.0, 4.0])
    """
    for part in column_batches(origin, rows):
        if not part.n_rows:
            continue
        wanted = set(roles.columns(part.names))
        columns = {each.name: each.shared() for each in part.columns if each.name in wanted}
        chosen = ColumnTable({name: columns[name] for name in roles.feature_names(part.names)})
        y: Any = None
        if roles.target:
            targets = [columns[name] for name in roles.target]
            y = targets[0] if roles.one_target else np.column_stack(targets)
        features = chosen if chosen.columns else NoFeatures(part.n_rows)
        yield Batch(features, y, None if roles.weight is None else columns[roles.weight])
