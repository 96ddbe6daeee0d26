"""Rows and weights as the statistics take them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table


def csr_parts(x: Any) -> tuple[Any, Any, Any, int]:
    """(values, indices, offsets, columns) of a SciPy CSR or CSC array."""
    csr = x.tocsr()
    return csr.data, csr.indices, csr.indptr, csr.shape[1]


def counted(table: Table) -> Table:
    """The table without its rows of weight zero, which are no rows: no centre is theirs."""
    if table.weights is None or table.weights.all():
        return table
    if not table.finite:
        table.refuse_nonfinite()
    return table.take(np.flatnonzero(table.weights))


def log_weight_sum(weights: NDArray[np.float64] | None) -> float:
    """Σ log w over the rows of positive weight; 0 without weights."""
    return 0.0 if weights is None else float(np.log(weights[weights > 0]).sum())
