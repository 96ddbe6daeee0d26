"""The great-circle distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.distances.maps import Map
from stylobate.distances.metric import Form, Metric
from stylobate.exceptions import InvalidDataError


@dataclass(frozen=True, eq=False)
class Haversine(Metric):
    r"""The angle between two places given as latitude and longitude in radians.

    .. math:: 2 \arcsin \sqrt{\sin^2 \tfrac{\Delta\phi}{2}
              + \cos\phi_x \cos\phi_y \sin^2 \tfrac{\Delta\lambda}{2}}

    Examples
    --------
    >>> round(Haversine()([0.0, 0.0], [0.0, np.pi / 2]) / np.pi, 12)
    0.5
    """

    names: ClassVar[tuple[str, ...]] = ("haversine",)
    domain = "sphere"
    triangle = balls = True

    def form(self, columns: int) -> Form:
        """Half angles, and the cosine of the latitude in a third column."""
        if columns != 2:
            raise InvalidDataError(
                "Haversine distance only valid in 2 dimensions: latitude and longitude in radians; "
                f"got {columns} columns."
            )
        return Form("haversine", Map("arc"), change=_halves)


def _halves(x: Any) -> Array:
    x = x.astype(np.float64)
    return np.column_stack([x / 2.0, np.cos(x[:, 0])])
