"""Where the knots of splines are, and the basis they give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.statistics import ColumnRange, Source
from stylobate.statistics.columns.order_statistics import linear_places, quantiles_of

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

    from stylobate.preprocessing.bases.spline import SplineTransformer


def place_knots(spec: SplineTransformer, x: Array, weights: Array | None) -> Array:
    """Knots of every column, (n_knots, n_features).

    Parameters
    ----------
    spec : SplineTransformer
        Says how.
    x : array of shape (n, n_features)
        Rows.
    weights : array of shape (n,), optional
        Of the rows.
    """
    if not isinstance(spec.knots, str):
        return given_knots(spec.knots, x.shape[1])
    if weights is not None and not weights.all():
        keep = weights > 0
        x, weights = x[keep], weights[keep]
    if len(x) == 0:
        raise InvalidDataError("SplineTransformer: every row has weight 0; no knots can be placed.")
    return np.column_stack([_column(spec, column, weights) for column in x.T])


def stream_knots(spec: SplineTransformer, source: Source) -> Array:
    """The same from passes over a source."""
    if spec.knots == "quantile":
        shares = np.linspace(0.0, 100.0, spec.n_knots) / 100.0
        found = quantiles_of(source, linear_places(shares))
    else:
        ends = source.compute(ColumnRange)
        empty = ~ends.is_present
        low, high = np.where(empty, np.nan, ends.low), np.where(empty, np.nan, ends.high)
        found = np.linspace(low, high, spec.n_knots)
    lacking = np.isnan(found[0])
    found[:, lacking] = np.linspace(0.0, 1.0, spec.n_knots)[:, None]
    return found


def given_knots(knots: Any, n_features: int) -> Array:
    """Knots of the caller's, checked."""
    array = np.array(knots, dtype=np.float64)
    if array.ndim != 2 or array.shape[0] < 2:
        raise InvalidParameterError(
            "SplineTransformer: Number of knots, knots.shape[0], must be >= 2, got shape "
            f"{array.shape}."
        )
    if array.shape[1] != n_features:
        raise InvalidParameterError(
            "SplineTransformer: knots.shape[1] == n_features is violated: knots has "
            f"{array.shape[1]} columns, X has {n_features}."
        )
    if not np.all(np.diff(array, axis=0) > 0):
        raise InvalidParameterError("SplineTransformer: knots must be sorted without duplicates.")
    return array


def _column(spec: SplineTransformer, x: Array, weights: Array | None) -> Array:
    present = ~np.isnan(x)
    x, weights = x[present], None if weights is None else weights[present]
    if len(x) == 0:
        return np.linspace(0.0, 1.0, spec.n_knots)  # a column without a value: any knots will do
    if spec.knots == "uniform":
        return np.linspace(x.min(), x.max(), spec.n_knots)
    shares = np.linspace(0.0, 100.0, spec.n_knots)
    if weights is None:
        return np.percentile(x, shares)
    # the inverse of the weighted distribution function, averaged where it is flat
    return np.quantile(x, shares / 100.0, weights=weights, method="inverted_cdf")


def basis(knots: Array, degree: int, periodic: bool) -> BSpline:
    """The B-spline basis on base knots, extended by `degree` knots on either side.

    Outside knots repeat the first and the last spacing; those of a periodic basis repeat the inner
    spacings of the other end.
    """
    from scipy.interpolate import BSpline

    if periodic:
        period = knots[-1] - knots[0]
        left = knots[-(degree + 1) : -1] - period
        right = knots[1 : degree + 1] + period
        extended = np.concatenate([left, knots, right])
        count = len(knots) - 1
        shares = np.eye(count + degree, count)
        shares[count:] = np.eye(degree, count)  # the last functions are the first, once around
        return BSpline.construct_fast(extended, shares, degree, extrapolate=False)
    first, last = knots[1] - knots[0], knots[-1] - knots[-2]
    extended = np.concatenate(
        [
            np.linspace(knots[0] - degree * first, knots[0] - first, degree),
            knots,
            np.linspace(knots[-1] + last, knots[-1] + degree * last, degree),
        ]
    )
    count = len(knots) + degree - 1
    return BSpline.construct_fast(extended, np.eye(count), degree, extrapolate=True)
