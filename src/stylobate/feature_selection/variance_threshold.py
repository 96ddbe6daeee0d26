"""Features that hardly vary are left out."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Mask
from stylobate.base import Interval, Tags
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidDataError
from stylobate.feature_selection.history import SelectionHistory, ranking
from stylobate.feature_selection.selector import FeatureSelector
from stylobate.statistics import ColumnMoments
from stylobate.statistics.columns.column_range import refuse_infinite


class VarianceThreshold(FeatureSelector):
    """Keep the features whose variance exceeds a threshold; constant ones go by default.

    Parameters
    ----------
    threshold : float in [0, inf), default=0.0
        Features of at most this variance (with denominator n) are left out.

    Attributes
    ----------
    variances_ : array of shape (n_features,)
        Variance of every feature; for a threshold of 0 no more than its range, which is exactly 0
        for a constant one.
    history_ : SelectionHistory
        The variances as data for a picture.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> VarianceThreshold().fit_transform([[0, 2, 0, 3], [0, 1, 4, 3], [0, 1, 1, 3]])
    array([[2., 0.],
           [1., 4.],
           [1., 1.]])
    """

    def __init__(self, threshold: Annotated[float, Interval(0, inf)] = 0.0) -> None:
        self.threshold = threshold

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                sparse=True,
                allow_nan=True,
                preserves_dtype=("float64", "float32"),
                tier="one pass",
            )
        )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the variances.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; NaN counts as missing.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True, check_finite="deferred")
        moments = ColumnMoments.of(table)
        refuse_infinite(table, moments.low, moments.high)
        return self._learn(moments)

    def _fit_stream(self, stream: Stream) -> Self:
        self._check_parameters()
        source = self._source(stream)
        return self._learn(source.compute(ColumnMoments))

    def _learn(self, moments: ColumnMoments) -> Self:
        with np.errstate(over="ignore", under="ignore"):
            # NaN where nothing is present; what overflows is as large as a number can be
            most = np.finfo(np.float64).max
            overflows = (moments.count > 0) & ~np.isfinite(moments.deviation)
            variances = np.where(overflows, most, np.minimum(moments.deviation**2, most))
            if self.threshold == 0:
                variances = np.minimum(variances, moments.high - moments.low)
        if not (np.isfinite(variances) & (variances > self.threshold)).any():
            only = " (X contains only one sample)" if moments.n_rows == 1 else ""
            raise InvalidDataError(
                f"{type(self).__name__}: No feature in X meets the variance threshold "
                f"{self.threshold:.5f}{only}; lower it, or look at what is in X."
            )
        self.variances_ = variances
        return self

    def _get_support_mask(self) -> Mask:
        self._check_fitted()
        return np.asarray(self.variances_ > self.threshold)

    @property
    def support_(self) -> Mask:  # type: ignore[override]  # computed: the threshold may change
        """Mask of the features selected."""
        return self._get_support_mask()

    @property
    def history_(self) -> SelectionHistory:
        """The variances of all features, as one step."""
        return ranking(self.variances_, self._get_support_mask(), "variance")
