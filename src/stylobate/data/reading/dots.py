"""Columns in which 1.613 may be a little more than one, or 1613."""

from __future__ import annotations

from collections.abc import Callable

from stylobate.data.reading.notation import AMOUNT, COMMA, NUMBER, THOUSANDS, WHOLE, Notation


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
    said = []
    for name in unclear:
        value = example(name)
        whole = value.replace(".", "")
        if thousands:
            good[name].remove(THOUSANDS)
            good[name].insert(0, THOUSANDS)
        if commas == points:
            taken = f"{whole}, for the delimiter is ';'" if thousands else value
            said.append(f"{name!r}: {value} could be {value} or {whole}; read as {taken}")
    return said
