"""Partial dependence of several columns, as scikit-learn displays it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.columns import read_columns
from stylobate.data.indexing import take_rows
from stylobate.exceptions import InvalidParameterError
from stylobate.inspection.dependence import partial_dependence
from stylobate.inspection.dependence_result import PartialDependence


class PartialDependenceDisplay:
    """Partial dependences that were computed, to be drawn side by side.

    Parameters
    ----------
    pd_results : list of PartialDependence
        One for each picture, of one or two columns.
    target_idx : int, default=0
        Which class or output is drawn.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model, ax = LinearRegression().fit(X, y), Figure().add_subplot()
    >>> display = PartialDependenceDisplay.from_estimator(model, X, ["bmi", ("bmi", "s5")], ax=ax)
    >>> display.axes_.shape
    (1, 2)
    """

    axes_: NDArray[Any]
    figure_: Any

    def __init__(self, pd_results: list[PartialDependence], *, target_idx: int = 0) -> None:
        self.pd_results, self.target_idx = pd_results, target_idx

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        features: Any,
        *,
        target: Any = None,
        n_cols: int = 3,
        kind: str = "average",
        centered: bool = False,
        subsample: float | None = 1000,
        random_state: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> PartialDependenceDisplay:
        """Compute and draw the dependence on several columns or pairs of them.

        Parameters
        ----------
        estimator, X
            As of `partial_dependence`.
        features : list of int, str or pairs of them
            One picture each.
        target : class or int, optional
            Of several classes, the one drawn; of several outputs its number.
        n_cols : int in [1, inf), default=3
            Pictures in a row.
        kind : {"average", "individual", "both"}, default="average"
            Whether curves of rows are drawn.
        centered : bool, default=False
            Whether curves begin at 0.
        subsample : int, float in (0, 1) or None, default=1000
            Rows whose curves are drawn, at most.
        random_state : int, RandomState or None, default=None
            Seed of that choice.
        ax : matplotlib Axes, optional
            Where; its place is divided among the pictures.
        **options : object
            More arguments for `partial_dependence`.

        Returns
        -------
        PartialDependenceDisplay
            With `axes_` and `figure_`.
        """
        results = []
        for each in [features] if isinstance(features, str | int) else list(features):
            alone = isinstance(each, str | int | np.integer)
            rows = X if kind == "average" else _some(X, subsample, random_state)
            drawn = kind if alone else "average"
            results.append(partial_dependence(estimator, rows, each, kind=drawn, **options))
        return cls(results, target_idx=_target(estimator, target, results)).plot(
            ax=ax, n_cols=n_cols, centered=centered
        )

    def plot(
        self, *, ax: Any = None, n_cols: int = 3, centered: bool = False
    ) -> PartialDependenceDisplay:
        """Draw the pictures in rows of `n_cols`."""
        from stylobate.plot import plot_partial_dependence
        from stylobate.plot.shared.drawing import new_figure

        count = len(self.pd_results)
        wide = min(n_cols, count)
        tall = -(-count // wide)
        if ax is None:
            panels = new_figure((3.6 * wide + 0.4, 3.1 * tall)).subplots(tall, wide, squeeze=False)
        else:
            ax.set_axis_off()
            grid = ax.get_subplotspec().subgridspec(tall, wide)
            panels = np.array(
                [[ax.figure.add_subplot(cell) for cell in row] for row in _cells(grid)]
            )
        for number, panel in enumerate(panels.flat):
            if number >= count:
                panel.set_axis_off()
                continue
            plot_partial_dependence(
                self.pd_results[number], output=self.target_idx, centered=centered, ax=panel
            )
        self.axes_, self.figure_ = panels, panels.flat[0].figure
        return self


def _cells(grid: Any) -> list[list[Any]]:
    return [[grid[i, j] for j in range(grid.ncols)] for i in range(grid.nrows)]


def _some(X: Any, subsample: Any, random_state: Any) -> Any:
    columns = read_columns(X, owner="PartialDependenceDisplay")
    n = columns.n_rows
    most = n if subsample is None else int(subsample * n if subsample < 1 else subsample)
    if most >= n:
        return columns.native
    rows = np.random.default_rng(random_state).permutation(n)[: max(1, most)]
    return take_rows(columns.native, np.sort(rows))


def _target(estimator: Any, target: Any, results: list[PartialDependence]) -> int:
    outputs = len(results[0].output_names)
    classes = getattr(estimator, "classes_", None)
    if outputs == 1:
        return 0
    if target is None:
        raise InvalidParameterError(
            "PartialDependenceDisplay: target must be specified for multi-class: one of "
            f"{results[0].output_names}."
        )
    if classes is not None:
        known = np.asarray(classes).tolist()
        if target in known:
            return int(known.index(target))
    if isinstance(target, int | np.integer) and 0 <= target < outputs and classes is None:
        return int(target)
    raise InvalidParameterError(
        f"PartialDependenceDisplay: target not in est.classes_, got {target!r}; it must be one of "
        f"{results[0].output_names}."
    )
