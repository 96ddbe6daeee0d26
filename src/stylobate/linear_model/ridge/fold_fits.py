"""Many ridge regressions on many training parts at once, and their errors on other parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base.residuals import ResidualSums
from stylobate.linear_model.least_squares.request import LinearRequest
from stylobate.linear_model.shared.squared_errors import stacked_errors
from stylobate.statistics import Moments
from stylobate.statistics.moments.stack import MomentsStack

Grid = Sequence[Sequence[Moments]]  # of each split: one for each size, or one for all sizes
EPS = float(np.finfo(np.float64).eps)

MOST_COLUMNS = 256  # beyond, LAPACK's blocked factorisation is worth a call of its own
SAFE_CONDITION = 1e3  # of the columns: its square costs six digits, nine and more are left
CANCELLED = 1e-5  # share of the terms of a sum of squares that must be left of it


class RidgeFoldFits(NamedTuple):
    """Coefficients of e models fitted to z training parts of each of s splits."""

    coef: Array  # e × s × z × p × targets
    intercept: Array  # e × s × z × targets
    safe: NDArray[np.bool_]  # e × s × z: whether the moments had the digits

    @classmethod
    def of(cls, requests: Sequence[LinearRequest], trainings: Grid) -> RidgeFoldFits:
        """By Cholesky factors of equilibrated Grams, all of them in one call."""
        stack = _stack(trainings)
        shape = (len(requests), len(trainings), len(trainings[0]))
        p, t = stack.n_features, stack.n_targets
        coef = np.zeros((len(requests), len(stack), p, t))
        bound = np.full((len(requests), len(stack)), np.inf)
        intercept = np.zeros((len(requests), len(stack), t))
        for centred in {request.intercept for request in requests}:
            these = [k for k, request in enumerate(requests) if request.intercept == centred]
            about = stack if centred else stack.about_zero()
            alphas = np.array([np.broadcast_to(requests[k].alpha, (t,)) for k in these], float)
            which = np.tile(np.arange(len(stack)), len(these))
            found = _core.solve_ridges(
                about.scatter, t, which, np.repeat(alphas, len(stack), axis=0)
            )
            coef[these] = found[0].reshape(len(these), len(stack), p, t)
            bound[these] = found[1].reshape(len(these), len(stack))
            if centred:
                expected = (stack.x_mean[:, :, None] * coef[these]).sum(axis=2)
                intercept[these] = stack.y_mean - expected
        safe = (bound <= SAFE_CONDITION**2) & (stack.n_rows > p + 1)
        return cls(coef.reshape(*shape, p, t), intercept.reshape(*shape, t), safe.reshape(shape))

    @classmethod
    def of_one(cls, coef: Array, intercept: Array) -> RidgeFoldFits:
        """A single model that is there already: coefficients (p × targets) and intercepts."""
        one = (None, None, None)
        return cls(coef[one], intercept[one], np.ones((1, 1, 1), dtype=bool))

    def residual_sums(self, parts: Grid) -> tuple[NDArray[np.bool_], ResidualSums]:
        """Sums over the residuals of every fit on its part; whether each can be told (e × s × z).

        The sums of fits that are not safe, and those that cannot be told, mean nothing.
        """
        e, s, z, p, t = self.coef.shape
        each = len(parts[0])  # parts of a split: each size has its own, or all share one
        stack = _stack(parts)
        which = np.tile(np.repeat(np.arange(s * each), z // each), e)
        found = stacked_errors(
            self.coef.reshape(-1, p, t), self.intercept.reshape(-1, t), stack, which
        )
        cancelled = found.scatter <= CANCELLED * found.terms
        told = ~(cancelled | is_flat(stack)[which]).any(axis=1)
        sums = ResidualSums(stack.n_rows[which], found.scatter, found.mean, stack.yy[which])
        return told.reshape(e, s, z), sums


def is_flat(stack: MomentsStack) -> NDArray[np.bool_]:
    """Whether a target is constant up to rounding, in a part of several rows (parts × targets)."""
    n_rows, weight = stack.n_rows[:, None], stack.weight[:, None]
    size = stack.y_mean**2 + stack.yy / weight
    return np.asarray((stack.yy <= n_rows * (4.0 * EPS) ** 2 * weight * size) & (n_rows > 1))


def sums_of_fits(
    requests: Sequence[LinearRequest], trainings: Grid, parts: Sequence[Grid]
) -> tuple[NDArray[np.bool_], list[ResidualSums]]:
    """Fit every model to every training part; whether a fit and all its sums can be told."""
    fits = RidgeFoldFits.of(requests, trainings)
    safe, sums = fits.safe, []
    for grid in parts:
        told, found = fits.residual_sums(grid)
        safe = safe & told
        sums.append(found)
    return safe, sums


def _stack(grid: Grid) -> MomentsStack:
    return MomentsStack.stacked([part for parts in grid for part in parts])
