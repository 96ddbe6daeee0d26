"""How far the columns of a design depend on each other: variance inflation, condition indices.

References
----------
Belsley, Kuh & Welsch (1980), Regression Diagnostics, chapter 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.inference.fit import NULL_TOLERANCE, fit_from_factor
from stylobate.inference.rows import as_rows, design_chunks, merged_factor
from stylobate.inference.summary.notes import name_list
from stylobate.interrupts import interruptible


@dataclass(frozen=True, eq=False)
class VarianceInflation:
    """Variance inflation factors, one per column of X, and a sentence."""

    names: tuple[str, ...]
    factors: Array
    sentence: str

    def __str__(self) -> str:
        return f"Variance inflation: {self.sentence}"


@dataclass(frozen=True, eq=False)
class ConditionIndices:
    """Condition indices in increasing order, and who shares in each weak direction.

    `proportions[i, j]` is the share of coefficient j's variance that comes from direction i; two
    or more shares above one half at a large index name a near dependency.
    """

    names: tuple[str, ...]
    indices: Array
    proportions: Array
    sentence: str

    def __str__(self) -> str:
        return f"Condition indices: {self.sentence}"


def variance_inflation(
    X: Any,
    weights: ArrayLike | None = None,
    *,
    intercept: bool = True,
    names: Sequence[str] | None = None,
) -> VarianceInflation:
    """Variance inflation `1/(1 − R²_j)` of each column regressed on the others.

    Computed for all columns at once as `(XᵀWX)⁻¹_jj · Σ w (x_j − x̄_j)²`, uncentred when there is
    no intercept. A column that is a combination of the others has an infinite factor.

    Parameters
    ----------
    X : (n, p) array or sparse array, without a column of ones
    weights : (n,) array_like >= 0, optional
    intercept : bool
    names : sequence of p str, optional

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    >>> variance_inflation(X).factors.round(6).tolist()
    [1.0, 1.0]
    """
    r, labels, n = _factor(X, weights, intercept, names)
    fit = fit_from_factor(r, n_rows=n, has_intercept=intercept, names=labels)
    below = int(intercept)
    spread = np.sum(r[below:, below:-1] ** 2, axis=0)
    factors = np.diag(fit.unscaled_covariance)[below:] * spread
    factors = np.where(fit.estimable[below:], np.maximum(factors, 1.0), np.inf)
    columns = labels[below:]
    high = tuple(f"{c} ({f:.3g})" for c, f in zip(columns, factors, strict=True) if f > 10)
    sentence = (
        f"above 10 for {name_list(high)}: these columns are largely explained by the others."
        if high
        else "no column is largely explained by the others (all factors at most 10)."
    )
    return VarianceInflation(columns, factors, sentence)


def condition_indices(
    X: Any,
    weights: ArrayLike | None = None,
    *,
    intercept: bool = True,
    names: Sequence[str] | None = None,
) -> ConditionIndices:
    """Condition indices `s_max / s_i` of the design with columns scaled to length one.

    Parameters
    ----------
    X : (n, p) array or sparse array, without a column of ones
    weights : (n,) array_like >= 0, optional
    intercept : bool
    names : sequence of p str, optional

    Examples
    --------
    >>> found = condition_indices([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], intercept=False)
    >>> found.indices.round(6).tolist()
    [1.0, 1.0]
    """
    r, labels, n = _factor(X, weights, intercept, names)
    design = r[:, :-1]
    length = np.linalg.norm(design, axis=0)
    s, vt = interruptible(np.linalg.svd, design / np.where(length == 0, 1.0, length))[1:]
    s = np.pad(s, (0, len(labels) - len(s)))
    zero = s <= max(n, len(s)) * np.finfo(float).eps * s[0]
    # An exact dependency takes all the variance of the columns in it, and of no other by rounding.
    vt = np.where(zero[:, None] & (np.abs(vt) <= NULL_TOLERANCE), 0.0, vt)
    with np.errstate(divide="ignore", invalid="ignore"):
        indices = np.where(zero, np.inf, s[0] / s)
        share = vt**2 / np.where(zero, np.finfo(float).tiny ** 0.5, s)[:, None] ** 2
    proportions = share / share.sum(axis=0)
    return ConditionIndices(
        labels, indices, proportions, _dependencies(labels, indices, proportions)
    )


def _dependencies(names: tuple[str, ...], indices: Array, proportions: Array) -> str:
    largest = f"the largest is {indices[-1]:.3g}"
    if indices[-1] <= 30:
        return f"{largest}; at most 30 is harmless."
    shared = tuple(n for n, part in zip(names, proportions[-1], strict=True) if part > 0.5)
    who = f", shared by {name_list(shared)}" if len(shared) > 1 else ""
    return f"{largest}{who}: above 30 some coefficients are poorly determined."


def _factor(
    X: Any, weights: ArrayLike | None, intercept: bool, names: Sequence[str] | None
) -> tuple[Array, tuple[str, ...], int]:
    """Triangular factor of `√W [1, X, 0]`, names, and the number of rows that count."""
    if names is None and hasattr(X, "columns"):
        names = [str(name) for name in X.columns]
    X = as_rows(X)
    n, p = X.shape
    w = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
    if w.shape != (n,):
        raise InvalidDataError(f"weights must have shape ({n},), one per row of X, got {w.shape}.")
    root = np.sqrt(w)
    blocks = (
        np.column_stack([design * root[index, None], np.zeros(len(design))])
        for index, design in design_chunks(X, intercept)
    )
    labels = tuple(names) if names is not None else tuple(f"x{j}" for j in range(p))
    r = merged_factor(blocks)
    if not np.isfinite(r).all():
        raise InvalidDataError("X (or weights) holds a missing or infinite value.")
    return r, ("(Intercept)", *labels) if intercept else labels, int(np.count_nonzero(w))
