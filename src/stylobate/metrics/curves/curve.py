"""What all curves share: they unpack as the arrays scikit-learn returns, and know more."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.metrics.classification.confusion_counts import ConfusionMatrix
from stylobate.metrics.curves.thresholds import ThresholdCounts


class Curve(tuple[Array, ...]):
    """A tuple of arrays with names, and with what else is known as attributes."""

    fields: tuple[str, ...] = ()

    def __new__(cls, *arrays: Array, **known: Any) -> Any:
        self = super().__new__(cls, arrays)
        self.__dict__.update(known)
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return tuple(self), dict(self.__dict__)

    def __getattr__(self, name: str) -> Array:
        if name in type(self).fields:
            return self[type(self).fields.index(name)]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.fields})

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self._words()}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple) or len(other) != len(self):
            return False
        return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(self, other, strict=True))

    def __ne__(self, other: object) -> bool:  # that of tuples would compare arrays
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), tuple(each.tobytes() for each in self)))

    def _words(self) -> str:
        raise NotImplementedError


class ThresholdCurve(Curve):
    """A curve over thresholds, with the counts above each of them."""

    counts: ThresholdCounts
    thresholds: Array

    def at(self, threshold: float, *, strict: bool = False) -> ConfusionMatrix:
        """The confusion matrix when scores of at least the threshold are taken for positive.

        Parameters
        ----------
        threshold : float
            Where to cut; inf takes no row for positive.
        strict : bool, default=False
            Whether a score must be above the threshold, not only reach it.

        Returns
        -------
        ConfusionMatrix
        """
        return self.counts.at(threshold, strict=strict)

    def _rows(self) -> str:
        kind = "rows" if self.counts.whole else "weight"
        return f"{self.counts.positive:g} positive and {self.counts.negative:g} negative {kind}"


def trapezoids(x: Array, y: Array) -> float:
    """The area under a line through points."""
    return float(0.5 * (np.diff(x) * (y[1:] + y[:-1])).sum())
