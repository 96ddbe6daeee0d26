"""LossStep: what one Newton step needs of the rows, mergeable."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics.rows import counted, csr_parts

if TYPE_CHECKING:
    from stylobate.losses import Loss


@dataclass(frozen=True, slots=True, eq=False)
class LossAt:
    """A linear predictor z = (x − c)·w + b and the loss ℓ(y, z) to be summed there.

    Parameters
    ----------
    loss : str
        Name of a loss, as in `stylobate.losses`: "logistic", "poisson", "huber" …
    parameter : float
        The loss's one number, where it has one; any number elsewhere.
    coef : array of shape (p,)
        w.
    intercept : float
        b.
    center : array of shape (p,)
        c, near the columns' means: large means then cost no digits.
    curvature : bool
        Whether the Hessian is wanted.
    second : float, default=0.5
        The loss's other number, where it has two.
    """

    loss: str
    parameter: float
    coef: Array
    intercept: float
    center: Array
    curvature: bool
    second: float = 0.5

    @classmethod
    def at(
        cls, loss: Loss, coef: Array, intercept: float, center: Array, *, curvature: bool
    ) -> Self:
        """The same of a loss as a value."""
        name, first, second = loss.core
        return cls(name, first, coef, intercept, center, curvature, second)

    def of(self, table: Table) -> LossStep:
        """The step statistic of a table, whose (first) target is y."""
        from stylobate import _core

        table = counted(table)
        assert table.y is not None
        y = np.ascontiguousarray(table.y[:, 0])
        coef, center = np.ascontiguousarray(self.coef), np.ascontiguousarray(self.center)
        model = (
            self.loss,
            self.parameter,
            coef,
            self.intercept,
            center,
            self.curvature,
            self.second,
        )
        if table.is_sparse:
            values, indices, offsets, cols = csr_parts(table.x)
            value, gradient, hessian = _core.loss_step_csr(
                values, indices, offsets, cols, y, table.weights, *model
            )
        else:
            value, gradient, hessian = _core.loss_step(table.x, y, table.weights, *model)
        weight = float(table.n_rows if table.weights is None else table.weights.sum())
        return LossStep(table.n_rows, weight, value, gradient, hessian)


@dataclass(frozen=True, slots=True, eq=False)
class LossStep:
    r"""Loss, gradient and Hessian of a linear model, summed over rows.

    .. math:: f(w, b) = \sum_i \omega_i\,\ell(y_i, (x_i - c)^\top w + b)

    with its derivatives in (w, b); the intercept comes last. Made by `LossAt.of`. Where the
    curvature of a loss may be negative (Tweedie's outside the powers 1 to 2) the Hessian holds its
    expectation. A value of infinity says that the exponential of a predictor exceeds double
    precision: a step too far.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[0.0], [1.0]], [0.0, 1.0], owner="example")
    >>> at_zero = LossAt("logistic", 0.0, np.zeros(1), 0.0, np.zeros(1), curvature=True)
    >>> step = at_zero.of(table)
    >>> round(float(step.value / np.log(2)), 12), step.gradient.tolist()
    (2.0, [-0.5, 0.0])
    """

    n_rows: int
    weight: float
    value: float
    gradient: Array
    hessian: Array | None

    subtractable: ClassVar[bool] = True

    def merge(self, other: Self) -> Self:
        """The sums over both parts' rows."""
        both = self.hessian is not None and other.hessian is not None
        return type(self)(
            self.n_rows + other.n_rows,
            self.weight + other.weight,
            self.value + other.value,
            self.gradient + other.gradient,
            self.hessian + other.hessian if both else None,  # type: ignore[operator]
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return not isnan(self.value)
