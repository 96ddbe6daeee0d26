"""Importances of features, as a fitted model tells them."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError

Getter = str | Callable[..., Any]


def importances_of(model: Any, getter: Getter, owner: str) -> NDArray[np.float64]:
    """Coefficients or importances (n_features,) or (n_outputs, n_features), signs kept.

    Parameters
    ----------
    model : fitted estimator
        With ``coef_`` or ``feature_importances_`` if `getter` is "auto".
    getter : "auto", name of an attribute (dots reach in), or callable of the model
        Where they are.
    owner : str
        Who asks.
    """
    if callable(getter):
        found = getter(model)
    elif getter == "auto":
        name = next((n for n in ("coef_", "feature_importances_") if hasattr(model, n)), None)
        if name is None:
            raise InvalidParameterError(
                f"{owner}: when `importance_getter=='auto'`, the underlying estimator "
                f"{type(model).__name__} should have `coef_` or `feature_importances_` attribute, "
                "and has neither; name another attribute, or pass a callable."
            )
        found = getattr(model, name)
    else:
        found = attrgetter(getter)(model)
    dense = found.toarray() if hasattr(found, "toarray") else found
    return np.asarray(dense, dtype=float)


def squared(importances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of squares over the outputs."""
    squares = importances**2
    return squares if squares.ndim == 1 else np.asarray(squares.sum(axis=0))


def norms(importances: NDArray[np.float64], order: float) -> NDArray[np.float64]:
    """Sizes over the outputs, in the norm of that order."""
    if importances.ndim == 1:
        return np.abs(importances)
    return np.asarray(np.linalg.norm(importances, axis=0, ord=order))
