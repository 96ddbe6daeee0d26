"""The argument ``precompute`` of the lasso family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from stylobate.base import HasMethods, Options
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
    Gram = bool | Any
    AutoGram = bool | str | Any
else:
    Gram = bool | Annotated[Any, HasMethods("__array__")]
    AutoGram = Annotated[str, Options("auto")] | bool | Annotated[Any, HasMethods("__array__")]


def check_gram(precompute: Any, n_features: int, owner: str) -> None:
    """Refuse a Gram matrix of another size than the columns'."""
    if isinstance(precompute, bool | np.bool_ | str):
        return
    shape = np.shape(precompute)
    if shape != (n_features, n_features):
        raise InvalidDataError(
            f"{owner}: precompute is an array of shape {shape}, but X has {n_features} columns; a "
            f"Gram matrix must be of shape ({n_features}, {n_features})."
        )
