"""The words of refusals: how inputs, places and values are named in every message of the door."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from stylobate.exceptions import InvalidDataError, UnsupportedDataError

_LONGEST = 60  # characters of a value shown; enough to recognise it, short enough to read


class Input(NamedTuple):
    """Whose input is being read and which one: ``Input("Ridge", "X")``.

    Examples
    --------
    >>> str(Input("Ridge", "X"))
    'Ridge: X'
    """

    owner: str
    label: str

    def __str__(self) -> str:
        """How every message begins."""
        return f"{self.owner}: {self.label}"


def short(value: object) -> str:
    """The `repr` of a value, cut to a readable length.

    Examples
    --------
    >>> short("red")
    "'red'"
    >>> len(short("x" * 1000))
    60
    """
    text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def kind_of(thing: object) -> str:
    """The type of a thing as its users write it, e.g. ``polars.Series``."""
    kind = type(thing)
    root = kind.__module__.partition(".")[0]
    return kind.__qualname__ if root == "builtins" else f"{root}.{kind.__qualname__}"


def place(position: tuple[int, ...], names: Any = None) -> str:
    """Where a cell is: ``row 3, column 'age'``; a vector has rows only."""
    if len(position) == 1:
        return f"row {position[0]}"
    if len(position) == 2:
        column = position[1] if names is None else repr(names[position[1]])
        return f"row {position[0]}, column {column}"
    return f"position {position}"


def refuse_complex(source: Input, dtype: object) -> NoReturn:
    """Complex numbers have no order and no real part we could choose for the caller."""
    raise UnsupportedDataError(
        f"{source} has dtype {dtype}. Complex data not supported: pass the real and imaginary "
        f"parts as separate columns, or the modulus."
    )


def refuse_device(source: Input, thing: object, device: str) -> NoReturn:
    """Memory of an accelerator cannot be read from here, and copying it unasked is costly."""
    raise UnsupportedDataError(
        f"{source} is a {kind_of(thing)} on {device}; only arrays in main memory can be read. "
        f"Move it first, e.g. with X.cpu() or X.get()."
    )


def refuse_length(source: Input, n_rows: int, length: int) -> NoReturn:
    """Two inputs that must have one entry per row do not agree."""
    raise InvalidDataError(
        f"Found input variables with inconsistent numbers of samples: [{n_rows}, {length}]. "
        f"{source} needs one entry for each of the {n_rows} rows of X, got {length}."
    )


def user_stacklevel() -> int:
    """The `stacklevel` at which a warning points at the caller's own line, not into the library."""
    package = __name__.partition(".")[0]
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] != package:
            break
        level, frame = level + 1, frame.f_back
    return level


def library(name: str, purpose: str) -> Any:
    """The module `name`, imported only now; if it is not installed, say what it was needed for.

    Examples
    --------
    >>> library("polars", "Output as polars").__name__
    'polars'
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(
            f"{purpose} requires {name} to be installed: pip install {name}."
        ) from error


def aligned(rows: Sequence[Sequence[str]], *, words: int = 3) -> list[str]:
    """Lines of a table; the first few columns to the left, the others to the right.

    >>> aligned([("a", "n"), ("long", "100")], words=1)
    ['a       n', 'long  100']
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i < words else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
