"""Generalised linear models: families, and Newton's method for them."""

from stylobate.optimize.glm.family import BINOMIAL, GAMMA, GAUSSIAN, POISSON, Family

__all__ = ["BINOMIAL", "GAMMA", "GAUSSIAN", "POISSON", "Family"]
