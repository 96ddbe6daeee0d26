"""Distributions: a histogram and a kernel density, of all rows or of groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.cells import Cells
from stylobate.exploration.histograms import histogram_edges
from stylobate.exploration.summaries.numbers import ExactNumbers
from stylobate.exploration.views.columns import labels_of, read_column, read_numbers, same_length
from stylobate.statistics.density import Density, gaussian_density, silverman_bandwidth

BIN_RULES = ("auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges")  # NumPy's


@dataclass(frozen=True, slots=True, eq=False)
class DistributionView:
    """A histogram, with densities.

    Attributes
    ----------
    name : str
        Of the column.
    labels : tuple of str
        Of the groups; one empty label where there are none.
    edges : array of shape (k + 1,)
        Ends of the bars.
    counts : array of shape (n_groups, k)
        Rows within them.
    densities : tuple of Density or None
        Of each group; None where its values do not differ, or none were asked for.
    n, beyond, missing : int
        Finite values; those outside the edges; those missing.
    """

    name: str
    labels: tuple[str, ...]
    edges: Array
    counts: NDArray[np.int64]
    densities: tuple[Density | None, ...]
    n: int
    beyond: int
    missing: int

    def plot(self, **options: Any) -> Any:
        """Draw the distribution; see `stylobate.plot.plot_histogram`."""
        from stylobate.plot import plot_histogram

        return plot_histogram(self, **options)


def distribution_view(
    values: Any,
    *,
    by: Any = None,
    data: Any = None,
    bins: int | str | Sequence[float] | None = None,
    bandwidth: float | None = None,
    density: bool = True,
    owner: str = "distribution_view",
) -> DistributionView:
    r"""A histogram and a kernel density of a column of numbers.

    .. math:: \hat p_h(x) = \frac{1}{Nh} \sum_i K\Big(\frac{x - x_i}h\Big), \qquad
              K(u) = \frac{e^{-u^2/2}}{\sqrt{2\pi}}

    Parameters
    ----------
    values : vector or column name
        Numbers.
    by : vector or column name, optional
        Groups, a histogram each over the same edges.
    data : table, optional
        Where column names are looked up.
    bins : int in [1, inf), increasing numbers or a rule of NumPy's, optional
        How many bars between the smallest and the largest value, or their ends; round numbers by
        Freedman and Diaconis' and Doane's rules by default, long tails cut off.
    bandwidth : float in (0, inf), optional
        h of the density; Silverman's rule by default.
    density : bool, default=True
        Whether to compute densities.
    owner : str
        Who asks, for messages.

    Returns
    -------
    DistributionView

    Examples
    --------
    >>> distribution_view([1.0, 2.0, 2.0, 4.0], bins=[0, 2, 4]).counts
    array([[1, 3]])
    """
    column = read_numbers(values, data, owner, "values")
    numbers = column.numbers()
    groups = {"": np.isfinite(numbers)}
    if by is not None:
        group = read_column(by, data, owner, "by")
        same_length(owner, column, group)
        inside = {label: group.codes == k for k, label in enumerate(labels_of(group))}
        groups = {label: rows & np.isfinite(numbers) for label, rows in inside.items()}
        groups = {label: rows for label, rows in groups.items() if rows.any()}
        if not groups:
            raise InvalidDataError(
                f"{owner}: no group of {group.column.name!r} has a number of "
                f"{column.column.name!r}."
            )
    edges = _edges(column, bins, owner)
    parts = [numbers[rows] for rows in groups.values()]
    counts = np.array([np.histogram(part, edges)[0] for part in parts])
    n = sum(map(len, parts))
    curves = [_density(part, edges, bandwidth) if density else None for part in parts]
    return DistributionView(
        column.column.name, tuple(groups), edges, counts, tuple(curves), n,
        n - int(counts.sum()), column.missing,
    )  # fmt: skip


def _edges(column: Cells, bins: Any, owner: str) -> Array:
    numbers = ExactNumbers(column.values, column.counts)
    if bins is None:
        shares = np.array([0.01, 0.25, 0.75, 0.99])
        least, first, third, most = numbers.quantiles(shares).tolist()
        return histogram_edges(
            numbers.low, numbers.high, n=numbers.n, quartiles=(first, third), tails=(least, most),
            skewness=numbers.skewness, whole=numbers.whole,
        )  # fmt: skip
    if isinstance(bins, str):
        if bins not in BIN_RULES:
            raise InvalidParameterError(
                f"{owner}: bins must be a number of bars, their edges or one of NumPy's rules "
                f"{', '.join(map(repr, BIN_RULES))}, got {bins!r}."
            )
        return np.histogram_bin_edges(np.repeat(column.values, column.counts), bins)
    if np.ndim(bins) == 0:
        count = int(bins)
        if count < 1 or count != bins:
            raise InvalidParameterError(f"{owner}: bins must be at least 1, got {bins!r}.")
        wide = numbers.high > numbers.low
        half = 0.0 if wide else 0.5
        return np.linspace(numbers.low - half, numbers.high + half, count + 1)
    edges = np.asarray(bins, dtype=np.float64)
    if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
        raise InvalidParameterError(
            f"{owner}: bins must be a number of bars or two increasing edges at least, got "
            f"{bins!r}."
        )
    return edges


def _density(part: Array, edges: Array, bandwidth: float | None) -> Density | None:
    if len(part) < 3 and bandwidth is None:
        return None
    h = silverman_bandwidth(part) if bandwidth is None else float(bandwidth)
    span = float(edges[-1] - edges[0])
    if not 0 < h < np.inf or not np.isfinite(span) or h < 1e-5 * span:
        return None if bandwidth is None else gaussian_density(part, bandwidth=bandwidth)
    low = max(float(part.min()), float(edges[0])) - 2.5 * h
    high = min(float(part.max()), float(edges[-1])) + 2.5 * h
    return gaussian_density(part, bandwidth=h, bounds=(low, high))
