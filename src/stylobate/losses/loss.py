"""What a loss is: a value with its derivatives, conjugate and proximal point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.exceptions import InvalidParameterError


@dataclass(frozen=True, slots=True)
class Loss:
    r"""A loss :math:`\ell(y, z)` of a target y and a prediction (or margin) z.

    All functions work entry by entry on numbers or arrays that broadcast. They are computed in the
    compiled core, by the same code the solvers use.
    """

    name: ClassVar[str]  # in the compiled core
    targets: ClassVar[str] = "any number"  # what y may be
    smooth: ClassVar[bool] = True
    convex: ClassVar[bool] = True

    def _parameters(self) -> tuple[float, float]:
        return 0.0, 0.0

    def _call(self, what: str, y: Any, z: Any, t: float = 1.0) -> Any:
        from stylobate import _core

        targets, points = np.broadcast_arrays(
            np.asarray(y, dtype=np.float64), np.asarray(z, dtype=np.float64)
        )
        flat_y = np.ascontiguousarray(targets).reshape(-1)
        flat_z = np.ascontiguousarray(points).reshape(-1)
        first, second = self._parameters()
        out = _core.loss(self.name, first, second, what, flat_y, flat_z, t)
        return out.reshape(points.shape)[()]

    def value(self, y: Any, z: Any) -> Any:
        """ℓ(y, z)."""
        return self._call("value", y, z)

    def gradient(self, y: Any, z: Any) -> Any:
        """dℓ/dz; at a kink one subgradient."""
        return self._call("gradient", y, z)

    def curvature(self, y: Any, z: Any) -> Any:
        """d²ℓ/dz², of the smooth pieces."""
        return self._call("curvature", y, z)

    def conjugate(self, y: Any, u: Any) -> Any:
        """Sup over z of uz − ℓ(y, z); infinite outside its domain."""
        return self._call("conjugate", y, u)

    def prox(self, y: Any, v: Any, step: float = 1.0) -> Any:
        """The z that minimises step·ℓ(y, z) + ½(z − v)².

        Parameters
        ----------
        y, v : float or array
            Target, and the point to stay near.
        step : float in (0, inf), default=1.0
            Weight of the loss.
        """
        require_positive(type(self).__name__, "step", step)
        return self._call("prox", y, v, step)


def require_positive(owner: str, name: str, value: float) -> None:
    """Refuse a parameter that is not a positive finite number."""
    if not (0.0 < value < np.inf):
        raise InvalidParameterError(f"{owner}: {name} must be a number in (0, inf), got {value!r}.")
