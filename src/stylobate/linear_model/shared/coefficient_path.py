"""Coefficients along a path of penalties, and their errors on other rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.linear_model.shared.squared_errors import squared_errors
from stylobate.parallel import product_of_rows
from stylobate.statistics import Moments

_CANCELLED = 1e-8  # share of the terms of a sum of squares that must be left of it


@dataclass(frozen=True, slots=True)
class CoefficientPath:
    """Coefficients (alphas × p × targets) and intercepts (alphas × targets)."""

    coef: Array
    intercept: Array

    def squared_errors(self, test: Moments) -> Array | None:
        """Σ w (y − ŷ)² on rows of which only the moments are known (alphas × targets).

        None where this is so small next to the terms it is made of that its digits are gone.
        """
        errors = squared_errors(self.coef, self.intercept, test)
        cancelled = (errors.squares < _CANCELLED * errors.terms).any()
        return None if cancelled else errors.squares

    def predict(self, x: NDArray[np.floating]) -> Array:
        """Predictions (alphas × rows × targets)."""
        a, p, t = self.coef.shape
        flat = product_of_rows(x, self.coef.transpose(1, 0, 2).reshape(p, a * t))
        return np.asarray(flat).reshape(-1, a, t).transpose(1, 0, 2) + self.intercept[:, None]
