"""The loss of a mistake itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.losses.domain import SIGNS, Domain


@dataclass(frozen=True, slots=True)
class ZeroOne:
    r""":math:`[\,yz \le 0\,]` for y = ±1: 1 for a mistake, 0 otherwise.

    What classification is about, and what cannot be minimised by descent: it is not convex and its
    slope is 0 wherever it has one. `Hinge`, `Logistic` and others stand in for it: those that are
    above it everywhere bound the share of mistakes. A score of 0 decides for no class and counts
    as a mistake.

    Examples
    --------
    >>> ZeroOne().value(1.0, [-2.0, 0.0, 0.5])
    array([1., 1., 0.])
    >>> ZeroOne().value([-1.0, 1.0], [-3.0, -3.0])
    array([0., 1.])
    """

    name: ClassVar[str] = "zero_one"
    domain: ClassVar[Domain] = SIGNS
    smooth: ClassVar[bool] = False
    convex: ClassVar[bool] = False

    def value(self, y: Any, z: Any) -> Any:
        """Whether the score z is on the wrong side for y = ±1.

        Parameters
        ----------
        y, z : float or array
            Targets and scores; they broadcast.
        """
        margin = np.asarray(y, dtype=np.float64) * np.asarray(z, dtype=np.float64)
        return np.where(margin > 0.0, 0.0, 1.0)[()]
