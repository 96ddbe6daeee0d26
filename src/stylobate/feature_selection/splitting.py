"""The splits a selector scores on."""

from __future__ import annotations

from typing import Any

from stylobate.exceptions import InvalidDataError
from stylobate.splits import Split, splits_of


def splits_for(cv: Any, x: Any, y: Any, *, classifier: bool, groups: Any = None) -> list[Split]:
    if x.shape[0] == 1:
        raise InvalidDataError("1 sample")
    return splits_of(5 if cv is None else cv, x, y)
