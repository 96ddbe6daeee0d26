"""The best subset of every size, exactly, from moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError

MOST_COLUMNS = 63
_JITTER = 1e-13  # of each column's squares, where columns are dependent: far below what is compared


@dataclass(frozen=True, slots=True)
class BestSubsets:
    """For every size m = 0 … the columns of the smallest residual sum of squares.

    Attributes
    ----------
    squares : array of shape (sizes,)
        The residual sums of squares.
    subsets : list of int arrays
        The columns.
    nodes : int
        Linear systems looked at, of 2^p.
    dependent : bool
        Whether columns depend on each other (ties are then broken by a tiny penalty).
    """

    squares: Array
    subsets: list[NDArray[np.intp]]
    nodes: int
    dependent: bool


def best_subsets(xx: Array, xy: Array, yy: float, most: int, owner: str) -> BestSubsets:
    """Best subsets of up to `most` columns by branch and bound on a triangular factor.

    Parameters
    ----------
    xx, xy, yy : arrays (p, p) and (p,), float
        Second moments of the columns and the target.
    most : int in [1, p]
        Largest size asked for.
    owner : str
        Who asks.
    """
    p = len(xy)
    if p > MOST_COLUMNS:
        raise InvalidParameterError(
            f"{owner}: an exhaustive search takes at most {MOST_COLUMNS} features, X has {p}; "
            "leave some out first, or use SequentialFeatureSelector."
        )
    scale = np.sqrt(np.maximum(np.diag(xx), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    gram = xx / scale / scale[:, None]
    target = np.sqrt(yy) if yy > 0 else 1.0
    right = xy / scale / target
    factor, dependent = _factor(gram)
    solved = np.linalg.solve(factor.T, right)
    last = max((1.0 if yy > 0 else 0.0) - float(solved @ solved), 0.0)
    r = np.zeros((p + 1, p + 1))
    r[:p, :p], r[:p, p], r[p, p] = factor, solved, np.sqrt(last)
    _, masks, nodes = _core.best_subsets(r, most)
    subsets = [np.flatnonzero([mask >> j & 1 for j in range(p)]) for mask in masks[: most + 1]]
    squares = np.array([_residual(gram, right, each) for each in subsets]) * target**2
    return BestSubsets(squares, subsets, int(nodes), dependent)


def _factor(gram: Array) -> tuple[Array, bool]:
    """Upper triangular factor of the Gram matrix; with a touch of a penalty if it is singular."""
    try:
        upper = np.linalg.cholesky(gram).T
        if np.diag(upper).min() ** 2 > len(gram) * _JITTER:
            return np.asarray(upper, dtype=float), False
    except np.linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(gram)
    lifted = np.maximum(values, 0.0) + len(gram) * _JITTER * max(values[-1], 1.0)
    root = np.sqrt(lifted)[:, None] * vectors.T
    factor = np.asarray(np.linalg.qr(root, mode="r"))
    return np.asarray(factor * np.where(np.diag(factor) < 0, -1.0, 1.0)[:, None]), True


def _residual(gram: Array, right: Array, columns: NDArray[np.intp]) -> float:
    """Residual sum of squares of a unit target, computed afresh for one subset."""
    if not len(columns):
        return 1.0
    part = gram[np.ix_(columns, columns)]
    solution = np.linalg.lstsq(part, right[columns], rcond=1e-12)[0]
    return max(1.0 - float(right[columns] @ solution), 0.0)
