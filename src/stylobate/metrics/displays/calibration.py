"""Calibration curves, as scikit-learn displays them."""

from __future__ import annotations

from typing import Any

from stylobate.metrics.curves.calibration import calibration_curve
from stylobate.metrics.displays.display import Display, scores_of


class CalibrationDisplay(Display):
    """A calibration curve that was computed, to be drawn.

    Parameters
    ----------
    prob_true, prob_pred : arrays of shape (n_bins,)
        Share of positive rows and mean probability of each bin.
    y_prob : array of shape (n,)
        All probabilities.
    estimator_name : str, optional
        The model, for the legend.
    pos_label : label, optional
        The positive class, for the axes.
    intervals : pair of arrays of shape (n_bins,), optional
        Lower and upper ends of intervals of the shares, drawn as bars.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> display = CalibrationDisplay.from_predictions([0, 1, 1], [0.2, 0.7, 0.9], ax=ax)
    >>> display.prob_true
    array([0., 1., 1.])
    """

    def __init__(
        self,
        prob_true: Any,
        prob_pred: Any,
        y_prob: Any,
        *,
        estimator_name: str | None = None,
        pos_label: Any = None,
        intervals: tuple[Any, Any] | None = None,
    ) -> None:
        self.prob_true, self.prob_pred, self.y_prob = prob_true, prob_pred, y_prob
        self.estimator_name, self.pos_label = estimator_name, pos_label
        self.intervals = intervals

    def plot(
        self, *, ax: Any = None, name: str | None = None, ref_line: bool = True, **options: Any
    ) -> CalibrationDisplay:
        """Draw the curve; options are those of the line."""
        ax = self._axes(ax)
        perfect = "Perfectly calibrated"
        if ref_line and perfect not in ax.get_legend_handles_labels()[1]:
            self._line(ax, [0, 1], [0, 1], perfect, {"color": "k", "linestyle": ":"})
        label = self.estimator_name if name is None else name
        style = {"marker": "s", "linestyle": "-", **options}
        self.line_ = self._line(ax, self.prob_pred, self.prob_true, label, style)
        if self.intervals is not None:
            bars = {"color": self.line_.get_color(), "alpha": 0.6, "linewidth": 1.5}
            self.bars_ = ax.vlines(self.prob_pred, *self.intervals, **bars)
        means = "Mean predicted probability", "Fraction of positives"
        self._finish(ax, *means, self.pos_label, "lower right", "class")
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        n_bins: int = 5,
        strategy: str = "uniform",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        confidence: float | None = None,
        **options: Any,
    ) -> CalibrationDisplay:
        """Compute from labels and probabilities, and draw.

        With `confidence`, such as 0.95, intervals of the shares are drawn as bars.
        """
        curve = calibration_curve(
            y_true, y_prob, pos_label=pos_label, n_bins=n_bins, strategy=strategy
        )
        label = "Classifier" if name is None else name
        positive = 1 if pos_label is None else pos_label
        observed, predicted = curve
        ends = None if confidence is None else curve.intervals(confidence)
        display = cls(
            observed, predicted, y_prob, estimator_name=label, pos_label=positive, intervals=ends
        )
        return display.plot(ax=ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> CalibrationDisplay:
        """Compute from a fitted classifier, and draw; options as of `from_predictions`."""
        chances, positive, label = scores_of(estimator, X, "predict_proba", pos_label, name)
        return cls.from_predictions(y, chances, pos_label=positive, name=label, **options)
