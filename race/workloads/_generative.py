"""What the workloads of generative classifiers share: data, and how good labels are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from race.workload import Data, Size

Labels = NDArray[Any]


def make_gaussians(size: Size, seed: int) -> Data:
    """Classes with means and spreads of their own, columns correlated within them."""
    generator = np.random.default_rng(seed)
    rows, columns, classes = size["rows"], size["columns"], size["classes"]
    y = generator.integers(0, classes, rows)
    x = generator.standard_normal((rows, columns))
    x[:, 1:] += 0.5 * x[:, :-1]
    scale = generator.uniform(0.7, 1.4, (classes, columns))
    mean = generator.standard_normal((classes, columns)) * (2.0 / np.sqrt(columns))
    step = 1 << 16  # whole arrays of means would take as much memory again
    for first in range(0, rows, step):
        part = slice(first, first + step)
        x[part] = x[part] * scale[y[part]] + mean[y[part]]
    x += generator.uniform(-1.0, 1.0, columns)
    return {"X": x, "y": y.astype(np.float64)}


def fitted_labels(model: Any, data: Data) -> Labels:
    """Labels a model predicts for the rows it was fitted to."""
    labels: Labels = model.fit(data["X"], data["y"]).predict(data["X"])
    return labels


def mistakes(labels: Labels, data: Data) -> float:
    """Share of wrong labels: every exact method makes the same mistakes."""
    return float(np.mean(np.asarray(labels).ravel() != data["y"]))
