"""What the workloads on principal components share: rows with factors, and what is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from race.workload import Data, Size

FACTORS = 25


def factor_rows(size: Size, seed: int) -> Data:
    """Rows of 25 factors of falling strength, noise, and a mean."""
    rng = np.random.default_rng(seed)
    n, p = size["rows"], size["columns"]
    strength = 3.0 * 0.8 ** np.arange(FACTORS)
    x = rng.standard_normal((n, p))
    x += (rng.standard_normal((n, FACTORS)) * strength) @ rng.standard_normal((FACTORS, p))
    x += rng.uniform(-1.0, 1.0, p)
    return {"X": x}


def lost_variance(components: NDArray[np.float64], x: Any) -> float:
    """Squares of the centred rows that the span of the components leaves; a k × p array."""
    basis = np.linalg.qr(np.asarray(components, dtype=np.float64).T)[0]
    mean = np.asarray(x.mean(axis=0)).ravel()
    squares = x.multiply(x).sum() if hasattr(x, "multiply") else np.einsum("ij,ij->", x, x)
    total = float(squares) - x.shape[0] * float(mean @ mean)
    scores = np.asarray(x @ basis) - mean @ basis
    return float(total - float((scores**2).sum()))


def gram_work(size: Size) -> tuple[float, float]:
    """Half of the products of columns with columns; the rows read once."""
    n, p = float(size["rows"]), float(size["columns"])
    return n * p * p, 8.0 * n * p
