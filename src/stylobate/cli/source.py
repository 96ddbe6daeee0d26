"""What the command line calls a source: whatever `stylobate.read` takes, by its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.reading import Relation, SourceNotFoundError, read
from stylobate.datasets import list_datasets
from stylobate.exceptions import InvalidDataError, InvalidParameterError

_NUMBERS = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$")
_OURS = re.compile(r"column_\d+$")  # the name `read` gives to a column without one


def open_source(source: str, table: str | None = None, query: str | None = None) -> Relation:
    """The rows of a shipped data set, a file, an address or a database."""
    try:
        return read(source, table=table, query=query)
    except SourceNotFoundError:
        raise InvalidParameterError(
            f"There is no file {source!r} and no shipped data set of that name; the shipped ones "
            f"are {', '.join(list_datasets())}.{did_you_mean(source, list_datasets())}"
        ) from None


def did_you_mean(given: str, known: Any) -> str:
    """A sentence with the nearest known name, or nothing.

    >>> did_you_mean("pengiuns", ["penguins", "titanic"])
    " Did you mean 'penguins'?"
    """
    close = get_close_matches(given, list(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The numbers to fit, and what was done to get them.

    `rows` are the positions of the rows used among those of the source, the first being 0;
    `remarks` says in words what was left out.
    """

    x: Array
    y: Array
    features: tuple[str, ...]
    target: str
    rows: NDArray[np.intp]
    n_source_rows: int
    left_out: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def n_used(self) -> int:
        """How many rows are fitted to."""
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """The columns of a fit, and those left out (of these, the ones without a name)."""

    target: str
    features: tuple[str, ...]
    left_out: tuple[str, ...]
    unnamed: frozenset[str]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns to read, the target last."""
        return (*self.features, self.target)

    def remarks(self, n_all: int, n_used: int) -> tuple[str, ...]:
        """What was left out, in words."""
        return _remarks(list(self.left_out), set(self.unnamed), n_all, n_used)


def choose_columns(
    relation: Relation, target: str | None, features: list[str] | None
) -> ChosenColumns:
    """What to predict from what.

    Without `features` every other numeric column is one, if it has a name.
    """
    names = relation.types
    if not len(relation):
        raise InvalidDataError(f"{relation.name} has a header and no rows.")
    unnamed = [name for name in names if _OURS.match(name)]
    if len(unnamed) == len(names):
        unnamed = []  # there is no header at all
    numbers = [name for name, kind in names.items() if _NUMBERS.match(kind)]
    numeric = [name for name in numbers if name not in unnamed]
    target = _chosen_target(names, target, numeric)
    left_out: list[str] = []
    if features is None:
        features = [name for name in numeric if name != target]
        left_out = [name for name in names if name not in (*numeric, target)]
        if not features:
            raise InvalidDataError(
                f"No column but {target!r} holds numbers, so there is nothing to predict it from."
            )
    else:
        _refuse_features(names, target, features, numbers)
    return ChosenColumns(target, tuple(features), tuple(left_out), frozenset(unnamed))


def make_design(relation: Relation, chosen: ChosenColumns) -> Design:
    """The rows of the target and the features in which nothing is missing."""
    table = _numbers(relation, chosen.names)
    refuse_infinite(table, chosen.names)
    rows = np.flatnonzero(~np.isnan(table).any(axis=1))
    if not len(rows):
        raise InvalidDataError(nothing_complete(len(table), chosen.target))
    return Design(
        x=table[rows, :-1],
        y=table[rows, -1],
        features=chosen.features,
        target=chosen.target,
        rows=rows,
        n_source_rows=len(table),
        left_out=chosen.left_out,
        remarks=chosen.remarks(len(table), len(rows)),
    )


def nothing_complete(n_rows: int, target: str) -> str:
    """Why there is nothing to fit to."""
    return (
        f"Each of the {n_rows} rows has a missing value in {target!r} or a feature; leave out the "
        "emptiest columns with --features."
    )


def _numbers(relation: Relation, names: tuple[str, ...]) -> Array:
    """Columns as doubles, NaN where a value is missing."""
    columns = relation.to_frame("numpy")
    table = np.empty((len(relation), len(names)))
    for j, name in enumerate(names):
        values = np.ma.asarray(columns[name])
        table[:, j] = np.where(np.ma.getmaskarray(values), np.nan, np.ma.getdata(values))
    return table


def _chosen_target(columns: Any, target: str | None, numeric: list[str]) -> str:
    listed = _listed(numeric) or "none"
    if target is None:
        raise InvalidParameterError(
            f"Say which column to predict with --target; the numeric columns are: {listed}."
        )
    if target not in columns or not target:
        raise InvalidParameterError(
            f"There is no column {target!r}; the numeric columns are: {listed}."
            f"{did_you_mean(target, numeric)}"
        )
    if target not in numeric:
        raise InvalidParameterError(
            f"The target {target!r} is not numeric, which least squares needs; the numeric columns "
            f"are: {listed}."
        )
    return target


def _refuse_features(columns: Any, target: str, features: list[str], numeric: list[str]) -> None:
    for name in features:
        if name not in columns:
            raise InvalidParameterError(
                f"There is no column {name!r} to use as a feature; the numeric columns are: "
                f"{_listed(numeric)}.{did_you_mean(name, columns)}"
            )
        if name not in numeric:
            raise InvalidParameterError(
                f"The feature {name!r} is not numeric; leave it out of --features."
            )
        if name == target:
            raise InvalidParameterError(
                f"{name!r} is the target and cannot be one of the --features as well."
            )
        if features.count(name) > 1:
            raise InvalidParameterError(f"{name!r} is listed twice in --features.")


def refuse_infinite(table: Array, names: tuple[str, ...], first_row: int = 0) -> None:
    """Refuse rows (the first of which has that number) with an infinite value, by name."""
    infinite = np.argwhere(np.isinf(table))
    if len(infinite):
        row, column = infinite[0]
        raise InvalidDataError(
            f"The column {names[column]!r} is infinite in row {first_row + row + 1} (row 1 is the "
            "first one below the header); correct it, or leave the cell empty."
        )


def _remarks(left_out: list[str], unnamed: set[str], n_all: int, n_used: int) -> tuple[str, ...]:
    remarks = []
    named = [name for name in left_out if name not in unnamed]
    if named:
        remarks.append(f"Left out because not numeric: {_listed(named)}.")
    if unnamed & set(left_out):
        remarks.append("Left out because it has no name (row numbers, perhaps): one column.")
    dropped = n_all - n_used
    if dropped:
        remarks.append(f"Dropped because a value is missing: {dropped} of {n_all} rows.")
    return tuple(remarks)


def _listed(names: list[str], most: int = 12) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
