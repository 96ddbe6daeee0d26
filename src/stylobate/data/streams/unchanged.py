"""Whether passes over a stream gave the same rows: compared by state, length and sampled cells."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError


class Unchanged:
    """Remembers the first whole pass over a stream and holds the later ones against it.

    Compared are the origin's state (a file's size and time) where there is one, the number of rows
    and a checksum of the first and last row of each batch.
    """

    def __init__(self, name: str, state: Callable[[], Any] | None) -> None:
        self.name, self.state = name, state
        self.known: tuple[Any, int, int] | None = None
        self.begun: Any = state() if state is not None else None

    def begin(self) -> PassFacts:
        """The facts of a pass, to be collected; refuses an origin that has changed."""
        self.compare_state()
        return PassFacts(self)

    def compare_state(self) -> None:
        """Refuse an origin that is not what it was when the stream was opened."""
        if self.state is not None and self.state() != self.begun:
            self._refuse("it was written to, replaced or removed")

    def end(self, facts: PassFacts) -> None:
        """Compare a whole pass with the first."""
        self.compare_state()
        found = (self.begun, facts.rows, facts.checksum)
        if self.known is None:
            self.known = found
        elif self.known[1] != facts.rows:
            self._refuse(f"there are {facts.rows} rows where the first pass gave {self.known[1]}")
        elif self.known != found:
            self._refuse("there are other values than the first pass gave")

    def _refuse(self, what: str) -> None:
        raise InvalidDataError(
            f"{self.name} changed while it was being read: {what}. Fit again when it is complete, "
            "or on a copy."
        )


class PassFacts:
    """Rows and checksum of one pass."""

    def __init__(self, owner: Unchanged) -> None:
        self.owner, self.rows, self.checksum = owner, 0, 0

    def add(self, batch: Any, count: int) -> None:
        """Count a batch, and look at its first and last row."""
        self.rows += count
        if count:
            for part in batch:
                self.checksum = zlib.crc32(_sample(part, count), self.checksum)

    def end(self) -> None:
        """The pass is whole."""
        self.owner.end(self)

    def broken(self) -> None:
        """The pass ended in an error: refuse in words where the cause is a change of the origin."""
        self.owner.compare_state()


def _sample(part: Any, count: int) -> bytes:
    """Bytes of the first and last row of an array or of columns; nothing of other containers."""
    if isinstance(part, np.ndarray) and part.dtype.kind in "fiubM" and len(part) == count:
        return part[[0, count - 1]].tobytes()
    columns = getattr(part, "values", None)
    if callable(columns) and hasattr(part, "select") and hasattr(part, "with_columns"):
        return b"".join(_sample(each, count) for each in columns() if isinstance(each, np.ndarray))
    return b""
