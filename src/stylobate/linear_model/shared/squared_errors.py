"""Squared errors of linear predictions on rows of which only the moments are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.statistics import Moments
from stylobate.statistics.moments.stack import MomentsStack


class SquaredErrors(NamedTuple):
    """For k models and t targets (k × t)."""

    squares: Array  # Σ w r², r = y − ŷ
    scatter: Array  # Σ w (r − r̄)²
    mean: Array  # r̄
    terms: Array  # size of the terms the scatter is a difference of, whose rounding it has


def squared_errors(coef: Array, intercept: Array, test: Moments) -> SquaredErrors:
    """Of models (k × p × t) with intercepts (k × t) on the same rows; see `stacked_errors`."""
    which = np.zeros(len(coef), dtype=np.int64)
    return stacked_errors(coef, intercept, MomentsStack.stacked([test]), which)


def stacked_errors(
    coef: Array, intercept: Array, tests: MomentsStack, which: NDArray[np.int64]
) -> SquaredErrors:
    r"""Of models (k × p × t) with intercepts (k × t), each on the part of the number `which`.

    .. math:: \sum_i \omega_i (y_i - x_i^\top w - b)^2 =
              S_{yy} - 2 w^\top S_{xy} + w^\top S_{xx} w + n (\bar y - \bar x^\top w - b)^2

    A model's numbers are the same to the last bit whatever others it comes with: equal candidates
    of a search tie.
    """
    inside, terms = _core.quadratic_forms(tests.scatter, which, np.ascontiguousarray(coef))
    expected = (tests.x_mean[which, :, None] * coef).sum(axis=1)
    shift = tests.y_mean[which] - expected - intercept
    scatter = np.maximum(inside, 0.0)
    squares = scatter + tests.weight[which, None] * shift**2
    return SquaredErrors(squares, scatter, shift, terms)
