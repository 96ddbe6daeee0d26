"""Logistic regression as a smooth problem: value, gradient and Hessian products by passes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.optimize.state import dot
from stylobate.statistics.rows import csr_parts

_CHUNK = 1 << 12  # rows made double at a time


@dataclass(slots=True, eq=False)
class Point:
    """Parameters θ = (coefficients, intercepts), flattened, with the objective's value there.

    `means` and `curvature`, the sum of the rows', are kept once `LogisticProblem.means_at` has been
    asked.
    """

    theta: Array
    loss: float
    value: float
    gradient: Array
    probabilities: Array
    means: Array | None = None
    curvature: float = 0.0


class LogisticProblem:
    r"""The objective, in one flat vector of parameters.

    .. math:: F(W, b) = \sum_i \omega_i\,\ell_i\big((x_i - c)^\top W + b\big)
        + \tfrac{\lambda}{2}\|W\|^2

    with ℓ the logistic loss (one output) or that of the softmax (as many outputs as classes). The
    parameters are W, p × k, row by row, then b where there is an intercept.

    Parameters
    ----------
    x : array of shape (n, p), dense of any strides or SciPy CSR
        Rows.
    codes : array of shape (n,)
        Numbers of their classes.
    n_classes : int, >= 2
        How many classes there are.
    weights : array of shape (n,) or None
        Of the rows.
    l2 : float, >= 0
        λ.
    fit_intercept : bool
        Whether there is b.
    center : array of shape (p,), optional
        c; the means of dense columns where there is an intercept, else 0, if not given.
    """

    def __init__(
        self,
        x: Any,
        codes: Integers,
        n_classes: int,
        weights: Array | None,
        *,
        l2: float,
        fit_intercept: bool,
        center: Array | None = None,
    ) -> None:
        self.x, self.codes, self.weights = x, codes, weights
        self.l2, self.fit_intercept = l2, fit_intercept
        self.n_classes = n_classes
        self.n_rows, self.n_columns = (int(size) for size in x.shape)
        self.n_outputs = 1 if n_classes == 2 else n_classes
        self.is_sparse = not isinstance(x, np.ndarray)
        centred = fit_intercept and not self.is_sparse
        self.center = np.zeros(self.n_columns) if center is None else center
        if center is None and centred:
            self.center = self._means()
        self._rows = self._open()

    def _means(self) -> Array:
        if self.weights is None:
            return np.ascontiguousarray(self.x.mean(axis=0, dtype=np.float64))
        means = np.average(self.x, axis=0, weights=self.weights)
        return np.ascontiguousarray(means, dtype=np.float64)

    def _open(self) -> Any:
        more = (self.codes, self.weights, self.center, self.n_outputs)
        if self.is_sparse:
            return _core.logistic_rows_csr(*csr_parts(self.x), *more)
        return _core.logistic_rows(self.x, *more)

    # --- parameters -------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return (self.n_columns + self.fit_intercept) * self.n_outputs

    @property
    def n_coefficients(self) -> int:
        """How many of them are penalised; the intercepts follow."""
        return self.n_columns * self.n_outputs

    def split(self, theta: Array) -> tuple[Array, Array]:
        """Coefficients (p × k) and intercepts (k) of flat parameters."""
        m = self.n_coefficients
        coef = theta[:m].reshape(self.n_columns, self.n_outputs)
        return coef, theta[m:] if self.fit_intercept else np.zeros(self.n_outputs)

    def start(self, coef: Array | None, intercept: Array | None) -> Array:
        """Flat parameters of coefficients (k × p) for columns that are not centred."""
        if coef is None or intercept is None:
            return np.zeros(self.size)
        if not self.fit_intercept:
            return np.ascontiguousarray(coef.T, dtype=np.float64).ravel()
        return np.concatenate([coef.T.ravel(), intercept + coef @ self.center])

    def finish(self, theta: Array) -> tuple[Array, Array]:
        """Coefficients (k × p) and intercepts (k) for columns that are not centred."""
        coef, intercept = self.split(theta)
        if self.n_outputs > 1:
            # adding a constant to all classes changes no probability: take the smallest numbers
            coef = coef - coef.mean(axis=1, keepdims=True)
            intercept = intercept - intercept.mean()
        coef = np.ascontiguousarray(coef.T)
        if self.fit_intercept:
            intercept = intercept - coef @ self.center
        return coef, np.array(intercept)

    # --- passes -----------------------------------------------------------------------------------

    def at(self, theta: Array) -> Point:
        """Value and gradient: one pass."""
        coef, intercept = self.split(theta)
        probabilities = np.empty((self.n_rows, self.n_outputs))
        start = None if not coef.any() else coef
        loss, by_coef, by_intercept = self._rows.step(start, intercept, probabilities)
        value = loss + 0.5 * self.l2 * dot(
            theta[: self.n_coefficients], theta[: self.n_coefficients]
        )
        gradient = self._join(by_coef, by_intercept)
        gradient[: self.n_coefficients] += self.l2 * theta[: self.n_coefficients]
        return Point(theta, loss, value, gradient, probabilities)

    def curve(self, point: Point, direction: Array) -> tuple[Array, float]:
        """The loss's Hessian (without the penalty) times a direction, in one pass.

        Also the widest change of a row's margins in that direction.
        """
        coef, intercept = self.split(direction)
        widest, by_coef, by_intercept = self._rows.product(coef, intercept, point.probabilities)
        return self._join(by_coef, by_intercept), widest

    def means_at(self, point: Point) -> Array | None:
        """Of two classes with an intercept: the columns' means under the curvatures, by one pass.

        The loss's Hessian times a change of the intercept alone is Σ curvature · (means, 1).
        """
        if self.n_outputs > 1 or not self.fit_intercept:
            return None
        if point.means is None:
            found = self._rows.product(None, np.ones(1), point.probabilities)
            point.curvature = max(float(found[2][0]), 1e-300)
            point.means = found[1].ravel() / point.curvature
        return point.means

    def hessian_times(self, point: Point, direction: Array) -> Array:
        """The Hessian of the objective times a direction, in one pass."""
        product, _ = self.curve(point, direction)
        m = self.n_coefficients
        product[:m] += self.l2 * direction[:m]
        return product

    def hessian(self, point: Point) -> Array:
        """The loss's Hessian in the flat parameters: one weighted Gram per pair of outputs."""
        k, p, extra = self.n_outputs, self.n_columns, int(self.fit_intercept)
        blocks = np.zeros((k, k, p + extra, p + extra))
        for start in range(0, self.n_rows, _CHUNK):
            rows = slice(start, start + _CHUNK)
            x = self._design(rows)
            probability = point.probabilities[rows]
            weights = 1.0 if self.weights is None else self.weights[rows]
            for a in range(k):
                for b in range(a + 1):
                    own = probability[:, a] * ((a == b) - probability[:, b]) * weights
                    blocks[a, b] += x.T @ (own[:, np.newaxis] * x)
        for a in range(k):
            for b in range(a):
                blocks[b, a] = blocks[a, b]
        # parameters lie column by column, the outputs of one side by side
        return np.ascontiguousarray(blocks.transpose(2, 0, 3, 1)).reshape((p + extra) * k, -1)

    def _design(self, rows: slice) -> Array:
        """Some rows of [x − c, 1], dense."""
        x: Any = self.x[rows]
        x = (x.toarray() if self.is_sparse else x) - self.center
        return np.column_stack([x, np.ones(len(x))]) if self.fit_intercept else np.asarray(x)

    def _join(self, coef: Array, intercept: Array) -> Array:
        if self.n_outputs > 1:
            # a constant added to all outputs changes no loss: what is left there is rounding
            coef = coef - coef.mean(axis=1, keepdims=True)
            intercept = intercept - intercept.mean()
        flat = coef.ravel()
        return np.concatenate([flat, intercept]) if self.fit_intercept else flat

    # --- averages ---------------------------------------------------------------------------------

    @cached_property
    def total_weight(self) -> float:
        """Σω."""
        return float(self.n_rows if self.weights is None else self.weights.sum())

    @cached_property
    def squares(self) -> Array:
        """Σ ω(x − c)² of every column."""
        return np.asarray(self._rows.squares())

    @cached_property
    def scale(self) -> Array:
        """What each entry of the gradient is measured by: √(Σω(x − c)²·Σω), or Σω."""
        columns = np.sqrt(self.squares * self.total_weight)
        scale = np.repeat(np.where(columns > 0.0, columns, 1.0), self.n_outputs)
        if not self.fit_intercept:
            return scale
        return np.concatenate([scale, np.full(self.n_outputs, self.total_weight)])

    def output_curvature(self, point: Point) -> Array:
        """Σ ω(diag p − ppᵀ), k × k: the Hessian of the intercepts."""
        p = point.probabilities
        weighted = p if self.weights is None else p * self.weights[:, np.newaxis]
        if self.n_outputs == 1:
            return np.array([[dot(weighted[:, 0], 1.0 - p[:, 0])]])
        return np.diag(weighted.sum(axis=0)) - weighted.T @ p
