"""One pass over the bytes of a text file: is it a table that DuckDB reads as it is?"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from stylobate._core import TextCensus
from stylobate.data.kinds.spellings import ALWAYS_MISSING
from stylobate.data.reading.errors import refuse

LONGEST_LINE = 16 << 20  # bytes; a longer line is no table but something else
LONG_LINE = (
    f"a line is longer than {LONGEST_LINE >> 20} MiB, so this is no table with one row per line."
)
_BLOCK = 4 << 20
_LOOKED_FOR = tuple(text for text in ALWAYS_MISSING if text)


class Census(NamedTuple):
    """What a file of UTF-8 text holds.

    Parameters
    ----------
    clean : bool
        Whether it is UTF-8 throughout with lines that all end alike.
    missing : tuple of str
        The spellings of missing values that are cells somewhere.
    odd_columns : frozenset of int or None
        The columns with codes such as 007 or numbers such as 1_000; None for any of them.
    longest_line : int
        In bytes.
    quoted : bool
        Whether there is a quote.
    n_bytes : int
        Of the file.
    """

    clean: bool
    missing: tuple[str, ...]
    odd_columns: frozenset[int] | None
    longest_line: int
    quoted: bool
    n_bytes: int


def take_census(path: Path, delimiter: str, name: str) -> Census:
    """Count in one pass; a line without end and NUL bytes are refused."""
    count = TextCensus(ord(delimiter) if ord(delimiter) < 128 else 0x1F, list(_LOOKED_FOR))
    block = np.empty(_BLOCK, dtype=np.uint8)
    with path.open("rb", buffering=0) as file:
        while size := file.readinto(block.data):
            count.add(block[:size], False)
            if max(count.longest_line, count.current_line) > LONGEST_LINE:
                refuse(name, LONG_LINE)
    count.add(block[:0], True)
    if count.zeros:
        refuse(
            name,
            f"line {count.first_zero_line} holds a NUL byte, which text never does; the file is "
            "damaged.",
        )
    alike = count.returns in (0, count.pairs) and count.pairs in (0, count.feeds)
    return Census(
        clean=count.invalid == 0 and (alike or count.feeds == 0),
        missing=tuple(t for k, t in enumerate(_LOOKED_FOR) if count.found >> k & 1),
        odd_columns=None if count.open_quote else frozenset(count.odd_columns),
        longest_line=count.longest_line,
        quoted=count.quotes > 0,
        n_bytes=count.bytes,
    )
