"""What the command line calls a source: a shipped data set, or a CSV file."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets import list_datasets, read_dataset
from stylobate.datasets.columns import Columns, is_numeric, read_columns
from stylobate.exceptions import InvalidDataError, InvalidParameterError

Array = NDArray[np.float64]


def open_source(source: str) -> Columns:
    """All columns of a shipped data set or, if there is none of that name, of a CSV file."""
    if source in list_datasets():
        return read_dataset(source)
    path = Path(source)
    if path.is_dir():
        raise InvalidDataError(f"{source} is a directory; a CSV file is needed.")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return read_columns(file, path.name)
    except FileNotFoundError:
        raise InvalidParameterError(
            f"There is no file {source!r} and no shipped data set of that name; the shipped ones "
            f"are {', '.join(list_datasets())}.{did_you_mean(source, list_datasets())}"
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidDataError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidDataError(f"{source!r} cannot be read: {reason}.") from None


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


def make_design(columns: Columns, target: str | None, features: list[str] | None) -> Design:
    """The rows of the target and the features in which nothing is missing.

    Without `features` every other numeric column is one.
    """
    numeric = [name for name, column in columns.items() if is_numeric(column) and name]
    target = _chosen_target(columns, target, numeric)
    left_out: list[str] = []
    if features is None:
        features = [name for name in numeric if name != target]
        left_out = [name for name in columns if name not in (*numeric, target)]
        if not features:
            raise InvalidDataError(
                f"No column but {target!r} holds numbers, so there is nothing to predict it from."
            )
    else:
        _refuse_features(columns, target, features, numeric)
    table = np.column_stack([columns[name] for name in (*features, target)])
    _refuse_infinite(table, (*features, target))
    rows = np.flatnonzero(~np.isnan(table).any(axis=1))
    if not len(rows):
        raise InvalidDataError(
            f"Each of the {len(table)} rows has a missing value in {target!r} or a feature; leave "
            "out the emptiest columns with --features."
        )
    return Design(
        x=table[rows, :-1],
        y=table[rows, -1],
        features=tuple(features),
        target=target,
        rows=rows,
        n_source_rows=len(table),
        left_out=tuple(left_out),
        remarks=_remarks(left_out, len(table), len(rows)),
    )


def _chosen_target(columns: Columns, target: str | None, numeric: list[str]) -> str:
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


def _refuse_features(
    columns: Columns, target: str, features: list[str], numeric: list[str]
) -> None:
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


def _refuse_infinite(table: Array, names: tuple[str, ...]) -> None:
    infinite = np.argwhere(np.isinf(table))
    if len(infinite):
        row, column = infinite[0]
        raise InvalidDataError(
            f"The column {names[column]!r} is infinite in row {row} (row 0 is the first one below "
            "the header); correct it, or leave the cell empty."
        )


def _remarks(left_out: list[str], n_all: int, n_used: int) -> tuple[str, ...]:
    remarks = []
    named = [name for name in left_out if name]
    if named:
        remarks.append(f"Left out because not numeric: {_listed(named)}.")
    if "" in left_out:
        remarks.append("Left out because it has no name (row numbers, perhaps): one column.")
    dropped = n_all - n_used
    if dropped:
        remarks.append(f"Dropped because a value is missing: {dropped} of {n_all} rows.")
    return tuple(remarks)


def _listed(names: list[str], most: int = 12) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
