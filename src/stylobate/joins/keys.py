"""Keys as numbers: each distinct key of a table has one, and rows of other tables look it up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers, Mask
from stylobate.data.words import short
from stylobate.exceptions import InvalidDataError

Codes = NDArray[np.int32]  # numbers of keys, -1 where there is none

_WHOLE = 2.0**53  # below, doubles tell whole numbers apart
_FEW = 1 << 20  # so wide a range of keys has a table of its own even for few keys
_SPREAD = 4  # times as wide as there are keys: then, too
_WORDS = {"whole": "whole numbers", "text": "text", "date": "dates"}


@dataclass(frozen=True, slots=True, eq=False)
class KeyColumn:
    """A column of keys: its kind, values that compare, and which are missing."""

    kind: str
    values: NDArray[Any]
    missing: Mask | None

    @classmethod
    def of(cls, column: NDArray[Any], where: str) -> KeyColumn:
        """A column as keys; refuses numbers with decimals and mixtures.

        Examples
        --------
        >>> key = KeyColumn.of(np.array([3.0, np.nan]), "orders.customer_id")
        >>> key.kind, key.values.tolist(), key.missing.tolist()
        ('whole', [3, 0], [False, True])
        """
        kind = column.dtype.kind
        if kind in "biu":
            if kind == "u" and column.dtype.itemsize == 8 and (column > np.iinfo("i8").max).any():
                raise InvalidDataError(
                    f"join: {where} has keys beyond 9,223,372,036,854,775,807; give them as text."
                )
            return cls("whole", column.astype(np.int64, copy=False), None)
        if kind == "f":
            return _of_reals(column, where)
        if kind == "M":
            missing = np.isnat(column)
            return cls("date", column, missing if missing.any() else None)
        return _of_objects(column.astype(object, copy=False), where)


def _of_reals(column: NDArray[Any], where: str) -> KeyColumn:
    missing = np.isnan(column)
    gaps = bool(missing.any())
    there = np.where(missing, 0.0, column) if gaps else column
    with np.errstate(invalid="ignore"):
        wholes = there.astype(np.int64)
    if not np.array_equal(wholes, there):
        example = there[wholes != there][0]
        raise InvalidDataError(
            f"join: {where} holds {example:g}, and keys are whole numbers, text or dates. Name "
            "another column, or round this one to a whole number first."
        )
    if len(there) and np.abs(there).max() >= _WHOLE:
        raise InvalidDataError(
            f"join: {where} has missing values beside keys above 2^53, which decimal numbers "
            "cannot tell apart; give this column as text, or drop the rows without a key."
        )
    return KeyColumn("whole", wholes, missing if gaps else None)


def _of_objects(column: NDArray[Any], where: str) -> KeyColumn:
    missing = np.array([value is None or value != value for value in column.tolist()], dtype=bool)
    kinds = {type(value) for value in column[~missing].tolist()}
    if not kinds or kinds == {str}:
        return KeyColumn("text", column, missing if missing.any() else None)
    if all(issubclass(each, bool | int | np.integer | np.bool_) for each in kinds):
        values = np.where(missing, 0, column).astype(np.int64)
        return KeyColumn("whole", values, missing if missing.any() else None)
    names = ", ".join(sorted(each.__name__ for each in kinds))
    raise InvalidDataError(
        f"join: {where} holds {names}, and keys are whole numbers, text or dates; convert the "
        "column first."
    )


def key_text(column: NDArray[Any], row: int) -> str:
    """A key as messages show it: whole numbers without a point.

    >>> key_text(np.array([2.0, np.nan]), 0)
    '2'
    """
    value = column[row : row + 1].tolist()[0]
    return short(int(value) if isinstance(value, float) and value.is_integer() else value)


class WholeKeys:
    """Distinct whole numbers, numbered: by a table where they lie close together, else by search.

    Examples
    --------
    >>> keys = WholeKeys(np.array([7, 5, 7]))
    >>> keys.size, keys.find(np.array([5, 6, 7])).tolist()
    (2, [0, -1, 1])
    """

    def __init__(self, values: Integers) -> None:
        self._low, self.size = 0, 0
        self._table: Codes | None = None
        self._sorted = np.empty(0, np.int64)
        if not len(values):
            return
        low, high = int(values.min()), int(values.max())
        if high - low < max(_SPREAD * len(values), _FEW):
            present = np.flatnonzero(np.bincount(values - low))
            self._table = np.full(high - low + 1, -1, np.int32)
            self._table[present] = np.arange(len(present), dtype=np.int32)
            self._low, self.size = low, len(present)
        else:
            self._sorted = np.unique(values)
            self.size = len(self._sorted)

    def find(self, values: Integers) -> Codes:
        """The number of each value, -1 where it is unknown."""
        if not self.size:
            return np.full(len(values), -1, np.int32)
        if self._table is None:
            places = np.minimum(np.searchsorted(self._sorted, values), self.size - 1)
            return np.where(self._sorted[places] == values, places, -1).astype(np.int32)
        last = self._low + len(self._table) - 1
        if len(values) and self._low <= values.min() and values.max() <= last:
            return self._table[values - self._low]
        inside = (values >= self._low) & (values <= last)
        places = np.where(inside, values - self._low, 0)
        return np.where(inside, self._table[places], np.int32(-1))


class KeyIndex:
    """The distinct keys of a column, numbered.

    Parameters
    ----------
    column : array of shape (n,)
        Whole numbers, text or dates; missing ones are no keys.
    where : str
        The column's name, for messages.

    Attributes
    ----------
    codes : array of shape (n,)
        The number of each row's key, -1 where it is missing.
    size : int
        How many distinct keys there are.

    Examples
    --------
    >>> index = KeyIndex(np.array(["b", "a", None, "b"], dtype=object), "customers.id")
    >>> index.size, index.codes.tolist(), index.find(np.array(["a", "c"]), "orders.id").tolist()
    (2, [0, 1, -1, 0], [1, -1])
    """

    def __init__(self, column: NDArray[Any], where: str) -> None:
        self.where = where
        key = KeyColumn.of(column, where)
        there = key.values if key.missing is None else key.values[~key.missing]
        self.kind, self._dtype = key.kind, there.dtype
        self._texts: dict[Any, int] = {}
        self._wholes = WholeKeys(np.empty(0, np.int64))
        if key.kind == "text":
            self._texts = {text: k for k, text in enumerate(dict.fromkeys(there.tolist()))}
        else:
            self._wholes = WholeKeys(there.astype(np.int64, copy=False))
        self.size = len(self._texts) or self._wholes.size
        self.codes = self._find(key)

    def find(self, column: NDArray[Any], where: str) -> Codes:
        """The numbers of the keys of other rows; refuses keys of another kind."""
        key = KeyColumn.of(column, where)
        none = key.missing is not None and bool(key.missing.all())
        if none or not self.size:
            return np.full(len(column), -1, np.int32)
        if key.kind != self.kind:
            raise InvalidDataError(
                f"join: {where} holds {_WORDS[key.kind]} and {self.where} {_WORDS[self.kind]}, so "
                f"no key can match; convert one of them to {_WORDS[self.kind]} first."
            )
        return self._find(key)

    def _find(self, key: KeyColumn) -> Codes:
        if key.kind == "text":
            texts, count = key.values.tolist(), len(key.values)
            found = np.fromiter((self._texts.get(each, -1) for each in texts), np.int32, count)
        else:
            found = self._wholes.find(self._comparable(key))
        if key.missing is not None:
            found[key.missing] = -1
        return found

    def _comparable(self, key: KeyColumn) -> Integers:
        """Dates counted in the unit of the known ones; those that fall between become no date."""
        if key.kind != "date":
            return key.values
        moved = key.values.astype(self._dtype)
        exact = moved.astype(key.values.dtype) == key.values
        return np.where(exact, moved, np.datetime64("NaT")).astype(np.int64)


class CompositeIndex:
    """Keys of one or several columns: the numbers of the columns' keys, numbered in pairs.

    Examples
    --------
    >>> columns = [np.array(["a", "a", "b"]), np.array([1, 2, 1])]
    >>> index = CompositeIndex(columns, ["t.x", "t.y"])
    >>> index.codes.tolist(), index.find([np.array(["b", "b"]), np.array([1, 2])], ["u", "v"])
    ([0, 1, 2], array([ 2, -1], dtype=int32))
    """

    def __init__(self, columns: Sequence[NDArray[Any]], where: Sequence[str]) -> None:
        self.parts = [KeyIndex(c, w) for c, w in zip(columns, where, strict=True)]
        self._pairs: list[WholeKeys] = []
        self.codes, self.size = self.parts[0].codes, self.parts[0].size
        for part in self.parts[1:]:
            numbers = _paired(self.codes, part.codes, part.size)
            pair = WholeKeys(numbers[numbers >= 0])
            self._pairs.append(pair)
            self.codes, self.size = pair.find(numbers), pair.size

    def find(self, columns: Sequence[NDArray[Any]], where: Sequence[str]) -> Codes:
        """The numbers of the keys of other rows."""
        pairs = zip(self.parts, columns, where, strict=True)
        return self.combine([part.find(column, name) for part, column, name in pairs])

    def combine(self, codes: Sequence[Codes]) -> Codes:
        """The numbers of keys from those of their columns."""
        found = codes[0]
        for part, pair, other in zip(self.parts[1:], self._pairs, codes[1:], strict=True):
            found = pair.find(_paired(found, other, part.size))
        return found


def _paired(left: Codes, right: Codes, size: int) -> Integers:
    """One number for two, -1 where one of them is missing."""
    return np.where((left < 0) | (right < 0), np.int64(-1), left.astype(np.int64) * size + right)
