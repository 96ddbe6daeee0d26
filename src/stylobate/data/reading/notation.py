"""How a column of text writes its values: numbers, amounts, dates."""

from __future__ import annotations

import re
from typing import NamedTuple

from stylobate.data.kinds.spellings import DATE_FORMATS, MONEY


class Notation(NamedTuple):
    """A way to write values.

    Parameters
    ----------
    name : str
        For notes.
    looks : str
        A regular expression its values match as a whole.
    test : str
        SQL for ``@``: the value, NULL if ``@`` is not written so.
    emit : str
        Cheaper SQL for ``@`` that passed the test.
    """

    name: str
    looks: str
    test: str
    emit: str


_CODE = r"regexp_matches(@, '^[-+]?0\d+$')"  # 00123 is a code, not a number
_LONG = "regexp_matches(@, '[0-9]{19,}')"  # more digits than a number keeps
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_INFINITE = r"[-+]?(?i:inf|infinity)"
_BLANKS = " \u00a0\u202f’'"  # between thousands, beside the mark of the language
_SIGN = r"\(?\s*[-+−]?\s*"
_NEGATIVE = "CASE WHEN contains(@, '-') OR contains(@, '−') OR contains(@, '(') THEN -1 ELSE 1 END"
_PERCENT = "CASE WHEN contains(@, '%') THEN 100 ELSE 1 END"


def _fits(looks: str) -> str:
    return "regexp_full_match(@, '" + looks.replace("'", "''") + "')"


def _amount(point: str, mark: str) -> Notation:
    """Numbers with thousands, currency or percent, the point and the mark of thousands given."""
    groups = rf"[1-9]\d{{0,2}}(?:[{mark}{_BLANKS}]\d{{3}})+"
    digits = rf"(?:(?:{groups}|\d+)(?:{point}\d*)?|{point}\d+)"
    looks = rf"{_SIGN}{MONEY}?{_SIGN}{digits}\s*(?:%|{MONEY})?\s*\)?"
    bare = rf"regexp_replace(@, '[^0-9{point}]', '', 'g')"
    if point != "\\.":
        bare = f"replace({bare}, ',', '.')"
    emit = f"CAST({bare} AS DOUBLE) * {_NEGATIVE} / {_PERCENT}"
    name = (
        "amounts (thousands, currency; percent as fractions)"
        if point == "\\."
        else "decimal commas"
    )
    return Notation(
        name,
        looks,
        f"CASE WHEN NOT {_CODE} AND NOT {_LONG} AND {_fits(looks)} THEN {emit} END",
        emit,
    )


TRUTH = Notation(
    "true and false",
    "(?i:true|false)",
    "CASE WHEN lower(@) IN ('true', 'false') THEN lower(@) = 'true' END",
    "lower(@) = 'true'",
)
WHOLE = Notation(
    "whole numbers",
    r"[-+]?\d+",
    rf"CASE WHEN NOT {_CODE} AND {_fits('[-+]?[0-9]+')} THEN try_cast(@ AS BIGINT) END",
    "CAST(@ AS BIGINT)",
)
NUMBER = Notation(
    "numbers",
    rf"{_NUMBER}|{_INFINITE}",
    # A number too large for a double is not infinite; whole ones beyond 2^63 are codes.
    f"CASE WHEN {_fits(_INFINITE)} THEN try_cast(@ AS DOUBLE) "
    f"WHEN NOT {_CODE} AND {_fits(_NUMBER)} AND NOT isinf(try_cast(@ AS DOUBLE)) "
    f"AND NOT {_fits('[-+]?[0-9]{19,}')} THEN try_cast(@ AS DOUBLE) END",
    "CAST(@ AS DOUBLE)",
)
COMMA = _amount(",", ".")
AMOUNT = _amount("\\.", ",")
PLAIN = (WHOLE, NUMBER)
_GROUPED = r"[-+]?(?:[1-9]\d{0,2}(?:\.\d{3}){1,5}|\d{1,3})"
THOUSANDS = Notation(
    "dots are thousands",
    _GROUPED,
    f"CASE WHEN NOT {_CODE} AND {_fits(_GROUPED)} THEN CAST(replace(@, '.', '') AS BIGINT) END",
    "CAST(replace(@, '.', '') AS BIGINT)",
)


def date_notation(form: str) -> Notation:
    """Dates in one format; those without a time of day become days."""
    looks = form.replace(".", r"\.").replace("%Y", r"\d{4}").replace("%p", "[APap][Mm]")
    looks = re.sub("%[bB]", "[A-Za-z]{3,9}", re.sub("%[mdyHMSI]", r"\\d{1,2}", looks))
    looks = looks.replace("%f", r"\d{1,6}")
    day = "::DATE" if "%H" not in form and "%I" not in form else ""
    test = f"try_strptime(@, '{form}'){day}"
    return Notation(f"dates {form}", looks, test, f"strptime(@, '{form}'){day}")


DATES = tuple(map(date_notation, DATE_FORMATS))
ISO_DAY = DATES[0]
ISO_MOMENTS = DATES[1:5]


def notations(delimiter: str) -> tuple[Notation, ...]:
    """Every notation, in the order in which they are tried.

    A comma that does not separate cells is a decimal comma before it separates thousands.
    """
    middle = (AMOUNT, COMMA) if delimiter == "," else (COMMA, AMOUNT)
    return (TRUTH, *PLAIN, THOUSANDS, *middle, *DATES)


def exchanged(one: Notation, other: Notation) -> bool:
    """Whether two formats of dates differ in the order of day and month only."""
    swapped = one.name.replace("%d", "%_").replace("%m", "%d").replace("%_", "%m")
    return one is not other and swapped == other.name
