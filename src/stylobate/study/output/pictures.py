"""Pictures of a study, as PNG files beside the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.report import shortened
from stylobate.study.output.folder import Writer
from stylobate.study.results import CurvePoints, HoldoutAnswer, Picture, Question, StudyResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DPI = 120
_BARS = 12
_LETTERS = 36  # of a column's name


def pictures_of(result: StudyResult) -> list[tuple[Picture, Writer]]:
    """What can be drawn of a result, and how."""
    question = result.question
    made: list[tuple[Picture, Writer]] = []

    def add(file: str, caption: str, draw: Any) -> None:
        made.append((Picture(f"{file}.png", caption), _saver(draw)))

    if result.leaderboard:
        rows = result.leaderboard
        label = question.metric.label
        add("leaderboard", f"{label} of every family", lambda: _leaderboard(rows, label))
    if result.learning_curve is not None:
        curve = result.learning_curve
        add("learning_curve", "would more rows help?", lambda: _curve(curve, question))
    if result.holdout is not None:
        answer = result.holdout
        words = "actual against predicted, hold-out"
        add("holdout", words, lambda: _holdout(answer, question))
    if result.explanation is not None and result.explanation.importances:
        found = result.explanation.importances[:_BARS]
        add("importances", "what the model relies on", lambda: _importances(found))
    return made


def _saver(draw: Any) -> Writer:
    def write(path: Path) -> None:
        axes = draw()
        figure = axes.figure
        # all is within the figure by its constrained layout: a tight box would draw it twice
        figure.savefig(path, dpi=_DPI, format="png")

    return write


def _axes(size: tuple[float, float], grid: Any = "x") -> tuple[Any, Any]:
    """Axes of a figure that no window knows of, in the house style."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    from stylobate.plot.shared.drawing import axes_and_theme

    margins = ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1)  # inches
    figure = Figure(figsize=size, layout=margins)
    return axes_and_theme(figure.add_subplot(), grid=grid)


def _leaderboard(rows: Any, label: str) -> Axes:
    ax, theme = _axes((7.0, 1.4 + 0.42 * len(rows)))
    for place, row in enumerate(rows):
        color = (
            theme.color(2)
            if row.is_chosen
            else theme.faint
            if row.is_baseline
            else (theme.color(0))
        )
        spread = np.linspace(-0.2, 0.2, len(row.scores))
        ax.plot(row.scores, place + spread, ".", color=color, alpha=0.4, ms=6)
        if row.low is not None and row.high is not None:
            ax.plot([row.low, row.high], [place, place], "-", color=color, lw=2)
        ax.plot([row.mean], [place], "o", color=color, ms=7)
    names = [f"{row.title}{' (chosen)' if row.is_chosen else ''}" for row in rows]
    ax.set_yticks(range(len(rows)), names)
    ax.invert_yaxis()
    ax.set_xlabel(f"{label}: folds, mean and 95 % interval")
    return ax  # type: ignore[no-any-return]


def _curve(curve: CurvePoints, question: Question) -> Axes:
    ax, theme = _axes((6.4, 4.0), "both")
    series = (
        ("training rows", curve.train, curve.train_deviation, theme.color(1)),
        ("other rows", curve.test, curve.test_deviation, theme.color(0)),
    )
    for name, means, deviations, color in series:
        mean, spread = np.array(means), np.array(deviations)
        ax.plot(curve.sizes, mean, "o-", color=color, label=name)
        ax.fill_between(curve.sizes, mean - spread, mean + spread, color=color, alpha=0.15, lw=0)
    ax.set_xlabel("training rows")
    ax.set_ylabel(question.metric.label)
    ax.legend(frameon=False)
    return ax  # type: ignore[no-any-return]


def _holdout(answer: HoldoutAnswer, question: Question) -> Axes:
    if answer.points:
        return _scatter(answer, question)
    matrix = np.array(answer.confusion)
    side = 1.8 + 0.7 * len(matrix)
    ax, _ = _axes((side + 0.8, side), None)
    shares = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for i, line in enumerate(matrix):
        for j, count in enumerate(line):
            color = "white" if shares[i, j] > 0.5 else "black"
            ax.text(j, i, str(count), ha="center", va="center", color=color)
    ax.set_xticks(range(len(matrix)), question.classes, rotation=45 if len(matrix) > 4 else 0)
    ax.set_yticks(range(len(matrix)), question.classes)
    ax.set_xlabel(f"predicted {question.target}")
    ax.set_ylabel(f"actual {question.target}")
    return ax  # type: ignore[no-any-return]


def _scatter(answer: HoldoutAnswer, question: Question) -> Axes:
    ax, theme = _axes((5.2, 5.0), "both")
    actual, predicted = np.array(answer.points).T
    ends = [min(actual.min(), predicted.min()), max(actual.max(), predicted.max())]
    ax.plot(ends, ends, "--", color=theme.faint)
    ax.plot(predicted, actual, ".", color=theme.color(0), alpha=0.5)
    ax.set_xlabel(f"predicted {question.target}")
    ax.set_ylabel(f"actual {question.target}")
    return ax  # type: ignore[no-any-return]


def _importances(found: Any) -> Axes:
    ax, theme = _axes((6.4, 1.2 + 0.35 * len(found)))
    for place, each in enumerate(found):
        if each.low is not None and each.high is not None:
            ax.plot([each.low, each.high], [place, place], "-", color=theme.color(0), lw=2)
        ax.plot([each.mean], [place], "o", color=theme.color(0))
    ax.axvline(0, color=theme.faint, lw=1)
    ax.set_yticks(range(len(found)), [shortened(each.name, _LETTERS) for each in found])
    ax.set_ylim(len(found) - 0.5, -0.5)
    ax.set_xlabel("how much worse the score gets when the column is shuffled")
    return ax  # type: ignore[no-any-return]
