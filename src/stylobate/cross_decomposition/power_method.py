"""What is said when a power method used up its iterations."""

from __future__ import annotations

import warnings
from typing import Any

from stylobate.exceptions import ConvergenceWarning


def warn_of_iterations(model: Any, pairs: Any) -> None:
    """Warn where a direction was still turning at the last iteration allowed."""
    if pairs.converged:
        return
    warnings.warn(
        f"{type(model).__name__}: Maximum number of iterations reached: after {model.max_iter} "
        f"steps of the power method a direction still changed by more than tol={model.tol:g} "
        "(squared). Raise max_iter, or tol.",
        ConvergenceWarning,
        stacklevel=6,
    )
