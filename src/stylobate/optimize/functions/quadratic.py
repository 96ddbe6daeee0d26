"""Quadratic functions, about which everything is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError


@dataclass(frozen=True, eq=False)
class Quadratic:
    r""":math:`f(x) = \tfrac12 x^\top A x + b^\top x + c` with a symmetric A.

    Parameters
    ----------
    A : array (n, n)
        Symmetric; need not be definite.
    b : array (n,), optional
        0 by default.
    c : float, default=0.0

    Examples
    --------
    >>> bowl = Quadratic(np.diag([2.0, 2.0]), [0.0, -2.0], 1.0)  # x² + (y − 1)²
    >>> bowl.value([1.0, 0.0]), bowl.lipschitz, bowl.strong_convexity
    (2.0, 2.0, 2.0)
    """

    A: Array
    b: Array
    c: float = 0.0

    def __init__(self, A: Any, b: Any = None, c: float = 0.0) -> None:
        matrix = np.atleast_2d(np.asarray(A, dtype=np.float64))
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InvalidDataError(f"Quadratic: A has shape {matrix.shape}; it must be square.")
        if not np.allclose(matrix, matrix.T, rtol=1e-10, atol=1e-12 * np.abs(matrix).max()):
            raise InvalidDataError("Quadratic: A must be symmetric; pass (A + Aᵀ)/2.")
        linear = np.zeros(len(matrix)) if b is None else np.asarray(b, dtype=np.float64).reshape(-1)
        if len(linear) != len(matrix):
            raise InvalidDataError(
                f"Quadratic: b has {len(linear)} entries for a matrix of {len(matrix)} columns."
            )
        object.__setattr__(self, "A", 0.5 * (matrix + matrix.T))
        object.__setattr__(self, "b", linear)
        object.__setattr__(self, "c", float(c))

    def value(self, x: Any) -> float:
        """f(x)."""
        return float(0.5 * np.dot(x, self.A @ x) + self.b @ x + self.c)

    def gradient(self, x: Any) -> Array:
        """Ax + b."""
        return np.asarray(self.A @ x + self.b)

    def hessian(self, x: Any) -> Array:
        """A."""
        return self.A

    @cached_property
    def eigenvalues(self) -> Array:
        """Of A, ascending."""
        return np.asarray(np.linalg.eigvalsh(self.A), dtype=np.float64)

    @property
    def lipschitz(self) -> float:
        """The largest |eigenvalue|."""
        return float(np.abs(self.eigenvalues).max())

    @property
    def strong_convexity(self) -> float:
        """The smallest eigenvalue, if it is positive beyond rounding."""
        low = float(self.eigenvalues[0])
        return low if low > 1e-14 * self.lipschitz else 0.0

    @property
    def convex(self) -> bool:
        """Whether no eigenvalue is negative beyond rounding."""
        return bool(self.eigenvalues[0] >= -1e-14 * max(self.lipschitz, 1e-300))

    @property
    def coordinate_lipschitz(self) -> Array:
        """The diagonal."""
        return np.abs(np.diag(self.A))
