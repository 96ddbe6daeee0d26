"""Arrow's names of types in words, and the reverse for NumPy's dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

_PLAIN = {
    "n": "null",
    "b": "boolean",
    "?": "boolean",
    "c": "int8",
    "C": "uint8",
    "s": "int16",
    "S": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
    "e": "float16",
    "f": "float32",
    "g": "float64",
    "u": "text",
    "U": "text",
    "vu": "text",
    "z": "binary",
    "Z": "binary",
    "vz": "binary",
    "tdD": "date",
    "tdm": "date[ms]",
    "+l": "list",
    "+L": "list",
    "+vl": "list",
    "+vL": "list",
    "+s": "struct",
    "+m": "map",
    "+r": "run ends",
}
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}
_FORMATS = {
    kind: form for form, kind in _PLAIN.items() if kind.startswith(("int", "uint", "float"))
}


def type_of(form: str) -> str:
    """A type in words.

    >>> type_of("g"), type_of("tsu:Europe/Riga"), type_of("d:10,2"), type_of("ttm")
    ('float64', 'timestamp[us, Europe/Riga]', 'decimal(10, 2)', 'time[ms]')
    """
    if form in _PLAIN:
        return _PLAIN[form]
    if form.startswith("d:"):
        precision, scale = form[2:].split(",")[:2]
        return f"decimal({precision}, {scale})"
    if form.startswith("w:"):
        return "binary"
    unit = _UNITS.get(form[2:3], "")
    if form.startswith("ts"):
        zone = form[4:]
        return f"timestamp[{unit}, {zone}]" if zone else f"timestamp[{unit}]"
    if form.startswith("tt"):
        return f"time[{unit}]"
    if form.startswith("tD"):
        return f"duration[{unit}]"
    if form.startswith("ti"):
        return "interval"
    if form.startswith("+w"):
        return "list"
    return "union" if form.startswith("+u") else f"unknown ({form})"


def unit_of(form: str) -> str | None:
    """NumPy's unit of a date, time or duration; None for the rest.

    >>> unit_of("tdD"), unit_of("tsn:"), unit_of("g")
    ('D', 'ns', None)
    """
    if form == "tdD":
        return "D"
    if form == "tdm":
        return "ms"
    return _UNITS.get(form[2:3]) if form.startswith(("ts", "tt", "tD")) else None


def format_of(dtype: np.dtype[Any]) -> str:
    """Arrow's name of a NumPy dtype of numbers.

    >>> format_of(np.dtype("float64")), format_of(np.dtype(bool))
    ('g', '?')
    """
    return "?" if dtype.kind == "b" else _FORMATS[dtype.name]
