"""A prediction taken apart, as a value: numbers, words, picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class RowExplanation:
    """What each column adds to the prediction of one row; see `explain_row`.

    Attributes
    ----------
    names, values : tuple
        The columns, and what the row holds there.
    contributions, std_errors : array of shape (p,)
        What each column adds, and its standard error (0 where exact).
    base, prediction : float
        The mean answer for the background, and the answer for this row, on `scale`.
    predicted : label or float
        What the model predicts.
    label : object
        The class explained; None of regressors.
    probabilities : dict
        Of each class, where the model gives them.
    scale : {"prediction", "log-odds", "margin", "probability"}
        In what contributions are measured.
    method, against : str
        How they were found, and what the row is compared with, in words.
    notes : tuple of str
        Sentences on values of the row that the model never saw.
    """

    names: tuple[str, ...]
    values: tuple[Any, ...]
    contributions: Array
    std_errors: Array
    base: float
    prediction: float
    predicted: Any
    label: Any
    probabilities: dict[Any, float]
    scale: str
    method: str
    against: str
    notes: tuple[str, ...] = ()

    @property
    def order(self) -> NDArray[np.intp]:
        """The columns by the size of what they add, the greatest first."""
        return np.argsort(-np.abs(self.contributions), kind="stable")

    def to_dict(self) -> dict[str, Any]:
        """Columns of a table, the greatest contribution first."""
        order = self.order
        return {
            "column": [self.names[k] for k in order],
            "value": [str(self.values[k]) for k in order],
            "contribution": [float(self.contributions[k]) for k in order],
            "std_error": [float(self.std_errors[k]) for k in order],
        }

    def to_frame(self, library: str = "pandas") -> Any:
        """`to_dict` as a data frame of pandas, polars or pyarrow."""
        from stylobate.data.words import library as imported

        nw: Any = imported("narwhals", "RowExplanation.to_frame")
        return nw.from_dict(self.to_dict(), backend=library).to_native()

    def words(self, most: int = 8) -> str:
        """The prediction and its reasons, in sentences and a table."""
        from stylobate.inspection.explanation_text import explanation_text

        return explanation_text(self, most)

    def plot(self, *, most: int = 12, ax: Axes | None = None) -> Axes:
        """From the mean to the prediction, column by column; returns the axes."""
        from stylobate.plot import plot_explanation

        return plot_explanation(self, most=most, ax=ax)

    def __str__(self) -> str:
        return self.words()

    def __repr__(self) -> str:
        return str(self)
