"""Data with outliers, and independent objectives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def make(n: int, p: int, seed: int = 0, *, heavy: bool = True) -> tuple[Array, Array]:
    """Columns of unlike sizes off zero; errors with heavy tails that grow with the first column."""
    random = np.random.default_rng(seed)
    x = random.standard_normal((n, p)) * random.uniform(0.1, 10.0, p) + 3.0
    noise = random.standard_t(2, n) if heavy else random.standard_normal(n)
    return x, x @ random.standard_normal(p) + noise * (1.0 + 0.3 * np.abs(x[:, 0]))


def pinball(
    model: object, x: Array, y: Array, tau: float, alpha: float = 0.0, weights: Array | None = None
) -> float:
    """mean ρ + α‖w‖₁ of a fitted model, by its definition."""
    residual = y - x @ model.coef_ - model.intercept_  # type: ignore[attr-defined]
    loss = np.where(residual > 0, tau * residual, (tau - 1) * residual)
    return float(np.average(loss, weights=weights) + alpha * np.abs(model.coef_).sum())  # type: ignore[attr-defined]


def huber(
    model: object, x: Array, y: Array, epsilon: float, alpha: float, weights: Array | None = None
) -> float:
    """scikit-learn's objective, by its definition."""
    sigma = model.scale_  # type: ignore[attr-defined]
    z = np.abs(y - x @ model.coef_ - model.intercept_) / sigma  # type: ignore[attr-defined]
    loss = np.where(z < epsilon, z**2, 2 * epsilon * z - epsilon**2)
    weights = np.ones(len(y)) if weights is None else weights
    coef = model.coef_  # type: ignore[attr-defined]
    return float((weights * (sigma + sigma * loss)).sum() + alpha * coef @ coef)
