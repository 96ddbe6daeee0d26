"""More columns than rows: the same problem in the space of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.interrupts import interruptible


@dataclass(frozen=True, slots=True, eq=False)
class RowSpace:
    """X − 1cᵀ = RQ with orthonormal rows of Q: the optimal w lies in their span, w = Qᵀv.

    The penalty keeps its form, ‖w‖ = ‖v‖, so a solution for the n × r design R is one for X.

    Parameters
    ----------
    design : array of shape (n, r)
        R.
    back : array of shape (n, r)
        T with w = (X − 1cᵀ)ᵀ T v.
    """

    design: Array
    back: Array

    @classmethod
    def of(cls, x: NDArray[Any], center: Array) -> RowSpace:
        """From the eigenvectors of the Gram of the rows, (X − 1cᵀ)(X − 1cᵀ)ᵀ."""
        products = np.asarray(x @ x.T, dtype=np.float64)
        by_center = np.asarray(x @ center, dtype=np.float64)
        products += float(center @ center) - by_center[:, np.newaxis] - by_center
        values, vectors = interruptible(np.linalg.eigh, products)
        kept = values > len(values) * 2.0**-50 * max(values[-1], 1e-300)
        lengths = np.sqrt(values[kept])
        return cls(np.ascontiguousarray(vectors[:, kept] * lengths), vectors[:, kept] / lengths)

    def columns(self, coef: Array, x: NDArray[Any], center: Array) -> Array:
        """Coefficients (k × p) of the columns from those of the design (k × r)."""
        factors = coef @ self.back.T
        return np.asarray(factors @ x, dtype=np.float64) - np.outer(factors.sum(axis=1), center)
