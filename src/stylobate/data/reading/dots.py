"""Columns in which 1.613 may be a little more than one, or 1613."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stylobate.data.reading.notation import AMOUNT, COMMA, NUMBER, THOUSANDS, WHOLE, Notation

_NAMED = 5  # columns named in a note


def read_dots(
    good: dict[str, list[Notation]],
    fractions: bool,
    example: Callable[[str], str],
    delimiter: str,
) -> list[str]:
    """Put the right reading of such columns first in `good`; what cannot be told is said.

    Other columns tell: decimal commas there make dots thousands, decimal points make them points.
    If neither or both are there, dots are thousands between semicolons, which is where decimal
    commas are written, and points elsewhere.

    Parameters
    ----------
    good : dict from column to list of Notation
        The notations that read all of its values, the first of which is taken; changed in place.
    fractions : bool
        Whether a column outside `good` has decimal points.
    example : callable
        A value with a dot of a column.
    delimiter : str
        Of the file.
    """
    unclear = [name for name, found in good.items() if found[:1] == [NUMBER] and THOUSANDS in found]
    clear = [found for name, found in good.items() if name not in unclear]
    commas = any(COMMA in f and not {NUMBER, THOUSANDS, AMOUNT} & {*f} for f in clear)
    points = fractions or any(NUMBER in f and WHOLE not in f for f in clear)
    thousands = commas if commas != points else delimiter == ";"
    for name in unclear if thousands else ():
        good[name].remove(THOUSANDS)
        good[name].insert(0, THOUSANDS)
    if not unclear or commas != points:
        return []
    value = example(unclear[0])
    whole = value.replace(".", "")
    taken = f"{whole}, for the delimiter is ';'" if thousands else value
    return [f"{listed(unclear)}: {value} could be {value} or {whole}; read as {taken}"]


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are.

    >>> listed(["a", "b"])
    "'a', 'b'"
    """
    more = f" and {len(names) - _NAMED} more columns" if len(names) > _NAMED else ""
    return ", ".join(map(repr, names[:_NAMED])) + more
