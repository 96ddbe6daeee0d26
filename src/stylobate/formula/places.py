"""Coordinates as formulas: points on a sphere, and distances along it."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians
from typing import Any

from stylobate.formula.expressions import (
    Expression,
    Function,
    Linear,
    Named,
    Product,
    number,
)
from stylobate.formula.pieces import clipped, square


def on_the_globe(
    latitude: Expression, longitude: Expression, points: Sequence[Any], radius: float
) -> list[Expression]:
    """x, y and z on a sphere of radius 1, and distances to points on one of `radius`."""
    north = Named("latitude", Linear((number(latitude),), (pi / 180,)))
    east = Named("longitude", Linear((number(longitude),), (pi / 180,)))
    level = Named("level", Function("cos", north))
    sphere: list[Expression] = [
        Product((level, Function("cos", east))),
        Product((level, Function("sin", east))),
        Function("sin", north),
    ]
    shares = [_haversine(north, east, level, each) for each in points]
    arcs = [Function("asin", Function("sqrt", share)) for share in shares]
    return sphere + [Linear((arc,), (2 * radius,)) for arc in arcs]


def _haversine(north: Expression, east: Expression, level: Expression, point: Any) -> Expression:
    there_north, there_east = radians(float(point[0])), radians(float(point[1]))
    across = square(_half_sine(north, there_north))
    along = Product((level, square(_half_sine(east, there_east))))
    return clipped(Linear((across, along), (1.0, cos(there_north))), 0.0, 1.0)


def _half_sine(angle: Expression, there: float) -> Expression:
    return Function("sin", Linear((angle,), (0.5,), -there / 2))
