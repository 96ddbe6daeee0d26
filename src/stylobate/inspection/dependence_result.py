"""Partial dependence as a value: grids, curves, picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets.bunch import Bunch

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PartialDependence(Bunch):
    """The mean answer of a model at values of some columns; see `partial_dependence`.

    A dictionary with attributes, as scikit-learn's result: `average`, `individual` and
    `grid_values`, as far as they were asked for.

    Attributes
    ----------
    average : array of shape (n_outputs, k₁, …)
        Means over the rows.
    individual : array of shape (n_outputs, n_rows, k₁, …)
        The curve of every row.
    grid_values : list of arrays
        The values of each column.
    """

    average: NDArray[np.float64]
    individual: NDArray[np.float64]
    grid_values: list[NDArray[Any]]

    # what is told besides is no item, so that the items are those of scikit-learn
    _extras: dict[str, Any]

    def __init__(self, *args: Any, **items: Any) -> None:
        super().__init__(*args, **items)
        object.__setattr__(self, "_extras", {})

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self._extras.get("feature_names", ()))

    @property
    def categorical(self) -> tuple[bool, ...]:
        """Of each column, whether its values are names."""
        return tuple(self._extras.get("categorical", ()))

    @property
    def output_names(self) -> tuple[str, ...]:
        """The classes the outputs are of; empty for a number."""
        return tuple(self._extras.get("output_names", ("",)))

    @property
    def scale(self) -> str:
        """What the answers are: "prediction", "probability" or "margin"."""
        return str(self._extras.get("scale", "prediction"))

    def describe(self, **extras: Any) -> PartialDependence:
        """The same, with names for pictures and texts."""
        self._extras.update(extras)
        return self

    def plot(self, *, output: int | None = None, ax: Axes | None = None) -> Axes:
        """The mean (and, where there are some, curves of rows) over the grid; returns the axes."""
        from stylobate.plot import plot_partial_dependence

        return plot_partial_dependence(self, output=output, ax=ax)
