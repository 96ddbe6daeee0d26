"""Lengths of the texts of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.statistics.sketches.sketching import sketched


@dataclass(frozen=True, slots=True)
class TextLengths:
    """Shortest, mean and longest text, in bytes and in characters.

    Parameters
    ----------
    count, empty : int
        Texts, and those among them without a character.
    bytes, least_bytes, most_bytes : int
        Of all texts together, of the shortest and of the longest (UTF-8).
    characters, least_characters, most_characters : int
        The same in characters.

    Examples
    --------
    >>> lengths = TextLengths.of(["é", "abc", None])
    >>> lengths.count, lengths.mean_characters, lengths.most_bytes
    (2, 2.0, 3)
    """

    count: int
    empty: int
    bytes: int
    least_bytes: int
    most_bytes: int
    characters: int
    least_characters: int
    most_characters: int

    subtractable: ClassVar[bool] = False

    @classmethod
    def of(cls, values: Any) -> Self:
        """Of a column of text; missing cells are left out."""
        return cls(*np.asarray(sketched(values, want=())[1].lengths).tolist())

    @property
    def mean_characters(self) -> float:
        """NaN where there is no text."""
        return self.characters / self.count if self.count else float("nan")

    @property
    def mean_bytes(self) -> float:
        """NaN where there is no text."""
        return self.bytes / self.count if self.count else float("nan")

    def merge(self, other: Self) -> Self:
        """Of the texts of both parts."""
        if self.count == 0 or other.count == 0:
            return self if other.count == 0 else other
        found = {}
        for name in self.__slots__:
            ours, theirs = getattr(self, name), getattr(other, name)
            join = min if name.startswith("least") else max if name.startswith("most") else None
            found[name] = join(ours, theirs) if join else ours + theirs
        return type(self)(**found)

    def is_finite(self) -> bool:
        return True

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"lengths": np.array([getattr(self, name) for name in self.__slots__], np.int64)}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        return cls(*arrays["lengths"].tolist())
