"""Values of NumPy, SciPy, pandas and Python's library that models hold: each by its plain parts.

Each kind is a pair of functions, to plain parts and back; a file names a kind, never a function.
"""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from stylobate.exceptions import ModelFileError


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


# --- random numbers ----------------------------------------------------------------------------

_BITS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")


def _bits_named(name: Any) -> Any:
    if name not in _BITS:
        raise _refuse("a random generator")
    return getattr(np.random, name)(0)


def _random_state(parts: Any) -> np.random.RandomState:
    state = np.random.RandomState(_bits_named(parts["bit_generator"]))
    state.set_state(parts)
    return state


def _generator(parts: Any) -> np.random.Generator:
    bits = _bits_named(parts["bit_generator"])
    bits.state = parts
    return np.random.Generator(bits)


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
        "class": type(value).__name__,
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
    make = getattr(sparse, f"{'csc' if form == 'csc' else 'csr'}_{kind}")
    matrix = make((parts["data"], parts["indices"], parts["indptr"]), shape=tuple(parts["shape"]))
    matrix.check_format(full_check=True)
    return matrix.asformat(form)


def _spline_parts(value: Any) -> dict[str, Any]:
    return {"t": value.t, "c": value.c, "k": int(value.k), "extrapolate": value.extrapolate}


def _spline(parts: Any) -> Any:
    from scipy.interpolate import BSpline

    knots, weights = (np.ascontiguousarray(parts[name], dtype=np.float64) for name in "tc")
    return BSpline(knots, weights, parts["k"], extrapolate=parts["extrapolate"])


def _distribution_parts(value: Any) -> dict[str, Any]:
    return {"name": value.dist.name, "args": list(value.args), "kwds": dict(value.kwds)}


def _distribution(parts: Any) -> Any:
    from scipy import stats

    found = getattr(stats, str(parts["name"]), None)
    if not isinstance(found, stats.rv_continuous | stats.rv_discrete):
        raise _refuse("a distribution of scipy.stats")
    numbers = [*parts["args"], *parts["kwds"].values()]
    if not all(isinstance(number, int | float | np.number) for number in numbers):
        raise _refuse("a distribution of scipy.stats")
    return found(*parts["args"], **parts["kwds"])


# --- times, decimals, pandas --------------------------------------------------------------------


def _pandas(name: str) -> Callable[[Any], Any]:
    def build(parts: Any) -> Any:
        try:
            import pandas
        except ImportError:
            raise ModelFileError(
                "The model holds values of pandas, which is not installed here."
            ) from None
        if parts is None:
            return getattr(pandas, name)
        value, zone = parts
        return getattr(pandas, name)(value, unit="ns", **({"tz": zone} if zone else {}))

    return build


def _span(parts: Any) -> datetime.timedelta:
    return datetime.timedelta(*parts)


KINDS: dict[str, Kind] = {
    "RandomState": Kind(
        _is(np.random.RandomState), lambda v: v.get_state(legacy=False), _random_state
    ),
    "Generator": Kind(_is(np.random.Generator), lambda v: v.bit_generator.state, _generator),
    "sparse": Kind(_is_from("scipy", *_SPARSE), _sparse_parts, _sparse),
    "BSpline": Kind(_is_from("scipy", "BSpline"), _spline_parts, _spline),
    "distribution": Kind(
        _is_from("scipy", "rv_continuous_frozen", "rv_discrete_frozen"),
        _distribution_parts,
        _distribution,
    ),
    "datetime": Kind(
        _is(datetime.datetime), datetime.datetime.isoformat, datetime.datetime.fromisoformat
    ),
    "date": Kind(_is(datetime.date), datetime.date.isoformat, datetime.date.fromisoformat),
    "time": Kind(_is(datetime.time), datetime.time.isoformat, datetime.time.fromisoformat),
    "timedelta": Kind(
        _is(datetime.timedelta), lambda v: [v.days, v.seconds, v.microseconds], _span
    ),
    "Decimal": Kind(_is(decimal.Decimal), str, decimal.Decimal),
    "pandas.NA": Kind(_is_from("pandas", "NAType"), lambda v: None, _pandas("NA")),
    "pandas.NaT": Kind(_is_from("pandas", "NaTType"), lambda v: None, _pandas("NaT")),
    "pandas.Timestamp": Kind(
        _is_from("pandas", "Timestamp"),
        lambda v: [v.as_unit("ns").value, None if v.tz is None else str(v.tz)],
        _pandas("Timestamp"),
    ),
    "pandas.Timedelta": Kind(
        _is_from("pandas", "Timedelta"),
        lambda v: [v.as_unit("ns").value, None],
        _pandas("Timedelta"),
    ),
}


def kind_of(value: Any) -> str | None:
    """The kind of a value; None if it is of no kind here."""
    return next((name for name, kind in KINDS.items() if kind.fits(value)), None)
