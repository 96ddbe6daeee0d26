"""Counts that are zero for another reason in a share of the rows.

References
----------
Lambert (1992), Zero-inflated Poisson regression, with an application to defects in manufacturing,
Technometrics 34.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.vector_glm.likelihood import Derivatives, RowLikelihood


@dataclass(frozen=True, slots=True)
class ZeroInflated:
    """A zero with probability π, else a count; the logit of π is the last predictor.

    Parameters
    ----------
    counts : RowLikelihood
        Log-probabilities of counts, with their constants.

    Examples
    --------
    >>> from stylobate.optimize.vector_glm.negative_binomial import PoissonCounts
    >>> found = ZeroInflated(PoissonCounts()).at(np.zeros(1), np.zeros((1, 2)))
    >>> round(float(np.exp(found.value[0])), 6)  # ½ + ½ e⁻¹
    0.68394
    """

    counts: RowLikelihood

    @property
    def n_predictors(self) -> int:
        """One more than those of the counts."""
        return self.counts.n_predictors + 1

    def at(self, y: Array, z: Array) -> Derivatives:
        """At the predictors."""
        from scipy.special import expit, log_expit

        inner, t, m = self.counts.at(y, z[:, :-1]), z[:, -1], z.shape[1] - 1
        share, zero = expit(t), y == 0
        either = np.logaddexp(t, inner.value)  # of odds of a zero for its own reason, and a count's
        value = np.where(zero, either, inner.value) + log_expit(-t)
        counted = np.where(zero, np.exp(inner.value - either), 1.0)  # it is a count after all
        mixed = counted * (1.0 - counted)
        slope = np.column_stack(
            [counted[:, None] * inner.slope, np.where(zero, 1.0 - counted, 0.0) - share]
        )
        curve = np.empty((len(y), m + 1, m + 1))
        outer = inner.slope[:, :, None] * inner.slope[:, None, :]
        curve[:, :m, :m] = counted[:, None, None] * inner.curvature - mixed[:, None, None] * outer
        curve[:, :m, m] = curve[:, m, :m] = mixed[:, None] * inner.slope
        curve[:, m, m] = share * (1.0 - share) - mixed
        return Derivatives(value, slope, curve)
