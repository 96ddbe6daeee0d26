"""Solvers people can hold in their hands: problems, methods, steps, traces and certificates."""

from stylobate.lazy import lazy_names
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.trace import Trace

_HOMES = {
    "ADMM": "methods.splitting",
    "BFGS": "methods.quasi_newton",
    "FISTA": "methods.composite",
    "LBFGS": "methods.quasi_newton",
    "SAGA": "methods.variance_reduced",
    "SGD": "methods.stochastic",
    "SVRG": "methods.variance_reduced",
    "AdaGrad": "methods.stochastic",
    "Adam": "methods.stochastic",
    "AffineSet": "sets",
    "Backtracking": "steps",
    "BoxSet": "sets",
    "ConjugateGradient": "methods.conjugate",
    "Constant": "steps",
    "CoordinateDescent": "methods.coordinate",
    "Decaying": "steps",
    "EmpiricalRisk": "functions",
    "GradientDescent": "methods.gradient",
    "HalfSpace": "sets",
    "HeavyBall": "methods.gradient",
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
    "RMSProp": "methods.stochastic",
    "SciPy": "methods.scipy",
    "Simplex": "sets",
    "Smooth": "functions",
    "Solution": "solution",
    "Stopping": "stopping",
    "Subgradient": "methods.subgradient",
    "TrustRegion": "methods.second_order",
    "Wolfe": "steps",
    "check_gradient": "checking",
    "convexity": "diagnosis",
    "linear_program": "conic.linear",
    "minimize": "minimizing",
    "plot_solutions": "solution",
    "qcqp": "conic.quadratically_constrained",
    "quadratic_program": "conic.quadratic",
    "semidefinite_program": "conic.semidefinite",
    "stationary_point": "diagnosis",
}

__getattr__, _names = lazy_names(__name__, _HOMES)
__all__ = ["Certificate", "Trace", *_HOMES]


def __dir__() -> list[str]:
    return sorted(__all__)
