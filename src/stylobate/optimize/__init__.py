"""Solvers, traces and certificates."""

from stylobate.optimize.certificate import Certificate
from stylobate.optimize.trace import Trace

__all__ = ["Certificate", "Trace"]
