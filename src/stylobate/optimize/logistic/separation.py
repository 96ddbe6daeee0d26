"""Classes that can be separated: without a penalty the likelihood then has no maximum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.optimize.conic.linear import linear_program

ROWS_AT_ONCE = 2000  # rows in the first linear program, and added to each next one
MOST_PROGRAMS = 30
ON_BOUNDARY = 1e-7  # a margin, of directions of size one, that counts as zero


@dataclass(frozen=True, slots=True, eq=False)
class Separation:
    """A direction along which no row loses and some gain, without end.

    Parameters
    ----------
    kind : {"complete", "quasi"}
        Whether every row gains (the classes lie strictly apart) or some lie on the boundary.
    coef : array of shape (k, p)
        The direction, of largest entry 1 in the columns' own units of spread.
    intercept : array of shape (k,)
        Its intercepts.
    rows : bool array of shape (n,)
        The rows that gain.
    columns : int array
        The columns the direction uses.
    """

    kind: Literal["complete", "quasi"]
    coef: Array
    intercept: Array
    rows: NDArray[np.bool_]
    columns: NDArray[np.intp]

    def words(self, names: list[str]) -> str:
        """What was found, in one sentence; `names` are those of all columns."""
        used = [names[j] for j in self.columns[:5]]
        more = f" and {len(self.columns) - 5} more" if len(self.columns) > 5 else ""
        which = f"a combination of {', '.join(used)}{more}" if used else "the intercept"
        if self.kind == "complete":
            return f"the classes are completely separated by {which}"
        share = f"{int(self.rows.sum())} of {len(self.rows)} rows"
        return f"the classes are quasi-completely separated by {which}: it tells {share} apart"


def find_separation(
    x: Any,
    codes: Integers,
    n_classes: int,
    *,
    fit_intercept: bool,
    candidate: tuple[Array, Array] | None = None,
) -> Separation | None:
    r"""A separating direction, or None if there is none.

    The direction maximises :math:`\sum_i t_i` subject to
    :math:`(\beta_{y_i} - \beta_k)^\top x_i \ge t_i` for all other classes k and
    :math:`0 \le t_i \le 1`, a linear program over growing sets of rows.

    Parameters
    ----------
    x : array of shape (n, p), dense or SciPy CSR
        Rows.
    codes : array of shape (n,)
        Numbers of their classes.
    n_classes : int, >= 2
        How many.
    fit_intercept : bool
        Whether directions have an intercept.
    candidate : (coef (k, p), intercept (k,)), optional
        Coefficients that may already separate the classes completely.

    References
    ----------
    Albert & Anderson (1984), On the existence of maximum likelihood estimates in logistic
    regression models, Biometrika 71. Konis (2007), Linear programming algorithms for detecting
    separated data in binary logistic regression models.
    """
    design = _Design(x, codes, n_classes, fit_intercept)
    if candidate is not None:
        found = design.read(*design.scaled(*candidate))
        if found is not None and found.kind == "complete":
            return found
    n = len(codes)
    chosen = np.arange(0, n, max(n // ROWS_AT_ONCE, 1))
    for _ in range(MOST_PROGRAMS):
        beta = design.program(chosen)
        if beta is None:
            return None  # these rows alone overlap
        worst = design.margins(beta).min(axis=1)
        wrong = np.flatnonzero(worst < -ON_BOUNDARY)
        if not len(wrong):
            return design.read(beta)
        order = np.argsort(worst[wrong])[:ROWS_AT_ONCE]
        chosen = np.union1d(chosen, wrong[order])
    return None


class _Design:
    """Rows with scaled columns, and their margins along a direction (q × k)."""

    def __init__(self, x: Any, codes: Integers, n_classes: int, fit_intercept: bool) -> None:
        self.x, self.codes, self.n_classes = x, codes, n_classes
        self.outputs = 1 if n_classes == 2 else n_classes
        self.fit_intercept = fit_intercept
        self.p = int(x.shape[1])
        dense = isinstance(x, np.ndarray)
        self.center = (
            x.mean(axis=0, dtype=np.float64) if dense and fit_intercept else np.zeros(self.p)
        )
        if dense:
            high, low = x.max(axis=0) - self.center, x.min(axis=0) - self.center
            size = np.maximum(high, -low)
        else:
            size = np.asarray(abs(x).max(axis=0).toarray(), dtype=np.float64).ravel()
        self.scale = 1.0 / np.where(size > 0.0, size, 1.0)

    def scaled(self, coef: Array, intercept: Array) -> tuple[Array]:
        """A direction for scaled, centred columns from coefficients (k × p)."""
        beta = coef.T / self.scale[:, np.newaxis]
        if self.fit_intercept:
            beta = np.vstack([beta, intercept + coef @ self.center])
        return (beta / max(float(np.abs(beta).max()), 1e-300),)

    def rows(self, chosen: Any) -> Array:
        """Some rows of the scaled design, dense."""
        x = self.x[chosen]
        x = x if isinstance(x, np.ndarray) else x.toarray()
        x = (x - self.center) * self.scale
        return np.column_stack([x, np.ones(len(x))]) if self.fit_intercept else x

    def margins(self, beta: Array) -> Array:
        """How far each row lies on the right side, for each other class."""
        coef = beta[: self.p] * self.scale[:, np.newaxis]
        z = np.asarray(self.x @ coef) - self.center @ coef
        if self.fit_intercept:
            z = z + beta[self.p]
        if self.outputs == 1:
            return z * np.where(self.codes == 1, 1.0, -1.0)[:, np.newaxis]
        own = np.take_along_axis(z, self.codes[:, np.newaxis], axis=1)
        others = np.arange(self.n_classes) != self.codes[:, np.newaxis]
        return np.asarray((own - z)[others].reshape(len(z), -1))

    def program(self, chosen: NDArray[np.intp]) -> Array | None:
        """The direction that separates most of some rows; None if it separates none."""
        from scipy import sparse

        x, codes = self.rows(chosen), self.codes[chosen]
        blocks = []
        if self.outputs == 1:
            blocks.append(x * np.where(codes == 1, 1.0, -1.0)[:, np.newaxis])
        else:
            for k in range(self.n_classes):
                own = np.zeros((len(x), x.shape[1], self.n_classes))
                own[np.arange(len(x)), :, codes] = x
                own[:, :, k] -= x
                blocks.append(own[codes != k].reshape(-1, x.shape[1] * self.n_classes))
        sides = np.vstack(blocks)
        m, q = sides.shape
        constraint: Any = sparse.hstack([sparse.csr_array(-sides), sparse.eye_array(m)])
        found = linear_program(
            np.concatenate([np.zeros(q), -np.ones(m)]),
            constraint,
            np.zeros(m),
            bounds=np.array([(-np.inf, np.inf)] * q + [(0.0, 1.0)] * m),
        )
        if found.x is None or -found.value < 0.5:  # a separated row can gain all of its 1
            return None
        beta = found.x[:q].reshape(-1, self.outputs)
        return np.asarray(beta / max(float(np.abs(beta).max()), 1e-300))

    def read(self, beta: Array) -> Separation | None:
        """The separation a direction gives, if it gives one."""
        margins = self.margins(beta)
        worst = margins.min(axis=1)
        if worst.min() < -ON_BOUNDARY or margins.max() <= ON_BOUNDARY:
            return None
        rows = margins.max(axis=1) > ON_BOUNDARY
        complete = bool(worst.min() > ON_BOUNDARY)
        used = np.flatnonzero(np.abs(beta[: self.p]).max(axis=1) > ON_BOUNDARY)
        coef = np.ascontiguousarray((beta[: self.p] * self.scale[:, np.newaxis]).T)
        intercept = -coef @ self.center
        if self.fit_intercept:
            intercept = intercept + beta[self.p]
        return Separation("complete" if complete else "quasi", coef, intercept, rows, used)
