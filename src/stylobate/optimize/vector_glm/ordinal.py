"""Ordered classes: P(y ≤ k) = F(θ_k − xᵀβ), with the two thresholds around y as predictors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.losses.response_curves import CurveName, ResponseCurve
from stylobate.optimize.vector_glm.likelihood import Derivatives, Predictors


@dataclass(frozen=True, slots=True)
class OrderedResponse:
    """The log-probability of class y = 0 … K−1, between its lower and its upper threshold.

    The predictors are (upper, lower), each already less xᵀβ; those of the last class's upper and of
    the first one's lower threshold are not looked at.

    Parameters
    ----------
    link : {"logit", "probit", "cloglog", "loglog", "cauchit"}
    n_classes : int >= 2

    Examples
    --------
    >>> found = OrderedResponse("logit", 3).at(np.array([0.0]), np.array([[0.0, 0.0]]))
    >>> float(np.exp(found.value[0]))
    0.5
    """

    link: CurveName
    n_classes: int

    @property
    def n_predictors(self) -> int:
        """Two."""
        return 2

    def predictors(self, y: Array, x: Array, offset: Array | None = None) -> Predictors:
        """β first among the parameters, then the thresholds; x has no column of ones."""
        n, cuts = len(y), self.n_classes - 1
        codes = y.astype(np.intp)
        blocks = []
        for place in (codes, codes - 1):
            marks = np.zeros((n, cuts))
            inside = (place >= 0) & (place < cuts)
            marks[np.flatnonzero(inside), place[inside]] = 1.0
            blocks.append((np.hstack([-x, marks]), np.arange(cuts + x.shape[1])))
        offsets = None if offset is None else -np.column_stack([offset, offset])
        return Predictors(tuple(blocks), cuts + x.shape[1], offsets)

    def at(self, y: Array, z: Array) -> Derivatives:
        """At the predictors (n, 2)."""
        curve = ResponseCurve(self.link)
        first, last = y == 0, y == self.n_classes - 1
        value = np.empty(len(y))
        upper, lower = z[:, 0], z[:, 1]
        middle = ~first & ~last
        value[first] = curve.log_mean(upper[first])
        value[last] = curve.log_complement(lower[last])
        value[middle] = curve.log_between(lower[middle], upper[middle])
        value = np.where(np.isnan(value), -np.inf, value)  # thresholds out of order
        up = np.where(last, 0.0, np.exp(curve.log_slope(upper) - value))
        low = np.where(first, 0.0, np.exp(curve.log_slope(lower) - value))
        up_bend = np.where(last, 0.0, curve.bend(np.where(last, 0.0, upper)))
        low_bend = np.where(first, 0.0, curve.bend(np.where(first, 0.0, lower)))
        curvature = np.empty((len(y), 2, 2))
        curvature[:, 0, 0] = up * (up - up_bend)
        curvature[:, 1, 1] = low * (low + low_bend)
        curvature[:, 0, 1] = curvature[:, 1, 0] = -up * low
        return Derivatives(value, np.column_stack([up, -low]), curvature)

    def probabilities(self, thresholds: Array, eta: Array) -> Array:
        """P(y = k) of every class, (n, K)."""
        curve = ResponseCurve(self.link)
        z = thresholds - eta[:, None]
        ends = [
            curve.log_mean(z[:, 0]),
            *(curve.log_between(z[:, k - 1], z[:, k]) for k in range(1, z.shape[1])),
            curve.log_complement(z[:, -1]),
        ]
        return np.exp(np.column_stack(ends))
