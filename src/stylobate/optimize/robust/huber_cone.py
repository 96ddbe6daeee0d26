"""Huber's regression as a cone program: for columns that could fit every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import NumericalError
from stylobate.optimize.conic.cones import solve_conic
from stylobate.optimize.robust.huber_loss import HuberLoss, Point
from stylobate.optimize.robust.rows import Rows

_FREEDOM = 0.7  # columns for each row from which on few residuals are left
_MOST_ENTRIES = 10**6  # of the rows: beyond, the program's factors cost more than many steps


def nearly_interpolates(loss: HuberLoss, rows: Rows) -> bool:
    """Whether few residuals but zeros are to be expected, and the program is small."""
    n, k = len(rows), rows.n_features
    small = n * (n + k) <= _MOST_ENTRIES
    return loss.alpha > 0.0 and loss.scale is None and small and k + 1 >= _FREEDOM * n


@dataclass(frozen=True, slots=True, eq=False)
class ConeAnswer:
    """A point, the slopes u of the rows' losses there (a point of the dual), and the iterations."""

    point: Point
    slopes: Array
    iterations: int


def solve_by_cone(loss: HuberLoss, rows: Rows, floor: float) -> ConeAnswer | None:
    r"""The minimum through Clarabel; None where it finds none.

    With r = a + s⁺ − s⁻ the loss is :math:`\sigma + \sigma H(r/\sigma) = \min_{a, s} \sigma +
    a^2/\sigma + 2 \varepsilon (s^+ + s^-)`, so

    .. math:: \min_{w, b, a, s, \sigma, t} \; \sigma \sum_i \omega_i + t
              + 2 \varepsilon \sum_i \omega_i (s_i^+ + s_i^-) + \alpha \|w\|^2,
              \quad \sum_i \omega_i a_i^2 \le t \sigma

    which has no zones to lose its way in where nearly all residuals are zero at the optimum.

    Parameters
    ----------
    loss : HuberLoss
        With a penalty, and a scale to be fitted.
    rows : Rows
        Of few columns and rows.
    floor : float
        The least scale.
    """
    import clarabel
    from scipy import sparse as scipy_sparse

    sparse: Any = scipy_sparse
    n, k = len(rows), rows.n_features
    middle = float(np.median(rows.y))
    unit = float(np.abs(rows.y - middle).mean()) or 1.0
    w, ones, eye = rows.weights, np.ones((n, int(loss.intercept))), sparse.eye_array(n)
    shift = middle if loss.intercept else 0.0
    turn = np.eye(k) if loss.turn is None else loss.turn
    # variables: θ, b, a, s⁺, s⁻, σ, t, in units of y's spread; the objective in these as well
    bend = sparse.csc_matrix(np.triu(2.0 * loss.alpha * unit * (turn.T @ turn)))
    rest = ones.shape[1] + 3 * n + 2
    P = sparse.block_diag([bend, sparse.csc_matrix((rest, rest))], format="csc")
    cost = np.concatenate([
        np.zeros(k + ones.shape[1] + n), np.tile(2.0 * loss.epsilon * w, 2), [w.sum(), 1.0],
    ])  # fmt: skip
    z = sparse.csc_matrix(rows.dense())
    equal = sparse.hstack([z, ones, eye, eye, -eye, sparse.csc_matrix((n, 2))])
    before = sparse.csc_matrix((2 * n, k + ones.shape[1] + n))
    positive = sparse.hstack([before, -sparse.eye_array(2 * n), sparse.csc_matrix((2 * n, 2))])
    sides = sparse.csc_matrix(np.array([[-1.0, -1.0], [1.0, -1.0]]))  # σ + t and t − σ …
    top = sparse.hstack([sparse.csc_matrix((2, k + ones.shape[1] + 3 * n)), sides])
    root = sparse.hstack(
        [
            sparse.csc_matrix((n, k + ones.shape[1])),
            sparse.diags_array(-2.0 * np.sqrt(w)),
            sparse.csc_matrix((n, 2 * n + 2)),
        ]
    )  # fmt: skip … and 2√ω a in a second-order cone: 4Σωa² ≤ (t + σ)² − (t − σ)²
    matrix = sparse.vstack([equal, positive, top, root], format="csc")
    right = np.concatenate([(rows.y - shift) / unit, np.zeros(2 * n + 2 + n)])
    cones = [
        clarabel.ZeroConeT(n), clarabel.NonnegativeConeT(2 * n), clarabel.SecondOrderConeT(n + 2),
    ]  # fmt: skip
    try:
        found = solve_conic(P, cost, sparse.csc_matrix(matrix), right, cones, 1e-10)
    except NumericalError:
        return None
    x = unit * found.x
    level = shift + float(x[k]) if loss.intercept else 0.0
    point = Point(x[:k], level, max(float(x[-2]), floor))
    return ConeAnswer(point, -found.z[:n] / w, found.iterations)
