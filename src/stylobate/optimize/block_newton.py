"""Newton's method for the rows of coefficients that are not zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.descent import descend
from stylobate.optimize.newton_direction import NewtonDirection, solve_hessian
from stylobate.optimize.steps import Constant
from stylobate.penalties import Group

_STEPS = 20  # after the last row that left
_LARGEST = 800  # unknowns up to which a dense system is cheaper than more sweeps
_RIDGE = 1e-13  # of the mean curvature: dependent columns have no unique step


def newton_on_support(gram: Array, products: Array, w: Array, l1: float, l2: float) -> Array:
    r"""Minimise ½⟨W, GW⟩ − ⟨W, C⟩ + l₁Σ‖wⱼ‖ + ½l₂‖W‖² over the non-zero rows of W.

    There the norms are smooth, and this is a `descend` along Newton's direction: the Hessian is
    :math:`G \otimes I` and, for each row, the curvature of its norm. A step ends where the first
    row would turn away from its direction; that row becomes zero and leaves, for coordinate descent
    to take back if it was wrong.

    Parameters
    ----------
    gram : array (p, p)
        G = XᵀX.
    products : array (p, t)
        C = XᵀY.
    w : array (p, t)
        Where to start.
    l1, l2 : float
        Penalties.

    Returns
    -------
    array (p, t)
        Of no higher objective.
    """
    whole, t = _Support(gram, products, l1, l2), w.shape[1]
    best, answer = whole.value(w), w
    support = np.flatnonzero(w.any(axis=1))
    left = len(support) + _STEPS
    while left > 0 and 0 < len(support) * t <= _LARGEST:
        part = _Support(gram[np.ix_(support, support)], products[support], l1, l2)
        find = _UpToATurn(t)
        course = descend(part, part(w[support].reshape(-1)), find, Constant(1.0))
        next(course)  # where it starts
        turned = None
        for here in course:
            left -= 1
            w, turned = np.zeros_like(w), find.turned
            w[support] = here.point.theta.reshape(-1, t)
            if turned is not None:
                w[support[turned]] = 0.0
            now = whole.value(w)
            better = now < best
            if better:
                best, answer = now, w
            if turned is not None or not better or left == 0:
                break
        if turned is None:
            break
        support = np.delete(support, turned)
    return answer


@dataclass(frozen=True, slots=True)
class _Point:
    """Rows of coefficients, none of them zero, in one vector; derivatives of the objective."""

    theta: Array
    value: float
    gradient: Array
    hessian: Array


@dataclass(frozen=True, slots=True)
class _Support:
    """The objective of some rows of coefficients."""

    gram: Array
    products: Array
    l1: float
    l2: float

    def value(self, w: Array) -> float:
        squares = 0.5 * float((w * (self.gram @ w)).sum()) - float((w * self.products).sum())
        penalty = float(Group(self.l1).value(w).sum()) + 0.5 * self.l2 * float((w * w).sum())
        return squares + penalty

    def __call__(self, theta: Array) -> _Point:
        s, t = self.products.shape
        w, penalty = theta.reshape(s, t), Group(self.l1)
        gradient = self.gram @ w - self.products + self.l2 * w + penalty.gradient(w)
        hessian = np.kron(self.gram, np.eye(t)).reshape(s, t, s, t)
        rows = np.arange(s)
        hessian[rows, :, rows, :] += penalty.curvature(w) + self.l2 * np.eye(t)
        square = np.asarray(hessian.reshape(s * t, s * t), dtype=np.float64)
        square[np.diag_indices(s * t)] += _RIDGE * np.trace(square) / (s * t)
        return _Point(
            theta, self.value(w), gradient.reshape(-1), np.asarray(square, dtype=np.float64)
        )


class _UpToATurn:
    """Newton's direction, as far as no row turns away from where it points.

    `turned` is the row at whose turn the last direction ends, if one does.
    """

    def __init__(self, n_targets: int) -> None:
        self._n_targets, self.turned = n_targets, None
        self._newton = NewtonDirection[_Point](
            lambda at: solve_hessian(at.hessian, at.gradient, len(at.theta))
        )

    turned: int | None

    def __call__(self, point: _Point) -> Array:
        direction = self._newton(point)
        part = point.theta.reshape(-1, self._n_targets)
        away = -(part * direction.reshape(part.shape)).sum(axis=1)
        reach = np.full(len(part), np.inf)
        np.divide((part * part).sum(axis=1), away, out=reach, where=away > 0)
        first = int(np.argmin(reach))
        self.turned = first if reach[first] < 1.0 else None
        return direction * min(1.0, float(reach[first]))
