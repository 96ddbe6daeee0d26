"""Whether the parts of a table encoder out of a file can encode."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import ModelFileError


def check_places(part: Any, kinds: str, lowest: float, width: float) -> None:
    """Refuse categories without a place each, and one for those not seen, below `width`."""
    state = vars(part)
    if "place" not in state:
        return
    known, place = state.get("known"), state["place"]
    if (
        not isinstance(known, np.ndarray)
        or not isinstance(place, np.ndarray)
        or known.ndim != 1
        or not hasattr(state.get("column"), "missing")
        or any(isinstance(each, list | dict | set) for each in known.tolist())
        or place.shape != (len(known) + 1,)
        or place.dtype.kind not in kinds
        or (place < lowest).any()
        or (place >= width).any()
    ):
        _refuse(part, "no place for each of its categories")


def check_number(part: Any) -> None:
    """Refuse steps that are no list, and units that are no numbers."""
    state = vars(part)
    if not hasattr(state.get("column"), "notation"):
        _refuse(part, "a part of no column")
    steps = state.get("steps")
    if steps is not None and (not isinstance(steps, np.ndarray) or steps.ndim != 1):
        _refuse(part, "steps that are no list")
    for name in ("fill", "center", "spread"):
        if name in state and (
            isinstance(state[name], bool | str) or np.ndim(state[name]) or not _number(state[name])
        ):
            _refuse(part, f"a {name} that is no number")


def check_table(encoder: Any, part_kind: type) -> None:
    """Refuse parts that are none, or of columns there are not."""
    parts = vars(encoder).get("_parts")
    if parts is None and "n_features_in_" not in vars(encoder):
        return
    for each in parts if isinstance(parts, list) and parts else [None]:
        pair = isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], part_kind)
        if not pair or not isinstance(each[1], list | tuple) or not each[1]:  # type: ignore[index]
            raise ModelFileError("The TableEncoder of the file has parts that are none.")
        if len(each[1]) != each[0].n_columns:  # type: ignore[index]
            raise ModelFileError("The TableEncoder of the file reads columns that are no part's.")
        for column in each[1]:  # type: ignore[index]
            whole = isinstance(column, int | np.integer) and not isinstance(column, bool)
            if not whole or not 0 <= column < encoder.n_features_in_:
                raise ModelFileError("The TableEncoder of the file reads columns there are not.")


def _number(value: Any) -> bool:
    return isinstance(value, int | float | np.number)


def _refuse(part: Any, what: str) -> None:
    name = getattr(getattr(part, "column", None), "name", "?")
    raise ModelFileError(f"The TableEncoder of the file has {what} (column {str(name)[:50]!r}).")
