"""Coordinates as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Numbers, TransformerMixin
from stylobate.base.batches import FitsFirstBatch
from stylobate.base.validation import input_names
from stylobate.data.table import Table
from stylobate.exceptions import InvalidDataError
from stylobate.preprocessing.time_and_place.places import EARTH_RADIUS, haversine, unit_sphere

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class GeoEncoder(TransformerMixin, FitsFirstBatch):
    """Latitude and longitude as a point on the unit sphere, with distances to given points.

    Degrees jump at the date line and shrink towards the poles; the point on the sphere does
    neither. The first two columns are read, latitude first; further ones are left out.

    Parameters
    ----------
    points : array-like of shape (m, 2) or None, default=None
        Latitudes and longitudes to give great-circle distances to, in kilometres.

    Attributes
    ----------
    points_ : array of shape (m, 2)
        The points used.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> encoder = GeoEncoder(points=[[0.0, 90.0]])
    >>> encoder.fit_transform([[0.0, 0.0]]).round(1)
    array([[1.00000e+00, 0.00000e+00, 0.00000e+00, 1.00076e+04]])
    >>> encoder.inverse_transform([[0.0, 0.0, 1.0, 10007.6]]).round(6)
    array([[90.,  0.]])

    References
    ----------
    Sinnott (1984), Virtues of the haversine, Sky and Telescope 68.
    """

    def __init__(
        self,
        *,
        points: Annotated[Any, Numbers(-180, 180, closed="both", ndim=2)] | None = None,
    ) -> None:
        self.points = points

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the coordinates.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Degrees: latitude in [-90, 90], longitude in [-180, 360]. A latitude beyond 90 is read
            as an angle over the pole, unless all longitudes are below: then the columns are taken
            to be exchanged, and refused.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._coordinates(self._read(X, reset=True, min_features=2))
        given = np.empty((0, 2)) if self.points is None else self.points
        self.points_ = np.array(given, dtype=np.float64)
        if self.points_.shape[1] != 2:
            raise InvalidDataError(
                f"GeoEncoder: points has shape {self.points_.shape}; give a latitude and a "
                "longitude for each."
            )
        self._n_features_out = 3 + len(self.points_)
        return self

    def _coordinates(self, table: Table) -> NDArray[np.float64]:
        found = np.asarray(table.x[:, :2], dtype=np.float64)
        if (np.abs(found) > 360).any():
            row = int(np.argmax(np.abs(found).max(axis=1)))
            raise InvalidDataError(
                f"GeoEncoder: row {row} of X holds {found[row, 0]:g} and {found[row, 1]:g}, which "
                "are no degrees; convert the coordinates to latitude and longitude first."
            )
        over = np.abs(found[:, 0]) > 90
        if over.any() and (np.abs(found[:, 1]) <= 90).all():
            row = int(np.argmax(over))
            raise InvalidDataError(
                f"GeoEncoder: row {row} of X is at latitude {found[row, 0]:g}, longitude "
                f"{found[row, 1]:g}; the columns seem to be exchanged: put latitude first."
            )
        return found

    def transform(self, X: Any) -> Any:
        """Points on the sphere and distances.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Degrees.

        Returns
        -------
        array or frame of shape (n, 3 + m)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        north, east = self._coordinates(table).T
        distances = [haversine(north, east, (a, b)) for a, b in self.points_]
        return self._wrap(np.column_stack([unit_sphere(north, east), *distances]), table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.places import on_the_globe

        return on_the_globe(columns[0], columns[1], self.points_.tolist(), EARTH_RADIUS)

    def inverse_transform(self, X: Any) -> NDArray[np.float64]:
        """Latitudes and longitudes of points on the sphere.

        Parameters
        ----------
        X : array-like of shape (n, 3 + m)
            What `transform` returns.

        Returns
        -------
        array of shape (n, 2)
        """
        from stylobate.data import read_table

        self._check_fitted()
        x, y, z = read_table(X, owner="GeoEncoder", min_features=3).x[:, :3].T
        angles = np.column_stack([np.arctan2(z, np.hypot(x, y)), np.arctan2(y, x)])
        return np.asarray(np.degrees(angles), dtype=np.float64)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names such as ``"lat_lon_x"`` and ``"lat_lon_km_to_48_7"``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        stem = "_".join(str(name) for name in input_names(self, input_features)[:2])
        found = [f"{stem}_{axis}" for axis in "xyz"]
        found += [f"{stem}_km_to_{a:g}_{b:g}" for a, b in self.points_]
        return np.array(found, dtype=object)
