"""Squared errors of linear predictions on rows of which only the moments are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.statistics import Moments
from stylobate.statistics.stack import MomentsStack

Array = NDArray[np.float64]


class SquaredErrors(NamedTuple):
    """For a models and t targets (a × t), or for each of k parts (k × a × t)."""

    squares: Array  # Σ w r², r = y − ŷ
    scatter: Array  # Σ w (r − r̄)²
    mean: Array  # r̄
    terms: Array  # size of the terms the scatter is a difference of, whose rounding it has


def squared_errors(coef: Array, intercept: Array, test: Moments) -> SquaredErrors:
    r"""Of models (a × p × t) and their intercepts (a × t).

    .. math:: \sum_i \omega_i (y_i - x_i^\top w - b)^2 =
              S_{yy} - 2 w^\top S_{xy} + w^\top S_{xx} w + n (\bar y - \bar x^\top w - b)^2
    """
    found = stacked_errors(coef[None], intercept[None], MomentsStack.stacked([test]))
    return SquaredErrors(*(each[0] for each in found))


def stacked_errors(coef: Array, intercept: Array, tests: MomentsStack) -> SquaredErrors:
    """The same for each of k parts: models (k × a × p × t), intercepts (k × a × t)."""
    k, a, p, t = coef.shape
    columns = coef.transpose(0, 2, 1, 3).reshape(k, p, a * t)  # one product for all models
    sizes = np.abs(columns)
    yy = tests.yy[:, None, :]
    inside = _forms(tests.xx, tests.xy, columns, -2.0).reshape(k, a, t) + yy
    terms = _forms(np.abs(tests.xx), np.abs(tests.xy), sizes, 2.0).reshape(k, a, t) + yy
    expected = (tests.x_mean[:, None, :] @ columns).reshape(k, a, t)
    shift = tests.y_mean[:, None, :] - expected - intercept
    scatter = np.maximum(inside, 0.0)
    squares = scatter + tests.weight[:, None, None] * shift**2
    return SquaredErrors(squares, scatter, shift, terms)


def _forms(xx: Array, xy: Array, columns: Array, factor: float) -> Array:
    """Wᵀ(S W + factor·b), the diagonal of it (parts × columns)."""
    right = np.tile(factor * xy, columns.shape[2] // xy.shape[2])
    right += xx @ columns
    return np.asarray(np.einsum("kpc,kpc->kc", columns, right))
