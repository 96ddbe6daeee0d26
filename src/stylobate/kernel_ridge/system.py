"""The linear system of kernel ridge, (K + αI) a = y, whatever the kernel and the weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels import kernel_block
from stylobate.kernels.given_matrix import refuse_asymmetric
from stylobate.kernels.request import KernelRequest


def penalties(alpha: Any, n_targets: int, owner: str) -> Array:
    """A penalty for each target."""
    values = np.atleast_1d(np.asarray(alpha, dtype=np.float64))
    if len(values) not in (1, n_targets):
        raise InvalidParameterError(
            f"{owner}: Number of targets and number of penalties do not correspond: alpha has "
            f"{len(values)}, y has {n_targets} target(s); give one number, or one for each."
        )
    return np.broadcast_to(values, (n_targets,))


@dataclass(slots=True)
class KernelSystem:
    """K of rows and their targets; weights are taken into both as their square roots.

    Parameters
    ----------
    request : KernelRequest
        The kernel.
    rows : array or csr_array of shape (n, p)
        The points; the kernel matrix if it is given.
    y : array of shape (n, t)
        Targets times √w.
    roots : array of shape (n, 1) or None
        √w.
    stored : array of shape (n, n) or None
        The kernel matrix, for kernels that tiles do not compute.
    """

    request: KernelRequest
    rows: Any
    y: Array
    roots: Array | None
    stored: Array | None = None

    @classmethod
    def of(cls, request: KernelRequest, table: Table, owner: str) -> Self:
        """The system of a checked table."""
        rows = table.x.tocsr() if table.is_sparse else table.x
        if request.is_given and rows.shape[0] != rows.shape[1]:
            raise InvalidDataError(
                f"{owner}: Precomputed metric requires shape (n, n): X has shape {rows.shape}; "
                "give the kernel of every row with every row."
            )
        if request.is_given:
            refuse_asymmetric(rows, owner)
        assert table.y is not None
        if table.weights is None:
            return cls(request, rows, table.y, None)
        roots = np.sqrt(table.weights)[:, None]
        return cls(request, rows, roots * table.y, roots)

    @property
    def order(self) -> int:
        """N."""
        return int(self.rows.shape[0])

    @property
    def has_tiles(self) -> bool:
        """Whether products with K need no matrix."""
        return self.request.value is not None

    @property
    def is_mercer(self) -> bool:
        """Whether K is known to be positive semi-definite."""
        value = self.request.value
        return value is not None and bool(value.is_mercer)

    def matrix(self) -> Array:
        """K with the weights, an array of its own."""
        if self.request.is_given:
            dense = self.rows.toarray() if hasattr(self.rows, "toarray") else self.rows
            found = np.array(dense, dtype=np.float64, order="C")
        elif self.stored is not None:
            found = self.stored.copy()
        else:
            found = np.ascontiguousarray(self.request.matrix(self.rows))
        if not self.has_tiles and not np.isfinite(found).all():  # tiles look for themselves
            raise InvalidDataError(
                "The kernel of these rows is not finite; scale the columns first."
            )
        if self.roots is not None:
            found *= self.roots
            found *= self.roots.T
        return found

    def multiply(self, V: Array) -> Array:
        """K times the columns of V, with the weights."""
        right = V if self.roots is None else self.roots * V
        if self.request.is_given:
            product = np.asarray(self.rows @ right, dtype=np.float64)
        elif self.has_tiles:
            product = self.request.product(self.rows, None, right)
        else:
            product = self._kept() @ right
        return product if self.roots is None else self.roots * product

    def columns(self, which: Any) -> Array:
        """K without weights between all rows and some of them."""
        if self.request.is_given:
            found = self.rows[:, which]
            dense = found.toarray() if hasattr(found, "toarray") else found
            return np.asarray(dense, dtype=np.float64)
        value = self.request.value
        if value is not None:
            return kernel_block(value, self.rows, columns=which)
        return self._kept()[:, which]

    def residual(self, a: Array, alpha: Array) -> Array:
        """Y − (K + αI) a."""
        return np.asarray(self.y - self.multiply(a) - alpha * a)

    def dual_coefficients(self, a: Array) -> Array:
        """The solution as coefficients of the rows."""
        return a if self.roots is None else self.roots * a

    def _kept(self) -> Array:
        if self.stored is None:
            self.stored = self.request.matrix(self.rows)
        return self.stored
