"""Convex sets as values: membership, nearest point and support function."""

from stylobate.optimize.sets.balls import L1Ball, L2Ball, LInfBall
from stylobate.optimize.sets.convex_set import ConvexSet
from stylobate.optimize.sets.matrices import PSDCone
from stylobate.optimize.sets.polyhedra import AffineSet, BoxSet, HalfSpace, Simplex

__all__ = [
    "AffineSet",
    "BoxSet",
    "ConvexSet",
    "HalfSpace",
    "L1Ball",
    "L2Ball",
    "LInfBall",
    "PSDCone",
    "Simplex",
]
