"""Crammer and Singer's machine of many classes, by an interior-point method.

With slacks s_im = ξ_i − [m ≠ y_i] − (w̃_m − w̃_{y_i})·x̃_i ≥ 0 and multipliers α_im ≥ 0 that add up to
c_i, a Newton step solves (I + Σ_i B_i ⊗ x̃_i x̃_iᵀ) dW = …, with B_i = D_i − D_i 11ᵀ D_i / 1ᵀD_i1
and D_i = diag(α_i / s_i): one weighted Gram for each pair of classes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.parallel import one_blas_thread
from stylobate.svm.linear.interior import solver_of

_ITERATIONS = 80
_TO_BORDER = 0.99
_MOST_UNKNOWNS = 800
_MOST_ENTRIES = 4_000_000  # numbers of rows and of multipliers
_PATIENCE = 6  # steps that do not halve the gap …
_NEAR = 1e-3  # … once it is this small
_TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class JointProgram:
    """Rows X̃, class numbers, the factors cᵢ of the losses, and how many classes there are."""

    x: Array
    labels: Integers
    shares: Array
    classes: int

    def shortfalls(self, weights: Array) -> Array:
        """[m ≠ yᵢ] + (w̃ₘ − w̃_{yᵢ})·x̃ᵢ."""
        scores = self.x @ weights.T
        every = np.arange(len(scores))
        wanted = np.ones_like(scores)
        wanted[every, self.labels] = 0.0
        return np.asarray(wanted + scores - scores[every, self.labels][:, None])

    def combined(self, alpha: Array) -> Array:
        """Weights (k, q) of multipliers: Σᵢ ([m = yᵢ] cᵢ − α_im) x̃ᵢ."""
        pull = -alpha
        pull[np.arange(len(alpha)), self.labels] += alpha.sum(axis=1)
        return np.asarray(pull.T @ self.x)

    def primal(self, weights: Array) -> float:
        """½ Σ ‖w̃ₘ‖² and the losses."""
        losses = self.shares @ self.shortfalls(weights).max(axis=1)
        return 0.5 * float((weights**2).sum()) + float(losses)

    def dual(self, alpha: Array) -> float:
        """The dual value of multipliers, once their rows add up to the shares."""
        alpha = alpha * (self.shares / np.maximum(alpha.sum(axis=1), _TINY))[:, None]
        own = alpha[np.arange(len(alpha)), self.labels]
        weights = self.combined(alpha)
        return float((self.shares - own).sum()) - 0.5 * float((weights**2).sum())


@dataclass(frozen=True, slots=True, eq=False)
class JointAnswer:
    """Weights (k, q), primal and dual value, and the steps made."""

    weights: Array
    primal: float
    dual: float
    iterations: int

    @property
    def gap(self) -> float:
        """Relative."""
        return (self.primal - self.dual) / max(self.primal, _TINY)


def joint_fits(n_rows: int, width: int, classes: int) -> bool:
    """Whether the systems and the dense rows are small."""
    small = n_rows * max(width, classes) <= _MOST_ENTRIES
    return small and classes * width <= _MOST_UNKNOWNS


def solve_joint(program: JointProgram, *, tol: float, max_iter: int) -> JointAnswer:
    """Mehrotra's method; weights and multipliers each give their own bound.

    Parameters
    ----------
    program : JointProgram
    tol : float
        Relative gap to be reached.
    max_iter : int
        Newton steps at most.
    """
    k = program.classes
    alpha = np.repeat(program.shares[:, None] / k, k, axis=1)
    best, idle, most = JointAnswer(np.zeros(0), np.inf, -np.inf, 0), 0, min(max_iter, _ITERATIONS)
    with one_blas_thread():
        weights = program.combined(alpha)
        short = program.shortfalls(weights)
        xi = short.max(axis=1) + 1.0
        slack = xi[:, None] - short
        for steps in range(most + 1):
            primal, dual = program.primal(weights), max(program.dual(alpha), best.dual)
            before = best.gap if steps else np.inf
            if primal <= best.primal or dual > best.dual:
                kept = weights if primal <= best.primal else best.weights
                best = JointAnswer(kept, min(primal, best.primal), dual, steps)
            idle = 0 if best.gap < 0.5 * before or before > _NEAR else idle + 1
            if best.gap <= tol or steps == most or idle > _PATIENCE or not np.isfinite(primal):
                break
            try:
                moves = _directions(program, weights, xi, slack, alpha)
            except np.linalg.LinAlgError:
                break
            dw, dxi, ds, da = moves
            reach = _reach(slack, ds, alpha, da, _TO_BORDER)
            weights = weights + reach * dw
            xi, slack, alpha = xi + reach * dxi, slack + reach * ds, alpha + reach * da
    return replace(best, iterations=steps)


def _directions(
    program: JointProgram, weights: Array, xi: Array, slack: Array, alpha: Array
) -> tuple[Array, Array, Array, Array]:
    """Mehrotra's predictor and corrector."""
    d = alpha / slack
    total = d.sum(axis=1)
    solve = solver_of(_hessian(program, d, total))
    off_weights = weights - program.combined(alpha)
    off_slack = slack - xi[:, None] + program.shortfalls(weights)
    off_share = program.shares - alpha.sum(axis=1)

    def direction(push: Array) -> tuple[Array, Array, Array, Array]:
        # dα = push/s − α − d·ds, ds = dξ − (dw_m − dw_y)x − off_slack, Σ dα = off_share
        level = push / slack - alpha + d * off_slack
        rest = (level.sum(axis=1) - off_share) / total
        fixed = level - d * rest[:, None]  # dα without dW
        right = program.combined(fixed) - off_weights
        dw = solve(right.ravel()).reshape(weights.shape)
        change = program.shortfalls(dw) - program.shortfalls(np.zeros_like(dw))
        mean = (d * change).sum(axis=1) / total
        dxi = rest + mean
        ds = dxi[:, None] - change - off_slack
        return dw, dxi, ds, push / slack - alpha - d * ds

    mu = float((alpha * slack).mean())
    _, _, ds, da = direction(np.zeros_like(alpha))
    reach = _reach(slack, ds, alpha, da, 1.0)
    after = float(((alpha + reach * da) * (slack + reach * ds)).mean())
    center = min((after / max(mu, _TINY)) ** 3, 1.0) * mu
    return direction(center - da * ds)


def _hessian(program: JointProgram, d: Array, total: Array) -> Array:
    """I + Σ B ⊗ x̃x̃ᵀ."""
    k, q = program.classes, program.x.shape[1]
    found = np.empty((k, q, k, q))
    for a in range(k):
        for b in range(a + 1):
            # of d − d²/Σd nothing is left where one d is far larger than the others
            others = -d[:, b] if a != b else np.delete(d, a, axis=1).sum(axis=1)
            curved = d[:, a] * (others / total)
            block = (program.x * curved[:, None]).T @ program.x
            found[a, :, b, :] = block
            found[b, :, a, :] = block.T
    matrix = found.reshape(k * q, k * q)
    matrix[np.diag_indices_from(matrix)] += 1.0
    return matrix


def _reach(slack: Array, ds: Array, alpha: Array, da: Array, share: float) -> float:
    reach = 1.0
    for value, move in ((slack, ds), (alpha, da)):
        falling = move < 0.0
        if falling.any():
            reach = min(reach, share * float((value[falling] / -move[falling]).min()))
    return reach
