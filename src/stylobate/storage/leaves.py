"""Values without parts: each is built by a rule of its own, from a closed list."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import ModelFileError
from stylobate.storage.limits import LONGEST_RANGE, WIDEST_DTYPE

TYPES = {kind.__name__: kind for kind in (bool, int, float, complex, str, bytes, object)}
DTYPES = "biufcmMUSO"
_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "b": (bool,),
    "i": (int,),
    "u": (int,),
    "f": (int, float, str),
    "m": (int,),
    "M": (int,),
    "U": (str,),
    "S": (str,),
    "c": (list,),
}


def not_finite(text: Any) -> float:
    """The float that JSON has no word for.

    >>> not_finite("-inf")
    -inf
    """
    if text not in ("nan", "inf", "-inf"):
        raise ModelFileError(f"The model file holds {str(text)[:50]!r} for a number.")
    return float(text)


def dtype_named(name: Any) -> np.dtype[Any]:
    """A dtype of NumPy without fields, of moderate width."""
    try:
        dtype = np.dtype(name) if isinstance(name, str) and len(name) < 30 else None
    except (TypeError, ValueError):
        dtype = None
    if dtype is None or dtype.kind not in DTYPES or dtype.itemsize > WIDEST_DTYPE:
        raise ModelFileError(f"The model file names the unknown dtype {str(name)[:50]!r}.")
    return dtype


def type_named(name: Any) -> type[Any]:
    """A class of numbers or texts, of Python or NumPy."""
    if isinstance(name, str) and name.startswith("numpy."):
        found = vars(np).get(name.removeprefix("numpy."))
        if isinstance(found, type) and issubclass(found, np.generic):
            return found
    elif isinstance(name, str) and name in TYPES:
        return TYPES[name]
    raise ModelFileError(f"The model file names the unknown type {str(name)[:50]!r}.")


def scalar(name: Any, value: Any) -> Any:
    """A number, time or text of NumPy."""
    room = isinstance(name, str) and name[1:2] in ("U", "S") and name[2:].isdigit()
    if room and int(name[2:]) > 16 + 4 * len(str(value)):
        raise ModelFileError("A number of the file claims more room than it has digits.")
    dtype = np.dtype(name) if room else dtype_named(name)
    if type(value) not in _JSON_TYPES.get(dtype.kind, ()):
        raise ModelFileError(f"The model file holds no value of dtype {str(name)[:50]!r} for one.")
    if dtype.kind in "mM":
        return np.asarray(value, dtype=np.int64).view(dtype)[()]
    if dtype.kind == "c":
        return dtype.type(complex(float.fromhex(value[0]), float.fromhex(value[1])))
    if dtype.kind == "f":
        return dtype.type(not_finite(value) if isinstance(value, str) else float(value))
    if dtype.kind == "S":
        return np.bytes_(bytes.fromhex(value))
    return np.asarray(value, dtype=dtype)[()]


def slice_of(entries: list[Any]) -> slice:
    """A slice of places or of names."""
    plain = all(each is None or isinstance(each, int | str | np.integer) for each in entries)
    if len(entries) != 3 or not plain:
        raise ModelFileError("A slice of the model file is not one of places or names.")
    return slice(*entries)


def range_of(entries: Any) -> range:
    """A range of whole numbers, short enough to be walked through.

    >>> range_of([0, 10, 2])
    range(0, 10, 2)
    """
    if not isinstance(entries, list) or not all(type(each) is int for each in entries):
        raise ModelFileError("A range of the model file is not one of whole numbers.")
    found = range(*entries)
    if abs(found.stop - found.start) // abs(found.step) > LONGEST_RANGE:
        raise ModelFileError(f"A range of the model file has more than {LONGEST_RANGE} entries.")
    return found
