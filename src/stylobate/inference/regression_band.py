"""A regression line with its confidence and prediction band, as a picture shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.inference.fit import fit_from_factor
from stylobate.inference.intervals import prediction
from stylobate.inference.summary.regression import summarize


@dataclass(frozen=True, eq=False)
class RegressionBand:
    """The line of least squares through points, on a grid.

    Attributes
    ----------
    x, mean : array
        The grid, and the line.
    confidence, prediction : tuple of two arrays, or None
        Lower and upper end for the mean, and for a new point.
    text : str
        Slope with its interval, and R².
    level : float
        Of the intervals.
    """

    x: Array
    mean: Array
    confidence: tuple[Array, Array] | None
    prediction: tuple[Array, Array] | None
    text: str
    level: float


def regression_band(x: Any, y: Any, *, level: float = 0.95, points: int = 100) -> RegressionBand:
    r"""The line of least squares, with the intervals of the mean and of a new point.

    .. math:: \hat y(x) \pm t\, s \sqrt{\tfrac1n + \frac{(x - \bar x)^2}{S_{xx}}}, \qquad
              \hat y(x) \pm t\, s \sqrt{1 + \tfrac1n + \frac{(x - \bar x)^2}{S_{xx}}}

    Parameters
    ----------
    x, y : arrays of shape (n,)
        Finite numbers; x must vary.
    level : float in (0, 1), default=0.95
        Of the intervals.
    points : int, default=100
        Of the grid, from the smallest to the largest x.

    Returns
    -------
    RegressionBand
        Without intervals for two points.

    Examples
    --------
    >>> band = regression_band([0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 5.0, 7.5])
    >>> band.text
    'slope 2.15 (95 %: 1.78 to 2.52), R² 0.997'

    References
    ----------
    Draper & Smith (1998), Applied Regression Analysis, section 3.1.
    """
    across, up = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if len(across) < 2 or not np.ptp(across) > 0:
        raise InvalidDataError(
            f"A line needs two different values of x at least, got {len(np.unique(across))}."
        )
    design = np.column_stack([np.ones(len(across)), across, up])
    factor: Any = np.linalg.qr(np.vstack([design, np.zeros((3, 3))]), mode="r")
    fit = fit_from_factor(factor, n_rows=len(across))
    grid = np.linspace(across.min(), across.max(), points)
    if len(across) < 3:
        order = np.argsort(across)
        line = np.interp(grid, across[order], up[order])
        return RegressionBand(grid, line, None, None, "", level)
    inner = prediction(fit, grid[:, None], level=level, kind="confidence")
    outer = prediction(fit, grid[:, None], level=level, kind="prediction")
    told = summarize(fit, level=level)
    slope = told.coefficients
    text = (
        f"slope {slope.estimate[1]:.3g} ({100 * level:g} %: {slope.ci_low[1]:.3g} to "
        f"{slope.ci_high[1]:.3g}), R² {told.r2:.3f}"
    )
    return RegressionBand(
        grid, inner.mean, (inner.lower, inner.upper), (outer.lower, outer.upper), text, level
    )
