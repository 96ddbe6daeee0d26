"""Pairs of latent variables, one of each block: what all models of two blocks are made of."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stylobate.arrays import Array


@dataclass(slots=True)
class LatentPairs:
    """k pairs of directions, with what each explains; columns beyond `found` are zero.

    `lost` is how far rounding may have moved them, as a share: products of rows lose digits where
    little is left. `ended` says why there are fewer than asked for.
    """

    x_weights: Array
    y_weights: Array
    x_loadings: Array
    y_loadings: Array
    x_rotations: Array
    y_rotations: Array
    x_squares: Array  # Σ t² of each pair's scores
    y_squares: Array  # Σ u²
    n_iter: list[int] = field(default_factory=list)
    converged: bool = True
    found: int = 0
    lost: float = 0.0
    ended: str = ""

    @classmethod
    def zeros(cls, p: int, q: int, k: int) -> LatentPairs:
        """Room for k pairs."""
        x, y = (p, k), (q, k)
        zeros = np.zeros
        return cls(zeros(x), zeros(y), zeros(x), zeros(y), zeros(x), zeros(y), zeros(k), zeros(k))


def signs_of(weights: Array) -> Array:
    """±1 such that the entry of largest size of each column becomes positive (1 for zeros)."""
    largest = weights[np.argmax(np.abs(weights), axis=0), np.arange(weights.shape[1])]
    return np.where(largest < 0.0, -1.0, 1.0)
