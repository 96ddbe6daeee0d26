"""A target by groups of one feature: means or shares, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.association.ratio import group_sums
from stylobate.exploration.cells import Cells
from stylobate.exploration.target.cells import class_shares, group_means
from stylobate.exploration.views.columns import is_amount, labels_of, read_column, same_length
from stylobate.exploration.views.groups import Groups, group_rows

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
    in_order : int
        How many of the groups follow each other, as bins and periods do; 0 for categories.
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
    in_order: int
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
    n = np.bincount(groups.codes[known], minlength=len(groups.labels))
    shares = not is_amount(y)
    told = _shares(values, groups, level) if shares else _means(values[:, 0], groups, level)
    mean, low, high = told
    return TargetView(
        groups.name, y.column.name, groups.labels, groups.in_order, n,
        tuple(labels_of(y)) if shares else None, mean, low, high, values[known].mean(axis=0), level,
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


def _means(y: Array, groups: Groups, level: float) -> list[Array]:
    """Mean of each group with the ends of its interval; NaN where there are none."""
    found = np.full((3, len(groups.labels), 1), np.nan)
    numbers = [str(k) for k in range(len(groups.labels))]
    sums = group_sums(y, groups.codes, len(groups.labels))
    for each in group_means(numbers, sums, level):
        told = (each.mean, each.low, each.high)
        found[:, int(each.group), 0] = [np.nan if v is None else v for v in told]
    return list(found)


def _shares(values: Array, groups: Groups, level: float) -> list[Array]:
    """Share of each class in each group with the ends of its interval."""
    found = np.full((3, len(groups.labels), values.shape[1]), np.nan)
    known = ~np.isnan(values).any(axis=1)
    for k in range(len(groups.labels)):
        counts = values[known & (groups.codes == k)].sum(axis=0).astype(np.int64)
        if counts.sum():
            told = class_shares(counts, range(len(counts)), level)
            found[:, k] = np.array([(each.share, each.low, each.high) for each in told]).T
    return list(found)
