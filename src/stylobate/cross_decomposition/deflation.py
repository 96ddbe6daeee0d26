r"""Partial least squares: one pair of directions at a time, each taken away before the next.

NIPALS multiplies the rows by one vector after the other. All it ever uses of them are products of
columns: with :math:`C = X^\top Y` a step of its power method is :math:`w \propto C\,(C^\top w)`,
:math:`\sum t^2 = w^\top X^\top X w`, and taking a pair away changes the products in closed form. So
the iterates are those of NIPALS, and the rows are read once.

References
----------
Lindgren, Geladi & Wold (1993), The kernel algorithm for PLS, J. Chemometrics 7. Wegelin (2000), A
survey of partial least squares methods, TR 371, University of Washington.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.cross_decomposition.blocks import EPS, Blocks
from stylobate.cross_decomposition.latent_pairs import LatentPairs, signs_of
from stylobate.interrupts import interruptible

_NOTHING = 40.0 * EPS  # of the products at the start: what is left is rounding


@dataclass(frozen=True, slots=True)
class DeflationRequest:
    """How many pairs, whether Y is taken away along its own scores, and how pairs are found."""

    n_components: int
    canonical: bool
    by_svd: bool = False
    max_iter: int = 500
    tol: float = 1e-6


def deflated_pairs(blocks: Blocks, request: DeflationRequest) -> LatentPairs:
    """The pairs of partial least squares."""
    p, q = blocks.cross().shape
    pairs = LatentPairs.zeros(p, q, request.n_components)
    size = float(np.sqrt(blocks.x_squares * blocks.y_squares))
    for k in range(request.n_components):
        pairs.ended = _reason_to_end(blocks, size, k)
        if pairs.ended:
            break
        w, v = _first_pair(blocks, request, pairs)
        _take_away(blocks, request, pairs, k, w, v, size)
        pairs.found = k + 1
    _rotate(pairs)
    return pairs


def _reason_to_end(blocks: Blocks, size: float, k: int) -> str:
    # columns that are sums of squares can tell zero from rounding to half as many digits
    left = blocks.y_left() > (10.0 * EPS if blocks.exact else 4.0 * np.sqrt(EPS))
    if not left.any():
        return f"y residual is constant at iteration {k}"
    if float(np.linalg.norm(blocks.cross())) <= _NOTHING * size:
        return f"what is left of X does not vary with what is left of y at iteration {k}"
    return ""


def _first_pair(
    blocks: Blocks, request: DeflationRequest, pairs: LatentPairs
) -> tuple[Array, Array]:
    """Singular vectors of XᵀY for its largest singular value, both of unit length."""
    cross = blocks.cross()
    if request.by_svd:
        from scipy import linalg

        u, _, vt = interruptible(linalg.svd, cross, full_matrices=False)
        w, v = u[:, 0], vt[0]
    else:
        w, v, n_iter = _power_method(cross, blocks.y_left(), request)
        pairs.n_iter.append(n_iter)
        pairs.converged &= n_iter < request.max_iter
    sign = signs_of(w[:, None])[0]
    return sign * w, sign * v


def _power_method(
    cross: Array, y_left: Array, request: DeflationRequest
) -> tuple[Array, Array, int]:
    """From the first column of Y that still varies with X, as scikit-learn starts and stops."""
    varies = (y_left > 10.0 * EPS) & (np.abs(cross).max(axis=0) > 0.0)
    y_weights = np.eye(cross.shape[1])[np.argmax(varies)]
    before = np.full(len(cross), np.inf)
    n_iter = 0
    while n_iter < request.max_iter:
        n_iter += 1
        w = cross @ y_weights
        w /= np.linalg.norm(w)
        y_weights = cross.T @ w
        y_weights /= np.linalg.norm(y_weights)
        if ((w - before) ** 2).sum() < request.tol or len(y_weights) == 1:
            break
        before = w
    return w, y_weights, n_iter


def _take_away(
    blocks: Blocks,
    request: DeflationRequest,
    pairs: LatentPairs,
    k: int,
    w: Array,
    v: Array,
    size: float,
) -> None:
    cross = blocks.cross()
    x_gram, y_gram = blocks.x_gram(w), blocks.y_gram(v)
    tt, uu, strength = float(w @ x_gram), float(v @ y_gram), float(w @ cross @ v)
    if not blocks.exact:
        lost = max(size / strength, blocks.x_squares / max(tt, EPS * blocks.x_squares))
        pairs.lost = max(pairs.lost, EPS * lost)
    x_loadings = x_gram / tt
    if request.canonical:
        y_loadings = y_gram / uu
        blocks.deflate(w, x_loadings, y_loadings, v)
    else:
        y_loadings = cross.T @ w / tt
        v = y_loadings  # NIPALS leaves these as slopes on the scores of X, not as a direction
        uu /= float(v @ v)
        blocks.deflate(w, x_loadings, y_loadings, None)
    pairs.x_weights[:, k], pairs.y_weights[:, k] = w, v
    pairs.x_loadings[:, k], pairs.y_loadings[:, k] = x_loadings, y_loadings
    pairs.x_squares[k], pairs.y_squares[k] = tt, uu


def _rotate(pairs: LatentPairs) -> None:
    """Directions that give the scores from the blocks as they were: W (PᵀW)⁻¹."""
    from scipy import linalg

    inverse = interruptible(linalg.pinv, pairs.x_loadings.T @ pairs.x_weights, check_finite=False)
    pairs.x_rotations = pairs.x_weights @ inverse
    inverse = interruptible(linalg.pinv, pairs.y_loadings.T @ pairs.y_weights, check_finite=False)
    pairs.y_rotations = pairs.y_weights @ inverse
