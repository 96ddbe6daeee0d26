"""Values as plain data: what JSON can hold, and nothing it cannot."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date, datetime
from math import isfinite
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A value as dictionaries, lists, text, numbers and None; NaN and infinities become None.

    Objects with a `to_dict` are asked for it; other dataclasses are taken field by field.

    >>> plain({"low": float("-inf"), 0.5: np.float64(2.0), "at": np.array([1, 2])})
    {'low': None, '0.5': 2.0, 'at': [1, 2]}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, dict):
        return {_key(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value.tolist()]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, date | datetime):
        return value.isoformat()
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return str(value)


def _key(key: Any) -> str:
    return f"{key:g}" if isinstance(key, float) else str(key)
