"""A table of NumPy columns with names, for those who have no data-frame library installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.durations import seconds_of


class ColumnTable:
    """Columns of any type under their names, as `Relation.to_frame("numpy")` gives them.

    Encoders and models of mixed columns take it as they take a data frame. Masked entries become
    NaN in numbers, NaT in dates and None in everything else; durations become seconds.

    Parameters
    ----------
    columns : mapping of str to array of shape (n,)
        One array (plain or masked) per column, of equal length.

    Examples
    --------
    >>> table = ColumnTable({"a": np.array([1, 2, 3]), "b": np.array(["x", "y", "z"])})
    >>> table.shape, table.columns, table[np.array([2, 0])]["b"].tolist()
    ((3, 2), ('a', 'b'), ['z', 'x'])
    """

    kind = "columns"  # of container, as `Origin` names it

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns: dict[str, NDArray[Any]] = {
            str(name): _unmasked(values) for name, values in columns.items()
        }
        lengths = {len(values) for values in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"ColumnTable: columns of different lengths, {sorted(lengths)}.")
        self._rows = lengths.pop() if lengths else 0
        self._names = tuple(self._columns)
        self._block: NDArray[Any] | None = None

    @classmethod
    def of_block(cls, names: Sequence[str], block: NDArray[Any]) -> ColumnTable:
        """The table whose columns are the rows of one array, which is then read as it lies.

        >>> ColumnTable.of_block(["a", "b"], np.array([[1.0, 2.0], [3.0, 4.0]]))["b"].tolist()
        [3.0, 4.0]
        """
        table = cls(dict(zip(names, block, strict=True)))
        table._block = block
        return table

    @property
    def block(self) -> NDArray[Any] | None:
        """The array whose rows the columns are, if they are those of one."""
        return self._block

    @property
    def columns(self) -> tuple[str, ...]:
        """The names."""
        return self._names

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._rows, len(self._columns)

    def __len__(self) -> int:
        """Count the rows."""
        return self._rows

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The columns side by side, for whoever takes arrays only; of objects where one is text."""
        kinds = [values.dtype for values in self.values()]
        mixed = any(kind.kind not in "biuf" for kind in kinds) and len(set(kinds)) > 1
        common = np.dtype(object) if mixed else np.result_type(*kinds) if kinds else np.float64
        out = np.empty(self.shape, dtype=common)
        for j, values in enumerate(self.values()):
            out[:, j] = values
        return out if dtype is None else out.astype(dtype, copy=False)

    def __getitem__(self, which: Any) -> Any:
        """The column of a name; or the table of some rows (numbers, mask or slice)."""
        if isinstance(which, str):
            return self._columns[which]
        return ColumnTable({name: values[which] for name, values in self._columns.items()})

    def values(self) -> tuple[NDArray[Any], ...]:
        """The columns themselves."""
        return tuple(self._columns.values())

    def select(self, names: Sequence[str]) -> ColumnTable:
        """The table of some columns."""
        return ColumnTable({name: self._columns[name] for name in names})

    def with_columns(self, columns: Mapping[str, Any]) -> ColumnTable:
        """The table with some columns replaced, or added."""
        return ColumnTable({**self._columns, **columns})

    def __repr__(self) -> str:
        return f"ColumnTable of {self._rows} rows: {', '.join(self._columns)}"


def _unmasked(values: Any) -> NDArray[Any]:
    """A column without a mask."""
    data = np.asarray(np.ma.getdata(values))
    mask = np.ma.getmask(values) if isinstance(values, np.ma.MaskedArray) else np.ma.nomask
    if (spans := seconds_of(data)) is not None:
        return np.where(mask, np.nan, spans) if np.any(mask) else spans
    if mask is np.ma.nomask or not np.any(mask):
        return data
    if data.dtype.kind == "M":
        return np.where(mask, np.datetime64("NaT"), data)
    if data.dtype.kind in "iuf":
        return np.where(mask, np.nan, data.astype(np.float64))
    out = data.astype(object)
    out[mask] = None
    return out
