"""Penalties and constraints as values: value, gradient, curvature, conjugate and prox."""

from stylobate.penalties.concave import MCP, SCAD
from stylobate.penalties.constraints import Box, Positive
from stylobate.penalties.convex import L1, L2, ElasticNet
from stylobate.penalties.group import Group
from stylobate.penalties.penalty import Penalty

__all__ = ["L1", "L2", "MCP", "SCAD", "Box", "ElasticNet", "Group", "Penalty", "Positive"]
