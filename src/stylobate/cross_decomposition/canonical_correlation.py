r"""Canonical correlations by whitening both blocks: one singular value decomposition.

With :math:`X T_x` and :math:`Y T_y` orthonormal, the singular values of :math:`T_x^\top X^\top Y
T_y` are the canonical correlations and :math:`a_k = T_x u_k`, :math:`b_k = T_y v_k` the canonical
vectors. Dependent columns, and fewer rows than columns, leave directions that change nothing; the
vectors have no part in them (least norm).

References
----------
Björck & Golub (1973), Numerical methods for computing angles between linear subspaces, Math. Comp.
27.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.cross_decomposition.blocks import EPS, Blocks, GramBlocks, RowBlocks
from stylobate.cross_decomposition.latent_pairs import LatentPairs, signs_of
from stylobate.interrupts import interruptible

_CUT = 1e6 * EPS  # of the largest singular value of rows, as in scikit-learn
_TIE = 1e-10  # correlations that differ by less are equal
_GRAM_CUT = 1e4 * EPS  # of the largest eigenvalue, where only products are known


@dataclass(frozen=True, slots=True)
class Whitened:
    """T of shape (columns, rank) such that the columns of XT are orthonormal."""

    map: Array
    condition: float
    basis: Array | None = None  # XT, where there are rows

    @classmethod
    def of_gram(cls, gram: Array) -> Whitened:
        from scipy import linalg

        values, vectors = interruptible(linalg.eigh, gram)
        top = max(float(values[-1]), 0.0)
        kept = values > top * max(_GRAM_CUT, EPS * len(gram))
        low = top * EPS if not kept.all() else values[0]
        condition = float(np.sqrt(top / low)) if top > 0 else 1.0
        return cls((vectors[:, kept] / np.sqrt(values[kept]))[:, ::-1], condition)

    @classmethod
    def of_rows(cls, rows: Array) -> Whitened:
        from scipy import linalg

        u, s, vt = interruptible(linalg.svd, rows, full_matrices=False)
        kept = s > (s[0] if len(s) else 0.0) * _CUT
        return cls(vt[kept].T / s[kept], 1.0, u[:, kept])


@dataclass(frozen=True, slots=True)
class CanonicalPairs:
    """Canonical correlations, their pairs in the form of partial least squares, and the ranks."""

    pairs: LatentPairs
    correlations: Array
    x_rank: int
    y_rank: int


def canonical_pairs(blocks: Blocks, n_components: int) -> CanonicalPairs:
    """The pairs of largest correlation."""
    from scipy import linalg

    if isinstance(blocks, GramBlocks):
        x, y = Whitened.of_gram(blocks.xx), Whitened.of_gram(blocks.yy)
        between = x.map.T @ blocks.xy @ y.map
    else:
        assert isinstance(blocks, RowBlocks)
        x, y = Whitened.of_rows(blocks.x), Whitened.of_rows(blocks.y)
        assert x.basis is not None
        assert y.basis is not None
        between = x.basis.T @ y.basis
    u, s, vt = interruptible(linalg.svd, between, full_matrices=False)
    u, v = _untied(u, s, vt.T, blocks.y_gram(y.map).T)
    pairs = LatentPairs.zeros(len(x.map), len(y.map), n_components)
    pairs.found = min(n_components, len(s))
    pairs.n_iter = [1] * pairs.found
    pairs.lost = EPS * max(x.condition, y.condition) ** 2
    if pairs.found < n_components:
        pairs.ended = (
            f"the ranks of X and y are {x.map.shape[1]} and {y.map.shape[1]}, so there are no more "
            f"than {pairs.found} canonical pairs; the other components are zero"
        )
    _fill(pairs, blocks, x.map @ u, y.map @ v)
    return CanonicalPairs(pairs, np.clip(s, 0.0, 1.0), x.map.shape[1], y.map.shape[1])


def _untied(u: Array, s: Array, v: Array, targets: Array) -> tuple[Array, Array]:
    """Where correlations are equal, the pairs in which the columns of y come one after the other.

    Any rotation of such pairs will do; this is the one that the power method tends to, and it does
    not hang on rounding. With fewer rows than columns all correlations are 1.
    """
    ends = np.flatnonzero(-np.diff(s) > _TIE) + 1
    for first, last in zip([0, *ends], [*ends, len(s)], strict=True):
        if last - first > 1:
            turn = interruptible(np.linalg.qr, v[:, first:last].T @ targets)[0]
            if turn.shape[1] == last - first:
                u[:, first:last] = u[:, first:last] @ turn
                v[:, first:last] = v[:, first:last] @ turn
    return u, v


def _fill(pairs: LatentPairs, blocks: Blocks, a: Array, b: Array) -> None:
    """Deflation in closed form.

    What is left of X after k pairs has the first k canonical vectors in its null space, and NIPALS
    takes the weights of least norm: the next vector less its part in the span of those before.
    """
    k = pairs.found
    x_weights, x_length = _orthogonal(a[:, :k])
    y_weights, y_length = _orthogonal(b[:, :k])
    sign = signs_of(x_weights)
    x_rotations, y_rotations = sign * a[:, :k] / x_length, sign * b[:, :k] / y_length
    pairs.x_weights[:, :k], pairs.y_weights[:, :k] = sign * x_weights, sign * y_weights
    pairs.x_rotations[:, :k], pairs.y_rotations[:, :k] = x_rotations, y_rotations
    pairs.x_squares[:k], pairs.y_squares[:k] = x_length**-2.0, y_length**-2.0
    pairs.x_loadings[:, :k] = blocks.x_gram(x_rotations) * x_length**2
    pairs.y_loadings[:, :k] = blocks.y_gram(y_rotations) * y_length**2


def _orthogonal(vectors: Array) -> tuple[Array, Array]:
    """Gram–Schmidt: unit vectors, and the lengths they had less the parts of those before."""
    q, r = interruptible(np.linalg.qr, vectors)
    diagonal = np.diag(r)
    return q * np.where(diagonal < 0, -1.0, 1.0), np.abs(diagonal)
