"""The group penalty: several coefficients live or die together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.penalties.penalty import require_at_least


@dataclass(frozen=True, slots=True)
class Group:
    r""":math:`\lambda \|w\|_2` of each row of coefficients.

    Parameters
    ----------
    strength : float in [0, inf), default=1.0
        λ.

    Examples
    --------
    >>> Group(1.0).prox([[3.0, 4.0], [0.3, 0.4]])
    array([[2.4, 3.2],
           [0. , 0. ]])

    References
    ----------
    Yuan & Lin (2006), Model selection and estimation in regression with grouped variables, JRSS B
    68.
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        require_at_least("Group", "strength", self.strength, 0.0, strict=False)

    def _call(self, what: str, w: Any, t: float = 1.0) -> Any:
        from stylobate import _core

        rows = np.ascontiguousarray(np.atleast_2d(np.asarray(w, dtype=np.float64)))
        return _core.group_penalty(self.strength, what, rows, t)

    def value(self, w: Any) -> Any:
        """λ‖w‖ of every row."""
        return self._call("value", w)

    def gradient(self, w: Any) -> Any:
        """λw/‖w‖ of every row; 0, the smallest subgradient, at 0."""
        return self._call("gradient", w)

    def curvature(self, w: Any) -> Any:
        """λ(I − ŵŵᵀ)/‖w‖ of every row, ŵ = w/‖w‖; 0 at 0. (n, k, k)."""
        rows = np.atleast_2d(np.asarray(w, dtype=np.float64))
        length = np.linalg.norm(rows, axis=1)[:, None]
        unit = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
        shape = np.eye(rows.shape[1]) - unit[:, :, None] * unit[:, None, :]
        scale = np.divide(self.strength, length, out=np.zeros_like(length), where=length > 0)
        return scale[:, :, None] * shape

    def conjugate(self, u: Any) -> Any:
        """0 where ‖u‖ ≤ λ, infinite elsewhere."""
        return self._call("conjugate", u)

    def prox(self, v: Any, step: float = 1.0) -> Any:
        """(1 − step·λ/‖v‖)₊ v of every row."""
        require_at_least("Group", "step", step, 0.0, strict=True)
        return self._call("prox", v, step)
