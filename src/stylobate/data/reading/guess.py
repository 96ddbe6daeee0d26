"""What the first rows of a column say of its type; a proof on all rows follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from stylobate.data.kinds.spellings import ALWAYS_MISSING, NEARLY_ALL, is_missing
from stylobate.data.reading.notation import (
    DATES,
    ISO_DAY,
    ISO_MOMENTS,
    NUMBER,
    PLAIN,
    THOUSANDS,
    WHOLE,
    Notation,
    notations,
)

_SAMPLE = 200  # rows


class Guess(NamedTuple):
    """How a column is read first.

    Parameters
    ----------
    read_as : str
        DuckDB's type when the file is taken apart: DOUBLE, DATE, TIMESTAMP or VARCHAR.
    candidates : tuple of Notation
        To be tried on all rows, if it is read as VARCHAR.
    format : str or None
        Of dates or moments.
    whole : bool
        Whether the first numbers are whole.
    padded : bool
        Whether blanks stand around most values.
    """

    read_as: str
    candidates: tuple[Notation, ...] = ()
    format: str | None = None
    whole: bool = False
    padded: bool = False

    def as_text(self, delimiter: str) -> Guess:
        """The guess after a value that did not fit: text, with numbers still to be tried."""
        numbers = notations(delimiter)[: -len(DATES)]
        tried = self.candidates or numbers
        if self.read_as in ("DATE", "TIMESTAMP"):
            tried = DATES
        return self._replace(read_as="VARCHAR", candidates=tried, format=None)


def guess(cells: Sequence[str], odd: bool, delimiter: str) -> Guess:
    """The type of a column from its first cells.

    Parameters
    ----------
    cells : sequence of str
        Blanks included.
    odd : bool
        Whether some cell of the file is a code such as 007, or a number such as 1_000, which a
        cast would swallow.
    delimiter : str
        Of the file.
    """
    filled = [cell for cell in cells[:_SAMPLE] if not is_missing(cell)]
    values = [cell.strip() for cell in filled]
    if not values:
        return Guess("VARCHAR", notations(delimiter))
    padded = sum(a != b for a, b in zip(filled, values, strict=True)) > len(values) / 2
    found = tuple(n for n in notations(delimiter) if _alike(n, values) >= NEARLY_ALL * len(values))
    clean = all(c.strip() in ALWAYS_MISSING for c in cells[:_SAMPLE] if is_missing(c))
    first = next((n for n in found if _alike(n, values) == len(values)), None)
    dotted = first is NUMBER and _alike(THOUSANDS, values) == len(values)  # 1.613 may be 1613
    if clean and not odd and first in PLAIN and not dotted:
        return Guess("DOUBLE", (), None, first is WHOLE)
    if clean and first is ISO_DAY:
        return Guess("DATE", (first,), first.name.removeprefix("dates "))
    if clean and first in ISO_MOMENTS:
        return Guess("TIMESTAMP", (first,), first.name.removeprefix("dates "))
    if WHOLE in found and NUMBER not in found:
        found = (*found, NUMBER)
    return Guess("VARCHAR", found, None, False, padded)


@lru_cache(maxsize=256)
def _matcher(looks: str) -> re.Pattern[str]:
    return re.compile(looks)


def _alike(notation: Notation, values: Sequence[str]) -> int:
    matches = _matcher(notation.looks).fullmatch
    if matches(values[0]) is None and matches(values[-1]) is None and len(values) > 1:
        return 0
    return sum(matches(value) is not None for value in values)
