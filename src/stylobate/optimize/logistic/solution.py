"""The answer of every logistic solver."""

from __future__ import annotations

from dataclasses import dataclass

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class Information:
    """The Hessian of the loss at a solution without a penalty, for inference.

    Parameters
    ----------
    matrix : array of shape (c·q, c·q)
        Equation by equation (one for two classes, else one per class but the first), the
        coefficients of the centred columns, then the intercept where there is one.
    center : array of shape (p,)
        What the columns were centred about.
    """

    matrix: Array
    center: Array


@dataclass(frozen=True, slots=True)
class LogisticSolution:
    """Coefficients, intercepts and the evidence for them.

    Parameters
    ----------
    coef : array of shape (k, p)
        One row for two classes (k = 1), else one per class.
    intercept : array of shape (k,)
        Zeros where none was asked for.
    certificate : Certificate
        Of the objective Σ ωᵢℓᵢ + penalty.
    trace : Trace
        One entry per iteration.
    iterations : int
        How many there were.
    converged : bool
        Whether the relative gap asked for was reached.
    diverging : bool
        Without a penalty: whether the iterations kept moving the margins of some rows although the
        objective hardly fell any more, as they do when the classes can be separated.
    solver, reason : str
        The method used, and why.
    information : Information or None
        Without a penalty, where it was at hand.
    """

    coef: Array
    intercept: Array
    certificate: Certificate
    trace: Trace
    iterations: int
    converged: bool
    diverging: bool = False
    solver: str = ""
    reason: str = ""
    information: Information | None = None
