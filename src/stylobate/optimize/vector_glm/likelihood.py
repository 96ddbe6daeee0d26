"""What the solver asks of a likelihood, and how parameters become predictors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.parallel import one_blas_thread

ROWS = 1 << 13  # at a time: what they need stays in cache


@dataclass(frozen=True, slots=True, eq=False)
class Derivatives:
    """Of the log-likelihood of n rows in their m predictors.

    Parameters
    ----------
    value : (n,) array
    slope : (n, m) array
    curvature : (n, m, m) array
        Minus the second derivatives.
    expected : (n, m, m) array or None
        Their expectation, where it is known in closed form.
    """

    value: Array
    slope: Array
    curvature: Array
    expected: Array | None = None


class RowLikelihood(Protocol):
    """The log-likelihood of rows as a function of their predictors."""

    @property
    def n_predictors(self) -> int:
        """How many predictors a row has."""
        ...

    def at(self, y: Array, z: Array) -> Derivatives:
        """At the predictors z, (n, m)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Predictors:
    """Linear predictors `z_j = D_j θ[c_j] + o_j` of rows.

    Parameters
    ----------
    blocks : tuple of ((n, k_j) array, (k_j,) int array)
        For each predictor its columns D_j and which parameters c_j multiply them.
    n_params : int
    offsets : (n, m) array or None
    """

    blocks: tuple[tuple[Array, Indices], ...]
    n_params: int
    offsets: Array | None = None

    @classmethod
    def of(cls, *matrices: Array, offset: Array | None = None) -> Predictors:
        """One predictor for each matrix, with parameters of their own; the first has the offset."""
        blocks, start = [], 0
        for matrix in matrices:
            blocks.append((matrix, np.arange(start, start + matrix.shape[1])))
            start += matrix.shape[1]
        offsets = None
        if offset is not None:
            offsets = np.zeros((len(offset), len(matrices)))
            offsets[:, 0] = offset
        return cls(tuple(blocks), start, offsets)

    @property
    def n_rows(self) -> int:
        return len(self.blocks[0][0])

    def chunks(self) -> Iterator[slice]:
        """The rows, a few thousand at a time."""
        for start in range(0, self.n_rows, ROWS):
            yield slice(start, start + ROWS)

    def at(self, theta: Array, rows: slice = slice(None)) -> Array:
        """The predictors of some rows, (n, m)."""
        z = np.column_stack([matrix[rows] @ theta[index] for matrix, index in self.blocks])
        return z if self.offsets is None else z + self.offsets[rows]

    def scores(self, slope: Array, rows: slice = slice(None)) -> Array:
        """Derivatives in the parameters of each row, (n, k), from those in its predictors."""
        found = np.zeros((len(slope), self.n_params))
        for j, (matrix, index) in enumerate(self.blocks):
            found[:, index] += matrix[rows] * slope[:, j, None]
        return found

    def gram(self, curvature: Array, rows: slice = slice(None)) -> Array:
        """`Σ Σ_{jl} D_jᵀ C_jl D_l`, (k, k)."""
        found = np.zeros((self.n_params, self.n_params))
        with one_blas_thread():
            for j, (left, at) in enumerate(self.blocks):
                for l, (right, to) in enumerate(self.blocks[: j + 1]):  # noqa: E741
                    part = (left[rows].T * curvature[:, j, l]) @ right[rows]
                    found[np.ix_(at, to)] += part
                    if l < j:
                        found[np.ix_(to, at)] += part.T
        return found
