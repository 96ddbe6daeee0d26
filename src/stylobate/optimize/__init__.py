"""Solvers people can hold in their hands: problems, methods, steps, traces and certificates."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.trace import Trace

if TYPE_CHECKING:
    from stylobate.optimize.conic.linear import linear_program
    from stylobate.optimize.conic.quadratic import quadratic_program
    from stylobate.optimize.conic.quadratically_constrained import qcqp
    from stylobate.optimize.conic.semidefinite import semidefinite_program
    from stylobate.optimize.conic.solution import ProgramSolution
    from stylobate.optimize.constrained.augmented import ConstrainedSolution
    from stylobate.optimize.constrained.conditions import KKTConditions, kkt_conditions
    from stylobate.optimize.constrained.problem import ConstrainedProblem
    from stylobate.optimize.convexity_checks import (
        check_subgradient,
        convexity,
        directional_derivative,
        set_convexity,
    )
    from stylobate.optimize.damped import Damped
    from stylobate.optimize.diagnosis import stationary_point
    from stylobate.optimize.functions import EmpiricalRisk, Quadratic, Smooth
    from stylobate.optimize.gradient_check import check_gradient
    from stylobate.optimize.methods.adaptive import AdaGrad, Adam, RMSProp
    from stylobate.optimize.methods.composite import FISTA, ProjectedGradient, ProximalGradient
    from stylobate.optimize.methods.conjugate import ConjugateGradient
    from stylobate.optimize.methods.coordinate import CoordinateDescent
    from stylobate.optimize.methods.gradient import GradientDescent, HeavyBall, Nesterov
    from stylobate.optimize.methods.quasi_newton import BFGS, LBFGS
    from stylobate.optimize.methods.scipy import SciPy
    from stylobate.optimize.methods.second_order import Newton, TrustRegion
    from stylobate.optimize.methods.splitting import ADMM
    from stylobate.optimize.methods.stochastic import SGD
    from stylobate.optimize.methods.subgradient import MirrorDescent, Subgradient
    from stylobate.optimize.methods.variance_reduced import SAGA, SVRG
    from stylobate.optimize.minimization import minimize
    from stylobate.optimize.problem import Problem
    from stylobate.optimize.schedules import CosineDecay, ExponentialDecay, StepDecay
    from stylobate.optimize.sets import (
        AffineSet,
        BoxSet,
        HalfSpace,
        L1Ball,
        L2Ball,
        LInfBall,
        PSDCone,
        Simplex,
    )
    from stylobate.optimize.solution import Solution, plot_solutions
    from stylobate.optimize.steps import Backtracking, Constant, Decaying, Polyak, Wolfe
    from stylobate.optimize.stopping import Stopping
    from stylobate.optimize.target_level import TargetLevel

_HOMES = {
    "ADMM": "methods.splitting",
    "BFGS": "methods.quasi_newton",
    "FISTA": "methods.composite",
    "LBFGS": "methods.quasi_newton",
    "SAGA": "methods.variance_reduced",
    "SGD": "methods.stochastic",
    "SVRG": "methods.variance_reduced",
    "AdaGrad": "methods.adaptive",
    "Adam": "methods.adaptive",
    "AffineSet": "sets",
    "Backtracking": "steps",
    "BoxSet": "sets",
    "ConjugateGradient": "methods.conjugate",
    "Constant": "steps",
    "ConstrainedProblem": "constrained.problem",
    "ConstrainedSolution": "constrained.augmented",
    "CoordinateDescent": "methods.coordinate",
    "CosineDecay": "schedules",
    "Damped": "damped",
    "Decaying": "steps",
    "EmpiricalRisk": "functions",
    "ExponentialDecay": "schedules",
    "GradientDescent": "methods.gradient",
    "HalfSpace": "sets",
    "HeavyBall": "methods.gradient",
    "KKTConditions": "constrained.conditions",
    "L1Ball": "sets",
    "L2Ball": "sets",
    "LInfBall": "sets",
    "MirrorDescent": "methods.subgradient",
    "Nesterov": "methods.gradient",
    "Newton": "methods.second_order",
    "PSDCone": "sets",
    "Polyak": "steps",
    "Problem": "problem",
    "ProgramSolution": "conic.solution",
    "ProjectedGradient": "methods.composite",
    "ProximalGradient": "methods.composite",
    "Quadratic": "functions",
    "RMSProp": "methods.adaptive",
    "SciPy": "methods.scipy",
    "Simplex": "sets",
    "Smooth": "functions",
    "Solution": "solution",
    "StepDecay": "schedules",
    "Stopping": "stopping",
    "Subgradient": "methods.subgradient",
    "TargetLevel": "target_level",
    "TrustRegion": "methods.second_order",
    "Wolfe": "steps",
    "check_gradient": "gradient_check",
    "check_subgradient": "convexity_checks",
    "convexity": "convexity_checks",
    "directional_derivative": "convexity_checks",
    "kkt_conditions": "constrained.conditions",
    "linear_program": "conic.linear",
    "minimize": "minimization",
    "plot_solutions": "solution",
    "qcqp": "conic.quadratically_constrained",
    "quadratic_program": "conic.quadratic",
    "semidefinite_program": "conic.semidefinite",
    "set_convexity": "convexity_checks",
    "stationary_point": "diagnosis",
}

__getattr__, _names = lazy_names(__name__, _HOMES)
__all__ = [
    "ADMM",
    "BFGS",
    "FISTA",
    "LBFGS",
    "SAGA",
    "SGD",
    "SVRG",
    "AdaGrad",
    "Adam",
    "AffineSet",
    "Backtracking",
    "BoxSet",
    "Certificate",
    "ConjugateGradient",
    "Constant",
    "ConstrainedProblem",
    "ConstrainedSolution",
    "CoordinateDescent",
    "CosineDecay",
    "Damped",
    "Decaying",
    "EmpiricalRisk",
    "ExponentialDecay",
    "GradientDescent",
    "HalfSpace",
    "HeavyBall",
    "KKTConditions",
    "L1Ball",
    "L2Ball",
    "LInfBall",
    "MirrorDescent",
    "Nesterov",
    "Newton",
    "PSDCone",
    "Polyak",
    "Problem",
    "ProgramSolution",
    "ProjectedGradient",
    "ProximalGradient",
    "Quadratic",
    "RMSProp",
    "SciPy",
    "Simplex",
    "Smooth",
    "Solution",
    "StepDecay",
    "Stopping",
    "Subgradient",
    "TargetLevel",
    "Trace",
    "TrustRegion",
    "Wolfe",
    "check_gradient",
    "check_subgradient",
    "convexity",
    "directional_derivative",
    "kkt_conditions",
    "linear_program",
    "minimize",
    "plot_solutions",
    "qcqp",
    "quadratic_program",
    "semidefinite_program",
    "set_convexity",
    "stationary_point",
]


def __dir__() -> list[str]:
    return sorted(__all__)
