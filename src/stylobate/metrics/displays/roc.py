"""ROC curves, as scikit-learn displays them."""

from __future__ import annotations

from typing import Any

from stylobate.metrics.curves.roc import roc_curve
from stylobate.metrics.displays.display import Display, named, scores_of


class RocCurveDisplay(Display):
    """A ROC curve that was computed, to be drawn; see also `roc_curve` and its `plot`.

    Parameters
    ----------
    fpr, tpr : arrays of shape (k,)
        False and true positive rates.
    roc_auc : float, optional
        The area, for the legend.
    name : str, optional
        The model, for the legend.
    pos_label : label, optional
        The positive class, for the axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> display = RocCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], ax=ax)
    >>> float(display.roc_auc), display.line_.get_label()
    (0.75, 'Classifier (AUC = 0.75)')
    """

    def __init__(
        self,
        *,
        fpr: Any,
        tpr: Any,
        roc_auc: float | None = None,
        name: str | None = None,
        pos_label: Any = None,
    ) -> None:
        self.fpr, self.tpr, self.roc_auc = fpr, tpr, roc_auc
        self.name, self.pos_label = name, pos_label

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        curve_kwargs: dict[str, Any] | None = None,
        plot_chance_level: bool = False,
        chance_level_kw: dict[str, Any] | None = None,
        despine: bool = False,
    ) -> RocCurveDisplay:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; a new figure of pyplot by default.
        name : str, optional
            The model, for the legend.
        curve_kwargs, chance_level_kw : dict, optional
            Options of the lines.
        plot_chance_level : bool, default=False
            Whether to draw the diagonal.
        despine : bool, default=False
            Whether to leave out the upper and right edge.

        Returns
        -------
        RocCurveDisplay
            With `line_`, `chance_level_`, `ax_` and `figure_`.
        """
        ax = self._axes(ax, despine)
        note = "" if self.roc_auc is None else f"AUC = {self.roc_auc:0.2f}"
        label = named(self.name if name is None else name, note)
        self.line_ = self._line(ax, self.fpr, self.tpr, label, curve_kwargs)
        self.chance_level_ = None
        if plot_chance_level:
            style = {"color": "k", "linestyle": "--", **(chance_level_kw or {})}
            chance = "Chance level (AUC = 0.5)"
            self.chance_level_ = self._line(ax, (0, 1), (0, 1), chance, style)
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        positive = "False Positive Rate", "True Positive Rate"
        self._finish(ax, *positive, self.pos_label, "lower right")
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
    ) -> RocCurveDisplay:
        """Compute from labels and scores, and draw; options as of `roc_curve` and `plot`."""
        curve = roc_curve(
            y_true,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
        )
        label = "Classifier" if name is None else name
        positive = 1 if pos_label is None else pos_label
        display = cls(
            fpr=curve.fpr, tpr=curve.tpr, roc_auc=curve.auc, name=label, pos_label=positive
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
    ) -> RocCurveDisplay:
        """Compute from a fitted classifier, and draw; options as of `from_predictions`."""
        scores, positive, label = scores_of(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(y, scores, pos_label=positive, name=label, **options)
