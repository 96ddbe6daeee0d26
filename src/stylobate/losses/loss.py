"""What a loss is: a value with its derivatives, conjugate and proximal point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.losses.domain import REALS, Domain
from stylobate.losses.links import IDENTITY, Link


@dataclass(frozen=True, slots=True)
class Loss:
    r"""A loss :math:`\ell(y, z)` of a target y and a prediction (or margin) z.

    All functions work entry by entry on numbers or arrays that broadcast. They are computed in the
    compiled core, by the same code the solvers use. Newton's method, coordinate descent, stochastic
    descent and boosting all read this value: its name in the core, the domain of the target, the
    link to the mean, the best constant.
    """

    name: ClassVar[str]  # in the compiled core
    alias: ClassVar[str] = ""  # in scikit-learn, where it is another
    domain: ClassVar[Domain] = REALS  # of y
    link: ClassVar[Link] = IDENTITY  # from z to the mean of y
    smooth: ClassVar[bool] = True
    convex: ClassVar[bool] = True

    @property
    def targets(self) -> str:
        """What y may be, in words."""
        return str(self.domain)

    @property
    def steepest(self) -> float | None:
        """The least upper bound of the curvature; None where there is none, or a kink."""
        return None

    def _parameters(self) -> tuple[float, float]:
        return 0.0, 0.0

    @property
    def core(self) -> tuple[str, float, float]:
        """Name and numbers, as the compiled core takes them."""
        return (self.name, *self._parameters())

    def require_target(self, y: Array, owner: str) -> None:
        """Refuse a y that the loss is not defined for, naming the first such row."""
        self.domain.require(y, owner, type(self).__name__)

    def baseline(self, y: Any, weights: Any = None) -> float:
        """The constant z of the least mean loss: where models start.

        Parameters
        ----------
        y : array of shape (n,)
            Targets.
        weights : array of shape (n,), optional
            Of the rows.
        """
        targets = np.asarray(y, dtype=np.float64)
        shares = np.ones(len(targets)) if weights is None else np.asarray(weights, dtype=np.float64)
        low, high = float(targets.min()), float(targets.max())
        while low < (z := 0.5 * (low + high)) < high:  # the slope grows with z
            slope = float(shares @ self.gradient(targets, z))
            if slope == 0.0:
                return z
            low, high = (low, z) if slope > 0.0 else (z, high)
        return z

    def _call(self, what: str, y: Any, z: Any, t: float = 1.0) -> Any:
        from stylobate import _core

        targets, points = np.broadcast_arrays(
            np.asarray(y, dtype=np.float64), np.asarray(z, dtype=np.float64)
        )
        flat_y = np.ascontiguousarray(targets).reshape(-1)
        flat_z = np.ascontiguousarray(points).reshape(-1)
        out = _core.loss(*self.core, what, flat_y, flat_z, t)
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

    def deviance(self, y: Any, z: Any) -> Any:
        """2(ℓ(y, z) − min ℓ(y, ·)) ≥ 0: twice the log-likelihood ratio of exponential families."""
        return 2.0 * np.maximum(self.value(y, z) + self.conjugate(y, 0.0), 0.0)

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


def weighted_mean(y: Any, weights: Any) -> float:
    """The mean of y, best constant of many losses."""
    return float(np.average(np.asarray(y, dtype=np.float64), weights=weights))


def weighted_quantile(y: Any, weights: Any, level: float) -> float:
    """A quantile of y, best constant of the pinball loss."""
    from stylobate import _core

    return _core.weighted_quantile(
        np.ascontiguousarray(y, dtype=np.float64),
        None if weights is None else np.ascontiguousarray(weights, dtype=np.float64),
        level,
    )


def require_positive(owner: str, name: str, value: float) -> None:
    """Refuse a parameter that is not a positive finite number."""
    if not (0.0 < value < np.inf):
        raise InvalidParameterError(f"{owner}: {name} must be a number in (0, inf), got {value!r}.")
