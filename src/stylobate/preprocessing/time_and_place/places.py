"""Places on the globe as numbers a linear model can use."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array

EARTH_RADIUS = 6371.0088
"""Mean radius in kilometres."""


def unit_sphere(latitude: Any, longitude: Any) -> Array:
    """Degrees as points on a sphere of radius 1: near places have near coordinates everywhere.

    Examples
    --------
    >>> unit_sphere([0.0, 90.0], [0.0, 0.0]).round(12).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    north, east = (np.radians(np.asarray(v, dtype=np.float64)) for v in (latitude, longitude))
    level = np.cos(north)
    return np.column_stack([level * np.cos(east), level * np.sin(east), np.sin(north)])


def haversine(latitude: Any, longitude: Any, point: tuple[float, float]) -> Array:
    r"""Great-circle distance to a point in kilometres.

    .. math:: 2R \arcsin\sqrt{\sin^2\tfrac{\Delta\varphi}{2}
        + \cos\varphi_1\cos\varphi_2\sin^2\tfrac{\Delta\lambda}{2}}

    Examples
    --------
    >>> haversine([0.0], [0.0], (0.0, 90.0)).round(1)
    array([10007.6])
    """
    north, east = (np.radians(np.asarray(v, dtype=np.float64)) for v in (latitude, longitude))
    there_north, there_east = np.radians(point)
    half = np.sin((north - there_north) / 2) ** 2
    half += np.cos(north) * np.cos(there_north) * np.sin((east - there_east) / 2) ** 2
    return np.asarray(2 * EARTH_RADIUS * np.arcsin(np.sqrt(np.clip(half, 0.0, 1.0))))
