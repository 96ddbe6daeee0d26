"""What is asked of a solver of generalised linear models, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass, field

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.glm.family import Family
from stylobate.optimize.glm.rows import GLMFitFacts
from stylobate.optimize.trace import Trace


@dataclass(frozen=True, slots=True)
class GLMRequest:
    """Minimise ½·mean deviance + ½α‖w‖² (the mean is weighted).

    Parameters
    ----------
    owner : str
        Who asks, named in refusals.
    family : Family
    alpha : float >= 0
    fit_intercept : bool
    tol : float > 0
        Relative gap asked for.
    max_iter : int >= 1
    start : (coef, intercept) or None
        Where to start; None chooses.
    """

    owner: str
    family: Family
    alpha: float
    fit_intercept: bool
    tol: float
    max_iter: int
    start: tuple[Array, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GLMSolution:
    """Coefficients with their certificate, and what the rows say there.

    Parameters
    ----------
    coef : array (p,)
    intercept : float
    certificate : Certificate
    facts : FitFacts
        Deviances, Pearson's χ² and the likelihood's sums.
    information : array (p + 1, p + 1) or None
        Expected, about [x − center, 1]; None where p is too large for it.
    center : array (p,)
    iterations : int
    converged : bool
    trace : Trace
    """

    coef: Array
    intercept: float
    certificate: Certificate
    facts: GLMFitFacts
    information: Array | None
    center: Array
    iterations: int
    converged: bool
    trace: Trace = field(repr=False)
