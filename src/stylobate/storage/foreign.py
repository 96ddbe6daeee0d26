"""Values of NumPy, SciPy, pandas and Python's library that models hold: each by its plain parts.

Each kind is a pair of functions, to plain parts and back; a file names a kind, never a function.
"""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from stylobate.exceptions import ModelFileError
from stylobate.storage.generators import generator, random_state


class Kind(NamedTuple):
    """How values of one kind become plain parts, and parts such a value."""

    fits: Callable[[Any], bool]
    parts: Callable[[Any], Any]
    build: Callable[[Any], Any]


def _is_from(library: str, *names: str) -> Callable[[Any], bool]:
    """Whether a value's class is one of a library's, without importing the library."""

    def fits(value: Any) -> bool:
        kind = type(value)
        return kind.__name__ in names and kind.__module__.partition(".")[0] == library

    return fits


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in kinds


def _refuse(what: str) -> ModelFileError:
    return ModelFileError(f"The file holds {what} that is not one.")


# --- SciPy ---------------------------------------------------------------------------------------

_SPARSE = tuple(
    f"{form}_{kind}"
    for form in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
    for kind in ("array", "matrix")
)


def _sparse_parts(value: Any) -> dict[str, Any]:
    form = "csc" if value.format == "csc" else "csr"
    rows = value.asformat(form)
    return {
        "class": type(value).__name__.replace("dia_", "csr_"),
        "shape": list(rows.shape),
        "data": rows.data,
        "indices": rows.indices,
        "indptr": rows.indptr,
    }


def _sparse(parts: Any) -> Any:
    from scipy import sparse

    name = parts["class"]
    if name not in _SPARSE:
        raise _refuse("a sparse matrix")
    form, _, kind = name.partition("_")
    columns = (parts["data"], parts["indices"], parts["indptr"])
    if not all(isinstance(each, np.ndarray) and each.ndim == 1 for each in columns):
        raise _refuse("a sparse matrix")
    if columns[0].dtype.kind not in "biufc" or any(c.dtype.kind != "i" for c in columns[1:]):
        raise _refuse("a sparse matrix")
    make = getattr(sparse, f"{'csc' if form == 'csc' else 'csr'}_{kind}")
    matrix = make(columns, shape=_lengths(parts["shape"]))
    matrix.check_format(full_check=True)
    # diagonals are stored whole: two far entries could ask for all the memory there is
    return matrix if form == "dia" else matrix.asformat(form)


def _lengths(shape: Any) -> tuple[int, ...]:
    """Rows and columns of a matrix out of a file."""
    lengths = shape if isinstance(shape, list) and len(shape) in (1, 2) else [None]
    if not all(type(length) is int and 0 <= length < 2**31 for length in lengths):
        raise _refuse("a sparse matrix")
    return tuple(lengths)


def _spline_parts(value: Any) -> dict[str, Any]:
    return {"t": value.t, "c": value.c, "k": int(value.k), "extrapolate": value.extrapolate}


_HIGHEST_DEGREE = 100


def _spline(parts: Any) -> Any:
    from scipy.interpolate import BSpline

    knots, weights, degree = (parts[name] for name in "tck")
    numbers = all(
        isinstance(each, np.ndarray) and each.dtype.kind == "f" for each in (knots, weights)
    )
    if not numbers or type(degree) is not int or not 0 <= degree < _HIGHEST_DEGREE:
        raise _refuse("a spline")
    if not np.isfinite(weights).all() or parts["extrapolate"] not in (True, False, "periodic"):
        raise _refuse("a spline")
    knots, weights = (np.ascontiguousarray(each, dtype=np.float64) for each in (knots, weights))
    return BSpline(knots, weights, degree, extrapolate=parts["extrapolate"])


def _distribution_parts(value: Any) -> dict[str, Any]:
    return {"name": value.dist.name, "args": list(value.args), "kwds": dict(value.kwds)}


def _distribution(parts: Any) -> Any:
    from scipy import stats

    name, args, named = parts["name"], parts["args"], parts["kwds"]
    found = getattr(stats, name, None) if isinstance(name, str) and name.isidentifier() else None
    if not isinstance(found, stats.rv_continuous | stats.rv_discrete):
        raise _refuse("a distribution of scipy.stats")
    known = [*(found.shapes or "").replace(",", " ").split(), "loc", "scale"]
    if not isinstance(args, list) or len(args) > len(known) or not named.keys() <= set(known):
        raise _refuse("a distribution of scipy.stats")
    numbers = [*args, *named.values()]
    if not all(isinstance(number, int | float | np.number) for number in numbers):
        raise _refuse("a distribution of scipy.stats")
    return found(*args, **named)


# --- times, decimals ------------------------------------------------------------------------------


