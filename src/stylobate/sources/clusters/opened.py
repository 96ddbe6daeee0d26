"""From an engine's pieces of a partition to batches: functions that are sent to the workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.data.streams import Batch
from stylobate.data.streams.columns import ColumnRoles, split_frame
from stylobate.exceptions import InvalidDataError


@dataclass(frozen=True, slots=True)
class FrameOpener:
    """Frames of any library (pandas, Arrow), taken apart by the roles of their columns."""

    roles: ColumnRoles

    def __call__(self, frame: Any) -> Batch:
        if not len(frame):
            return Batch(np.zeros((0, 0)))
        return split_frame(frame, self.roles)


@dataclass(frozen=True, slots=True)
class ArrayOpener:
    """Arrays side by side: X, or (X, y), or (X, y, weights)."""

    owner: str

    def __call__(self, piece: Any) -> Batch:
        parts = piece if isinstance(piece, tuple | list) else (piece,)
        if not 1 <= len(parts) <= 3 or any(np.isscalar(each) for each in parts):
            raise InvalidDataError(
                f"{self.owner}: a piece of a bag must be X, (X, y) or (X, y, sample_weight), got "
                f"{type(piece).__name__}."
            )
        lengths = {n for n in (_length(part) for part in parts) if n is not None}
        if len(lengths) > 1:
            raise InvalidDataError(
                f"{self.owner}: X and y have {' and '.join(map(str, sorted(lengths)))} rows in one "
                "partition; give both the same chunks of rows (such as y.rechunk(X.chunks[0]))."
            )
        return Batch(*parts)


def _length(part: Any) -> int | None:
    if part is None:
        return None
    shape = getattr(part, "shape", None)
    return int(shape[0]) if shape else len(part)
