"""Where a map starts: principal components, random places, or a map that is given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError

_SPREAD = 1e-4  # standard deviation of a start: attraction alone shapes the map first


def random_start(n: int, d: int, draws: Any) -> NDArray[np.float32]:
    """Gaussian places of standard deviation 1e-4, those scikit-learn draws from the same stream."""
    return np.asarray(_SPREAD * draws.standard_normal(size=(n, d)), dtype=np.float32)


def component_start(rows: Any, d: int, draws: Any) -> NDArray[np.float32]:
    """The first principal components, scaled so that the first has standard deviation 1e-4."""
    from stylobate.decomposition import PCA

    scores = np.asarray(PCA(d, random_state=draws).fit_transform(rows))
    spread = float(np.std(scores[:, 0]))
    if not spread > 0.0:  # rows that are all equal have no components
        return random_start(len(scores), d, draws)
    return np.ascontiguousarray(scores * (_SPREAD / spread), dtype=np.float32)


def given_start(start: Any, n: int, d: int, owner: str) -> NDArray[np.float32]:
    """A copy of a map, refused if it is not one of n points in d dimensions."""
    found = np.array(start, dtype=np.float32, order="C")
    if found.shape != (n, d):
        raise InvalidDataError(
            f"{owner}: init must be a map of {n} points in {d} dimensions, got shape {found.shape}."
        )
    return found
