"""Ways to say which columns: names, numbers, slices, masks; all become positions."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np

from stylobate.arrays import Indices
from stylobate.data.words import short
from stylobate.exceptions import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from stylobate.data.columns import Columns

Kind = Literal["str", "int", "bool"]
_FRAMES_ONLY = "Specifying the columns using strings is only supported for dataframes"


def is_single(spec: Any) -> bool:
    """Whether one column is meant, to be handed over as a vector: ``"age"`` or ``3``."""
    return isinstance(spec, str) or _is_integer(spec)


def kind_of_specification(spec: Any) -> Kind:
    """Whether columns are given by name, by number or by a mask.

    >>> [kind_of_specification(spec) for spec in ("age", slice("a", "c"), [0, 2], [True, False])]
    ['str', 'str', 'int', 'bool']
    """
    if isinstance(spec, slice):
        ends = [end for end in (spec.start, spec.stop) if end is not None]
        if all(_is_integer(end) for end in [*ends, spec.step] if end is not None):
            return "int"
        if ends and all(isinstance(end, str) for end in ends):
            return "str"
        _refuse(spec)
    if is_single(spec):
        return "str" if isinstance(spec, str) else "int"
    entries = _entries(spec)
    if all(isinstance(entry, bool | np.bool_) for entry in entries) and entries:
        return "bool"
    if all(_is_integer(entry) for entry in entries):
        return "int"
    if all(isinstance(entry, str) for entry in entries):
        return "str"
    _refuse(spec)


def column_positions(spec: Any, columns: Columns) -> Indices:
    """The positions of the columns a specification means, in its order.

    Parameters
    ----------
    spec : str, int, slice of either, list of either, or mask
        Slices of names include both ends; negative numbers count from the end.
    columns : Columns
        What there is.

    Returns
    -------
    array of int

    Examples
    --------
    >>> from stylobate.data.columns import read_columns
    >>> columns = read_columns([[1.0, 2.0, 3.0]], owner="ColumnTransformer")
    >>> column_positions([True, False, True], columns), column_positions(-1, columns)
    (array([0, 2]), array([2]))
    """
    kind = kind_of_specification(spec)
    if kind == "str":
        return _by_name(spec, columns)
    count = columns.n_columns
    if isinstance(spec, slice):
        return np.arange(count, dtype=np.intp)[spec]
    if kind == "bool":
        mask = np.array(_entries(spec), dtype=bool)
        if len(mask) != count:
            raise InvalidDataError(
                f"A mask of columns needs one entry for each of the {count} columns of X, got "
                f"{len(mask)}."
            )
        return np.flatnonzero(mask)
    numbers = [spec] if is_single(spec) else _entries(spec)
    positions = np.array([int(number) for number in numbers], dtype=np.intp)
    if ((positions < -count) | (positions >= count)).any():
        raise InvalidDataError(
            f"all features must be in [0, {count - 1}] or [-{count}, 0], got {short(spec)}; X has "
            f"{count} feature(s)."
        )
    return _distinct(np.where(positions < 0, positions + count, positions), columns)


def _by_name(spec: Any, columns: Columns) -> Indices:
    if columns.names is None:
        raise InvalidDataError(
            f"{_FRAMES_ONLY}. {short(spec)} is asked for, but X "
            + (
                "has columns whose names are not strings."
                if columns.origin.is_frame
                else "is an array, which has no names; pass a data frame, or numbers of columns."
            )
        )
    names = columns.names
    if isinstance(spec, slice):
        start = None if spec.start is None else _position(spec.start, names)
        stop = None if spec.stop is None else _position(spec.stop, names) + 1  # both ends count
        return np.arange(len(names), dtype=np.intp)[slice(start, stop, spec.step)]
    asked = [spec] if isinstance(spec, str) else _entries(spec)
    known = set(names)
    missing = [name for name in asked if name not in known]
    if missing:
        raise InvalidDataError(
            f"Some column names are not columns of the dataframe: {', '.join(map(repr, missing))}. "
            f"X has {short(list(names))}."
        )
    return _distinct(np.array([_position(name, names) for name in asked], dtype=np.intp), columns)


def _position(name: str, names: tuple[str, ...]) -> int:
    count = names.count(name)
    if count > 1:
        raise InvalidDataError(
            f"Selected columns, [{name!r}], are not unique in dataframe: {count} columns have that "
            "name."
        )
    if count == 0:
        raise InvalidDataError(
            f"A given column is not a column of the dataframe: {name!r} is not in "
            f"{short(list(names))}."
        )
    return names.index(name)


def _distinct(positions: Indices, columns: Columns) -> Indices:
    """Two columns of a frame cannot have the same name."""
    if columns.origin.is_frame and len(set(positions.tolist())) < len(positions):
        raise InvalidDataError(
            f"The same column of the dataframe is asked for twice: {positions.tolist()}. Name it "
            "once, or give it to two transformers."
        )
    return positions


def _entries(spec: Any) -> list[Any]:
    """The entries of a list, tuple, range, array, series or index."""
    if isinstance(spec, list | tuple | range):
        return list(spec)
    if isinstance(spec, str | bytes | dict | set | frozenset) or not hasattr(spec, "__len__"):
        _refuse(spec)
    array = np.asarray(spec)
    if array.ndim != 1:
        _refuse(spec)
    return list(array.tolist())


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool | np.bool_)


def _refuse(spec: Any) -> NoReturn:
    raise InvalidParameterError(
        "No valid specification of the columns. Only a scalar, list or slice of all integers or "
        f"all strings, or boolean mask is allowed, got {short(spec)}."
    )
