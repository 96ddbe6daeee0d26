"""A target by groups of one feature: means or shares, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.cells import Array, Cells
from stylobate.exploration.views.columns import is_amount, labels_of, read_column, same_length
from stylobate.exploration.views.groups import group_rows
from stylobate.inference.distributions import two_sided_quantile
from stylobate.metrics.intervals.proportions import proportion_interval

_MOST_CLASSES = 30


@dataclass(frozen=True, slots=True, eq=False)
class TargetView:
    """A target by groups of a feature.

    Attributes
    ----------
    feature, target : str
        Names.
    labels : tuple of str
        Of the groups.
    edges : array or None
        Ends of the bins, where the feature was cut into bins.
    n : array of shape (n_groups,)
        Rows with a target.
    classes : tuple of str or None
        Of a categorical target; None if it is an amount.
    values, low, high : arrays of shape (n_groups, n_classes or 1)
        Means of the target (Student's intervals) or shares of its classes (Wilson's).
    overall : array of shape (n_classes or 1,)
        The same of all rows.
    level : float
        Of the intervals.
    """

    feature: str
    target: str
    labels: tuple[str, ...]
    edges: Array | None
    n: NDArray[np.int64]
    classes: tuple[str, ...] | None
    values: Array
    low: Array
    high: Array
    overall: Array
    level: float

    def plot(self, **options: Any) -> Any:
        """Draw it; see `stylobate.plot.plot_target`."""
        from stylobate.plot import plot_target

        return plot_target(self, **options)


def target_view(
    feature: Any,
    target: Any,
    *,
    data: Any = None,
    bins: int = 10,
    most: int = 12,
    level: float = 0.95,
    owner: str = "target_view",
) -> TargetView:
    r"""The target by the values of a feature, or by bins of it with as many rows each.

    A mean has the interval :math:`\bar y \pm t\, s/\sqrt n`; a share that of Wilson.

    Parameters
    ----------
    feature, target : vector or column name
        Numbers or categories. Missing values of the feature are a group of their own; rows without
        a target are left out.
    data : table, optional
        Where column names are looked up.
    bins : int in [1, inf), default=10
        Of a feature that is an amount.
    most : int in [2, inf), default=12
        Groups of another feature.
    level : float in (0, 1), default=0.95
        Of the intervals.
    owner : str
        Who asks, for messages.

    Returns
    -------
    TargetView

    Examples
    --------
    >>> view = target_view(["a", "a", "b", "b"], ["no", "yes", "yes", "yes"])
    >>> view.classes, view.values.tolist()
    (('no', 'yes'), [[0.5, 0.5], [0.0, 1.0]])
    """
    if bins < 1 or most < 2 or not 0 < level < 1:
        raise InvalidParameterError(
            f"{owner}: bins must be at least 1, most at least 2 and level within (0, 1); got "
            f"{bins!r}, {most!r} and {level!r}."
        )
    x = read_column(feature, data, owner, "feature")
    y = read_column(target, data, owner, "target")
    same_length(owner, x, y)
    groups = group_rows(x, bins, most)
    values = target_values(y, owner)
    known = ~np.isnan(values).any(axis=1)
    rows = [values[known & (groups.codes == k)] for k in range(len(groups.labels))]
    shares = not is_amount(y)
    told = [_told(part, shares, level) for part in rows]
    mean, low, high = (np.array([each[k] for each in told]) for k in range(3))
    return TargetView(
        groups.name, y.column.name, groups.labels, groups.edges,
        np.array([len(part) for part in rows]), tuple(labels_of(y)) if shares else None,
        mean, low, high, values[known].mean(axis=0), level,
    )  # fmt: skip


def target_values(y: Cells, owner: str) -> Array:
    """A target as numbers: itself, or an indicator of each class; NaN where it is missing."""
    if is_amount(y):
        numbers = y.numbers()[:, None]
        found = np.where(np.isfinite(numbers), numbers, np.nan)
    else:
        if len(y.values) > _MOST_CLASSES:
            raise InvalidDataError(
                f"{owner}: the target {y.column.name!r} has {len(y.values)} different values; a "
                f"picture shows up to {_MOST_CLASSES} classes, or an amount."
            )
        found = np.eye(len(y.values))[y.codes] if len(y.values) else np.empty((len(y.codes), 0))
        found[y.codes < 0] = np.nan
    if not len(y.values) or np.isnan(found).all():
        raise InvalidDataError(
            f"{owner}: the target {y.column.name!r} has no value in any row; there is nothing to "
            "draw."
        )
    return np.asarray(found)


def _told(part: Array, shares: bool, level: float) -> tuple[Array, Array, Array]:
    """Mean, lower and upper end of each column."""
    n, nothing = len(part), np.full(part.shape[1], np.nan)
    if n == 0:
        return nothing, nothing, nothing
    mean = part.mean(axis=0)
    if shares:
        found = [proportion_interval(float(h), n, confidence=level) for h in part.sum(axis=0)]
        return mean, np.array([each.low for each in found]), np.array([each.high for each in found])
    if n == 1:
        return mean, nothing, nothing
    half = two_sided_quantile(level, n - 1) * part.std(axis=0, ddof=1) / np.sqrt(n)
    return mean, mean - half, mean + half
