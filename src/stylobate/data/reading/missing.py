"""How files write that a value is missing."""

from __future__ import annotations

ALWAYS = ("", "NA", "N/A", "#N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "NaT", "#NULL!")
_MARKS = ("-", "--", "–", "—", ".", "..", "...", "?", "none", "None", "nil", "missing")
_MORE = ("Missing", "unknown", "Unknown", "n.a.", "na", "#VALUE!", "#DIV/0!", "\\N")
BESIDE_NUMBERS = (*_MARKS, *_MORE)


def is_missing(text: str) -> bool:
    """Whether a cell that should hold a number stands for none.

    >>> [is_missing(text) for text in ("N/A", " - ", "0")]
    [True, True, False]
    """
    return text.strip() in ALWAYS or text.strip() in BESIDE_NUMBERS