def _from_text(kind: Any, longest: int = 64) -> Callable[[Any], Any]:
    """A value from its ISO text."""

    def build(text: Any) -> Any:
        if type(text) is not str or len(text) > longest:
            raise _refuse(f"a {kind.__name__}")
        return kind.fromisoformat(text)

    return build


def _span(parts: Any) -> datetime.timedelta:
    if not isinstance(parts, list) or not all(type(part) is int for part in parts):
        raise _refuse("a timedelta")
    return datetime.timedelta(*parts)


_MOST_DIGITS, _FARTHEST_EXPONENT = 1000, 10_000


def _decimal(text: Any) -> decimal.Decimal:
    """A decimal number that stays small when it is written out."""
    if type(text) is not str or len(text) > _MOST_DIGITS:
        raise _refuse("a decimal number")
    number = decimal.Decimal(text)
    if number.is_finite() and abs(number.as_tuple().exponent) > _FARTHEST_EXPONENT:  # type: ignore[arg-type]
        raise _refuse("a decimal number of moderate size")
    return number


# --- pandas --------------------------------------------------------------------------------------


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ModelFileError(
            "The model holds values of pandas, which is not installed here."
        ) from None
    return pandas


def _nanoseconds(parts: Any) -> tuple[int, Any]:
    value, zone = parts if isinstance(parts, list) and len(parts) == 2 else (None, None)
    if type(value) is not int or not -(2**63) < value < 2**63:
        raise _refuse("a time of pandas")
    return value, zone


_OFFSET = re.compile(r"UTC(?:[+-]\d\d:\d\d(?::\d\d)?)?")


@cache
def _zones() -> set[str]:
    from zoneinfo import available_timezones

    return available_timezones()


def _zone(name: Any) -> str:
    """A time zone by its name in the tz database, or an offset; a path is neither."""
    known = isinstance(name, str) and (_OFFSET.fullmatch(name) or name in _zones())
    if not known:
        raise ModelFileError(
            f"The time zone {str(name)[:50]!r} is none of the tz database and no offset from UTC."
        )
    return str(name)


def _timestamp_parts(value: Any) -> list[Any]:
    zone = None if value.tz is None else str(value.tz)
    if isinstance(value.tz, datetime.tzinfo) and "FixedOffset" in str(zone):  # as pytz writes it
        zone = str(datetime.timezone(value.utcoffset()))
    return [value.as_unit("ns").value, zone]


def _timestamp(parts: Any) -> Any:
    value, zone = _nanoseconds(parts)
    further = {} if zone is None else {"tz": _zone(zone)}
    return _pandas().Timestamp(value, unit="ns", **further)


def _timedelta(parts: Any) -> Any:
    return _pandas().Timedelta(_nanoseconds(parts)[0], unit="ns")


KINDS: dict[str, Kind] = {
    "RandomState": Kind(
        _is(np.random.RandomState), lambda v: v.get_state(legacy=False), random_state
    ),
    "Generator": Kind(_is(np.random.Generator), lambda v: v.bit_generator.state, generator),
    "sparse": Kind(_is_from("scipy", *_SPARSE), _sparse_parts, _sparse),
    "BSpline": Kind(_is_from("scipy", "BSpline"), _spline_parts, _spline),
    "distribution": Kind(
        _is_from("scipy", "rv_continuous_frozen", "rv_discrete_frozen"),
        _distribution_parts,
        _distribution,
    ),
    "datetime": Kind(
        _is(datetime.datetime), datetime.datetime.isoformat, _from_text(datetime.datetime)
    ),
    "date": Kind(_is(datetime.date), datetime.date.isoformat, _from_text(datetime.date)),
    "time": Kind(_is(datetime.time), datetime.time.isoformat, _from_text(datetime.time)),
    "timedelta": Kind(
        _is(datetime.timedelta), lambda v: [v.days, v.seconds, v.microseconds], _span
    ),
    "Decimal": Kind(_is(decimal.Decimal), str, _decimal),
    "pandas.NA": Kind(_is_from("pandas", "NAType"), lambda v: None, lambda parts: _pandas().NA),
    "pandas.NaT": Kind(_is_from("pandas", "NaTType"), lambda v: None, lambda parts: _pandas().NaT),
    "pandas.Timestamp": Kind(_is_from("pandas", "Timestamp"), _timestamp_parts, _timestamp),
    "pandas.Timedelta": Kind(
        _is_from("pandas", "Timedelta"), lambda v: [v.as_unit("ns").value, None], _timedelta
    ),
}


def kind_of(value: Any) -> str | None:
    """The kind of a value; None if it is of no kind here."""
    return next((name for name, kind in KINDS.items() if kind.fits(value)), None)
