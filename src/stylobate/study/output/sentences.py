"""Small pieces of sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from stylobate.report import shortened


def counted(count: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "column"), counted(3, "row")
    ('1 column', '3 rows')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def capital(sentence: str) -> str:
    """A sentence that begins with a capital letter.

    >>> capital("rows have no order.")
    'Rows have no order.'
    """
    return f"{sentence[:1].upper()}{sentence[1:]}"


def ended(sentence: str) -> str:
    """A sentence with a mark at its end, which is a full stop unless it has one.

    >>> ended("it is late"), ended("is it late?")
    ('it is late.', 'is it late?')
    """
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def short_source(source: str) -> str:
    """What to call a source: a file without its folders.

    >>> short_source("/data/2026/adult.csv.gz"), short_source("titanic")
    ('adult.csv.gz', 'titanic')
    """
    if not re.fullmatch(r"[\w .:~/\\+-]+", source):  # a query, or nothing that names a file
        return source
    return re.split(r"[/\\]", source.rstrip("/\\"))[-1] or source


def left_out_words(columns: Mapping[str, str], rows: Sequence[str]) -> str:
    """One line about the columns and rows that take no part.

    >>> left_out_words({"id": "identifier: all different"}, ["3 rows without y take no part."])
    'Left out: the column id (identifier). 3 rows without y take no part.'
    """
    said = list(rows)
    if columns:
        shown = [
            f"{shortened(name)} ({why.split(':')[0]})" for name, why in list(columns.items())[:6]
        ]
        more = f" and {len(columns) - 6} more" if len(columns) > 6 else ""
        word = "column" if len(columns) == 1 else "columns"
        said.insert(0, f"Left out: the {word} {', '.join(shown)}{more}.")
    return " ".join(said)
