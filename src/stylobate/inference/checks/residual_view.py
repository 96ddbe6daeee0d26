"""What the four classical pictures of residuals show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.inference.checks.influence import Influence
from stylobate.inference.local_line import local_line


@dataclass(frozen=True, eq=False)
class ResidualView:
    """Residuals of a fit, from all sides.

    Attributes
    ----------
    fitted, residuals : array of shape (n,)
        ŷ and y - ŷ.
    standardized : array of shape (n,)
        Residuals in standard errors: internally studentised where leverages are known, else divided
        by their standard deviation. NaN where that is 0.
    quantiles : array of shape (n,)
        What standard normal values of the same ranks would be, Φ⁻¹((rank - 3/8) / (n + 1/4)).
    leverage, cooks_distance : array of shape (n,), or None
        Of a least-squares fit.
    rank : int
        Of that fit.
    trend, scale_trend : tuple of two arrays, or None
        Smooth lines through the residuals and through √|standardized| against ŷ.
    """

    fitted: Array
    residuals: Array
    standardized: Array
    quantiles: Array
    leverage: Array | None
    cooks_distance: Array | None
    rank: int
    trend: tuple[Array, Array] | None
    scale_trend: tuple[Array, Array] | None

    def worst(self, count: int = 3) -> list[int]:
        """The rows to name: those of the largest Cook's distances, or residuals."""
        size = np.abs(self.standardized if self.cooks_distance is None else self.cooks_distance)
        order = np.argsort(np.where(np.isfinite(size), -size, 0.0), kind="stable")
        return [int(k) for k in order[:count] if size[k] > 0]

    def plot(self, **options: Any) -> Any:
        """Draw the four pictures; see `stylobate.plot.plot_residuals`."""
        from stylobate.plot import plot_residuals

        return plot_residuals(self, **options)


def residual_view(influence: Influence) -> ResidualView:
    """The view of a least-squares fit.

    Parameters
    ----------
    influence : Influence
        Of the rows.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True)
    >>> view = residual_view(LinearRegression().fit(X, y).influence(X, y))
    >>> view.worst(2)
    [382, 123]
    """
    residuals = influence.residuals
    return _view(
        influence.rows.y - residuals,
        residuals,
        influence.internally_studentized,
        influence.leverage,
        influence.cooks_distance,
        influence.fit.rank,
    )


def residual_view_of(y: Any, fitted: Any) -> ResidualView:
    """The view of any predictions, without leverages.

    Parameters
    ----------
    y, fitted : array-like of shape (n,)
        Truth and prediction.

    Examples
    --------
    >>> residual_view_of([1.0, 2.0, 4.0], [1.0, 2.5, 3.5]).residuals
    array([ 0. , -0.5,  0.5])
    """
    truth, found = (np.asarray(each, dtype=np.float64) for each in (y, fitted))
    if truth.shape != found.shape or truth.ndim != 1 or len(truth) < 2:
        raise InvalidDataError(
            f"Residuals need two rows at least and as many predictions, one each; got targets of "
            f"shape {truth.shape} and predictions of shape {found.shape}."
        )
    residuals = truth - found
    spread = residuals.std(ddof=1) or np.nan
    return _view(found, residuals, residuals / spread, None, None, 0)


def _view(
    fitted: Array,
    residuals: Array,
    standardized: Array,
    leverage: Array | None,
    cooks: Array | None,
    rank: int,
) -> ResidualView:
    from scipy.special import ndtri
    from scipy.stats import rankdata

    known = np.isfinite(standardized)
    quantiles = np.full(len(fitted), np.nan)
    if known.any():
        ranks = rankdata(standardized[known], method="ordinal")
        quantiles[known] = ndtri((ranks - 0.375) / (known.sum() + 0.25))
    root = np.sqrt(np.abs(standardized))
    return ResidualView(
        fitted, residuals, standardized, quantiles, leverage, cooks, rank,
        local_line(fitted, residuals), local_line(fitted[known], root[known]),
    )  # fmt: skip
