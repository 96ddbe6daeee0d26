"""The course of a selection of features as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import MANY_NAMES, axes_and_theme, legend, name_ticks
from stylobate.plot.shared.themes import theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.feature_selection import SelectionHistory

_ADDED, _REMOVED = 0, 1  # places in the palette


def plot_selection_history(selector: Any, ax: Axes | None = None) -> Axes:
    """Scores of a selection, step by step, with all candidates and folds.

    Searches: the score after each step as a line, the candidates that were not taken as grey dots,
    the folds as a band; what was done is written under each step, and the chosen number of features
    is marked. Filters: the score of every feature as a bar, the selected ones in colour.

    Parameters
    ----------
    selector : fitted selector, or SelectionHistory
        With ``history_``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import StepwiseSelector
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> ax = plot_selection_history(StepwiseSelector().fit(X, y))
    >>> ax.get_ylabel()
    'aic'
    """
    history = _history_of(selector)
    ax, _ = axes_and_theme(ax, (7.0, 4.2), grid="y")
    if len(history) == 1 and history[0].action == "rank":
        _draw_ranking(history, _names(selector, history), ax)
    else:
        _draw_course(history, ax)
    return ax


def _history_of(selector: Any) -> SelectionHistory:
    """The history itself, or that of a fitted selector."""
    history: Any = getattr(selector, "history_", selector)
    steps = list(history) if hasattr(history, "__iter__") else []
    if not steps or not all(hasattr(step, "action") for step in steps):
        raise InvalidParameterError(
            f"plot_selection_history: {type(selector).__name__} has no history_ with a step; pass "
            "a fitted selector of stylobate.feature_selection."
        )
    return history  # type: ignore[no-any-return]


def _names(selector: Any, history: SelectionHistory) -> list[str]:
    seen = getattr(selector, "feature_names_in_", None)
    if seen is not None:
        return [str(name) for name in seen]
    return [f"x{k}" for k in history[0].candidates]


def _draw_ranking(history: SelectionHistory, names: list[str], ax: Axes) -> None:
    step = history[0]
    scores = np.nan_to_num(step.candidate_scores)
    chosen = np.isin(step.candidates, step.support)
    order = np.argsort(-scores, kind="stable")
    at = np.arange(len(order))
    theme = theme_of(ax)
    colors = ((True, theme.color(_ADDED), "selected"), (False, theme.faint, "left out"))
    for selected, color, label in colors:
        part = chosen[order] == selected
        if part.any():
            ax.bar(at[part], scores[order][part], color=color, label=label)
    if len(order) <= MANY_NAMES:
        name_ticks(ax.xaxis, [names[k] for k in order])
    else:
        ax.set_xlabel("features by score")
    ax.set_ylabel(history.score_name)
    legend(ax)


def _draw_course(history: SelectionHistory, ax: Axes) -> None:
    steps, theme = np.arange(len(history)), theme_of(ax)
    for i, step in enumerate(history):
        if len(step.candidate_scores):
            values = step.candidate_scores[np.isfinite(step.candidate_scores)]
            label = "candidates" if i == len(history) - 1 else None
            ax.plot(np.full(len(values), i), values, ".", color=theme.faint, ms=5, label=label)
    folds = [step.fold_scores for step in history]
    if all(len(each) > 1 for each in folds):
        low, high = (np.array([f(each) for each in folds]) for f in (np.min, np.max))
        ax.fill_between(
            steps,
            low,
            high,
            color=theme.color(_ADDED),
            alpha=0.15,
            lw=0,
            label="range of the folds",
        )
    ax.plot(steps, history.scores, color=theme.ink, lw=1.2, zorder=2)
    groups = (
        ("add", "added", theme.color(_ADDED), "o"),
        ("remove", "removed", theme.color(_REMOVED), "v"),
    )
    for action, label, color, marker in groups:
        at = [i for i, step in enumerate(history) if step.action == action]
        if at:
            ax.plot(at, history.scores[at], marker, color=color, ms=6, label=label, zorder=3)
    _mark_chosen(history, ax)
    _label_steps(history, ax)
    ax.set_ylabel(history.score_name)
    legend(ax)


def _mark_chosen(history: SelectionHistory, ax: Axes) -> None:
    at = next((i for i, step in enumerate(history) if step.action == "choose"), None)
    if at is not None:
        ax.plot(
            [at],
            [history.scores[at]],
            "*",
            color=theme_of(ax).color(_REMOVED),
            ms=14,
            label="chosen",
            zorder=4,
        )


def _label_steps(history: SelectionHistory, ax: Axes) -> None:
    if len(history) > MANY_NAMES or all(step.name is None for step in history):
        ax.set_xticks(
            np.arange(len(history))[:: max(1, len(history) // 12)],
            [str(step.n_features) for step in history][:: max(1, len(history) // 12)],
        )
        ax.set_xlabel("number of features")
        return
    signs = {"add": "+", "remove": "−", "choose": "+"}
    labels = [f"{signs.get(s.action, '')}{s.name}" if s.name else s.action for s in history]
    name_ticks(ax.xaxis, labels)
    ax.set_xlabel("step")
