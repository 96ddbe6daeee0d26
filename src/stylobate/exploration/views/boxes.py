"""Boxes: quartiles, whiskers and what lies outside of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.cells import Cells
from stylobate.exploration.views.columns import (
    finite_numbers,
    labels_of,
    read_column,
    read_numbers,
    read_table_columns,
    require_numbers,
    same_length,
)


@dataclass(frozen=True, slots=True, eq=False)
class BoxView:
    """One box.

    Attributes
    ----------
    label : str
        What it is the box of.
    quartiles : tuple of three float
        25 %, 50 % (the median) and 75 % quantile, linear between ranks.
    lower, upper : float
        Values outside are outliers.
    whiskers : tuple of two float
        The smallest and the largest value that is no outlier.
    outliers : array
        The values outside.
    n, missing, infinite : int
        Finite values, and the others.
    rule : str
        How `lower` and `upper` were found, in words.
    """

    label: str
    quartiles: tuple[float, float, float]
    lower: float
    upper: float
    whiskers: tuple[float, float]
    outliers: Array
    n: int
    missing: int
    infinite: int
    rule: str

    def plot(self, **options: Any) -> Any:
        """Draw the box; see `stylobate.plot.plot_box`."""
        from stylobate.plot import plot_box

        return plot_box(self, **options)


def box_views(
    values: Any,
    *,
    by: Any = None,
    data: Any = None,
    rule: str = "box",
    reach: float = 1.5,
    percentiles: Sequence[float] = (3.0, 97.0),
    owner: str = "box_views",
) -> list[BoxView]:
    r"""A box for a column, for every group of its rows, or for every numeric column of a table.

    Outliers lie outside :math:`[Q_1 - r\,(Q_3 - Q_1),\ Q_3 + r\,(Q_3 - Q_1)]` by the box rule, and
    outside two percentiles by the other.

    Parameters
    ----------
    values : vector, column name, mapping of labels to vectors, or table
        The numbers.
    by : vector or column name, optional
        Groups, a box each; rows without a group are left out.
    data : table, optional
        Where column names are looked up.
    rule : {"box", "percentile"}, default="box"
        Which values are outliers.
    reach : float in (0, inf), default=1.5
        r of the box rule.
    percentiles : pair of float in [0, 100], default=(3, 97)
        Ends of the percentile rule.
    owner : str
        Who asks, for messages.

    Returns
    -------
    list of BoxView

    Examples
    --------
    >>> box = box_views([1, 2, 3, 4, 5, 6, 7, 8, 30])[0]
    >>> box.quartiles, box.upper, box.outliers
    ((3.0, 5.0, 7.0), 13.0, array([30.]))

    References
    ----------
    Tukey (1977), Exploratory Data Analysis.
    """
    if rule not in ("box", "percentile"):
        raise InvalidParameterError(f"{owner}: rule must be box or percentile, got {rule!r}.")
    low, high = percentiles
    if not (0 <= low < high <= 100 and reach > 0):
        raise InvalidParameterError(
            f"{owner}: percentiles must increase within [0, 100] and reach be positive, got "
            f"{tuple(percentiles)} and {reach}."
        )
    shares = (low / 100, high / 100) if rule == "percentile" else None
    parts = _parts(values, by, data, owner)
    return [_box(label, *part, shares, reach) for label, part in parts.items()]


Part = tuple[Array, int, int]  # finite numbers, missing ones, infinite ones


def _parts(values: Any, by: Any, data: Any, owner: str) -> dict[str, Part]:
    if by is not None:
        column = read_numbers(values, data, owner, "values")
        return _groups(column, read_column(by, data, owner, "by"), owner)
    if isinstance(values, Mapping):
        columns = {str(k): read_numbers(each, None, owner, str(k)) for k, each in values.items()}
        if not columns:
            raise InvalidDataError(f"{owner}: there is no column; there is nothing to draw.")
        return {label: _part(column) for label, column in columns.items()}
    if getattr(values, "ndim", 1) == 2 or hasattr(values, "columns"):
        table = [each for each in read_table_columns(values, owner) if each.is_numeric]
        if not table:
            raise InvalidDataError(f"{owner}: the table has no column of numbers to draw.")
        for each in table:
            require_numbers(each, owner)
        return {each.column.name: _part(each) for each in table}
    column = read_numbers(values, data, owner, "values")
    return {column.column.name: _part(column)}


def _part(cells: Cells) -> Part:
    kept = finite_numbers(cells)
    return kept, cells.missing, len(cells.codes) - cells.missing - len(kept)


def _groups(column: Cells, by: Cells, owner: str) -> dict[str, Part]:
    same_length(owner, column, by)
    numbers, parts = column.numbers(), {}
    for place, label in enumerate(labels_of(by)):
        part = numbers[by.codes == place]
        kept = part[np.isfinite(part)]
        if len(kept):
            parts[label] = (kept, int(np.isnan(part).sum()), int(np.isinf(part).sum()))
    if not parts:
        raise InvalidDataError(
            f"{owner}: no group of {by.column.name!r} has a number of {column.column.name!r}."
        )
    return parts


def _box(
    label: str,
    values: Array,
    missing: int,
    infinite: int,
    shares: tuple[float, float] | None,
    reach: float,
) -> BoxView:
    first, median, third = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    if shares is None:
        lower, upper = first - reach * (third - first), third + reach * (third - first)
        rule = f"beyond {reach:g} box lengths"
    else:
        lower, upper = np.quantile(values, shares).tolist()
        rule = f"beyond {100 * shares[0]:g} % and {100 * shares[1]:g} %"
    inside = (values >= lower) & (values <= upper)
    kept = values[inside] if inside.any() else np.array([median])
    ends = (float(kept.min()), float(kept.max()))
    return BoxView(
        label, (first, median, third), lower, upper, ends, np.sort(values[~inside]),
        len(values), missing, infinite, rule,
    )  # fmt: skip
