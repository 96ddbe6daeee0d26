"""Generalised linear models: families, and Newton's method for them."""

from stylobate.losses.links import Link
from stylobate.optimize.glm.family import BINOMIAL, GAMMA, GAUSSIAN, POISSON, Family
from stylobate.optimize.glm.saturated import Saturated
from stylobate.optimize.glm.solution import GLMRequest, GLMSolution

__all__ = [
    "BINOMIAL",
    "GAMMA",
    "GAUSSIAN",
    "POISSON",
    "Family",
    "GLMRequest",
    "GLMSolution",
    "Link",
    "Saturated",
]
