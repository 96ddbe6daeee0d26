"""Sums over residuals: all that squared-error scores need of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array


@dataclass(frozen=True, slots=True)
class ResidualSums:
    """Sums over the rows of each of k parts, for t targets.

    Parameters
    ----------
    n_rows : array of shape (k,)
        Rows of each part.
    scatter : array of shape (k, t)
        Σ (r − r̄)² of the residuals r = y − ŷ about their mean.
    mean : array of shape (k, t)
        Their mean r̄.
    total : array of shape (k, t)
        Σ (y − ȳ)².
    """

    n_rows: NDArray[np.int64]
    scatter: Array
    mean: Array
    total: Array

    @property
    def squares(self) -> Array:
        """Σ r²."""
        return np.asarray(self.scatter + self.n_rows[:, None] * self.mean**2)

    def chosen(self, parts: NDArray[Any]) -> ResidualSums:
        """Those of some of the parts (numbers or a mask)."""
        return ResidualSums(
            self.n_rows[parts], self.scatter[parts], self.mean[parts], self.total[parts]
        )

    @classmethod
    def of_rows(cls, residuals: Array) -> ResidualSums:
        """Each row is a part of its own: residuals (n × t)."""
        ones = np.ones(len(residuals), dtype=np.int64)
        zeros = np.zeros_like(residuals)
        return cls(ones, zeros, residuals, zeros)

    @classmethod
    def stacked(cls, parts: Sequence[ResidualSums]) -> ResidualSums:
        """The parts of several, one after the other."""
        return cls(
            np.concatenate([part.n_rows for part in parts]),
            np.concatenate([part.scatter for part in parts]),
            np.concatenate([part.mean for part in parts]),
            np.concatenate([part.total for part in parts]),
        )
