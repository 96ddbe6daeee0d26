"""Small pieces of sentences."""

from __future__ import annotations


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
