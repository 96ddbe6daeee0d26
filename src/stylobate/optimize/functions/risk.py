"""The mean loss of a linear model over rows: a finite sum."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.losses.loss import Loss
from stylobate.statistics import LossAt

MOST_COLUMNS = 2000  # up to here a Gram is worth its room


@dataclass(frozen=True, eq=False)
class EmpiricalRisk:
    r""":math:`f(w) = \tfrac1n \sum_i \ell(y_i, x_i^\top w) + \tfrac{\lambda}{2} \|w\|^2`.

    Parameters
    ----------
    loss : Loss
        Of `stylobate.losses`.
    X : array (n, p)
        Rows; a column of ones makes an intercept.
    y : array (n,)
        Targets, as the loss wants them (`Logistic`: 0 and 1; `Hinge`: −1 and 1).
    l2 : float in [0, inf), default=0.0
        λ.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> risk = EmpiricalRisk(HalfSquared(), [[1.0], [2.0]], [1.0, 2.0])
    >>> risk.value(np.zeros(1)), risk.gradient(np.zeros(1)), risk.n_terms
    (1.25, array([-2.5]), 2)
    """

    loss: Loss
    X: Array
    y: Array
    l2: float = 0.0

    def __init__(self, loss: Loss, X: Any, y: Any, l2: float = 0.0) -> None:
        rows = np.ascontiguousarray(X, dtype=np.float64)
        targets = np.ascontiguousarray(y, dtype=np.float64)
        if rows.ndim != 2 or targets.shape != rows.shape[:1] or not len(rows):
            raise InvalidDataError(
                f"EmpiricalRisk: X has shape {rows.shape} and y {targets.shape}; X must be "
                "(n, p) and y (n,), with at least one row."
            )
        if not (np.isfinite(rows).all() and np.isfinite(targets).all()):
            raise InvalidDataError("EmpiricalRisk: X and y must be finite numbers.")
        loss.require_target(targets, "EmpiricalRisk")
        for name, value in (("loss", loss), ("X", rows), ("y", targets), ("l2", float(l2))):
            object.__setattr__(self, name, value)

    @property
    def n_terms(self) -> int:
        """Rows."""
        return len(self.y)

    def value(self, w: Any) -> float:
        """The mean loss and the penalty."""
        point = np.asarray(w, dtype=np.float64)
        mean = float(np.mean(self.loss.value(self.y, self.X @ point)))
        return mean + 0.5 * self.l2 * float(point @ point)

    def gradient(self, w: Any) -> Array:
        """Xᵀℓ′/n + λw."""
        point = np.asarray(w, dtype=np.float64)
        slopes = self.loss.gradient(self.y, self.X @ point)
        return np.asarray(self.X.T @ slopes / self.n_terms + self.l2 * point)

    def hessian(self, w: Any) -> Array:
        """Xᵀdiag(ℓ″)X/n + λI."""
        bends = self.loss.curvature(self.y, self.X @ np.asarray(w, dtype=np.float64))
        whole = (self.X * np.asarray(bends)[:, None]).T @ self.X / self.n_terms
        whole[np.diag_indices_from(whole)] += self.l2
        return np.asarray(whole)

    @property
    def one_pass(self) -> bool:
        """Whether `derivatives` come from the compiled statistic that the estimators read."""
        return self.loss.smooth

    def derivatives(self, w: Any) -> tuple[float, Array, Array]:
        """Value, gradient and Hessian by one pass over the rows."""
        point = np.asarray(w, dtype=np.float64)
        n, p = self.X.shape
        recipe = LossAt.at(self.loss, point, 0.0, np.zeros(p), curvature=True)
        step = recipe.of(self._table)
        assert step.hessian is not None
        hessian = step.hessian[:p, :p] / n
        hessian[np.diag_indices(p)] += self.l2
        value = step.value / n + 0.5 * self.l2 * float(point @ point)
        return value, step.gradient[:p] / n + self.l2 * point, hessian

    @cached_property
    def _table(self) -> Table:
        return Table(self.X, y=self.y[:, np.newaxis], finite=True, owner="EmpiricalRisk")

    def term_gradient(self, w: Any, rows: Any) -> Array:
        """The gradient of the mean over some rows only: its expectation is the gradient.

        Parameters
        ----------
        w : array (p,)
            Where.
        rows : int or sequence of int, or mask of booleans
            Which rows.

        Examples
        --------
        >>> from stylobate.losses import HalfSquared
        >>> risk = EmpiricalRisk(HalfSquared(), [[1.0], [2.0]], [1.0, 2.0])
        >>> risk.term_gradient([0.0], 1), risk.term_gradient([0.0], [0, 1])
        (array([-4.]), array([-2.5]))
        """
        point, numbers = np.asarray(w, dtype=np.float64), self._numbers(rows)
        chosen = self.X[numbers]
        slopes = self.loss.gradient(self.y[numbers], chosen @ point)
        return np.asarray(chosen.T @ slopes / len(chosen) + self.l2 * point)

    def _numbers(self, rows: Any) -> NDArray[np.intp]:
        given = np.atleast_1d(np.asarray(rows))
        if given.dtype == np.bool_ and given.shape == self.y.shape:
            given = np.flatnonzero(given)
        whole = given.ndim == 1 and given.dtype.kind in "iu" and given.size
        if not whole or given.min() < -self.n_terms or given.max() >= self.n_terms:
            raise InvalidParameterError(
                f"EmpiricalRisk: rows must be numbers of rows from 0 to {self.n_terms - 1}, got "
                f"{rows!r}."
            )
        return given.astype(np.intp)

    @property
    def convex(self) -> bool:
        """Whether the loss is."""
        return bool(self.loss.convex)

    @cached_property
    def gram(self) -> Array:
        """XᵀX/n."""
        return np.ascontiguousarray(self.X.T @ self.X / self.n_terms)

    @cached_property
    def _spectrum(self) -> Array:
        p = self.X.shape[1]
        if p <= MOST_COLUMNS:
            return np.asarray(np.linalg.eigvalsh(self.gram), dtype=np.float64)
        return np.array([0.0, float(np.linalg.norm(self.X, 2)) ** 2 / self.n_terms])

    @property
    def lipschitz(self) -> float | None:
        """The largest curvature, where ℓ″ has a bound; else None."""
        steep = self.loss.steepest
        return None if steep is None else steep * float(self._spectrum[-1]) + self.l2

    @property
    def strong_convexity(self) -> float:
        """λ, and for the squared loss the smallest eigenvalue of XᵀX/n on top."""
        if self.loss.name != "half_squared":
            return self.l2
        low, high = float(self._spectrum[0]), float(self._spectrum[-1])
        return self.l2 + (low if low > 1e-13 * high else 0.0)

    @property
    def term_lipschitz(self) -> float | None:
        """The largest curvature of a single row's loss."""
        steep = self.loss.steepest
        longest = float(np.einsum("ij,ij->i", self.X, self.X).max())
        return None if steep is None else steep * longest + self.l2

    @property
    def coordinate_lipschitz(self) -> Array | None:
        """The largest curvature along each coordinate."""
        steep = self.loss.steepest
        if steep is None:
            return None
        squares = np.einsum("ij,ij->j", self.X, self.X)
        return np.asarray(steep * squares / self.n_terms + self.l2)
