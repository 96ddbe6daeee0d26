"""Logistic regression: solvers for two and more classes, with certificates."""

from stylobate.optimize.logistic.elastic_net import logistic_path, solve_elastic_net
from stylobate.optimize.logistic.smooth import solve_l2
from stylobate.optimize.logistic.solution import LogisticSolution

__all__ = ["LogisticSolution", "logistic_path", "solve_elastic_net", "solve_l2"]
