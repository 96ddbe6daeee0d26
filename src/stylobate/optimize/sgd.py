"""Stochastic gradient descent for linear models: the compiled engine's Python side.

One engine for `SGDClassifier`, `SGDRegressor`, `Perceptron` and the public `SGD` method: the steps
`Constant` and `Decaying` are its schedules "constant" and "invscaling", and averages are the same
running mean. What depends on more than the number of the step has no public rule: "optimal" (on the
loss and the penalty), "adaptive" (on the course of the run), "pa1" and "pa2" (on the row); nor has
the estimators' ℓ1 penalty, paid when a weight is met, where the public method takes proximal steps
in Python.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.optimize.steps import Constant, Decaying, StepRule
from stylobate.statistics.rows import csr_parts

_FOREVER = 1 << 62  # epochs: as many as the core counts


@dataclass(frozen=True, slots=True)
class SgdOptions:
    r"""How to descend on :math:`\frac1n\sum_i ω_i ℓ(y_i, z_i) + l_1\|w\|_1 + \tfrac{l_2}2\|w\|^2`.

    Parameters
    ----------
    loss : (str, float, float)
        `Loss.core`: name and numbers.
    alpha : float
        Of the schedule ``"optimal"``.
    l1, l2 : float
        Penalties.
    schedule : {"constant", "optimal", "invscaling", "adaptive", "pa1", "pa2"}
    eta0, power_t : float
        Of the schedules.
    intercept, shuffle : bool
    max_epochs, batch : int
        Passes over the rows at most; rows per step.
    stops : bool
        Whether to stop once `patience` epochs have not gained `tol`.
    tol : float
    patience : int
    average_from : float
        The step from which on the weights are averaged; 0: never.
    seed, first_epoch : int
        Of the orders of the rows.
    squared_score : bool
        Whether held-out rows are scored by R² (else by accuracy).
    zero_is_positive : bool
        Whether a score of 0 decides for +1 (else it is a mistake for both classes).
    most_updates, most_weights : int
        How much of the history to keep.
    """

    loss: tuple[str, float, float]
    alpha: float = 1e-4
    l1: float = 0.0
    l2: float = 0.0
    schedule: str = "optimal"
    eta0: float = 0.01
    power_t: float = 0.5
    intercept: bool = True
    shuffle: bool = True
    max_epochs: int = 1000
    batch: int = 1
    stops: bool = True
    tol: float = 1e-3
    patience: int = 5
    average_from: float = 0.0
    seed: int = 0
    first_epoch: int = 0
    squared_score: bool = False
    zero_is_positive: bool = False
    most_updates: int = 0
    most_weights: int = 0


def schedule_of(rule: StepRule) -> dict[str, Any] | None:
    """The engine's options for a step rule; None where it has none.

    Examples
    --------
    >>> schedule_of(Decaying(0.5, 0.25))
    {'schedule': 'invscaling', 'eta0': 0.5, 'power_t': 0.25}
    """
    if type(rule) is Constant:
        return {"schedule": "constant", "eta0": float(rule.c)}
    if type(rule) is Decaying:
        return {"schedule": "invscaling", "eta0": float(rule.c), "power_t": float(rule.power)}
    return None


@dataclass(slots=True)
class SgdState:
    """Where a descent is: weights (a row per problem), their means, the next step's number."""

    coef: Array
    intercept: Array
    mean_coef: Array
    mean_intercept: Array
    t: float = 1.0
    epochs: int = 0

    @classmethod
    def at(cls, coef: Array, intercept: Array) -> SgdState:
        """A start at these weights (copied)."""
        coef = np.array(coef, dtype=np.float64, order="C")
        return cls(coef, np.array(intercept, dtype=np.float64), np.zeros_like(coef),
                   np.zeros(len(coef)))  # fmt: skip


@dataclass(frozen=True, slots=True)
class SgdProblem:
    """Rows, targets and weights.

    Parameters
    ----------
    x : ndarray or sparse array of shape (n, p)
    y : array of shape (n,)
        Numbers, or class numbers.
    weights : array of shape (n,) or None
    classes : array of shape (k, 3) or None
        For each problem the class that becomes +1, its weight and the others' weight; None: y
        holds the numbers to predict.
    train, held : arrays of row numbers
        To learn from, and to score on (may be empty).
    """

    x: Any
    y: Array
    weights: Array | None
    classes: Array | None
    train: Integers
    held: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def learnt(self) -> SgdProblem:
        """The problem with only the rows learnt from."""
        rows = self.train
        if len(rows) == len(self.y):
            return self
        x = self.x[rows] if isinstance(self.x, np.ndarray) else self.x.tocsr()[rows]
        weights = None if self.weights is None else self.weights[rows]
        return SgdProblem(x, self.y[rows], weights, self.classes, np.arange(len(rows)))


def row_major(x: Any) -> Any:
    """`x` with the entries of a row side by side; copied only if they are not."""
    if not isinstance(x, np.ndarray):
        return x.tocsr()
    return x if x.strides[1] == x.itemsize or x.shape[1] == 1 else np.ascontiguousarray(x)


def descend(problem: SgdProblem, options: SgdOptions, state: SgdState) -> list[dict[str, Any]]:
    """Run the epochs; `state` moves on, and each problem's report is returned."""
    x = row_major(problem.x)
    one = np.ones((1, 3))
    targets = (
        np.ascontiguousarray(problem.y, dtype=np.float64),
        problem.weights,
        one if problem.classes is None else np.ascontiguousarray(problem.classes, dtype=float),
        problem.classes is not None,
        np.ascontiguousarray(problem.train, dtype=np.int64),
        np.ascontiguousarray(problem.held, dtype=np.int64),
    )
    place = (state.coef, state.intercept, state.mean_coef, state.mean_intercept, state.t)
    given = asdict(options)
    given["batch"] = min(options.batch, max(len(problem.train), 1))  # has room for all its rows
    for name in ("max_epochs", "patience"):
        given[name] = min(given[name], _FOREVER)
    if isinstance(x, np.ndarray):
        reports, state.t = _core.sgd(x, *targets, *place, given)
    else:
        engine: Any = _core.sgd_csr  # one overload per kind of number
        reports, state.t = engine(*csr_parts(x), *targets, *place, given)
    state.epochs += max(int(report["epochs"]) for report in reports)
    return list(reports)
