"""The smallest C for which an ℓ1-penalised classifier is not empty."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.base import read_classes
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError

_LOSSES = {"squared_hinge": 0.5, "log": 2.0}


def l1_min_c(
    X: Any,
    y: Any,
    *,
    loss: str = "squared_hinge",
    fit_intercept: bool = True,
    intercept_scaling: float = 1.0,
) -> float:
    r"""The largest C for which an ℓ1 penalty leaves every coefficient at zero.

    .. math:: C_{\min} = \frac{\tau}{\max_{k,j} |\sum_i y_{ik}\,\tilde x_{ij}|}

    with y = ±1 for class k against the rest and τ = ½ for the squared hinge, 2 for the logistic
    loss: the slope of the loss at zero must exceed that of the penalty. It holds without class
    weights.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.
    y : array-like of shape (n,)
        Labels.
    loss : {"squared_hinge", "log"}, default="squared_hinge"
        Of `LinearSVC`, or of `LogisticRegression`.
    fit_intercept : bool, default=True
        Whether the model has an intercept.
    intercept_scaling : float in (0, inf), default=1.0
        The constant column that carries it.

    Returns
    -------
    float

    Examples
    --------
    >>> l1_min_c([[-1.0], [0.0], [1.0], [1.0]], [-1, -1, 1, 1])
    0.16666666666666666
    """
    name = "l1_min_c"
    if loss not in _LOSSES:
        raise InvalidParameterError(
            f"{name}: loss must be one of {', '.join(map(repr, _LOSSES))}, got {loss!r}."
        )
    if fit_intercept and not intercept_scaling > 0.0:
        raise InvalidParameterError(
            f"{name}: intercept_scaling must be a number in (0, inf), got {intercept_scaling!r}."
        )
    table = read_table(X, owner=name)
    classes, codes = read_classes(y, owner=name, n_rows=table.n_rows)
    positive = codes[None, :] == (
        np.array([[1]]) if len(classes) == 2 else np.arange(len(classes))[:, None]
    )
    signs = np.where(positive, 1.0, -1.0)
    steepest = float(np.abs(np.asarray(table.x.T @ signs.T)).max(initial=0.0))
    if fit_intercept:
        steepest = max(steepest, intercept_scaling * float(np.abs(signs.sum(axis=1)).max()))
    if steepest == 0.0:
        raise InvalidDataError(
            f"{name}: Ill-posed l1_min_c calculation: l1 will always select zero coefficients for "
            "this data, as every column sums to zero over the signs of the classes."
        )
    return _LOSSES[loss] / steepest
