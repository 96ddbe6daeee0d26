"""The rows a model was fitted on, read in chunks: bounded memory, no copy of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stylobate.arrays import Array
from stylobate.data.sparse import check_sparse, is_sparse
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.inference.fit import LinearFit

_CHUNK_VALUES = 1 << 19  # about 4 MiB of float64 at a time

Index = slice | NDArray[np.intp]


def as_rows(X: Any) -> Any:
    """X as something whose rows can be sliced: a 2-D array, or CSR when sparse."""
    if is_sparse(X):
        check_sparse(X, Input("inference", "X"))
        return X.tocsr()
    X = np.asarray(X)
    if X.ndim != 2:
        raise InvalidDataError(f"X must be two-dimensional (rows, features), got shape {X.shape}.")
    return X


def design_chunks(
    X: Any, has_intercept: bool, order: NDArray[np.intp] | None = None
) -> Iterator[tuple[Index, Array]]:
    """Yield `(index, [1, X][index])` as dense float64 chunks, all rows or those of `order`."""
    p = X.shape[1]
    n = X.shape[0] if order is None else len(order)
    step = max(256, _CHUNK_VALUES // max(p + has_intercept, 1))
    for start in range(0, n, step):
        stop = min(start + step, n)
        index: Index = slice(start, stop) if order is None else order[start:stop]
        block = X[index]
        design = np.empty((stop - start, p + has_intercept))
        design[:, :has_intercept] = 1.0
        design[:, has_intercept:] = block.toarray() if hasattr(block, "toarray") else block
        yield index, design


def merged_factor(blocks: Iterable[Array]) -> Array:
    """Upper triangular factor of all blocks stacked, one block in memory at a time."""
    r: Array | None = None
    for block in blocks:
        stacked = block if r is None else np.vstack([r, block])
        r = np.asarray(np.linalg.qr(stacked, mode="r"))
    if r is None:
        raise InvalidDataError("There are no rows: at least one is needed.")
    return r


@dataclass(frozen=True, eq=False)
class FittedRows:
    """X, y and weights checked against the fit they are said to belong to."""

    fit: LinearFit
    X: Any
    y: Array
    weights: Array | None

    @classmethod
    def of(cls, fit: LinearFit, X: Any, y: ArrayLike, weights: ArrayLike | None) -> FittedRows:
        """Check shapes and build."""
        rows = as_rows(X)
        target = np.asarray(y, dtype=np.float64)
        if target.ndim == 2 and target.shape[1] == 1:
            target = target[:, 0]
        check_features(fit, rows)
        w = None if weights is None else np.asarray(weights, dtype=np.float64)
        n = rows.shape[0]
        for name, vector in (("y", target), ("weights", w)):
            if vector is not None and vector.shape != (n,):
                raise InvalidDataError(
                    f"{name} must have shape ({n},), one value per row of X, got {vector.shape}."
                )
        used = n if w is None else int(np.count_nonzero(w))
        if used != fit.n_rows:
            raise InvalidDataError(
                f"The rows passed hold {used} rows of positive weight but the model was fitted on "
                f"{fit.n_rows}: pass the rows (and weights) of the fit itself."
            )
        return cls(fit, rows, target, w)

    def chunks(
        self, order: NDArray[np.intp] | None = None
    ) -> Iterator[tuple[Index, Array, Array, Array]]:
        """Yield `(index, design, residuals, weights)` chunk by chunk."""
        for index, design in design_chunks(self.X, self.fit.has_intercept, order):
            residual = self.y[index] - design @ self.fit.coef
            if not np.isfinite(residual).all():
                first = int(np.argmin(np.isfinite(residual)))
                row = index.start + first if isinstance(index, slice) else int(index[first])
                raise InvalidDataError(
                    f"Row {row} holds a missing or infinite value; inference needs the finite rows "
                    f"the model was fitted on."
                )
            w = np.ones(len(residual)) if self.weights is None else self.weights[index]
            yield index, design, residual, w

    def check_rss(self, rss: float) -> None:
        """Refuse rows whose residuals are not those of the fit (other rows, another order…)."""
        weighted = self.y if self.weights is None else self.y * np.sqrt(self.weights)
        slack = 1e-6 * max(self.fit.rss, self.fit.tss) + 1e-12 * float(weighted @ weighted)
        if not abs(rss - self.fit.rss) <= slack:
            raise InvalidDataError(
                f"The rows passed leave a residual sum of squares of {rss:.6g}, the fit one of "
                f"{self.fit.rss:.6g}: pass the rows, target and weights of the fit itself."
            )


def check_features(fit: LinearFit, X: Any) -> None:
    """Refuse X with another number of columns than the fit."""
    if X.shape[1] != fit.n_features:
        raise InvalidDataError(
            f"X has {X.shape[1]} columns but the fit has {fit.n_features} features"
            f"{' and an intercept of its own' if fit.has_intercept else ''}."
        )


def squared_lengths(whitened: Array) -> Array:
    """`‖q_i‖² = x_iᵀ (XᵀWX)⁻¹ x_i` for the rows `q_i = x_iᵀ B` of a design times `fit.root`."""
    return np.asarray(np.einsum("ij,ij->i", whitened, whitened))


def leverage(whitened: Array, weights: Array) -> Array:
    """Diagonal of the hat matrix, `h_i = w_i ‖q_i‖²`, at most 1."""
    return np.asarray(np.minimum(weights * squared_lengths(whitened), 1.0))
