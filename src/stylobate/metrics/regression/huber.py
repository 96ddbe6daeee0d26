"""The Huber loss as a metric."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.regression.outputs import average_outputs, read_outputs


def mean_huber_loss(
    y_true: Any,
    y_pred: Any,
    *,
    delta: float = 1.0,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
) -> float | Array:
    r"""Mean of r²/2 up to \|r\| = δ and δ(\|r\| − δ/2) beyond: outliers count by their size only.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,) or (n, n_outputs)
        The truth and what was predicted.
    delta : float in (0, inf), default=1.0
        Where squares turn into lines, in the units of y.
    sample_weight, multioutput
        As of `mean_squared_error`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In [0, inf).

    References
    ----------
    Huber (1964), Robust estimation of a location parameter, Annals of Mathematical Statistics 35.

    Examples
    --------
    >>> mean_huber_loss([0.0, 0.0], [1.0, 10.0], delta=2.0)
    9.25
    """
    from stylobate.losses import Huber

    both = read_outputs(y_true, y_pred, sample_weight, "mean_huber_loss")
    if not 0 < delta < np.inf:
        raise InvalidParameterError(f"{both.owner}: delta must be in (0, inf), got {delta!r}.")
    losses = Huber(slope=delta).value(0.0, both.truth - both.predicted)
    return average_outputs(both.mean(np.asarray(losses)), multioutput, both.owner)
