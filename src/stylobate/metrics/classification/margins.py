"""What is counted for each label: right, predicted, true, in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array


@dataclass(frozen=True, slots=True)
class Margins:
    """Weight of the rows for each label: right, predicted as it, truly it, and of all rows."""

    right: Array
    predicted: Array
    true: Array
    total: Array

    @property
    def false_positive(self) -> Array:
        return self.predicted - self.right

    @property
    def false_negative(self) -> Array:
        return self.true - self.right

    @property
    def true_negative(self) -> Array:
        return self.total - self.predicted - self.true + self.right

    def pooled(self) -> Margins:
        """All labels' counts added up, as one label."""
        each = (self.right, self.predicted, self.true, self.total)
        return Margins(*(np.array([counts.sum()]) for counts in each))


def tally(numbers: NDArray[Any], amounts: NDArray[Any], length: int) -> Array:
    """Σ amounts for each of the numbers 0 … length − 1."""
    return np.asarray(np.bincount(numbers, amounts, length), dtype=np.float64)


def places_among(classes: NDArray[Any], wanted: Any) -> NDArray[np.intp]:
    """Where each wanted label is among the classes; their number for one that is not.

    >>> places_among(np.array(["a", "b"]), ["b", "z"])
    array([1, 2])
    """
    known = {label: k for k, label in enumerate(classes.tolist())}
    absent = len(classes)
    listed = np.asarray(wanted).reshape(-1).tolist()
    return np.array([known.get(label, absent) for label in listed], dtype=np.intp)
