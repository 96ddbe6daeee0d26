"""Columns in memory, ready to be compared: numbers with NaN, or codes with labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.exceptions import InvalidDataError

AMOUNTS = ("numeric", "geospatial", "datetime")  # differences of values mean something
MOST_LEVELS = 512  # of a category in a table of counts; rarer ones are put together
_MANY = 30  # labels, from which on those of fewer rows than
_FEW = 5  # are put together as well


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NumberColumn:
    """A column of numbers.

    Parameters
    ----------
    name : str
        Its name.
    values : array of shape (n,)
        float64; NaN is missing, and infinities are treated as missing.
    kind : str, default="numeric"
        "numeric", "geospatial", "datetime" (days since 1970), or "ordinal" (steps: only their order
        counts).
    labels : tuple of str, optional
        What the steps 0, 1, … of an ordinal column of text are called.
    """

    name: str
    values: Array
    kind: str = "numeric"
    labels: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which rows have a finite value."""
        return np.isfinite(self.values)

    def take(self, rows: Integers) -> NumberColumn:
        """Some rows."""
        return NumberColumn(self.name, self.values[rows], self.kind, self.labels)

    def __repr__(self) -> str:
        missing = len(self) - int(self.present.sum())
        return f"NumberColumn({self.name!r}, {self.kind}, {len(self)} rows, {missing} missing)"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CategoryColumn:
    """A column of categories.

    Parameters
    ----------
    name : str
        Its name.
    codes : array of shape (n,)
        The number of each row's label; −1 is missing.
    labels : sequence
        The labels.
    kind : str, default="nominal"
        "nominal" or "binary".
    """

    name: str
    codes: Integers
    labels: tuple[Any, ...]
    kind: str = "nominal"

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which rows have a label."""
        return self.codes >= 0

    def take(self, rows: Integers) -> CategoryColumn:
        """Some rows."""
        return CategoryColumn(self.name, self.codes[rows], self.labels, self.kind)

    def counts(self) -> NDArray[np.int64]:
        """Rows of each label."""
        return np.bincount(self.codes + 1, minlength=len(self.labels) + 1)[1:].astype(np.int64)

    def at_most(self, levels: int) -> CategoryColumn:
        """The same with the rarest labels put together as "(others)", in order of size."""
        if len(self.labels) <= levels:
            return self
        order = np.argsort(-self.counts(), kind="stable")
        number = np.full(len(self.labels) + 1, levels - 1, dtype=np.int64)
        number[order[: levels - 1]] = np.arange(levels - 1)
        number[-1] = -1
        kept = tuple(self.labels[i] for i in order[: levels - 1])
        return CategoryColumn(self.name, number[self.codes], (*kept, "(others)"), self.kind)

    def comparable(self) -> CategoryColumn:
        """The same with the rare ones of many labels put together: they say nothing by themselves.

        A column whose labels are hardly ever repeated is left with one label.
        """
        if len(self.labels) <= _MANY:
            return self
        return self.at_most(min(int((self.counts() >= _FEW).sum()) + 1, MOST_LEVELS))

    def repeated(self) -> CategoryColumn:
        """All its labels, if they have two rows each on average; else only the comparable ones.

        Means of groups need no more: with fewer rows there is hardly a scatter within them.
        """
        return self if 2 * len(self.labels) <= int(self.present.sum()) else self.comparable()

    def __repr__(self) -> str:
        missing = len(self) - int(self.present.sum())
        return (
            f"CategoryColumn({self.name!r}, {len(self.labels)} labels, {len(self)} rows, "
            f"{missing} missing)"
        )


AnyColumn = NumberColumn | CategoryColumn


def number_column(name: str, values: Any, kind: str = "numeric") -> NumberColumn:
    """Numbers as a column; infinities become missing.

    >>> number_column("x", [1, 2, float("inf")]).present.tolist()
    [True, True, False]
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise InvalidDataError(f"Column {name!r} has shape {array.shape}; it must be a vector.")
    infinite = np.isinf(array)
    if infinite.any():
        array = np.where(infinite, np.nan, array)
    return NumberColumn(name, array, kind)


def category_column(name: str, values: Any, kind: str | None = None) -> CategoryColumn:
    """Labels as a column; None and NaN are missing.

    >>> category_column("c", ["b", None, "a"]).codes.tolist()
    [1, -1, 0]
    """
    listed = np.asarray(values, dtype=object).tolist()
    absent = [value is None or value != value for value in listed]
    known = {value for value, gone in zip(listed, absent, strict=True) if not gone}
    labels = sorted(known, key=lambda label: (str(type(label)), label))
    number = {label: i for i, label in enumerate(labels)}
    codes = [-1 if gone else number[v] for v, gone in zip(listed, absent, strict=True)]
    found = kind or ("binary" if len(labels) == 2 else "nominal")
    return CategoryColumn(name, np.array(codes, dtype=np.int64), tuple(labels), found)


def sample_rows(columns: Sequence[AnyColumn], most: int | None) -> list[AnyColumn]:
    """The columns, or the same random rows of each if there are more than so many."""
    n = len(columns[0]) if columns else 0
    if most is None or n <= most:
        return list(columns)
    rows = np.sort(np.random.default_rng(0).choice(n, most, replace=False))
    return [column.take(rows) for column in columns]


def check_columns(columns: Sequence[AnyColumn], owner: str) -> int:
    """Refuse columns of different lengths or the same name; returns the number of rows."""
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise InvalidDataError(
            f"{owner}: columns of {sorted(lengths)} rows; all must have the same number."
        )
    names = [column.name for column in columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidDataError(
            f"{owner}: the name {twice[0]!r} occurs more than once; give every column its own."
        )
    return lengths.pop() if lengths else 0
