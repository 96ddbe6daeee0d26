"""The kernel matrix of rows, centred in the space of its features."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.decomposition.centred_matrix import CentredMatrix
from stylobate.decomposition.semidefinite import symmetric
from stylobate.kernels.request import KernelRequest
from stylobate.kernels.tiles import finite_kernel, written_block

STORED_POINTS = 20_000  # up to which the kernel matrix is kept: 3.2 GB


def centred_kernel(request: KernelRequest, rows: Any) -> CentredMatrix:
    """HKH of rows (or of the kernel matrix given): stored, or of many rows only multiplied with."""
    n = rows.shape[0]
    if request.is_given:
        dense = rows.toarray() if hasattr(rows, "toarray") else rows
        return CentredMatrix.stored(symmetric(np.asarray(dense, dtype=np.float64)))
    value = request.value
    if value is None:
        return CentredMatrix.stored(request.matrix(rows))
    if n <= STORED_POINTS:
        centred = CentredMatrix.stored(written_block(value, rows, rows, lower=True))
        finite_kernel(centred.column_means[:, None], value)  # as finite as what they are sums of
        return centred
    means = request.product(rows, None, np.full((n, 1), 1.0 / n))[:, 0]
    trace = float(value.diagonal(rows).sum())
    return CentredMatrix(lambda block: request.product(rows, None, block), means, trace)
