"""Labels of a stream: one pass over the targets settles the classes, later passes number them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.data import read_labels
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidDataError


@dataclass(frozen=True, slots=True, eq=False)
class LabelCounts:
    """The classes of a stream, in sorted order, and how many rows of positive weight each has.

    Examples
    --------
    >>> from stylobate.data.streams import Batch
    >>> parts = [Batch([[1.0], [2.0]], ["b", "a"]), Batch([[3.0]], ["c"])]
    >>> counts = LabelCounts.of(Stream(lambda: iter(parts)), "example")
    >>> counts.classes.tolist(), counts.codes(["c", "a"], 2, "example").tolist()
    (['a', 'b', 'c'], [2, 0])
    """

    classes: NDArray[Any]
    rows: Array

    @classmethod
    def of(cls, stream: Stream, owner: str) -> LabelCounts:
        """One pass over the targets; refuses streams that cannot be read again, and one class."""
        if not stream.repeatable:
            raise InvalidDataError(
                f"{owner}: {stream.name} can be read only once, and the classes take a pass of "
                "their own. Pass a list, a file, or a function that returns a new iterator each "
                "time."
            )
        known = stream.without_features().reduced(
            lambda batch, first: cls.of_batch(batch.y, batch.weights, owner), LabelCounts.merge
        )
        if known is None:
            raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")
        if len(known.classes) < 2:
            raise InvalidDataError(
                f"{owner} needs samples of at least 2 classes in the data, but the data contains "
                f"only one class: {known.classes.tolist()[0]!r}."
            )
        return known

    @classmethod
    def of_batch(cls, y: Any, weights: Any, owner: str) -> LabelCounts:
        """Of the labels of a batch."""
        classes, codes = read_labels(y, owner=owner)
        # weights are checked where the rows are read; a batch may have none but zeros
        counted = codes if weights is None else codes[np.asarray(weights) > 0]
        return cls(classes, np.bincount(counted, minlength=len(classes)).astype(np.float64))

    def merge(self, other: LabelCounts) -> LabelCounts:
        """Of both parts' rows."""
        both = np.concatenate([self.classes, other.classes])
        classes, where = np.unique(both, return_inverse=True)
        rows = np.bincount(where, weights=np.concatenate([self.rows, other.rows]))
        return LabelCounts(classes, np.asarray(rows, dtype=np.float64))

    def codes(self, y: Any, n_rows: int, owner: str) -> Integers:
        """Class numbers of a batch's labels; a label the first pass did not give is refused."""
        classes, codes = read_labels(y, owner=owner, n_rows=n_rows)
        new = ~np.isin(classes, self.classes)
        if new.any():
            raise InvalidDataError(
                f"{owner}: another pass over the batches gave the class {classes[new][0]!r}, which "
                "the first did not; they must give the same rows every time."
            )
        return np.searchsorted(self.classes, classes)[codes]
