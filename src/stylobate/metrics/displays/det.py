"""Detection error tradeoff curves, as scikit-learn displays them."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.metrics.curves.det import det_curve
from stylobate.metrics.displays.display import Display, scores_of

_NEAR = float(np.finfo(np.float64).eps)
_TICKS = np.array([0.001, 0.01, 0.05, 0.20, 0.5, 0.80, 0.95, 0.99, 0.999])


class DetCurveDisplay(Display):
    """A detection error tradeoff curve that was computed, to be drawn on normal scales.

    Parameters
    ----------
    fpr, fnr : arrays of shape (k,)
        False positive and false negative rates.
    estimator_name : str, optional
        The model, for the legend.
    pos_label : label, optional
        The positive class, for the axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> display = DetCurveDisplay.from_predictions([0, 1, 0], [0.2, 0.7, 0.8], ax=ax, name="mine")
    >>> display.line_.get_label()
    'mine'
    """

    def __init__(
        self, *, fpr: Any, fnr: Any, estimator_name: str | None = None, pos_label: Any = None
    ) -> None:
        self.fpr, self.fnr = fpr, fnr
        self.estimator_name, self.pos_label = estimator_name, pos_label

    def plot(self, ax: Any = None, *, name: str | None = None, **options: Any) -> DetCurveDisplay:
        """Draw the curve; options are those of the line."""
        from scipy.special import ndtri

        ax = self._axes(ax)
        label = self.estimator_name if name is None else name
        # rates of 0 and 1 are drawn far outside the picture instead of at infinity
        x, y = (ndtri(np.clip(each, _NEAR, 1.0 - _NEAR)) for each in (self.fpr, self.fnr))
        self.line_ = self._line(ax, x, y, label, options)
        texts = [f"{100 * share:g}%" for share in _TICKS]
        ax.set_xticks(ndtri(_TICKS), texts)
        ax.set_yticks(ndtri(_TICKS), texts)
        ax.set(xlim=(-3, 3), ylim=(-3, 3))
        rate = "False Positive Rate", "False Negative Rate"
        self._finish(ax, *rate, self.pos_label, "upper right")
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> DetCurveDisplay:
        """Compute from labels and scores, and draw."""
        curve = det_curve(y_true, y_score, pos_label, sample_weight, drop_intermediate)
        label = "Classifier" if name is None else name
        positive = 1 if pos_label is None else pos_label
        display = cls(fpr=curve.fpr, fnr=curve.fnr, estimator_name=label, pos_label=positive)
        return display.plot(ax=ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> DetCurveDisplay:
        """Compute from a fitted classifier, and draw; options as of `from_predictions`."""
        scores, positive, label = scores_of(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(y, scores, pos_label=positive, name=label, **options)
