"""What a convex set is to a solver."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array


class ConvexSet(ABC):
    """A closed convex set, as the simple part of a problem: 0 inside, infinite outside."""

    bounded: ClassVar[bool] = False
    convex: ClassVar[bool] = True

    @abstractmethod
    def project(self, v: Any) -> Array:
        """The point of the set nearest to v."""

    @abstractmethod
    def excess(self, x: Any) -> float:
        """By how much x breaks the set's worst constraint; at most 0 inside."""

    def support(self, g: Any) -> float:
        """The largest value of gᵀx over the set (may be infinite)."""
        raise NotImplementedError

    def contains(self, x: Any, tolerance: float = 1e-9) -> bool:
        """Whether x is in the set, up to a tolerance relative to its size."""
        return self.excess(x) <= tolerance * max(1.0, float(np.abs(x).max(initial=0.0)))

    def value(self, x: Any) -> float:
        """0 inside the set, infinite outside."""
        return 0.0 if self.contains(x) else np.inf

    def prox(self, v: Any, step: float = 1.0) -> Array:
        """The nearest point, whatever the step."""
        return self.project(v)
