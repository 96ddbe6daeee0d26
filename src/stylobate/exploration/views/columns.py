"""What a picture is given (a vector, a column's name, a frame, a dictionary) as typed columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.kinds.inference import schema_of
from stylobate.data.kinds.schema import Column
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.cells import Cells, cells_of
from stylobate.exploration.summaries.values import value_text

_MANY = 1000  # different numbers that can only be amounts
TRUTH = ("False", "True")  # what 0 and 1 of a column of truth values are called
CATEGORIES = ("binary", "ordinal", "nominal", "constant")


def read_table_columns(data: Any, owner: str) -> list[Cells]:
    """Every column of a frame, an array of rows or a dictionary of vectors.

    >>> [column.column.name for column in read_table_columns({"a": [1, 2], "b": ["x", None]}, "me")]
    ['a', 'b']
    """
    if isinstance(data, Mapping):
        mixed = _from_mapping(data, owner)
    else:
        mixed = read_mixed_columns(data, owner=owner, min_rows=0, min_features=0)
    if mixed.n_features == 0 or mixed.n_rows == 0:
        raise InvalidDataError(
            f"{owner}: the table has {mixed.n_rows} rows and {mixed.n_features} columns; there is "
            "nothing to draw."
        )
    return _typed(mixed)


def read_column(values: Any, data: Any, owner: str, role: str) -> Cells:
    """One column: a vector or series, or its name in `data`.

    Parameters
    ----------
    values : vector, series or str
        The column.
    data : table or None
        Where names are looked up.
    owner, role : str
        Who asks, and for what; named in refusals, and the name of a vector that has none.
    """
    if isinstance(values, str):
        return _named(values, data, owner, role)
    series = _as_series(values, owner, role)
    name = getattr(values, "name", None)
    found = _typed(MixedColumns((series,), len(series), (str(role if name is None else name),)))[0]
    if len(found.codes) == 0:
        raise InvalidDataError(f"{owner}: {role} is empty; there is nothing to draw.")
    return found


def read_numbers(values: Any, data: Any, owner: str, role: str) -> Cells:
    """As `read_column`, of a column that has to hold numbers."""
    found = read_column(values, data, owner, role)
    require_numbers(found, owner)
    return found


def require_numbers(cells: Cells, owner: str) -> None:
    """Refuse a column of text or dates, and one without a finite number."""
    name = cells.column.name
    if not cells.is_numeric:
        strange = [text for text in labels_of(cells) if not _is_number(text)]
        raise InvalidDataError(
            f"{owner}: column {name!r} does not hold numbers (it holds {strange[0][:30]!r}); draw "
            "it with plot_bars, or pass a column of numbers."
        )
    if not np.isfinite(cells.values).any():
        raise InvalidDataError(
            f"{owner}: column {name!r} has no number to draw; all {len(cells.codes)} values are "
            "missing or infinite."
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def same_length(owner: str, *columns: Cells) -> None:
    """Refuse columns of different lengths."""
    lengths = {each.column.name: len(each.codes) for each in columns}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name!r} has {rows}" for name, rows in lengths.items())
        raise InvalidDataError(f"{owner}: all columns need as many rows; {told}.")


def is_amount(cells: Cells) -> bool:
    """Whether a column is drawn by its numbers rather than by its different values."""
    return cells.is_numeric and cells.column.kind not in CATEGORIES


def finite_numbers(cells: Cells) -> Array:
    """The finite numbers of a column."""
    numbers = cells.numbers()
    return numbers[np.isfinite(numbers)]


def labels_of(cells: Cells) -> list[str]:
    """The different values of a column as text."""
    if cells.column.order == TRUTH:
        return [TRUTH[int(value)] for value in cells.values]
    return [value_text(value) for value in cells.values]


def _named(name: str, data: Any, owner: str, role: str) -> Cells:
    if data is None:
        raise InvalidParameterError(
            f"{owner}: {role}={name!r} is the name of a column, and there is no table to find it "
            "in; pass the table as data."
        )
    table = data if isinstance(data, Mapping) else _columns_by_name(data, owner)
    if name not in table:
        close = get_close_matches(name, map(str, table), n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(map(str, list(table)[:12])) + (" …" if len(table) > 12 else "")
        raise InvalidParameterError(
            f"{owner}: {role}={name!r} is no column of the table; there are {listed}.{hint}"
        )
    series = _as_series(table[name], owner, role)
    return _typed(MixedColumns((series,), len(series), (name,)))[0]


def _columns_by_name(data: Any, owner: str) -> dict[str, Any]:
    mixed = read_mixed_columns(data, owner=owner, min_rows=0, min_features=0)
    names = mixed.names or tuple(f"x{j}" for j in range(mixed.n_features))
    return dict(zip(names, mixed.values, strict=True))


def _as_series(values: Any, owner: str, role: str) -> Any:
    if isinstance(values, np.ndarray | list | tuple | range):
        array = np.asarray(values)
        if array.dtype.kind in "USO" and not isinstance(values, np.ndarray):
            array = np.asarray(values, dtype=object)
    else:
        import narwhals as nw

        array = nw.from_native(values, pass_through=True, series_only=False, allow_series=True)
        if not isinstance(array, nw.Series):
            array = np.asarray(values)
    if getattr(array, "ndim", 1) == 0:
        raise InvalidDataError(
            f"{owner}: {role} is {values!r}, which is no column; give a vector, a series or, with "
            "data, the name of a column."
        )
    if getattr(array, "ndim", 1) != 1:
        raise InvalidDataError(
            f"{owner}: {role} has shape {array.shape}; it must be one column of values."
        )
    return array


def _from_mapping(data: Mapping[Any, Any], owner: str) -> MixedColumns:
    columns = {str(name): _as_series(each, owner, str(name)) for name, each in data.items()}
    lengths = {name: len(each) for name, each in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name!r} has {rows}" for name, rows in list(lengths.items())[:5])
        raise InvalidDataError(f"{owner}: all columns need as many rows; {told}.")
    n_rows = next(iter(lengths.values()), 0)
    return MixedColumns(tuple(columns.values()), n_rows, tuple(columns))


def _typed(mixed: MixedColumns) -> list[Cells]:
    """The columns with their kinds; long columns of numbers are amounts without further looking."""
    names = mixed.names or tuple(f"x{j}" for j in range(mixed.n_features))
    pairs = zip(names, mixed.values, strict=True)
    found = {j: _many_numbers(name, each) for j, (name, each) in enumerate(pairs)}
    others = [j for j, cells in found.items() if cells is None]
    rest = tuple(mixed.values[j] for j in others)
    schema = schema_of(MixedColumns(rest, mixed.n_rows, tuple(names[j] for j in others)))
    for j, column, each in zip(others, schema, rest, strict=True):
        named = replace(column, order=TRUTH) if _is_truth(each) else column
        found[j] = _in_order(cells_of(named, each))
    return [cells for cells in found.values() if cells is not None]


def _many_numbers(name: str, series: Any) -> Cells | None:
    """A column of more than a thousand different numbers; None for any other."""
    if isinstance(series, np.ndarray):
        if series.dtype.kind not in "fiu" or len(series) <= _MANY:
            return None
        numbers = series.astype(np.float64)
    else:
        if not series.dtype.is_numeric() or len(series) <= _MANY:
            return None
        import narwhals as nw

        numbers = np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    known = ~np.isnan(numbers)
    values, places = np.unique(numbers[known], return_inverse=True)
    if len(values) <= _MANY:
        return None
    codes = np.full(len(numbers), -1, dtype=np.intp)
    codes[known] = places
    missing = len(numbers) - len(places)
    reason = f"{len(values)} different numbers"
    return Cells(Column(name, "numeric", reason, len(numbers), missing, len(values)), values, codes)


def _in_order(cells: Cells) -> Cells:
    """Values in the order that was declared for them, where one was."""
    order = cells.column.order
    if order is None or cells.values.dtype.kind != "O":
        return cells
    place = {label: k for k, label in enumerate(order)}
    if any(value not in place for value in cells.values):
        return cells
    sequence = np.argsort([place[value] for value in cells.values])
    number = np.append(np.argsort(sequence), -1)  # the last entry is for missing values
    return Cells(cells.column, cells.values[sequence], number[cells.codes])


def _is_truth(series: Any) -> bool:
    if isinstance(series, np.ndarray):
        return bool(series.dtype.kind == "b")
    return str(series.dtype) == "Boolean"
