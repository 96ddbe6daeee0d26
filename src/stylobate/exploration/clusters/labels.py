"""The cluster of every row of a source, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.data.column_table import ColumnTable
from stylobate.exploration.clusters.certainty import certainty_of
from stylobate.exploration.clusters.report import NOISE, ClusterReport

if TYPE_CHECKING:
    from stylobate.data.reading import Relation

_ROWS = 16_384


def labelled_batches(
    report: ClusterReport, relation: Relation, keep: Sequence[str] = ()
) -> Iterator[dict[str, NDArray[Any]]]:
    """Columns ``row`` (from 1 on), those to keep, ``cluster`` and ``certainty``.

    Rows that the clusters were learnt from have their labels; of a table that was sampled all rows
    are predicted.

    Parameters
    ----------
    report : ClusterReport
    relation : Relation
        The source of the report.
    keep : sequence of str, default=()
        Columns of the source to hand on.
    """
    whole = report.used_rows == report.rows
    first = 0
    for columns in relation.batches(_ROWS, library="numpy"):
        count = len(next(iter(columns.values())))
        if whole:
            part = slice(first, first + count)
            labels, certainty = report.labels[part], report.certainty[part]
        else:
            labels, certainty = _predicted(report, ColumnTable(columns))
        yield {
            "row": np.arange(first + 1, first + count + 1),
            **{name: columns[name] for name in keep},
            "cluster": labels,
            "certainty": np.round(certainty, 6),
        }
        first += count


def _predicted(report: ClusterReport, table: ColumnTable) -> tuple[Indices, Array]:
    encoder, model = (step for _, step in report.model.steps)
    x = np.asarray(encoder.transform(table.select(tuple(report.columns))), dtype=np.float64)
    labels = np.asarray(model.predict(x), dtype=np.intp)
    return labels, np.where(labels == NOISE, 0.0, certainty_of(model, x)[0])
