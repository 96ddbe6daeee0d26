"""How missing values, numbers, dates and scales are written in real files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from math import nan
from typing import Any

# Missing in any column; the others below may be words or marks that mean something.
ALWAYS_MISSING = (
    *("", "NA", "N/A", "#N/A", "n/a", "NaN", "nan", "-nan", "NULL", "null", "(null)", "<NA>"),
    *("NaT", "#NULL!", "#VALUE!", "#DIV/0!", "#REF!", "?", "\\N"),
)
MARKS = (  # missing beside words and numbers
    *("*", "-", "--", "–", "—", ".", "..", "...", "_", "__"),
    *(mark * count for mark in "*-?#" for count in range(2, 7) if mark * count != "--"),
)
MISSING_BESIDE_NUMBERS = (
    *(*MARKS, "n.a.", "N.A.", "na", "Na", "N.a."),
    *("none", "None", "NONE", "nil", "missing", "Missing", "unknown", "Unknown"),
)
MISSING = frozenset(text.lower() for text in (*ALWAYS_MISSING, *MISSING_BESIDE_NUMBERS))
WORDS, MARKED, ALWAYS = "words", "marks", "always"  # which of them are missing in a column
MISSING_AS_WRITTEN = {
    ALWAYS: frozenset(ALWAYS_MISSING),
    MARKED: frozenset((*ALWAYS_MISSING, *MARKS)),
}
_SAMPLE = 200  # values that tell numbers, dates and words apart where nothing hangs on it
NEARLY_ALL = 0.9  # of the values must be numbers for dashes beside them to be missing
POINT, COMMA = "decimal point", "decimal comma"

MONEY = r"(?:[$€£¥₹]|US\$|USD|EUR|GBP|CHF|kr)"
_NUMBER = {
    POINT: re.compile(
        rf"^\(?\s*[-+−]?\s*{MONEY}?\s*[-+−]?\s*"
        r"((?:\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[eE]([-+]?\d+))?"
        rf"\s*(?:%|{MONEY})?\s*\)?$"
    ),
    COMMA: re.compile(
        rf"^\(?\s*[-+−]?\s*{MONEY}?\s*[-+−]?\s*"
        r"((?:\d{1,3}(?:[.'’ \u00a0\u202f]\d{3})+|\d+)(?:,\d*)?|,\d+)(?:[eE]([-+]?\d+))?"
        rf"\s*(?:%|{MONEY})?\s*\)?$"
    ),
}
_UNIT = re.compile(f"%|{MONEY}")
DATE_FORMATS = (
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%dT%H:%M:%S.%f",
    "%Y-%m-%d %H:%M",
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M:%S",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%d.%m.%Y",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%m/%d/%y",
    "%d/%m/%y",
    "%d-%b-%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%d-%b-%y",
    "%Y-%m",
)
DIGIT_FORMATS = ("%Y%m%d", "%m%d%Y", "%d%m%Y")  # eight digits, of numbers without the first zero
_FEWEST_DIGIT_DATES = 10  # different values: so many numbers are no dates by chance
_CENTURIES = (1900, 2100)
CLOCK_FORMATS = ("%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p", "%H.%M.%S")
_CLOCK = re.compile(r"\d{1,2}([:.])\d{2}(\1\d{2}(\.\d+)?)?(\s?[APap]\.?[Mm]\.?)?")


def is_missing(value: Any, words: str = WORDS) -> bool:
    """Whether a value stands for none, in the spellings that do in its column.

    >>> [is_missing(v) for v in ("N/A", " ", None, float("nan"), "0")]
    [True, True, True, True, False]
    >>> [is_missing(v, MARKED) for v in ("N/A", "-", "unknown")]
    [True, True, False]
    """
    if isinstance(value, str):
        text = value.strip()
        return text.lower() in MISSING if words == WORDS else text in MISSING_AS_WRITTEN[words]
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")


def missing_words(values: Sequence[Any], weights: Sequence[int]) -> str:
    """Which texts of a column stand for none: the one rule of files, frames and models.

    Parameters
    ----------
    values : sequence
        The different values of the column.
    weights : sequence of int
        How often each occurs.

    Returns
    -------
    {"words", "marks", "always"}
        Beside numbers or dates words such as "None" and "unknown" are missing, and marks such as
        "-"; beside words those are values, and marks are missing, unless there are other marks
        than these; "NA" and its like are missing everywhere.

    Examples
    --------
    >>> missing_words(["unknown", "1.5"], [1, 9]), missing_words(["unknown", "DE"], [1, 9])
    ('words', 'marks')
    """
    gone = [is_missing(value) for value in values]
    always = [is_missing(value, ALWAYS) for value in values]
    rest = [(v, w) for v, w, g in zip(values, weights, gone, strict=True) if not g]
    if gone == always:  # nothing to decide but for rows to come
        rest = rest[:_SAMPLE]
    numbers = sum(w for v, w in rest if not isinstance(v, str) or _is_written(v))
    total = sum(w for _, w in rest)
    if total and (
        numbers >= NEARLY_ALL * total or date_format([str(v) for v, _ in rest[:_SAMPLE]])
    ):
        return WORDS
    others = [str(v) for v in values if not is_missing(v, MARKED)]
    alphabetic = bool(others) and all(any(map(str.isalnum, text)) for text in others)
    return MARKED if alphabetic else ALWAYS


def missing_among(values: Sequence[Any], weights: Sequence[int]) -> list[bool]:
    """Which values of a column stand for none, by the rule of `missing_words`.

    >>> missing_among(["-", "1.5", "NA"], [1, 1, 1]), missing_among(["-", "DE", "NA"], [1, 1, 1])
    ([True, False, True], [True, False, True])
    """
    words = missing_words(values, weights)
    return [is_missing(value, words) for value in values]


def missing_texts(words: str) -> tuple[str, ...]:
    """The texts that stand for none: as they are written, or in small letters by "words"."""
    return tuple(sorted(MISSING if words == WORDS else MISSING_AS_WRITTEN[words]))


def _is_written(text: str) -> bool:
    """Whether a text is a number in some notation, or a truth value."""
    written = any(number_of(text, notation) == number_of(text, notation) for notation in _NUMBER)
    return written or text.strip().lower() in ("true", "false")


def number_of(value: Any, notation: str = POINT) -> float:
    """A number however written; NaN if it is none.

    >>> number_of("$1,234.50"), number_of("(12%)"), number_of("3,5", COMMA), number_of("007")
    (1234.5, -0.12, 3.5, nan)
    """
    if not isinstance(value, str):
        try:
            return float(value)
        except (TypeError, ValueError):
            return nan
    text = value.strip()
    match = _NUMBER[notation].match(text)
    if match is None or (text.startswith("(") != text.endswith(")")):
        return nan
    digits = match[1]
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        return nan  # a code such as 00123, not a number
    point = "." if notation == POINT else ","
    plain = "".join("." if c == point else c for c in digits if c.isdigit() or c == point)
    size = float(f"{plain}e{match[2] or 0}")
    negative = text[0] == "(" or any(c in "-−" for c in text[: match.start(1)])
    return (-size if negative else size) / (100.0 if "%" in text else 1.0)


def number_pattern(notation: str) -> str:
    """The regular expression of a number: its first group has the digits, its second the exponent.

    Spaces are those of Unicode, as other programs' expressions do not know them by themselves.

    >>> import re
    >>> re.match(number_pattern(POINT), "-$1,200.50").groups()
    ('1,200.50', None)
    """
    written = _NUMBER[notation].pattern.replace(r"\u00a0", "\u00a0").replace(r"\u202f", "\u202f")
    return written.replace(r"\s", "[ \t\u00a0\u202f]")


def units_of(texts: Sequence[str]) -> set[str]:
    """The units of amounts, "" for none; a currency speaks for numbers without one beside it.

    >>> sorted(units_of(["$5", "12"])), sorted(units_of(["5%", "12"]))
    (['$'], ['', '%'])
    """
    found = {match[0] if (match := _UNIT.search(text)) else "" for text in texts}
    return found - {""} if "%" not in found and len(found) > 1 else found


def too_long(text: str) -> bool:
    """Whether a text is a whole number of more digits than 64 bits hold."""
    digits = text.strip().lstrip("+-")
    return len(digits) >= 19 and digits.isdecimal() and int(digits) >= 1 << 63


def date_format(texts: Sequence[str]) -> str | None:
    """The first format in which all of some texts are dates; None if there is none.

    >>> date_format(["2024-01-31", "1999-12-01"]), date_format(["08:15", "17:00"])
    ('%Y-%m-%d', '%H:%M')
    """
    if not texts or not any(c.isdigit() for c in texts[0]):
        return None
    clock = all(_CLOCK.fullmatch(text.strip()) for text in texts)
    for form in CLOCK_FORMATS if clock else DATE_FORMATS:
        if all(date_of(text, form) is not None for text in texts):
            return form
    return None


def digit_dates(values: Sequence[Any]) -> str | None:
    """The format in which whole numbers, or texts of eight digits, are all dates; None if not.

    Of numbers of eight digits about one in a thousand is a date from 1900 to 2100.

    >>> digit_dates([1012019 + 10000 * day for day in range(12)])
    '%m%d%Y'
    """
    if len(values) < _FEWEST_DIGIT_DATES:
        return None
    for form in DIGIT_FORMATS:
        found = (date_of(value, form) for value in values)
        if all(each is not None and _CENTURIES[0] <= each.year <= _CENTURIES[1] for each in found):
            return form
    return None


def _eight_digits(value: Any) -> str:
    """A whole number or a text as eight digits; what is none as it is."""
    if isinstance(value, str):
        text = value.strip()
        return text if len(text) == 8 and text.isdecimal() else "no date"
    try:
        return f"{int(value):08d}" if float(value).is_integer() and value > 0 else "no date"
    except (TypeError, ValueError, OverflowError):
        return "no date"


def is_clock(form: str | None) -> bool:
    """Whether a format names times of day, without a date.

    >>> is_clock("%H:%M"), is_clock("%Y-%m-%d %H:%M")
    (True, False)
    """
    return form in CLOCK_FORMATS


def date_of(value: Any, form: str) -> datetime | None:
    """The moment a text in that format names, or a number of eight digits."""
    text = _eight_digits(value) if form in DIGIT_FORMATS else str(value).strip()
    try:
        return datetime.strptime(text, form)
    except ValueError:
        return None
