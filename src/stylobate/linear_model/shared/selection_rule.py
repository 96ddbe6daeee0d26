"""Which penalty a cross-validation chooses: the best one, or the simplest within its noise."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Options

RULES = ("min", "1se")
SelectionRule: TypeAlias = Annotated[str, Options(*RULES)]


def chosen_setting(losses: Any, strengths: Any, rule: str, best: int | None = None) -> int:
    r"""The number of the setting to take.

    "min" is the smallest mean loss. "1se" is the strongest penalty whose mean loss is no larger
    than the smallest mean plus one standard error of it,

    .. math:: \mathrm{se} = \frac{1}{\sqrt{K}} \sqrt{\frac{1}{K - 1} \sum_k (L_k - \bar L)^2},

    over the K folds (or rows left out) at the best setting.

    Parameters
    ----------
    losses : array of shape (n_settings, n_folds)
        What is to be small, of each setting on each fold.
    strengths : array of shape (n_settings,)
        How strong the penalties are: the simplest model has the largest.
    rule : {"min", "1se"}
    best : int, optional
        The best setting, where ties were broken elsewhere; by default the first of the smallest
        means.

    Returns
    -------
    int

    Examples
    --------
    >>> losses = [[4.0, 5.0, 6.0], [2.0, 3.0, 4.0], [2.0, 2.0, 3.5]]
    >>> [chosen_setting(losses, [10.0, 1.0, 0.1], rule) for rule in ("min", "1se")]
    [2, 1]

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, section 3.4.3.
    Friedman, Hastie & Tibshirani (2010), Regularization paths for generalized linear models via
    coordinate descent, J. Statistical Software 33.
    """
    table = np.asarray(losses, dtype=np.float64)
    means = table.mean(axis=1)
    at = int(np.where(np.isnan(means), np.inf, means).argmin()) if best is None else int(best)
    if rule == "min" or table.shape[1] < 2 or not np.isfinite(table[at]).all():
        return at
    bound = means[at] + standard_error(table[at])
    order = np.asarray(strengths, dtype=np.float64)
    allowed = np.where((means <= bound) & (order >= order[at]), order, -np.inf)
    return int(allowed.argmax())


def standard_error(losses: Array) -> float:
    """Of the mean of the losses."""
    return float(losses.std(ddof=1) / np.sqrt(len(losses)))
