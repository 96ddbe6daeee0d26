"""The final model: refitted to all rows, with what its fit says of itself."""

from __future__ import annotations

import warnings
from copy import copy
from typing import Any

import numpy as np

from stylobate.exceptions import StylobateError
from stylobate.study.results import FinalModel
from stylobate.study.search.whole_model import WholeModel

_WIDEST = 60  # columns up to which the summary of a fit is told


def final_model(fitted: WholeModel, n_rows: int, file: str | None) -> FinalModel:
    """What is to be told of the final fit."""
    model = fitted.model
    certificate: Any = getattr(model, "certificate_", None)
    solver = getattr(model, "solver_", None)
    reason = getattr(model, "solver_reason_", None)
    return FinalModel(
        rows=n_rows,
        seconds=fitted.seconds,
        repr=" ".join(repr(model).split()),
        file=file,
        certificate=certificate.to_dict() if hasattr(certificate, "to_dict") else None,
        certificate_words=None if certificate is None else str(certificate.verdict),
        solver=f"{solver}: {reason}" if solver and reason else solver,
        diagnostics=_summary(fitted),
        warnings=fitted.warnings,
    )


def _summary(fitted: WholeModel) -> str | None:
    """The statistical summary of a linear fit, with the names of the columns."""
    if not hasattr(fitted.model, "summary") or len(fitted.names) > _WIDEST:
        return None
    twin: Any = copy(fitted.model)  # the model itself is given arrays, which have no names
    twin.feature_names_in_ = np.array(fitted.names, dtype=object)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return str(twin.summary())
        except (StylobateError, TypeError, ValueError, AttributeError):
            return None
