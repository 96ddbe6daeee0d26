"""Permutation importances as a value: numbers, text, picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets.bunch import Bunch

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PermutationImportance(Bunch):
    """By how much the score falls when a column is shuffled; see `permutation_importance`.

    A dictionary with attributes, as scikit-learn's result.

    Attributes
    ----------
    importances : array of shape (n_features, n_repeats)
        Falls of the score, of each column and shuffle.
    importances_mean, importances_std : array of shape (n_features,)
        Their mean and standard deviation over the shuffles.
    importances_low, importances_high : array of shape (n_features,)
        95 % interval of the mean: what other rows and other shuffles would give.
    feature_names : tuple of str
        The columns, or groups of columns.
    baseline_score : float
        The score before anything is shuffled.
    score_label : str
        What the score is.
    """

    importances: NDArray[np.float64]
    importances_mean: NDArray[np.float64]
    importances_std: NDArray[np.float64]
    importances_low: NDArray[np.float64]
    importances_high: NDArray[np.float64]
    feature_names: tuple[str, ...]
    baseline_score: float
    score_label: str

    @property
    def order(self) -> NDArray[np.intp]:
        """The columns by importance, the greatest first."""
        return np.argsort(-self.importances_mean, kind="stable")

    def to_frame(self, library: str = "pandas") -> Any:
        """The greatest first, as a data frame of pandas, polars or pyarrow."""
        from stylobate.data.words import library as imported

        nw: Any = imported("narwhals", "PermutationImportance.to_frame")
        order = self.order
        columns = {
            "feature": [self.feature_names[k] for k in order],
            "importance": self.importances_mean[order],
            "low": self.importances_low[order],
            "high": self.importances_high[order],
        }
        return nw.from_dict(columns, backend=library).to_native()

    def plot(self, *, most: int = 20, ax: Axes | None = None) -> Axes:
        """A dot and an interval for each column; returns the axes."""
        from stylobate.plot import plot_importances

        return plot_importances(self, most=most, ax=ax)

    def __str__(self) -> str:
        width = max(len("column"), *(len(name) for name in self.feature_names))
        lines = [
            f"Fall of the {self.score_label} ({self.baseline_score:.4g}) when a column is shuffled",
            f"{'column':<{width}}  {'fall':>9}  95% interval",
        ]
        for k in self.order:
            ends = f"{self.importances_low[k]:.4f} to {self.importances_high[k]:.4f}"
            lines.append(
                f"{self.feature_names[k]:<{width}}  {self.importances_mean[k]:>9.4f}  {ends}"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)
