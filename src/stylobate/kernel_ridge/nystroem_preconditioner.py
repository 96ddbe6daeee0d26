"""A preconditioner for K + αI from the kernel with some of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.kernel_ridge.system import KernelSystem

_BYTES = 400_000_000  # of the directions kept
_SEED = 20230425
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class NystroemPreconditioner:
    r"""The leading directions U and eigenvalues Λ of Nyström's approximation of K.

    .. math:: P^{-1} = I - U\,\mathrm{diag}\!\left(1 - \frac{\lambda_m + \alpha}{\Lambda + \alpha}
              \right) U^T

    so that the eigenvalues of :math:`P^{-1}(K + \alpha I)` lie close together where K has few
    large ones. U does not depend on α: one serves all targets.

    References
    ----------
    Frangella, Tropp & Udell (2023), Randomized Nyström preconditioning, SIAM Journal on Matrix
    Analysis and Applications 44. Rudi, Carratino & Rosasco (2017), FALKON, NIPS 30.
    """

    directions: Array
    values: Array

    @classmethod
    def of(cls, system: KernelSystem) -> Self:
        """From rows drawn with a fixed seed, as many as memory allows and n asks for."""
        from scipy import linalg

        n = system.order
        count = min(n, preconditioner_rows(n))
        drawn = np.sort(np.random.default_rng(_SEED).choice(n, count, replace=False))
        block = np.asfortranarray(system.columns(drawn))
        core = block[drawn]
        core.flat[:: count + 1] += 10.0 * count * _EPS * max(float(core.trace()) / count, 1e-300)
        try:
            root = interruptible(linalg.cholesky, core, lower=True)
        except np.linalg.LinAlgError:  # not positive definite: no help from these rows
            return cls(np.zeros((n, 0)), np.zeros(0))
        if system.roots is not None:
            block *= system.roots
        # B = K_nm L⁻ᵀ with K ≈ BBᵀ; its left singular vectors from BᵀB
        trsm = linalg.get_blas_funcs("trsm", (block,))
        block = trsm(1.0, root, block, side=1, lower=1, trans_a=1, overwrite_b=1)
        values, vectors = interruptible(linalg.eigh, block.T @ block)
        kept = values > 1e-10 * values[-1]
        values, vectors = values[kept][::-1], vectors[:, kept][:, ::-1]
        return cls(block @ (vectors / np.sqrt(values)), values)

    def apply(self, V: Array, alpha: Array) -> Array:
        """P⁻¹ V, each column with the penalty of its target."""
        if len(self.values) == 0:
            return V
        least = self.values[-1]
        shares = 1.0 - (least + alpha) / (self.values[:, None] + alpha)
        return np.asarray(V - self.directions @ (shares * (self.directions.T @ V)))


def preconditioner_rows(n: int) -> int:
    """How many rows: their directions cost n m² steps once, and n m numbers of memory.

    >>> preconditioner_rows(50_000), preconditioner_rows(1000)
    (1000, 200)
    """
    return max(1, min(int(_BYTES / (8 * n)), max(n // 20, min(200, n // 4))))
