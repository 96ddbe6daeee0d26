"""Predictions as CSV or Parquet, to a file that appears when it is complete or to the screen."""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Iterable
from contextlib import AbstractContextManager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from numpy.typing import NDArray

from stylobate.cli.leftovers import hold, sweep
from stylobate.exceptions import InvalidParameterError
from stylobate.storage.placing import replacing

Rows = Iterable[dict[str, NDArray[Any]]]
ENDINGS = (".csv", ".parquet")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet runs
_NULL = "\\N"  # unquoted in the copy that becomes Parquet; texts are quoted there


def check_place(out: Path | None, source: str) -> None:
    """Refuse a file of another kind, or the source itself."""
    if out is None:
        return
    if out.suffix.lower() not in ENDINGS:
        raise InvalidParameterError(
            f"--out must end in {' or '.join(ENDINGS)}, got {str(out)!r}; that says which of the "
            "two to write."
        )
    if out.exists() and Path(source).exists() and out.samefile(source):
        raise InvalidParameterError(f"--out {str(out)!r} is the source itself; name another file.")


def write_predictions(batches: Rows, header: list[str], out: Path | None) -> None:
    """Write batches of columns as they come; what is not written whole does not appear."""
    if out is None:
        _write_csv(batches, header, sys.stdout)
        return
    sweep(out)
    place: AbstractContextManager[Any] = replacing(out, "The predictions")
    with place as stream:
        hold(stream, out)
        if out.suffix.lower() == ".csv":
            text = TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
            _write_csv(batches, header, text)
            text.flush()
            text.detach()
        else:
            _write_parquet(batches, header, stream)


def _write_csv(batches: Rows, header: list[str], text: TextIO) -> None:
    writer = csv.writer(_Lines(text), lineterminator="\r\n")
    writer.writerow(header)
    for columns in batches:
        writer.writerows(zip(*(map(_cell, columns[name].tolist()) for name in header), strict=True))


class _Lines:
    """Rows that end in a line feed.

    Up to Python 3.12 cells with a carriage return are put in quotes only where rows end in one.
    """

    def __init__(self, text: TextIO) -> None:
        self._text = text

    def write(self, row: str) -> int:
        """Write one row."""
        return self._text.write(row.removesuffix("\r\n") + "\n")


def _cell(value: Any) -> Any:
    """A cell as it was, nothing for missing ones; texts that a spreadsheet would run are quoted.

    A text that begins as a formula does (=, +, -, @, tab, carriage return) and is no number gets an
    apostrophe before it, which spreadsheets take as "this is text".
    """
    if value is None or value != value:
        return ""
    if isinstance(value, str) and value.startswith(_FORMULA) and not _is_number(value):
        return "'" + value
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _write_parquet(batches: Rows, header: list[str], stream: Any) -> None:
    """By way of a text file with known types, which DuckDB turns into Parquet."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="stylobate-") as folder:
        text, made = Path(folder) / "rows.csv", Path(folder) / "rows.parquet"
        types = dict.fromkeys(header, "BIGINT")
        with text.open("w", encoding="utf-8", newline="") as target:
            writer = csv.writer(target, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
            for columns in batches:
                for name in header:
                    types[name] = _wider(types[name], columns[name])
                cells = ([_csv_value(each) for each in columns[name].tolist()] for name in header)
                writer.writerows(zip(*cells, strict=True))
        known = ", ".join(f"{_text(name)}: {_text(kind)}" for name, kind in types.items())
        options = (
            "header=false, auto_detect=false, delim=',', quote='\"', escape='\"', "
            f"nullstr={_text(_NULL)}, allow_quoted_nulls=false, columns={{{known}}}"
        )
        connection = duckdb.connect()
        connection.execute(
            f"COPY (SELECT * FROM read_csv({_text(str(text))}, {options})) "
            f"TO {_text(str(made))} (FORMAT parquet)"
        )
        connection.close()
        with made.open("rb") as found:
            while piece := found.read(1 << 20):
                stream.write(piece)


class _Missing(float):
    """Written without quotes, as numbers are."""

    def __str__(self) -> str:
        return _NULL

    __repr__ = __str__


_MISSING = _Missing("nan")
_ORDER = ("BIGINT", "DOUBLE", "VARCHAR")


def _csv_value(value: Any) -> Any:
    if value is None or value != value:
        return _MISSING
    return value if type(value) in (int, float) else str(value)


def _wider(known: str, values: NDArray[Any]) -> str:
    """The type that holds what came before and these values as well."""
    kind = values.dtype.kind
    if kind in "iu":
        found = "BIGINT"
    elif kind == "f":
        found = "DOUBLE"
    else:
        kinds = {type(each) for each in values.tolist() if each is not None and each == each}
        numbers = kinds <= {int, float}
        found = ("DOUBLE" if float in kinds else "BIGINT") if numbers else "VARCHAR"
    return max(known, found, key=_ORDER.index)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
