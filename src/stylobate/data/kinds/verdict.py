"""What a column is, from its different values and its name, and why."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.data.kinds.scales import ranges_of, scale_of
from stylobate.data.kinds.schema import Column
from stylobate.data.kinds.spellings import (
    COMMA,
    POINT,
    date_format,
    digit_dates,
    is_clock,
    number_of,
    too_long,
    units_of,
)
from stylobate.data.kinds.values import Values

_MOST_STEPS = 5  # whole numbers 0 or 1 to here without a gap are steps rather than amounts
_FEW_ROWS = 20  # with fewer, all numbers being different says nothing
_FEW_NAMES = 8  # with fewer, all texts being different says nothing
_SOME = 0.1  # of the different values must be numbers for units to be compared
_NEARLY_ALL = 0.9  # of the rows must be numbers for the rest to be reported as mixed in
_FEW_CODES = 20  # different numbers
_RARELY_REPEATED = 0.8  # different values per row
_LOOKED_AT = 200  # values that tell dates
_LEAST_DATE = 1_01_1900  # written as a number of digits
_WORDS = 4  # on average, from which on values are sentences

_WORD = r"(^|[\s_\-.])"
_KEY = re.compile(
    rf"{_WORD}(?i:id|ids|uuid|guid|key|upc|sku|isbn|ean|zip|fips|(zip|post|postal)[ _-]?codes?)$"
    r"|[a-z](Id|ID|Key|Code|No)$"
)
_ROW = re.compile(rf"{_WORD}(?i:index|idx|obs|rownames?|row|no|nr\.?|number|unnamed: 0)$")
_LABEL = re.compile(
    rf"{_WORD}(?i:target|class|labels?\d*|clusters?|category|groups?|fold|segment|species)$"
)
_YEAR = re.compile(r"(?i:year|yr|jahr|année|anno)")
_YEARS = (1500, 2200)
_WEEKDAY = re.compile(r"(?i:^day$|week.?day|day.?of.?week|^dow$)")


def verdict(found: Values) -> Column:
    """What a column is, and why."""
    base = Column(
        found.name, "nominal", "", found.n_rows, found.n_missing, found.n_distinct,
        missing=found.missing,
    )  # fmt: skip
    present = found.present
    if found.n_distinct < 2:
        what = f"every value is {present[0]!r}" if present else "no value at all"
        what += ", where there is one" if present and found.n_missing else ""
        return replace(base, kind="constant", reason=what)
    if found.order is not None:
        order = tuple(str(step) for step in found.order)
        return replace(base, kind="ordinal", reason="categories declared as ordered", order=order)
    if found.temporal:
        return replace(base, kind="datetime", reason="dates by type")
    if all(issubclass(each, int | float) for each in found.types):
        return _of_numbers(base, found)
    return _of_text(base, found)


def _of_numbers(base: Column, found: Values) -> Column:
    """Numbers by type, or text that is all numbers."""
    present, n, distinct = found.present, found.n_present, len(found.present)
    low, high = found.ends
    whole = all(float(v).is_integer() for v in present if abs(v) < 1e300)
    if found.exact and distinct == 2 and (n > 2 or {low, high} == {0, 1}):
        return replace(base, kind="binary", reason=f"two values, {low:g} and {high:g}")
    form = digit_dates(present[:_LOOKED_AT]) if whole and high > _LEAST_DATE else None
    if form is not None:
        what = f"dates written as {form}, without separators"
        return replace(base, kind="datetime", reason=what, notation=form)
    if whole:
        named = _of_whole_numbers(base, found, low, high)
        if named is not None:
            return named
    what = f"numbers from {low:g} to {high:g}"
    return replace(base, kind="numeric", reason=what)


def _of_whole_numbers(base: Column, found: Values, low: Any, high: Any) -> Column | None:
    """Whole numbers that name something, or are steps."""
    n, distinct = found.n_present, len(found.present)
    year = _YEARS[0] <= low and high <= _YEARS[1] and _YEAR.search(base.name)
    key = _KEY.search(base.name) is not None and not year
    if found.all_different:
        if key or _ROW.search(base.name):
            return replace(base, kind="identifier", reason="all different, and named like one")
        if n >= _FEW_ROWS and high - low == n - 1 and low in (0, 1):
            return replace(base, kind="identifier", reason=f"counts the rows from {low:g}")
    elif key:
        return replace(base, kind="nominal", reason=f"{found.n_distinct} codes, by the name")
    gapless = found.exact and low in (0, 1) and high - low == distinct - 1 and n > 2 * distinct
    if not gapless:
        return None
    what = f"{distinct} whole numbers from {low:g} to {high:g} without a gap"
    if _LABEL.search(base.name):
        return replace(base, kind="nominal", reason=f"{what}, labels by the name")
    if distinct <= _MOST_STEPS or (distinct == 7 and _WEEKDAY.search(base.name)):
        return replace(base, kind="ordinal", reason=what)
    return None


def _of_text(base: Column, found: Values) -> Column:
    texts = [str(value) for value in found.present]
    if any(map(too_long, texts)):
        words = _of_words(base, found, texts)
        return replace(words, reason=f"{words.reason}; some are whole numbers beyond 2^63")
    numbers = _written_numbers(base, found)
    if numbers is not None:
        return numbers
    numbers_there = sum(number_of(text) == number_of(text) for text in texts)
    if numbers_there >= _SOME * len(texts) and len(units_of(texts)) > 1:
        base = replace(base, mixed="amounts in different units")
    kinds = sorted({type(value).__name__ for value in found.present})
    if len(kinds) > 1:
        base = replace(base, mixed=f"values of kinds {', '.join(kinds)}")
    if len(texts) == 2 and found.exact and found.n_present > 2:
        return replace(base, kind="binary", reason=f"two values, {texts[0]!r} and {texts[1]!r}")
    form = date_format(texts[:_LOOKED_AT]) or digit_dates(texts[:_LOOKED_AT])
    if form is not None:
        what = "times of day" if is_clock(form) else "dates"
        return replace(base, kind="datetime", reason=f"{what} written as {form}", notation=form)
    order = (scale_of(texts) or ranges_of(texts)) if len(texts) > 2 and found.exact else None
    if order is not None:
        what = f"steps from {order[0]} to {order[-1]}"
        return replace(base, kind="ordinal", reason=what, order=order)
    return _of_words(base, found, texts)


def _of_words(base: Column, found: Values, texts: list[str]) -> Column:
    """Names of categories, sentences, or identifiers."""
    n, distinct = found.n_present, found.n_distinct
    words = float(np.average([len(text.split()) for text in texts], weights=found.weights))
    if found.all_different and (n >= _FEW_NAMES or _KEY.search(base.name)):
        if words < _WORDS or _KEY.search(base.name):
            return replace(base, kind="identifier", reason="all different, of few words")
        return replace(base, kind="text", reason=f"all different, {words:.1f} words on average")
    rare = distinct > max(_RARELY_REPEATED * n, _FEW_ROWS) and words >= 2
    if rare or (words >= _WORDS and distinct > max(n / 2, _FEW_ROWS)):
        return replace(base, kind="text", reason=f"{words:.1f} words on average, rarely repeated")
    what = f"{distinct} different values in {n} rows"
    return replace(base, kind="nominal", reason=what)


def _written_numbers(base: Column, found: Values) -> Column | None:
    """Text that is numbers, in one notation or the other; a few exceptions are reported."""
    present, weights = found.present, found.weights
    n = int(weights.sum())
    shares = {}
    for notation in (POINT, COMMA):
        numbers = [number_of(value, notation) for value in present]
        good = np.array([number == number for number in numbers])
        shares[notation] = (float(weights[good].sum()) / n, numbers, good)
    notation = COMMA if shares[COMMA][0] > shares[POINT][0] else POINT
    share, numbers, good = shares[notation]
    recurring = weights[~good].max(initial=0) > 1
    if share < _NEARLY_ALL or good.sum() < 2 or (recurring and good.sum() <= _FEW_CODES):
        return None  # few numbers beside letters that come back are codes
    if len(units_of([str(v) for v, ok in zip(present, good, strict=True) if ok])) > 1:
        return None  # dollars and euros, or percent and plain numbers, are no one number
    values = list(dict.fromkeys(v for v in numbers if v == v))
    column = _of_numbers(base, replace(found, present=values, ascending=False))
    if column.kind == "datetime":
        return column
    how = "written as text"
    for sign, words in (("%", "in percent"), ("$€£¥", "as currency")):
        if any(any(c in str(value) for c in sign) for value in present):
            how = f"written {words}"
    column = replace(column, notation=notation, reason=f"{column.reason}, {how} with {notation}")
    if share == 1.0:
        return column
    strange = next(str(v) for v, ok in zip(present, good, strict=True) if not ok)
    count = int(weights[~good].sum())
    return replace(column, mixed=f"{count} of {n} rows are no numbers, such as {strange!r}")
