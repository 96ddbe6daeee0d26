"""The lasso and the elastic net: problems, solvers, paths and certificates."""

from stylobate.optimize.elastic_net.l1_ball import solve_l1_ball
from stylobate.optimize.elastic_net.measures import Measures
from stylobate.optimize.elastic_net.path import alpha_grid, grid_from
from stylobate.optimize.elastic_net.problem import OBJECTIVE, ElasticNetProblem
from stylobate.optimize.elastic_net.solution import ElasticNetSolution
from stylobate.optimize.elastic_net.solvers import (
    FEWEST_ROWS,
    FROM_MOMENTS,
    SOLVERS,
    choose,
    solve,
)

__all__ = [
    "FEWEST_ROWS",
    "FROM_MOMENTS",
    "OBJECTIVE",
    "SOLVERS",
    "ElasticNetProblem",
    "ElasticNetSolution",
    "Measures",
    "alpha_grid",
    "choose",
    "grid_from",
    "solve",
    "solve_l1_ball",
]
