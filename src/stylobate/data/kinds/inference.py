"""The kind of each column from its values; every verdict comes with its reason."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.data.coding import Coded, code_column
from stylobate.data.kinds.schema import Column, Schema
from stylobate.data.kinds.spellings import (
    COMMA,
    POINT,
    date_format,
    is_missing,
    number_of,
    scale_of,
)
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns

_MOST_STEPS = 5  # whole numbers 0 or 1 to here without a gap are steps rather than amounts
_FEW_ROWS = 20  # with fewer, all values being different says nothing
_NEARLY_ALL = 0.9  # of the rows must be numbers for the rest to be reported as mixed in
_WORDS = 4  # on average, from which on values are sentences

_ID = re.compile(
    r"(^|[\s_\-.])(id|ids|uuid|guid|key|index|idx|rownames?|unnamed: 0)$|[a-z]Id$|ID$",
)
_LATITUDE = re.compile(r"(^|[\s_\-.])(lat|latitude)($|[\s_\-.])", re.IGNORECASE)
_LONGITUDE = re.compile(r"(^|[\s_\-.])(lon|lng|long|longitude)($|[\s_\-.])", re.IGNORECASE)


def infer_schema(frame: Any) -> Schema:
    """What each column of a table is: binary, numeric, ordinal, nominal and so on.

    Only the distinct values of a column are looked at in Python.

    Parameters
    ----------
    frame : data frame or array-like of shape (n, p)
        pandas, polars, pyarrow or another frame narwhals knows; an array or list of rows.

    Returns
    -------
    Schema
        Prints as a table; `Schema.with_kinds` overrides.

    Examples
    --------
    >>> rows = [["4.5", "a", "no"], ["?", "b", "yes"], ["1,200", "a", "no"], ["7", "c", "no"]]
    >>> [column.kind for column in infer_schema(rows)]
    ['numeric', 'nominal', 'binary']
    """
    return schema_of(read_mixed_columns(frame, owner="infer_schema", min_rows=0, min_features=0))


def schema_of(columns: MixedColumns) -> Schema:
    """The schema of columns that have been read."""
    names = columns.names or tuple(f"x{j}" for j in range(columns.n_features))
    found = [
        _column(name, values, code_column(values))
        for name, values in zip(names, columns.values, strict=True)
    ]
    return Schema(tuple(_pair_coordinates(found, columns)))


def _column(name: str, series: Any, coded: Coded) -> Column:
    values = coded.values.tolist()
    counts = coded.counts()
    absent = np.array([is_missing(value) for value in values], dtype=bool)
    present = [value for value, gone in zip(values, absent, strict=True) if not gone]
    weights = counts[~absent]
    n_rows = len(coded.codes)
    base = Column(name, "nominal", "", n_rows, int(counts[absent].sum()), len(present))
    if len(present) < 2:
        what = f"every value is {present[0]!r}" if present else "no value at all"
        return replace(base, kind="constant", reason=what)
    steps = _declared_order(series)
    if steps is not None:
        order = tuple(str(step) for step in steps)
        return replace(base, kind="ordinal", reason="categories declared as ordered", order=order)
    if getattr(series, "dtype", None) is not None and _is_temporal(series):
        return replace(base, kind="datetime", reason="dates by type")
    if all(isinstance(v, int | float) for v in present):
        return _of_numbers(base, present)
    return _of_text(base, present, weights)


def _declared_order(series: Any) -> list[Any] | None:
    if isinstance(series, np.ndarray):
        return None
    import narwhals as nw

    native = series.to_native()
    if hasattr(native, "cat") and getattr(native.cat, "ordered", False) is True:
        return list(native.cat.categories)
    return list(series.dtype.categories) if series.dtype == nw.Enum else None


def _is_temporal(series: Any) -> bool:
    if isinstance(series, np.ndarray):
        return bool(series.dtype.kind == "M")
    return bool(series.dtype.is_temporal())


def _of_numbers(base: Column, present: list[Any]) -> Column:
    """Numbers by type, or text that is all numbers."""
    n = base.n_rows - base.n_missing
    low, high = min(present), max(present)
    whole = all(float(v).is_integer() for v in present if abs(v) < 1e300)
    if len(present) == 2 and (n > 2 or {low, high} == {0, 1}):
        return replace(base, kind="binary", reason=f"two values, {low:g} and {high:g}")
    if whole and len(present) == n:
        if _ID.search(base.name):
            return replace(base, kind="identifier", reason="all different, and named like one")
        if n >= _FEW_ROWS and high - low == n - 1 and low in (0, 1):
            return replace(base, kind="identifier", reason=f"counts the rows from {low:g}")
    gapless = whole and low in (0, 1) and high - low == len(present) - 1
    if gapless and len(present) <= _MOST_STEPS and n > 2 * len(present):
        what = f"{len(present)} whole numbers from {low:g} to {high:g} without a gap"
        return replace(base, kind="ordinal", reason=what)
    what = f"numbers from {low:g} to {high:g}"
    return replace(base, kind="numeric", reason=what)


def _of_text(base: Column, present: list[Any], weights: Any) -> Column:
    n = base.n_rows - base.n_missing
    found = _written_numbers(base, present, weights)
    if found is not None:
        return found
    texts = [str(value) for value in present]
    mixed = None
    kinds = sorted({type(value).__name__ for value in present})
    if len(kinds) > 1:
        mixed = f"values of kinds {', '.join(kinds)}"
    base = replace(base, mixed=mixed)
    if len(texts) == 2 and n > 2:
        return replace(base, kind="binary", reason=f"two values, {texts[0]!r} and {texts[1]!r}")
    form = date_format(texts[:200])
    if form is not None:
        return replace(base, kind="datetime", reason=f"dates written as {form}", notation=form)
    order = scale_of(texts) if len(texts) > 2 else None
    if order is not None:
        return replace(
            base, kind="ordinal", reason=f"steps from {order[0]} to {order[-1]}", order=order
        )
    return _of_words(base, texts, weights, n)


def _of_words(base: Column, texts: list[str], weights: Any, n: int) -> Column:
    """Names of categories, sentences, or identifiers."""
    words = float(np.average([len(text.split()) for text in texts], weights=weights))
    distinct = len(texts)
    if distinct == n and (n >= _FEW_ROWS or _ID.search(base.name)):
        if words < 1.5 or _ID.search(base.name):
            return replace(base, kind="identifier", reason="all different, without spaces")
        return replace(base, kind="text", reason=f"all different, {words:.1f} words on average")
    if words >= _WORDS and distinct > max(n / 2, _FEW_ROWS):
        return replace(base, kind="text", reason=f"{words:.1f} words on average, rarely repeated")
    what = f"{distinct} different values in {n} rows"
    return replace(base, kind="nominal", reason=what)


def _written_numbers(base: Column, present: list[Any], weights: Any) -> Column | None:
    """Text that is numbers, in one notation or the other; a few exceptions are reported."""
    n = int(weights.sum())
    shares = {}
    for notation in (POINT, COMMA):
        numbers = [number_of(value, notation) for value in present]
        good = np.array([number == number for number in numbers])
        shares[notation] = (float(weights[good].sum()) / n, numbers, good)
    notation = COMMA if shares[COMMA][0] > shares[POINT][0] else POINT
    share, numbers, good = shares[notation]
    if share < _NEARLY_ALL or good.sum() < 2:
        return None
    found = _of_numbers(base, list(dict.fromkeys(v for v in numbers if v == v)))
    how = "written as text"
    for sign, words in (("%", "in percent"), ("$€£¥", "as currency")):
        if any(any(c in str(value) for c in sign) for value in present):
            how = f"written {words}"
    found = replace(found, notation=notation, reason=f"{found.reason}, {how} with {notation}")
    if share == 1.0:
        return found
    strange = next(str(v) for v, ok in zip(present, good, strict=True) if not ok)
    count = int(weights[~good].sum())
    return replace(found, mixed=f"{count} of {n} rows are no numbers, such as {strange!r}")


def _pair_coordinates(found: list[Column], columns: MixedColumns) -> list[Column]:
    """Latitude and longitude of the same name, both in range, are places."""
    numeric = {c.name: j for j, c in enumerate(found) if c.kind == "numeric" and not c.notation}
    for north, j in numeric.items():
        if not _LATITUDE.search(north) or not _within(columns.values[j], 90.0):
            continue
        stem = _LATITUDE.sub(r"\1*\3", north).lower()
        for east, k in numeric.items():
            same = _LONGITUDE.sub(r"\1*\3", east).lower() == stem
            if same and _LONGITUDE.search(east) and _within(columns.values[k], 180.0):
                why = f"coordinates in degrees, with {{}} ({found[j].reason})"
                found[j] = replace(
                    found[j], kind="geospatial", partner=east, reason=why.format(east)
                )
                found[k] = replace(
                    found[k], kind="geospatial", partner=north, reason=why.format(north)
                )
    return found


def _within(values: Any, limit: float) -> bool:
    array = values if isinstance(values, np.ndarray) else values.drop_nulls().to_numpy()
    numbers = np.asarray(array, dtype=np.float64)
    numbers = numbers[~np.isnan(numbers)]
    return bool((np.abs(numbers) <= limit).all())
