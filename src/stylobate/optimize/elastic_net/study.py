"""Solvers of the elastic net to study: the public methods, on problems made of the data."""

from __future__ import annotations

from stylobate.optimize.elastic_net.forms import penalised, split
from stylobate.optimize.elastic_net.iteration import run
from stylobate.optimize.elastic_net.problem import ElasticNetProblem
from stylobate.optimize.elastic_net.solution import ElasticNetSolution


def solve_ista(problem: ElasticNetProblem) -> ElasticNetSolution:
    r"""`ProximalGradient`: a gradient step, then the soft threshold.

    .. math:: w \leftarrow S_{\lambda t}(w + t X^\top r)

    References
    ----------
    Daubechies, Defrise & De Mol (2004), An iterative thresholding algorithm for linear inverse
    problems with a sparsity constraint, Comm. Pure Appl. Math. 57.
    """
    from stylobate.optimize.methods.composite import ProximalGradient

    return run(problem, ProximalGradient(), penalised)


def solve_fista(problem: ElasticNetProblem) -> ElasticNetSolution:
    """`FISTA`: with momentum, restarted whenever the momentum points uphill.

    References
    ----------
    Beck & Teboulle (2009), A fast iterative shrinkage-thresholding algorithm for linear inverse
    problems, SIAM J. Imaging Sciences 2; O'Donoghue & Candès (2015), Adaptive restart for
    accelerated gradient schemes, Found. Comput. Math. 15.
    """
    from stylobate.optimize.methods.composite import FISTA

    return run(problem, FISTA(), penalised)


def solve_subgradient(problem: ElasticNetProblem) -> ElasticNetSolution:
    """`Subgradient` with `TargetLevel` steps.

    The objective may rise in a step: the best coefficients seen are kept. The method is here to be
    compared with: the others need far fewer iterations, and set coefficients to zero exactly.

    References
    ----------
    Polyak (1969), Minimization of unsmooth functionals, USSR Comput. Math. Math. Phys. 9; Nedić &
    Bertsekas (2001), Incremental subgradient methods for nondifferentiable optimization, SIAM J.
    Optim. 12.
    """
    from stylobate.optimize.methods.subgradient import Subgradient
    from stylobate.optimize.target_level import TargetLevel

    return run(problem, Subgradient(TargetLevel()), penalised)


def solve_projected(problem: ElasticNetProblem) -> ElasticNetSolution:
    """`ProjectedGradient` on w = u − v, u ≥ 0, v ≥ 0, with Barzilai and Borwein's steps.

    References
    ----------
    Figueiredo, Nowak & Wright (2007), Gradient projection for sparse reconstruction, IEEE J. Sel.
    Topics Signal Process. 1.
    """
    from stylobate.optimize.methods.composite import ProjectedGradient

    return run(problem, ProjectedGradient(spectral=True), split)
