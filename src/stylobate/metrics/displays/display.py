"""What the displays share."""

from __future__ import annotations

from typing import Any

from stylobate.metrics.scoring.responses import response

Scores = tuple[Any, Any, str]


class Display:
    """Holds what was computed; `plot` draws it and keeps `ax_` and `figure_`."""

    ax_: Any
    figure_: Any

    def _axes(self, ax: Any, despine: bool = False) -> Any:
        """The axes given, or those of a new figure of pyplot, which shows it."""
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots()
        if despine:
            ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return ax

    def _line(self, ax: Any, x: Any, y: Any, label: str | None, options: Any) -> Any:
        more = {} if label is None else {"label": label}
        (line,) = ax.plot(x, y, **{**more, **(options or {})})
        return line

    def _finish(
        self, ax: Any, x: str, y: str, pos_label: Any, place: str, word: str = "label"
    ) -> None:
        info = "" if pos_label is None else f" (Positive {word}: {pos_label})"
        ax.set(xlabel=x + info, ylabel=y + info)
        if ax.get_legend_handles_labels()[1]:
            ax.legend(loc=place)


def scores_of(estimator: Any, X: Any, response_method: str, pos_label: Any, name: Any) -> Scores:
    """The estimator's scores of the positive class, that class, and a name for the legend."""
    auto = ("predict_proba", "decision_function")
    methods = auto if response_method == "auto" else response_method
    classes = getattr(estimator, "classes_", None)
    if pos_label is None and classes is not None and len(classes) == 2:
        pos_label = classes[1]
    scores = response(estimator, X, methods, pos_label)
    return scores, pos_label, type(estimator).__name__ if name is None else name


def named(name: str | None, note: str) -> str | None:
    """What the legend says of a line."""
    if name is None:
        return note or None
    return f"{name} ({note})" if note else name
