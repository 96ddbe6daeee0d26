"""A text file as DuckDB takes it apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from stylobate.data.reading.connection import literal

_LONG = 2_000_000  # bytes; DuckDB's own limit of a line, beyond which its buffers grow


class Scan(NamedTuple):
    """A file of UTF-8 text and its dialect; what of `names` is read as what type is said later.

    Parameters
    ----------
    path : Path
        A plain file.
    name : str
        What the caller called it.
    delimiter : str
        Between cells.
    skip : int
        Lines before the first row.
    names : tuple of str
        Of the columns.
    missing : tuple of str
        Cells that stand for no value.
    longest_line : int
        In bytes.
    padded : bool
        Whether rows with too few cells are filled up.
    """

    path: Path
    name: str
    delimiter: str
    skip: int
    names: tuple[str, ...]
    missing: tuple[str, ...]
    longest_line: int
    padded: bool = False

    def sql(
        self,
        types: Mapping[str, str],
        formats: Mapping[str, str],
        more: str = "",
        *,
        empty: bool = True,
    ) -> str:
        """The table function; `types` and the `formats` of DATE and TIMESTAMP by column.

        An empty cell is missing too, unless `empty` is false.
        """
        columns = ", ".join(f"{literal(n)}: {literal(types[n])}" for n in self.names)
        nulls = ", ".join(map(literal, dict.fromkeys(("",) * empty + self.missing)))
        options = [f"nullstr=[{nulls}]", *(f"{k}={literal(v)}" for k, v in formats.items()), more]
        if self.padded:
            options.append("null_padding=true, parallel=false")
        if self.longest_line > _LONG // 2:
            options.append(f"max_line_size={2 * self.longest_line}")
        return (
            f"read_csv({literal(as_pattern(self.path))}, auto_detect=false, header=false, "
            f"delim={literal(self.delimiter)}, quote='\"', escape='\"', compression='none', "
            f"strict_mode=true, skip={self.skip}, columns={{{columns}}}, "
            f"{', '.join(filter(None, options))})"
        )


def as_pattern(path: Path) -> str:
    """A path in which DuckDB sees no wildcards."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))
