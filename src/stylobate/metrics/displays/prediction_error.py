"""Predicted numbers against true ones, as scikit-learn displays them."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.base.randomness import seed_of
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.displays.display import Display
from stylobate.metrics.regression.outputs import read_outputs

_KINDS = ("actual_vs_predicted", "residual_vs_predicted")


class PredictionErrorDisplay(Display):
    """True numbers and predictions of a regression, to be drawn.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        The truth and what was predicted.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> display = PredictionErrorDisplay.from_predictions([1.0, 2.0], [1.5, 2.0], ax=ax)
    >>> ax.get_ylabel()
    'Residuals (actual - predicted)'
    """

    def __init__(self, *, y_true: Any, y_pred: Any) -> None:
        self.y_true, self.y_pred = y_true, y_pred

    def plot(
        self,
        ax: Any = None,
        *,
        kind: str = "residual_vs_predicted",
        scatter_kwargs: dict[str, Any] | None = None,
        line_kwargs: dict[str, Any] | None = None,
    ) -> PredictionErrorDisplay:
        """Draw points, and the line where they would lie if all were predicted.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; a new figure of pyplot by default.
        kind : {"residual_vs_predicted", "actual_vs_predicted"}, default="residual_vs_predicted"
            What is drawn against the predictions.
        scatter_kwargs, line_kwargs : dict, optional
            Options of the points and of the line.

        Returns
        -------
        PredictionErrorDisplay
            With `scatter_`, `line_`, `ax_` and `figure_`.
        """
        if kind not in _KINDS:
            raise InvalidParameterError(f"kind must be one of {', '.join(_KINDS)}, got {kind!r}.")
        ax = self._axes(ax)
        points = {"color": "tab:blue", "alpha": 0.8, **(scatter_kwargs or {})}
        style = {"color": "black", "alpha": 0.7, "linestyle": "--", **(line_kwargs or {})}
        true, predicted = (np.asarray(v, dtype=np.float64) for v in (self.y_true, self.y_pred))
        if kind == "actual_vs_predicted":
            ends = [min(true.min(), predicted.min()), max(true.max(), predicted.max())]
            self.line_ = self._line(ax, ends, ends, None, style)
            self.scatter_ = ax.scatter(predicted, true, **points)
            ax.set(aspect="equal", ylabel="Actual values")
        else:
            ends = [predicted.min(), predicted.max()]
            self.line_ = self._line(ax, ends, [0, 0], None, style)
            self.scatter_ = ax.scatter(predicted, true - predicted, **points)
            ax.set(ylabel="Residuals (actual - predicted)")
        ax.set(xlabel="Predicted values")
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        subsample: float | int | None = 1000,
        random_state: Any = None,
        **options: Any,
    ) -> PredictionErrorDisplay:
        """Draw numbers and predictions, of many rows only some.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n,)
            The truth and what was predicted.
        subsample : int, float in (0, 1) or None, default=1000
            How many rows to draw at most, or which share of them.
        random_state : int, Generator, RandomState or None, default=None
            Seed of the choice.
        **options : object
            As of `plot`.

        Returns
        -------
        PredictionErrorDisplay
        """
        both = read_outputs(y_true, y_pred, None, cls.__name__).single()
        n = len(both.truth)
        if subsample is not None and not subsample > 0:
            raise InvalidParameterError(f"subsample must be positive, got {subsample!r}.")
        whole = n if subsample is None else subsample
        count = min(n, int(whole * n) if isinstance(whole, float) else int(whole))
        rows = np.arange(n)
        if count < n:
            rows = np.random.default_rng(seed_of(random_state)).choice(n, count, replace=False)
        display = cls(y_true=both.truth[rows, 0], y_pred=both.predicted[rows, 0])
        return display.plot(**options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, **options: Any
    ) -> PredictionErrorDisplay:
        """Predict with a fitted regressor, and draw; options as of `from_predictions`."""
        return cls.from_predictions(y, estimator.predict(X), **options)
