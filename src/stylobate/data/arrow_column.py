"""A column in Arrow's layout, and its cells as NumPy knows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Integers
from stylobate.data.arrow_types import type_of, unit_of


@dataclass(frozen=True, slots=True, eq=False)
class ArrowColumn:
    """Cells of one type with a name, in the memory of whoever made them.

    Parameters
    ----------
    cells : _core.Column
        What the sketches read.
    name : str
        The column's name.
    """

    cells: _core.Column
    name: str

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def type(self) -> str:
        """The type of the values in words: "float64", "text", "timestamp[us, UTC]" …"""
        return type_of(self.cells.value_format)

    @property
    def unit(self) -> str | None:
        """NumPy's unit of dates, times and durations ("D", "s", "ms", "us", "ns"), else None."""
        return unit_of(self.cells.value_format)

    @property
    def is_text(self) -> bool:
        return self.cells.is_text

    @property
    def is_number(self) -> bool:
        """Whether cells are numbers: dates, decimals and booleans are."""
        return self.cells.is_number

    @property
    def is_dictionary(self) -> bool:
        """Whether cells are stored as positions in a list of values."""
        return self.cells.dictionary is not None

    @property
    def null_count(self) -> int:
        """Cells missing by Arrow's validity alone; NaN is not among them."""
        return self.cells.null_count

    @property
    def values(self) -> NDArray[Any] | None:
        """The stored numbers (codes of a dictionary), shared; anything where missing."""
        found: Any = self.cells.values
        if found is None or self.is_dictionary:
            return found  # type: ignore[no-any-return]
        if self.cells.format == "?":
            return found.view(np.bool_)  # type: ignore[no-any-return]
        return found.view(np.float16) if self.cells.format == "e" else found  # type: ignore[no-any-return]

    @property
    def validity(self) -> tuple[NDArray[np.uint8], int] | None:
        """Arrow's bitmap, shared, and the bit of the first cell; None where all are there."""
        found: Any = self.cells.validity
        return found  # type: ignore[no-any-return]

    @property
    def offsets(self) -> NDArray[Any] | None:
        """Where each text begins in `bytes`, and where the last ends; shared."""
        found: Any = self.cells.offsets
        return found  # type: ignore[no-any-return]

    @property
    def bytes(self) -> NDArray[np.uint8] | None:
        """The bytes of the texts, shared."""
        found: Any = self.cells.bytes
        return found  # type: ignore[no-any-return]

    def numbers(self, rows: Integers | None = None) -> NDArray[np.float64]:
        """The cells (of some rows) as doubles, NaN where missing; dates are counts."""
        return np.asarray(self.cells.numbers(rows))

    def there(self, rows: Integers | None = None) -> NDArray[np.bool_]:
        """Which cells (of some rows) the validity says are there."""
        return np.asarray(self.cells.there(rows)).view(np.bool_)

    def take(self, rows: Integers | None = None) -> NDArray[Any]:
        """Some rows as NumPy knows them, all by default.

        Returns
        -------
        ndarray
            Numbers and decimals: float64 with NaN, or their own integer dtype where nothing is
            missing. Dates: datetime64 or timedelta64 with NaT. Booleans without gaps: bool. Text,
            booleans with gaps and the rest: objects, None where missing.
        """
        kind, unit = self.type, self.unit
        if self.is_text:
            return _objects(self.cells.texts(rows))
        if not self.is_number:
            count = len(self) if rows is None else len(rows)
            return np.full(count, None, dtype=object)
        if unit is not None or kind == "boolean" or kind.startswith(("int", "uint")):
            found, there = (np.asarray(part) for part in self.cells.wholes(rows))
            return _wholes(found, there.view(np.bool_), kind, unit)
        return self.numbers(rows)

    def shared(self) -> NDArray[Any]:
        """All cells as `take` gives them, in the memory of who made them where they lie there so.

        Not to be written to.
        """
        if self.type == "float64" and not self.is_dictionary and self.validity is None:
            values = self.values
            if values is not None:
                return values
        return self.take()

    def slice(self, first: int, count: int) -> ArrowColumn:
        """Rows first … first + count − 1, sharing memory."""
        return ArrowColumn(_core.slice_column(self.cells, first, count), self.name)


def _objects(values: list[Any]) -> NDArray[Any]:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _wholes(
    found: NDArray[Any], there: NDArray[np.bool_], kind: str, unit: str | None
) -> NDArray[Any]:
    whole = bool(there.all())
    if unit is not None:
        found = np.where(there, found, np.iinfo(np.int64).min)
        span = kind.startswith(("duration", "time["))
        return found.view(f"{'m8' if span else 'M8'}[{unit}]")
    if kind == "boolean":
        if whole:
            return found.astype(np.bool_)
        return _objects([bool(v) if t else None for v, t in zip(found, there, strict=True)])
    if kind == "uint64":
        found = found.view(np.uint64)
    return found.astype(kind) if whole else np.where(there, found.astype(np.float64), np.nan)
