"""Smooth functions as values: what they are worth, how they change, and facts about them."""

from stylobate.optimize.functions.quadratic import Quadratic
from stylobate.optimize.functions.risk import EmpiricalRisk
from stylobate.optimize.functions.smooth import Smooth

__all__ = ["EmpiricalRisk", "Quadratic", "Smooth"]
