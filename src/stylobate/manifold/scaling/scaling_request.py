"""What multidimensional scaling is asked for: starts, solver, stop rule."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.manifold.scaling.disparities import OrderedPairs
from stylobate.manifold.scaling.dissimilarities import checked_dissimilarities
from stylobate.manifold.scaling.majorization import (
    Scaled,
    StopRule,
    best_of,
    descend_stress,
    majorize,
    majorize_ranks,
)
from stylobate.manifold.scaling.stress import Stress
from stylobate.splits.splitter import generator


@dataclass(frozen=True, slots=True)
class ScalingRequest:
    """What the parameters of `smacof` and `MDS` ask for.

    Parameters
    ----------
    metric : bool
        Whether distances should be the dissimilarities, or only in their order.
    n_components, n_init : int
    rule : StopRule
    normalized : bool
        Whether runs are compared by stress-1.
    solver : {"smacof", "lbfgs"}
    random_state : int, RandomState or None
    """

    metric: bool
    n_components: int
    n_init: int
    rule: StopRule
    normalized: bool
    solver: str
    random_state: Any

    def solve(self, delta: Array, init: Array | None, weights: Array | None) -> Scaled:
        """The best of the runs on checked dissimilarities."""
        run = self._run(delta, weights)
        if init is not None:
            if self.n_init != 1:
                warnings.warn(
                    "Explicit initial positions passed: performing only one init of the MDS "
                    f"instead of {self.n_init}",
                    StylobateWarning,
                    stacklevel=user_stacklevel(),
                )
            return run(checked_start(init, len(delta)))
        draws, shape = generator(self.random_state), (len(delta), self.n_components)
        starts = [draws.uniform(size=shape) for _ in range(self.n_init)]
        return best_of(starts, run, self.normalized)

    def _run(self, delta: Array, weights: Array | None) -> Callable[[Array], Scaled]:
        if not self.metric:
            return partial(majorize_ranks, OrderedPairs(delta), weights, rule=self.rule)
        stress = Stress(delta, weights)
        return partial(
            descend_stress if self.solver == "lbfgs" else majorize, stress, rule=self.rule
        )


def checked_start(init: Any, n: int) -> Array:
    """Starting positions of n points."""
    start = np.ascontiguousarray(init, dtype=np.float64)
    if start.ndim != 2 or len(start) != n:
        raise InvalidDataError(
            f"MDS: init matrix should be of shape ({n}, n_components), got {start.shape}."
        )
    if not np.isfinite(start).all():
        raise InvalidDataError("MDS: init holds NaN or infinity; every point needs a place.")
    return start


def checked_weights(weights: Any, n: int) -> Array | None:
    """A symmetric matrix of weights, none negative."""
    if weights is None:
        return None
    given = checked_dissimilarities(weights, "MDS (weights)")
    if given.shape != (n, n) or np.isnan(given).any():
        raise InvalidDataError(
            f"MDS: weights must be numbers in the shape of the dissimilarities, ({n}, {n}); got "
            f"{given.shape}{', some of them NaN' if np.isnan(given).any() else ''}."
        )
    return given
