"""Quadratic forms of rows: leverages, squared Mahalanobis distances."""

from __future__ import annotations

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics.rows import csr_parts

_blas_installed = False


def row_quadratics(table: Table, center: Array, r: Array) -> Array:
    """(xᵢ − c)ᵀ(RᵀR)⁻¹(xᵢ − c) of every row, without an array of rows × columns.

    Parameters
    ----------
    table : Table
        Rows.
    center : array (p,)
    r : array (p, p)
        Upper triangular.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> row_quadratics(read_table([[3.0], [5.0]], owner="example"), np.ones(1), 2.0 * np.eye(1))
    array([1., 4.])
    """
    _install_blas()
    factor, c = np.asfortranarray(r), np.ascontiguousarray(center)
    if table.is_sparse:
        return _core.row_quadratics_csr(*csr_parts(table.x), c, factor)
    return _core.row_quadratics(table.x, c, factor)


def _install_blas() -> None:
    """Hand SciPy's BLAS to the core, once."""
    global _blas_installed
    if not _blas_installed:
        from scipy.linalg import cython_blas

        _core.install_blas(dict(cython_blas.__pyx_capi__))
        _blas_installed = True
