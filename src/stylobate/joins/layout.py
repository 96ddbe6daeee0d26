"""Which columns of which tables a pass over a join gives."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stylobate.joins.assembly import JoinedRows
from stylobate.joins.prepared import FactBatch, Prepared

Place = tuple[int, str]  # a table by position, 0 for the facts, and a column of it


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns to be read, by what they are for.

    Parameters
    ----------
    names : tuple of str
        Names of the features, with their tables.
    features : tuple of Place
    target : tuple of Place
    weight : Place or None
    one_target : bool
        Whether y is a vector.
    target_names : tuple of str
    weight_name : str or None
    """

    names: tuple[str, ...]
    features: tuple[Place, ...]
    target: tuple[Place, ...] = ()
    weight: Place | None = None
    one_target: bool = True
    target_names: tuple[str, ...] = ()
    weight_name: str | None = None

    @property
    def beside(self) -> tuple[Place, ...]:
        """Targets and weights."""
        return (*self.target, *(() if self.weight is None else (self.weight,)))

    def without_features(self) -> Layout:
        """The same, features left unread."""
        return replace(self, names=(), features=())

    def fact_columns(self) -> list[str]:
        """The columns of the facts among them."""
        return [name for place, name in (*self.features, *self.beside) if place == 0]


class Gatherer:
    """Cells of joined rows, a column at a time.

    Parameters
    ----------
    prepared : Prepared
    batch : FactBatch
        The facts that the rows are of.
    rows : JoinedRows
    """

    def __init__(self, prepared: Prepared, batch: FactBatch, rows: JoinedRows) -> None:
        self.prepared, self.batch, self.rows = prepared, batch, rows

    def column(self, place: Place) -> np.ndarray:
        """All rows' cells of a column; shared with the facts where these are in order."""
        table, name = place
        where = self.rows.of(table)
        values = self.batch.columns[name] if table == 0 else self.prepared.column(table, name)
        return values[: self.rows.count] if where is None else values[where]

    def write(self, place: Place, out: np.ndarray, start: int, stop: int) -> None:
        """Write the cells of rows start … stop − 1 into an array."""
        table, name = place
        where = self.rows.of(table)
        values = self.batch.columns[name] if table == 0 else self.prepared.column(table, name)
        if where is None:
            out[:] = values[start:stop]
        elif values.dtype == out.dtype:
            np.take(values, where[start:stop], out=out, mode="clip")  # "raise" would copy first
        else:
            out[:] = values[where[start:stop]]
