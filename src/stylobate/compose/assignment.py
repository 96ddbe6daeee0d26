"""Which transformer gets which columns; what nobody asked for is the remainder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.base.composition.part_messages import speaking_of
from stylobate.compose.specification import column_positions, is_single, kind_of_specification

if TYPE_CHECKING:
    from stylobate.data.columns import Columns

REMAINDER = "remainder"
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """A transformer (or "drop", or "passthrough"), its name and its columns.

    Attributes
    ----------
    name : str
    transformer : object
    columns : object
        As the user said it; callables have been called.
    positions : array of int
        The same as positions in X.
    vector : bool
        Whether one column is handed over as a vector.
    """

    name: str
    transformer: Any
    columns: Any
    positions: NDArray[np.intp]
    vector: bool = False

    @property
    def works(self) -> bool:
        """Whether anything comes of it: not dropped, and with columns."""
        dropped = isinstance(self.transformer, str) and self.transformer == "drop"
        return not dropped and len(self.positions) > 0


def assigned(
    transformers: Sequence[tuple[str, Any, Any]], remainder: Any, columns: Columns
) -> list[Assignment]:
    """The transformers with their columns, and what remains if anything does."""
    found = []
    for name, transformer, spec in transformers:
        with speaking_of("transformer", name, transformer):
            if callable(spec):
                spec = spec(columns.native)
            positions = column_positions(spec, columns)
        found.append(Assignment(name, transformer, spec, positions, is_single(spec)))
    taken = {int(position) for each in found for position in each.positions}
    left = np.array([i for i in range(columns.n_columns) if i not in taken], dtype=np.intp)
    if len(left):
        said = _said(left, [spec for *_, spec in transformers], columns)
        found.append(Assignment(REMAINDER, remainder, said, left))
    return found


def hinting_at_vectors(call: Callable[[], T], column: str | int) -> T:
    """A call with one column as a vector; most transformers want a table, and say so."""
    try:
        return call()
    except ValueError as error:
        told = error.args[0] if error.args else None
        if isinstance(told, str) and ("2D" in told or "2-dimensional" in told):
            hint = f" As columns, {column!r} hands over a vector and [{column!r}] a table."
            error.args = (told + hint,)
        raise


def _said(left: NDArray[np.intp], others: Sequence[Any], columns: Columns) -> list[Any]:
    """The remaining columns in the words of the others: all names, all masks, else numbers."""
    kinds = {"int" if callable(each) else kind_of_specification(each) for each in others}
    if kinds == {"str"} and columns.names is not None:
        return [columns.names[i] for i in left]
    if kinds == {"bool"}:
        return [bool(each) for each in np.isin(np.arange(columns.n_columns), left)]
    return [int(i) for i in left]
