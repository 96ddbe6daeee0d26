"""Counts whose zeros can be set apart: without a penalty the likelihood then has no maximum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.optimize.conic.linear import linear_program

ON_BOUNDARY = 1e-7  # of directions of size one: what counts as zero
NULL = 1e-13  # eigenvalues of the positive rows' Gram, as a share of the largest
MOST_ROWS = 5000  # zero rows in the linear program, where one is needed


@dataclass(frozen=True, slots=True, eq=False)
class SeparatedZeros:
    """A direction along which the means of some zero rows fall to 0 and no other mean moves.

    Parameters
    ----------
    coef : array of shape (p,)
        The direction, of largest entry 1 in the columns' own units of spread.
    intercept : float
        Its intercept.
    n_rows : int
        How many rows it sets apart; y is 0 in all of them.
    columns : int array
        The columns it uses.
    """

    coef: Array
    intercept: float
    n_rows: int
    columns: NDArray[np.intp]

    def words(self, names: list[str]) -> str:
        """What was found, in a sentence; `names` are those of all columns."""
        used = [names[j] for j in self.columns[:5]]
        more = f" and {len(self.columns) - 5} more" if len(self.columns) > 5 else ""
        which = ", ".join(used) + more if used else "the intercept"
        return (
            f"y is 0 in all {self.n_rows} rows that {which} set{'s' if len(used) == 1 else ''} "
            f"apart from the others: the likelihood rises without end as their mean falls to 0, so "
            f"the coefficient{'s' if len(used) > 1 else ''} of {which} "
            f"{'have' if len(used) > 1 else 'has'} no finite estimate. "
            "The other coefficients and the fitted values are those of the rows that remain."
        )


def find_separated_zeros(x: Any, y: Array, *, fit_intercept: bool) -> SeparatedZeros | None:
    r"""A direction γ with :math:`x_i^\top\gamma = 0` where y > 0 and ≤ 0, not always 0, elsewhere.

    Parameters
    ----------
    x : array of shape (n, p), dense or SciPy CSR
        Rows of positive weight.
    y : array of shape (n,)
        Counts or amounts, at least 0.
    fit_intercept : bool
        Whether directions have an intercept.

    References
    ----------
    Correia, Guimarães & Zylkin (2019), Verifying the existence of maximum likelihood estimates for
    generalized linear models, arXiv 1903.01633.
    """
    positive = np.asarray(y > 0)
    if positive.all() or not positive.any():
        return None
    center = np.asarray(x.mean(axis=0), dtype=np.float64).ravel() * fit_intercept
    size = np.sqrt(np.maximum(_squares(x) - center**2, 0.0))
    scale = 1.0 / np.where(size > 0.0, size, 1.0)
    null = _null_space(_scaled(x[positive], center, scale, fit_intercept))
    if not null.shape[1]:
        return None
    zeros = _scaled(x[~positive], center, scale, fit_intercept) @ null
    chosen = _one_sided(zeros)
    if chosen is None:
        return None
    direction = null @ chosen
    direction /= np.abs(direction).max()
    apart = np.abs(zeros @ chosen) > ON_BOUNDARY * np.abs(zeros @ chosen).max()
    p = x.shape[1]
    coef = direction[:p] * scale
    intercept = float(direction[p] - center @ coef) if fit_intercept else 0.0
    used = np.flatnonzero(np.abs(direction[:p]) > ON_BOUNDARY)
    return SeparatedZeros(coef, intercept, int(apart.sum()), used)


def _squares(x: Any) -> Array:
    """Mean squares of the columns."""
    squared = x.multiply(x) if hasattr(x, "multiply") else np.square(x, dtype=np.float64)
    return np.asarray(squared.mean(axis=0), dtype=np.float64).ravel()


def _scaled(x: Any, center: Array, scale: Array, fit_intercept: bool) -> Array:
    dense = np.asarray(x.toarray() if hasattr(x, "toarray") else x, dtype=np.float64)
    dense = (dense - center) * scale
    return np.column_stack([dense, np.ones(len(dense))]) if fit_intercept else dense


def _null_space(rows: Array) -> Array:
    values, vectors = np.linalg.eigh(rows.T @ rows)
    return np.asarray(vectors[:, values <= NULL * max(float(values[-1]), 1e-300)])


def _one_sided(zeros: Array) -> Array | None:
    """A combination of the columns that is at most 0 in every row and not always 0."""
    size = np.abs(zeros).max(axis=0, initial=0.0)
    moving = size > ON_BOUNDARY  # the others vanish in all rows: linear dependence
    chosen = np.zeros(zeros.shape[1])
    if not moving.any():
        return None
    part = zeros[:, moving] / size[moving]
    if part.shape[1] == 1:
        sign = -1.0 if part.max() > ON_BOUNDARY else 1.0
        if (sign * part).max() > ON_BOUNDARY:
            return None
        chosen[moving] = sign / size[moving]
        return chosen
    found = _program(np.unique(np.round(part, 9), axis=0)[:MOST_ROWS])
    if found is None or (part @ found).max() > ON_BOUNDARY:
        return None
    chosen[moving] = found / size[moving]
    return chosen


def _program(part: Array) -> Array | None:
    """The direction v of most Σ t with part v ≤ -t, 0 ≤ t ≤ 1."""
    from scipy import sparse

    m, q = part.shape
    constraint: Any = sparse.hstack([sparse.csr_array(part), sparse.eye_array(m)])
    found = linear_program(
        np.concatenate([np.zeros(q), -np.ones(m)]),
        constraint,
        np.zeros(m),
        bounds=np.array([(-np.inf, np.inf)] * q + [(0.0, 1.0)] * m),
    )
    if found.x is None or -found.value < 0.5:  # a row set apart can gain all of its 1
        return None
    return np.asarray(found.x[:q] / max(float(np.abs(found.x[:q]).max()), 1e-300))


def determined(separation: SeparatedZeros, has_intercept: bool) -> Mask:
    """Which coefficients (intercept first) the direction leaves determined."""
    held = np.abs(separation.intercept) <= ON_BOUNDARY * max(1.0, np.abs(separation.coef).max())
    known = np.ones(len(separation.coef), dtype=bool)
    known[separation.columns] = False
    return np.concatenate([[held], known]) if has_intercept else known
