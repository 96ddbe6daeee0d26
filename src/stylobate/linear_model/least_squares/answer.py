"""What a solver of linear least squares hands back to an estimator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.least_squares import LeastSquaresSolution
from stylobate.statistics import Moments, TriangularFactor


@dataclass(frozen=True, slots=True)
class Solved:
    """The answer, how it was found, and the statistics it was found from."""

    solution: LeastSquaresSolution
    solver: str
    reason: str
    intercept: Array
    moments: Moments | None = None
    factor: TriangularFactor | None = None


def factor_means(factor: TriangularFactor, *, intercept: bool) -> tuple[Array, Array]:
    """Means of the features and of the targets, from the row of the ones; zeros without them."""
    first = factor.r[0] / factor.r[0, 0] if intercept else np.zeros(len(factor.r))
    return first[1 : factor.n_features + 1], first[factor.n_features + 1 :]
