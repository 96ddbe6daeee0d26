"""What is said when a solver stopped before the tolerance asked for."""

from __future__ import annotations

import warnings

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, joined
from stylobate.optimize.certificate import Certificate


def warn_not_converged(
    owner: str,
    solver: str,
    iterations: int,
    proof: Certificate,
    *,
    tol: float,
    advice: str,
) -> None:
    """Warn with the gap reached, the gap asked for, and what to change.

    Parameters
    ----------
    owner, solver : str
        The estimator and its method.
    iterations : int
        How many it made.
    proof : Certificate
        Of the answer as it is.
    tol : float
        The tolerance asked for.
    advice : str
        A sentence: what would help here.
    """
    count = f"{iterations} iteration{'' if iterations == 1 else 's'}"
    warnings.warn(
        f"{owner}: solver {solver!r} stopped after {count} with a relative gap of "
        f"{proof.relative_gap:.2g}; the tolerance asked for was {tol:g}. {advice}",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )


def remedies(solver: str) -> str:
    """The usual advice; another solver only to those who chose theirs.

    >>> remedies("auto")
    'Raise max_iter, or scale the columns to one size.'
    """
    if solver == "auto":
        return "Raise max_iter, or scale the columns to one size."
    return "Raise max_iter, scale the columns to one size, or use solver='auto'."
