"""Precision–recall curves, as scikit-learn displays them."""

from __future__ import annotations

from typing import Any

from stylobate.metrics.curves.pr_curve import precision_recall_curve
from stylobate.metrics.displays.display import Display, named, scores_of


class PrecisionRecallDisplay(Display):
    """A precision–recall curve that was computed, to be drawn.

    Parameters
    ----------
    precision, recall : arrays of shape (k,)
        The points.
    average_precision : float, optional
        The area, for the legend.
    name : str, optional
        The model, for the legend.
    pos_label : label, optional
        The positive class, for the axes.
    prevalence_pos_label : float, optional
        The share of positive rows, for the line of chance.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> display = PrecisionRecallDisplay.from_predictions([0, 1], [0.2, 0.7], ax=ax)
    >>> display.line_.get_label()
    'Classifier (AP = 1.00)'
    """

    def __init__(
        self,
        precision: Any,
        recall: Any,
        *,
        average_precision: float | None = None,
        name: str | None = None,
        pos_label: Any = None,
        prevalence_pos_label: float | None = None,
    ) -> None:
        self.precision, self.recall = precision, recall
        self.average_precision, self.name, self.pos_label = average_precision, name, pos_label
        self.prevalence_pos_label = prevalence_pos_label

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        curve_kwargs: dict[str, Any] | None = None,
        plot_chance_level: bool = False,
        chance_level_kw: dict[str, Any] | None = None,
        despine: bool = False,
        **more: Any,
    ) -> PrecisionRecallDisplay:
        """Draw the curve; the arguments are those of `RocCurveDisplay.plot`."""
        ax = self._axes(ax, despine)
        note = "" if self.average_precision is None else f"AP = {self.average_precision:0.2f}"
        label = named(self.name if name is None else name, note)
        style = {"drawstyle": "steps-post", **(curve_kwargs or {}), **more}
        self.line_ = self._line(ax, self.recall, self.precision, label, style)
        self.chance_level_ = None
        if plot_chance_level and self.prevalence_pos_label is not None:
            share = self.prevalence_pos_label
            style = {"color": "k", "linestyle": "--", **(chance_level_kw or {})}
            chance = f"Chance level (AP = {share:0.2f})"
            self.chance_level_ = self._line(ax, (0, 1), (share, share), chance, style)
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        self._finish(ax, "Recall", "Precision", self.pos_label, "lower left")
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = False,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> PrecisionRecallDisplay:
        """Compute from labels and scores, and draw."""
        curve = precision_recall_curve(
            y_true,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
        )
        display = cls(
            curve.precision,
            curve.recall,
            average_precision=curve.average_precision,
            name="Classifier" if name is None else name,
            pos_label=1 if pos_label is None else pos_label,
            prevalence_pos_label=curve.prevalence,
        )
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
    ) -> PrecisionRecallDisplay:
        """Compute from a fitted classifier, and draw; options as of `from_predictions`."""
        scores, positive, label = scores_of(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(y, scores, pos_label=positive, name=label, **options)
