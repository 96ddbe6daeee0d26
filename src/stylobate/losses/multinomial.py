"""The multinomial loss of several predictors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.losses.loss import require_positive


@dataclass(frozen=True, slots=True)
class Multinomial:
    r""":math:`\ell(y, z) = \log \sum_k e^{z_k} - z_y`: minus the log of the softmax of class y.

    z has one row per observation and one column per class; y holds class numbers. Functions work
    row by row.

    Examples
    --------
    >>> z = np.zeros((1, 4))
    >>> round(float(Multinomial().value([2], z)[0]), 6) == round(float(np.log(4)), 6)
    True
    >>> Multinomial().gradient([2], z)
    array([[ 0.25,  0.25, -0.75,  0.25]])
    """

    name: ClassVar[str] = "multinomial"

    @property
    def core(self) -> tuple[str, float, float]:
        """Name and numbers, as the compiled core takes them."""
        return self.name, 0.0, 0.0

    @property
    def steepest(self) -> float:
        """The least upper bound of the curvature's eigenvalues."""
        return 0.5

    def baseline(self, y: Any, weights: Any = None, *, n_classes: int) -> Array:
        """Logarithms of the classes' shares, of mean 0: the best constant scores."""
        counts = np.bincount(np.asarray(y, dtype=np.intp), weights, minlength=n_classes)
        logs = np.log(np.maximum(counts / counts.sum(), np.finfo(np.float64).eps))
        return np.asarray(logs - logs.mean())

    def _call(self, what: str, y: Any, z: Any, t: float = 1.0) -> Any:
        from stylobate import _core

        points = np.ascontiguousarray(np.atleast_2d(np.asarray(z, dtype=np.float64)))
        codes = np.ascontiguousarray(np.atleast_1d(y), dtype=np.int64)
        return _core.multinomial_loss(what, codes, points, t)

    def value(self, y: Any, z: Any) -> Any:
        """ℓ of every row."""
        return self._call("value", y, z)

    def gradient(self, y: Any, z: Any) -> Any:
        """softmax(z) less the indicator of y, (n, k)."""
        return self._call("gradient", y, z)

    def curvature(self, y: Any, z: Any) -> Any:
        """diag(p) − ppᵀ of every row, (n, k, k)."""
        return self._call("curvature", y, z)

    def conjugate(self, y: Any, u: Any) -> Any:
        """Σ p log p of p = u + e_y where that is a distribution, infinite elsewhere."""
        return self._call("conjugate", y, u)

    def prox(self, y: Any, v: Any, step: float = 1.0) -> Any:
        """The rows z that minimise step·ℓ(y, z) + ½‖z − v‖²."""
        require_positive("Multinomial", "step", step)
        return self._call("prox", y, v, step)
