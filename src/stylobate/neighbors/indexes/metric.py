"""What the parameters `metric`, `p` and `metric_params` come to, in scikit-learn's names."""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf
from typing import Any

import numpy as np

from stylobate.distances import Minkowski
from stylobate.distances.names import names_where
from stylobate.exceptions import InvalidParameterError

NAMES = tuple(names_where(lambda metric: not metric.similarity))


def effective_metric(
    metric: Any, p: float | None, parameters: Mapping[str, Any] | None
) -> tuple[Any, dict[str, Any]]:
    """The metric's plain name and its own arguments, as scikit-learn's `effective_metric_`.

    Examples
    --------
    >>> effective_metric("minkowski", 2, None), effective_metric("minkowski", 3, None)
    (('euclidean', {}), ('minkowski', {'p': 3, 'w': None}))
    """
    own = dict(parameters or {})
    if not isinstance(metric, str) or metric not in Minkowski.names:
        return metric, own
    power = own.pop("p", p)
    power = 2 if power is None else power
    if not power > 0:
        raise InvalidParameterError(f"The Minkowski metric needs p > 0, got {power!r}.")
    weights = own.get("w")
    if weights is not None:
        return "minkowski", own | {"p": power, "w": np.asarray(weights, dtype=np.float64)}
    if isinf(power):
        return "chebyshev", own
    plain = {1: "manhattan", 2: "euclidean"}.get(power)
    return ("minkowski", own | {"p": power, "w": None}) if plain is None else (plain, own)
