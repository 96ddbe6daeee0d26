"""From an answer to the attributes of an estimator."""

from __future__ import annotations

from typing import Any

from stylobate.linear_model.shared.convergence import remedies, warn_not_converged
from stylobate.svm.linear.choice import MarginRequest
from stylobate.svm.linear.problem import LinearMachines


def store(
    model: Any, found: LinearMachines, solver: str, reason: str, request: MarginRequest
) -> None:
    """Set what was learnt; warn where the tolerance was not reached."""
    model.coef_ = found.coef
    model.intercept_ = found.intercept if model.fit_intercept else 0.0
    model.n_iter_ = int(found.iterations)
    model.solver_, model.solver_reason_ = solver, reason
    model.certificate_ = found.certificate
    if not found.converged:
        warn_not_converged(
            request.owner,
            solver,
            model.n_iter_,
            found.certificate,
            tol=request.relative_gap,
            advice=remedies(request.solver),
        )
