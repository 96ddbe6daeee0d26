"""Objective and duality gap of squared, logistic and multinomial linear models."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.losses import HalfSquared, Logistic, Multinomial
from stylobate.parallel import one_blas_thread

SagaLoss = HalfSquared | Logistic | Multinomial

_CHUNK = 8192  # rows made double at a time
_FEW = 8192  # numbers for which BLAS starts no second thread


@dataclass(frozen=True, slots=True)
class Losses:
    """Σᵢ ωᵢ ℓ(yᵢ, W xᵢ + b) + l1‖W‖₁ + ½ l2‖W‖² with one row of W per output."""

    x: Any
    y: Array
    weights: Array | None
    loss: SagaLoss
    outputs: int
    l1: float
    l2: float
    intercept: bool

    def center(self) -> Array:
        """The mean of dense rows, where an intercept makes up for it; else zero."""
        p = self.x.shape[1]
        if not self.intercept or not isinstance(self.x, np.ndarray):
            return np.zeros(p)
        w = np.ones(len(self.y)) if self.weights is None else self.weights
        return np.asarray(self.transposed_times(w[:, None])[0] / w.sum())

    def times(self, coef: Array) -> Array:
        """XWᵀ in double precision."""
        if self.x.dtype == np.float64 or not isinstance(self.x, np.ndarray):
            return np.asarray(self.x @ coef.T, dtype=np.float64)
        starts = range(0, len(self.x), _CHUNK)
        return np.concatenate(
            [self.x[at : at + _CHUNK].astype(np.float64) @ coef.T for at in starts]
        )

    def transposed_times(self, u: Array) -> Array:
        """UᵀX in double precision (outputs × p)."""
        if self.x.dtype == np.float64 or not isinstance(self.x, np.ndarray):
            return np.asarray((self.x.T @ u).T, dtype=np.float64)
        total = np.zeros((u.shape[1], self.x.shape[1]))
        for at in range(0, len(self.x), _CHUNK):
            total += u[at : at + _CHUNK].T @ self.x[at : at + _CHUNK].astype(np.float64)
        return total

    def slopes(self, coef: Array, intercept: Array) -> Array:
        """ωᵢ times the gradient of row i's loss in its predictors (n × outputs)."""
        _, gradient = self.losses(self.times(coef) + intercept)
        return gradient if self.weights is None else gradient * self.weights[:, None]

    def losses(self, z: Array) -> tuple[Array, Array]:
        """Losses of the rows, and their gradients in the predictors z (n × outputs)."""
        at = self._predictors(z)
        return self.loss.value(self.y, at), self.loss.gradient(self.y, at).reshape(z.shape)

    def conjugate(self, u: Array) -> Array:
        """ℓ*(yᵢ, uᵢ) of every row; u are feasible."""
        return np.asarray(self.loss.conjugate(self.y, self._predictors(u)))

    def _predictors(self, z: Array) -> Array:
        return z if isinstance(self.loss, Multinomial) else z[:, 0]


def duality_gap(problem: Losses, coef: Array, intercept: Array) -> tuple[float, float]:
    """The objective, and a bound of how far above its minimum it is (inf: none known)."""
    # long vectors, little arithmetic: a second thread of BLAS would only wait
    with one_blas_thread() if problem.x.shape[0] * problem.x.shape[1] > _FEW else nullcontext():
        return _duality_gap(problem, coef, intercept)


def _duality_gap(problem: Losses, coef: Array, intercept: Array) -> tuple[float, float]:
    w = np.ones(len(problem.y)) if problem.weights is None else problem.weights
    value, u = problem.losses(problem.times(coef) + intercept)
    penalty = problem.l1 * np.abs(coef).sum() + 0.5 * problem.l2 * (coef**2).sum()
    primal = float(w @ value + penalty)
    if problem.intercept:
        u = _balanced(problem, u, w)
    v = problem.transposed_times(w[:, None] * u)
    if problem.l2 == 0.0:
        steepest = float(np.abs(v).max(initial=0.0))
        if problem.l1 == 0.0:
            return primal, np.inf
        u = u * min(1.0, problem.l1 / max(steepest, float(np.finfo(float).tiny)))
        dual = -float(w @ problem.conjugate(u))
    else:
        excess = np.maximum(np.abs(v) - problem.l1, 0.0)
        dual = -float(w @ problem.conjugate(u)) - float((excess**2).sum()) / (2.0 * problem.l2)
    return primal, max(primal - max(dual, 0.0), 0.0)  # no loss here is negative


def _balanced(problem: Losses, u: Array, w: Array) -> Array:
    """Dual values whose weighted sums are zero, as a free intercept demands."""
    if isinstance(problem.loss, HalfSquared):
        return np.asarray(u - (w @ u) / w.sum())
    if isinstance(problem.loss, Logistic):
        up, down = float(w @ np.maximum(u[:, 0], 0.0)), float(w @ np.maximum(-u[:, 0], 0.0))
        high, low = max(up, down), min(up, down)
        heavier = u > 0 if up > down else u < 0
        return np.where(heavier, u * (low / high), u) if high > low else u
    return _mixed(problem, u, w)


def _mixed(problem: Losses, u: Array, w: Array) -> Array:
    """Probabilities mixed with one vector q for all rows until they sum to the class counts."""
    own = problem.y.astype(np.int64)
    counts = np.bincount(own, w, minlength=problem.outputs) / w.sum()
    chances = (w @ u) / w.sum() + counts  # mean predicted probabilities
    tiny = np.finfo(float).tiny
    share = float(np.max(1.0 - counts / np.maximum(chances, tiny), initial=0.0))
    if share <= 0.0:
        return u
    share = min(1.0, share)
    q = np.maximum(counts - (1.0 - share) * chances, 0.0) / share
    mixed = (1.0 - share) * u
    mixed += share * q
    mixed[np.arange(len(own)), own] -= share
    return mixed
