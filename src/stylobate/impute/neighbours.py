"""Missing values replaced by those of the nearest rows."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, Options
from stylobate.data import Table
from stylobate.exceptions import ModelFileError
from stylobate.impute.cells import MissingMarker, missing_mask, read_cells
from stylobate.impute.imputer import BaseImputer

_BLOCK = 1 << 22  # distances held at a time


class KNNImputer(BaseImputer):
    r"""Replace a missing value by the mean over the k nearest rows that have one.

    .. math:: d(x, z)^2 = \frac{p}{|J|} \sum_{j \in J} (x_j - z_j)^2, \quad J = \text{both present}

    Distances are computed for a block of rows at a time, so the memory does not grow with the
    square of the rows. Scale the columns first: the distance knows no units.

    Parameters
    ----------
    missing_values : float, str, None or pandas.NA, default=nan
        What stands for a missing value.
    n_neighbors : int in [1, inf), default=5
        k.
    weights : {"uniform", "distance"} or callable, default="uniform"
        All neighbours alike, by 1/d, or as a callable makes weights of an array of distances.
    metric : "nan_euclidean" or callable, default="nan_euclidean"
        The distance above, or ``metric(x, z, missing_values=nan)`` of two rows.
    copy : bool, default=True
        Whether to leave the caller's array alone; False fills in place where possible.
    add_indicator : bool, default=False
        Whether to append the columns of `MissingIndicator`.
    keep_empty_features : bool, default=False
        Whether to keep columns without a single value, filled with 0.

    Attributes
    ----------
    indicator_ : MissingIndicator or None
        The indicator, if added.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rows = [[1.0, 2.0], [1.5, np.nan], [2.0, 4.0], [9.0, 100.0]]
    >>> KNNImputer(n_neighbors=2).fit_transform(rows)[1]
    array([1.5, 3. ])

    References
    ----------
    Troyanskaya et al. (2001), Missing value estimation methods for DNA microarrays, Bioinformatics
    17.
    """

    def __init__(
        self,
        *,
        missing_values: Annotated[Any, MissingMarker()] = np.nan,
        n_neighbors: Annotated[int, Interval(1, inf)] = 5,
        weights: Annotated[str, Options("uniform", "distance")] | Callable[..., Any] = "uniform",
        metric: Annotated[str, Options("nan_euclidean")] | Callable[..., Any] = "nan_euclidean",
        copy: bool = True,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
    ) -> None:
        self.missing_values = missing_values
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.copy = copy
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember the rows that values are taken from.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = read_cells(self, X, reset=True, text=False)
        self._fit_indicator(table.x)
        self._rows = _blanked(table, self.missing_values)
        self._has_value = np.asarray((~np.isnan(self._rows)).any(axis=0))
        return self

    def _check_loaded(self) -> None:
        """Refuse a file without rows to fill gaps from."""
        if "_rows" not in vars(self):
            return
        known = (~np.isnan(self._rows)).any(axis=0)
        if not len(self._rows) or not np.array_equal(self._has_value, known):
            raise ModelFileError("The KNNImputer of the file has no rows to fill gaps from.")

    @property
    def _kept(self) -> NDArray[np.intp]:
        if self.keep_empty_features:
            return np.arange(self.n_features_in_)
        return np.flatnonzero(self._has_value)

    def transform(self, X: Any) -> Any:
        """X with its missing values replaced by those of neighbours.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame
            Without the columns that had no value at `fit`, unless `keep_empty_features`.
        """
        self._check_fitted()
        table = read_cells(self, X, reset=False, text=False)
        given = _blanked(table, self.missing_values)
        blank = np.isnan(given)
        reuse = not self.copy and table.x.flags.writeable and not self.add_indicator
        out = table.x if reuse else table.x.copy()
        out[:, ~self._has_value] = np.where(blank, 0.0, given)[:, ~self._has_value]
        wanted = np.flatnonzero((blank & self._has_value).any(axis=1))
        step = max(1, _BLOCK // len(self._rows))
        for start in range(0, len(wanted), step):
            rows = wanted[start : start + step]
            self._fill(out, given, rows)
        return self._with_indicator(
            out[:, self._kept] if len(self._kept) < out.shape[1] else out, table
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_rows")

    def _fill(self, out: NDArray[Any], given: Array, rows: NDArray[np.intp]) -> None:
        """Fill some rows, column by column."""
        distances = self._distances(given[rows])
        for j in np.flatnonzero(np.isnan(given[rows]).any(axis=0) & self._has_value):
            own = np.flatnonzero(np.isnan(given[rows, j]))
            donors = np.flatnonzero(~np.isnan(self._rows[:, j]))
            far = distances[np.ix_(own, donors)]
            lost = np.isnan(far).all(axis=1)  # nothing in common with any row: the column's mean
            values = np.full(len(own), self._rows[donors, j].mean())
            values[~lost] = self._averages(given, rows[own[~lost]], far[~lost], donors, int(j))
            out[rows[own], j] = values

    def _averages(
        self, given: Array, rows: NDArray[np.intp], far: Array, donors: NDArray[np.intp], j: int
    ) -> Array:
        k = min(int(self.n_neighbors), len(donors))
        nearest = np.argpartition(far, k - 1, axis=1)[:, :k]
        distance = np.take_along_axis(far, nearest, axis=1)
        chosen = donors[nearest]
        if not callable(self.metric):
            distance = _exact(given[rows][:, None, :], self._rows[chosen])
        weights = self._weights(distance)
        weights[np.isnan(distance)] = 0.0
        total = weights.sum(axis=1)
        filled = (weights * self._rows[chosen, j]).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(
                np.where(total == 0, self._rows[chosen, j].mean(axis=1), filled / total)
            )

    def _weights(self, distance: Array) -> Array:
        if callable(self.weights):
            return np.array(self.weights(distance), dtype=np.float64)
        if self.weights == "uniform":
            return np.ones_like(distance)
        with np.errstate(divide="ignore"):
            weights = 1.0 / distance
        same = np.isinf(weights)  # a row of the same values: it alone counts
        some = same.any(axis=1)
        weights[some] = same[some]
        return weights

    def _distances(self, given: Array) -> Array:
        """Distances of some rows to those of `fit`; NaN where nothing is present in both."""
        if callable(self.metric):
            return np.array(
                [[self.metric(a, b, missing_values=np.nan) for b in self._rows] for a in given]
            )
        centre = np.array(
            [
                c[~np.isnan(c)].mean() if k else 0.0
                for c, k in zip(self._rows.T, self._has_value, strict=True)
            ]
        )
        scale = np.nanmax(np.abs(self._rows - centre), initial=0.0) or 1.0  # squares stay in range
        a, b = ((each - centre) / scale for each in (given, self._rows))
        here, there = (~np.isnan(each) for each in (a, b))
        a, b = np.where(here, a, 0.0), np.where(there, b, 0.0)
        h, t = here.astype(float), there.astype(float)
        squares = (a * a) @ t.T + h @ (b * b).T - 2.0 * (a @ b.T)
        both = h @ t.T
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(
                both > 0, scale * np.sqrt(np.maximum(squares, 0.0) * (a.shape[1] / both)), np.nan
            )


def _exact(a: Array, b: Array) -> Array:
    """The distance of rows to few others, by their differences: equal rows have distance 0."""
    difference = a - b
    present = ~np.isnan(difference)
    size = np.abs(np.where(present, difference, 0.0)).max(axis=-1, initial=0.0)
    unit = np.where(size > 0, size, 1.0)
    squares = (np.where(present, difference / unit[..., None], 0.0) ** 2).sum(axis=-1)
    count = present.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(count > 0, unit * np.sqrt(squares * (a.shape[-1] / count)), np.nan)


def _blanked(table: Table, missing_values: Any) -> Array:
    """The numbers as float64, NaN where missing."""
    x = table.x.astype(np.float64)
    x[missing_mask(table.x, missing_values)] = np.nan
    return np.asarray(x)
