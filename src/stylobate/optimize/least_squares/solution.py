"""What every least-squares solver returns."""

from __future__ import annotations

from dataclasses import dataclass, field

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.trace import Trace


@dataclass(frozen=True, slots=True)
class LeastSquaresSolution:
    """Coefficients with their certificate.

    Parameters
    ----------
    coef : array (p, t)
    certificate : Certificate
    rank : int
        Rank of the (centred) columns: directions the coefficients use (of the target that uses
        fewest).
    intercept : array (t,) or None
        Where the solver found it itself; otherwise it follows from the means.
    objectives : array (t,) or None
        Objective of each target at these coefficients without any rounding, where it is known.
    residual_squares : array (t,) or None
        Σ w r² where the solver knows it better than the moments do.
    inverse_gram : array or None
        (XᵀX)⁻¹ (with the intercept's row first if there is one), where it came with the answer.
    converged : bool
    iterations : int
    trace : Trace or None
    dual_values : array or None
        Multipliers of the constraints, where there are constraints.
    """

    coef: Array
    certificate: Certificate
    rank: int
    intercept: Array | None = None
    objectives: Array | None = None
    residual_squares: Array | None = None
    inverse_gram: Array | None = None
    converged: bool = True
    iterations: int = 0
    trace: Trace | None = field(default=None, repr=False)
    dual_values: Array | None = None
