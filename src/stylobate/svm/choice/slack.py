"""The hyperplane of least slack: no margin is asked for, and no C."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_labels, read_table
from stylobate.exceptions import InvalidDataError
from stylobate.optimize.conic.linear import linear_program


class LeastSlack(NamedTuple):
    """A hyperplane w·x + b, the slack of every row, and their sum."""

    coef: Array
    intercept: float
    slack: Array
    total: float


def least_slack(X: Any, y: Any) -> LeastSlack:
    r"""The hyperplane of the least sum of slacks: the soft margin without its ½‖w‖² (C → ∞).

    .. math:: \min_{w, b, \xi \ge 0} \sum_i \xi_i \quad \text{with} \quad
              y_i (w^\top x_i + b) \ge 1 - \xi_i

    A linear program. The sum is 0 exactly where a hyperplane separates the classes; which one is
    then left open, for no margin is asked for.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Rows.
    y : array-like of shape (n,)
        Two classes; the second is the positive one.

    Returns
    -------
    LeastSlack

    Examples
    --------
    >>> found = least_slack([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> round(found.total, 6)
    0.0
    >>> round(least_slack([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]).total, 6)
    2.666667
    """
    rows = np.asarray(read_table(X, owner="least_slack").x, dtype=np.float64)
    classes, codes = read_labels(y, owner="least_slack", n_rows=len(rows))
    if len(classes) != 2:
        raise InvalidDataError(f"least_slack: y has {len(classes)} classes; it must have two.")
    n, p = rows.shape
    sign = 2.0 * codes - 1.0
    costs = np.concatenate([np.zeros(p + 1), np.ones(n)])
    above = np.column_stack([-sign[:, None] * rows, -sign, -np.eye(n)])
    free = [(None, None)] * (p + 1) + [(0.0, None)] * n
    found = linear_program(costs, above, -np.ones(n), bounds=free)
    x = np.asarray(found.x)
    slack = np.maximum(0.0, 1.0 - sign * (rows @ x[:p] + x[p]))
    return LeastSlack(x[:p], float(x[p]), slack, float(slack.sum()))
