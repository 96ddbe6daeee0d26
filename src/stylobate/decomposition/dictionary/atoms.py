"""Dictionaries: where they start, and how they follow their codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.parallel import blas_for

_UNUSED = 1e-6  # squares of an atom's codes below which it is drawn anew


@dataclass(frozen=True, slots=True, eq=False)
class AtomUpdate:
    r"""The dictionary's half of the alternation: atom by atom, the best given the others.

    .. math:: d_k \leftarrow d_k + (b_k - A_k D)/A_{kk},\qquad A = C^\top C,\; B = C^\top X,

    then into the ball :math:`\|d_k\| \le 1`. An atom no code uses becomes a row of the data with
    a little noise.

    Parameters
    ----------
    code_products : array of shape (atoms, atoms)
        A.
    row_products : array of shape (atoms, features)
        B.
    positive : bool
        Whether atoms are kept non-negative.
    """

    code_products: Array
    row_products: Array
    positive: bool = False

    def apply(self, dictionary: Array, rows: Array, code: Array, draws: Any) -> int:
        """Change the dictionary in place (and codes of atoms drawn anew); how many were drawn."""
        drawn = 0
        for k in range(len(dictionary)):
            curvature = self.code_products[k, k]
            if curvature > _UNUSED:
                step = self.row_products[k] - self.code_products[k] @ dictionary
                dictionary[k] += step / curvature
            else:
                dictionary[k] = _noisy_row(rows, draws)
                code[:, k] = 0.0
                drawn += 1
            if self.positive:
                np.maximum(dictionary[k], 0.0, out=dictionary[k])
            dictionary[k] /= max(float(np.linalg.norm(dictionary[k])), 1.0)
        return drawn

    def residual(self, dictionary: Array) -> float:
        """The farthest an atom would still move, the others fixed; 0 at a stationary point."""
        moved = 0.0
        for k in np.flatnonzero(np.diag(self.code_products) > _UNUSED):
            step = self.row_products[k] - self.code_products[k] @ dictionary
            atom = dictionary[k] + step / self.code_products[k, k]
            if self.positive:
                atom = np.maximum(atom, 0.0)
            atom = atom / max(float(np.linalg.norm(atom)), 1.0)
            moved = max(moved, float(np.linalg.norm(atom - dictionary[k])))
        return moved


def _noisy_row(rows: Array, draws: Any) -> Array:
    row = rows[draws.choice(len(rows))]
    noise = draws.normal(0.0, 0.01 * (float(row.std()) or 1.0), size=len(row))
    return np.asarray(row + noise)


def resized(dictionary: Array, count: int) -> Array:
    """The first `count` atoms; zeros where there are not so many.

    >>> import numpy as np
    >>> resized(np.eye(2), 3)
    array([[1., 0.],
           [0., 1.],
           [0., 0.]])
    """
    out = np.zeros((count, dictionary.shape[1]))
    kept = dictionary[:count]
    out[: len(kept)] = kept
    return out


def singular_start(x: Array, count: int) -> tuple[Array, Array]:
    """Codes U and atoms ΣV of the rows' singular vectors, signed by the largest code."""
    from scipy import linalg

    with blas_for(min(x.shape)):
        u, sizes, vt = interruptible(linalg.svd, x, full_matrices=False, check_finite=False)
    signs = largest_signs(u)
    code = resized((u * signs).T, count).T
    return np.ascontiguousarray(code), resized((sizes * signs)[:, np.newaxis] * vt, count)


def randomized_start(x: Array, count: int, draws: Any) -> Array:
    """Atoms ΣV of the leading singular vectors, by a few steps of subspace iteration."""
    from stylobate.decomposition.truncated_svd import TruncatedSVD

    n, p = x.shape
    k = min(count, n, p)
    if p < 2:
        return resized(singular_start(x, k)[1], count)
    steps = 7 if count < 0.1 * min(n, p) else 4
    model = TruncatedSVD(
        k, n_iter=steps, n_oversamples=10 + count - k, random_state=draws, algorithm="randomized"
    )
    scores = np.asarray(model.set_output(transform="default").fit_transform(x))
    atoms = (largest_signs(scores) * model.singular_values_)[:, np.newaxis] * model.components_
    return resized(atoms, count)


def largest_signs(scores: Array) -> Array:
    """Per column, the sign of the entry of largest size."""
    at = np.argmax(np.abs(scores), axis=0)
    signs = np.sign(scores[at, np.arange(scores.shape[1])])
    return np.where(signs == 0.0, 1.0, signs)
