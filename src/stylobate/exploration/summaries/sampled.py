"""Numbers known from a sample of the rows: counts are scaled up, and the error is said."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.summaries.numbers import ExactNumbers

_RISK = 0.05


def rank_error_of(sample: int) -> float:
    r"""Bound on the error of all ranks at once, at 95 %: √(ln(2/0.05) / 2m).

    >>> round(rank_error_of(100_000), 4)
    0.0043

    References
    ----------
    Massart (1990), The tight constant in the Dvoretzky–Kiefer–Wolfowitz inequality.
    """
    return sqrt(log(2 / _RISK) / (2 * max(sample, 1)))


class SampledNumbers(ExactNumbers):
    """The distribution of more numbers than are at hand."""

    def __init__(self, values: NDArray[np.float64], counts: NDArray[np.intp], scale: float) -> None:
        """Take distinct values, their counts in the sample, and rows per sampled row."""
        super().__init__(values, counts)
        self.rank_error = rank_error_of(self.seen)
        self._scale = scale
        self.n = round(self.seen * scale)
        self.zeros, self.negatives, self.infinite = (
            round(count * scale) for count in (self.zeros, self.negatives, self.infinite)
        )

    def below(self, bounds: NDArray[np.float64], *, inclusive: bool) -> NDArray[np.int64]:
        """Scaled up."""
        counted = super().below(bounds, inclusive=inclusive)
        return np.asarray(np.rint(counted * self._scale), dtype=np.int64)
