"""Results as values that JSON knows, and back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Dataclasses, tuples, arrays and NumPy numbers as dicts, lists and numbers; NaN as None.

    >>> plain({"a": (np.float64(1.5), float("nan"))})
    {'a': [1.5, None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)
