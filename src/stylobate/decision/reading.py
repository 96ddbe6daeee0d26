"""Numbers as the caller gave them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError
from stylobate.splits.strata import as_array


def as_floats(values: Any, owner: str, name: str) -> NDArray[np.float64]:
    """An array of floats; refuses what is no number.

    >>> as_floats([1, 2], "example", "score")
    array([1., 2.])
    """
    array = as_array(values)
    try:
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        some = array.reshape(-1)[:3].tolist()
        raise InvalidDataError(
            f"{owner}: {name} must hold numbers only, got {some!r}{' …' if array.size > 3 else ''}."
        ) from None
