"""Squared errors of linear predictions on rows of which only the moments are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.statistics import Moments

Array = NDArray[np.float64]


class SquaredErrors(NamedTuple):
    """For a models and t targets (a × t)."""

    squares: Array  # Σ w r², r = y − ŷ
    scatter: Array  # Σ w (r − r̄)²
    mean: Array  # r̄
    terms: Array  # size of the terms the scatter is a difference of, whose rounding it has


def squared_errors(coef: Array, intercept: Array, test: Moments) -> SquaredErrors:
    r"""Of models (a × p × t) and their intercepts (a × t).

    .. math:: \sum_i \omega_i (y_i - x_i^\top w - b)^2 =
              S_{yy} - 2 w^\top S_{xy} + w^\top S_{xx} w + n (\bar y - \bar x^\top w - b)^2
    """
    yy = np.diag(test.yy)
    inside = np.einsum("apt,apt->at", coef, test.xx @ coef - 2.0 * test.xy) + yy
    size = np.abs(coef)
    terms = np.einsum("apt,apt->at", size, np.abs(test.xx) @ size + 2.0 * np.abs(test.xy)) + yy
    shift = test.y_mean - np.einsum("p,apt->at", test.x_mean, coef) - intercept
    scatter = np.maximum(inside, 0.0)
    return SquaredErrors(scatter + test.weight * shift**2, scatter, shift, terms)
