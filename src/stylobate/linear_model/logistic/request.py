"""What is asked of logistic regression, and which solvers can give it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import isinf
from typing import Any

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError

SOLVERS = (
    "auto",
    "lbfgs",
    "liblinear",
    "newton-cg",
    "newton-cholesky",
    "sag",
    "saga",
    "coordinate_descent",
)
_L1 = ("auto", "liblinear", "saga", "coordinate_descent")
_MIXED = ("auto", "saga", "coordinate_descent")
GAP_PER_TOL = 1e-2  # the default tol, 1e-4, then asks for six digits of the objective


@dataclass(frozen=True, slots=True)
class LogisticRequest:
    """Penalties of Σ ωᵢℓᵢ + l1‖w‖₁ + ½·l2‖w‖², and how to minimise it."""

    owner: str
    solver: str
    l1: float
    l2: float
    fit_intercept: bool
    intercept_scaling: float
    tol: float
    max_iter: int
    random_state: Any

    @property
    def gap(self) -> float:
        """The relative duality gap asked for; random steps are slow to go on from `tol`."""
        return self.tol if self.solver in ("sag", "saga") else GAP_PER_TOL * self.tol

    @property
    def penalised(self) -> bool:
        """Whether there is any penalty."""
        return self.l1 > 0.0 or self.l2 > 0.0


def read_request(model: Any) -> LogisticRequest:
    """What an estimator's parameters ask for; refuses those that do not go together.

    scikit-learn's deprecations are followed: `penalty` and `n_jobs` warn when they are set.
    """
    owner = type(model).__name__
    share, strength = _penalty(model)
    l1, l2 = share * strength, (1.0 - share) * strength
    solver: str = model.solver
    if model.dual and (solver != "liblinear" or l1 > 0.0):
        raise InvalidParameterError(
            f"{owner}: dual=True is for solver='liblinear' with an ℓ2 penalty; solver {solver!r} "
            f"supports only dual=False, got dual=True."
        )
    if l1 > 0.0 and solver not in (_L1 if l2 == 0.0 else _MIXED):
        allowed = ", ".join(map(repr, _L1 if l2 == 0.0 else _MIXED))
        raise InvalidParameterError(
            f"{owner}: Solver {solver} supports only 'l2' or None penalties, got "
            f"l1_ratio={model.l1_ratio!r}; for this penalty use one of {allowed}."
        )
    if solver == "liblinear" and strength == 0.0:
        raise InvalidParameterError(
            f"{owner}: C=np.inf is not supported for the liblinear solver; use solver='auto'."
        )
    if model.n_jobs is not None:
        warnings.warn(
            "'n_jobs' has no effect since scikit-learn 1.8 and will be removed in 1.10. You "
            f"provided 'n_jobs={model.n_jobs}', please leave it unspecified; threads are set by "
            "stylobate.set_threads.",
            FutureWarning,
            stacklevel=user_stacklevel(),
        )
    return LogisticRequest(
        owner,
        solver,
        l1,
        l2,
        model.fit_intercept,
        float(model.intercept_scaling),
        model.tol,
        model.max_iter,
        model.random_state,
    )


def _penalty(model: Any) -> tuple[float, float]:
    """Share of ℓ1 and strength, 1/C."""
    owner, ratio, penalty = type(model).__name__, model.l1_ratio, model.penalty
    strength = 0.0 if isinf(model.C) else 1.0 / float(model.C)
    if penalty == "deprecated":
        if ratio is None:
            _deprecated(
                "'l1_ratio=None' was deprecated in scikit-learn 1.8 and will be an error in 1.10. "
                "Use 0 <= l1_ratio <= 1 instead."
            )
        return float(ratio or 0.0), strength
    _deprecated(
        "'penalty' was deprecated in scikit-learn 1.8 and will be removed in 1.10. Use l1_ratio=0 "
        "instead of penalty='l2', l1_ratio=1 instead of penalty='l1', l1_ratio between 0 and 1 "
        "instead of penalty='elasticnet', and C=np.inf instead of penalty=None."
    )
    if penalty is None:
        if model.C != 1.0:
            _inconsistent("Setting penalty=None will ignore the C and l1_ratio parameters")
        return 0.0, 0.0
    if penalty == "elasticnet":
        if ratio is None:
            raise InvalidParameterError(
                f"{owner}: l1_ratio must be specified when penalty is elasticnet."
            )
        return float(ratio), strength
    share = 1.0 if penalty == "l1" else 0.0
    if ratio != share:
        _inconsistent(
            f"Inconsistent values: penalty={penalty} with l1_ratio={ratio}. penalty is deprecated. "
            "Please use l1_ratio only."
        )
    return share, strength


def _deprecated(text: str) -> None:
    warnings.warn(text, FutureWarning, stacklevel=user_stacklevel())


def _inconsistent(text: str) -> None:
    warnings.warn(text, UserWarning, stacklevel=user_stacklevel())
