"""Data and solvers that the workloads of forests share."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data, Size

NEW_ROWS = 20_000


def two_classes(size: Size, seed: int, new: int) -> Data:
    """Two classes by a sum, a product and a wave of a few columns, with noise."""
    generator = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    x = generator.standard_normal((rows + new, columns))
    score = x[:, 0] + x[:, 1] * x[:, 2] + np.sin(3.0 * x[:, 3]) + 0.5 * x[:, 4:10].sum(axis=1)
    y = (score + generator.standard_normal(rows + new) > 0.0).astype(np.float64)
    return {
        "X": x[:rows], "y": y[:rows], "X_new": x[rows:], "y_new": y[rows:],
        "trees": np.array([float(size["trees"])]),
    }  # fmt: skip


def trees_of(data: Data) -> int:
    """How many trees are asked for."""
    return int(data["trees"][0])


def errors(labels: Any, data: Data) -> float:
    """Share of new rows told wrongly."""
    return float(np.mean(np.asarray(labels).ravel() != data["y_new"]))
