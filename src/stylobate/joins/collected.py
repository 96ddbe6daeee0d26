"""Columns of a join as a table in memory: for looking at, and for what needs all rows at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stylobate.data.column_table import ColumnTable
from stylobate.data.streams.columns import ColumnRoles
from stylobate.engines.windows import MOST_ROWS
from stylobate.joins.base_table import stacked
from stylobate.joins.layout import Gatherer

if TYPE_CHECKING:
    from stylobate.joins.table_join import Join


def collected(joined: Join, names: Sequence[str]) -> ColumnTable:
    """Some columns of all joined rows, each of its own type, in the order of the facts.

    Parameters
    ----------
    joined : Join
    names : sequence of str
        Columns, with their tables where several have them.

    Examples
    --------
    >>> import stylobate
    >>> orders, customers = {"customer": [2, 1, 2]}, {"customer": [1, 2], "city": ["Ulm", "Bonn"]}
    >>> joined = stylobate.join(orders).with_(customers, on="customer")
    >>> collected(joined, ["city"])["customers.city"].tolist()
    ['Bonn', 'Ulm', 'Bonn']
    """
    parts = list(batches_of_columns(joined, names))
    return ColumnTable({each: stacked([p[each] for p in parts]) for each in parts[0].columns})


def batches_of_columns(joined: Join, names: Sequence[str]) -> Iterator[ColumnTable]:
    """The same in batches of the facts."""
    prepared = joined.prepared
    layout = joined._layout(ColumnRoles("join", features=tuple(names)))
    prepared.load(layout.features)
    for facts in prepared.fact_batches(layout.fact_columns()):
        for rows in prepared.assembly.assemble(facts.codes, facts.n_rows, MOST_ROWS):
            cells = Gatherer(prepared, facts, rows)
            pairs = zip(layout.names, layout.features, strict=True)
            yield ColumnTable({name: cells.column(place) for name, place in pairs})
