"""Scores against the values of a parameter as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.bands import draw_scores
from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.parameter_axis import parameter_axis
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme

_LINES = ("--", ":", "-.")


def plot_validation_curve(
    curve: Any,
    *,
    chosen: Any | Mapping[str, Any] | None = None,
    log: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Scores of training and test parts against the values of a parameter, the best marked.

    One end fits the noise (good on training rows, bad on the others), the other misses the signal.

    Parameters
    ----------
    curve : ValidationCurve, or fitted model with ``alphas_`` and ``mse_path_``
        What `stylobate.model_selection.validation_curve` returned, or a `LassoCV` and its like,
        which know the errors of the rows left out.
    chosen : value of the parameter, or mapping of str to such values, optional
        What to mark by vertical lines, with their labels, instead of the best value and the
        present one.
    log : bool, default=False
        Whether to draw errors on a log scale.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LassoCV, Ridge
    >>> from stylobate.model_selection import validation_curve
    >>> X, y = load_diabetes(return_X_y=True)
    >>> curve = validation_curve(Ridge(), X, y, param_name="alpha", param_range=[0.01, 0.1, 1, 10])
    >>> ax = plot_validation_curve(curve)
    >>> ax.get_xlabel(), ax.get_xscale()
    ('alpha (log scale)', 'log')
    >>> ax = plot_validation_curve(LassoCV(cv=5).fit(X, y))
    >>> ax.get_legend().get_texts()[0].get_text()
    'test rows, mean ± std of 5 splits'
    """
    if hasattr(curve, "mse_path_"):
        curve = _Errors.of(curve)
    elif not all(hasattr(curve, name) for name in ("param_range", "test_scores", "best_index")):
        raise InvalidParameterError(
            f"plot_validation_curve: {type(curve).__name__} has no scores of a parameter's values; "
            "pass what validation_curve returned, or a fitted LassoCV or its like."
        )
    ax, theme = axes_and_theme(ax)
    at = parameter_axis(ax, curve.param_name, curve.param_range)
    draw_scores(ax, at, curve, markers=len(at) <= 40)
    if log:
        _scale(ax, curve)
    _mark(ax, theme, curve, at, chosen)
    legend(ax, "above", ncols=2)
    return ax


def _scale(ax: Axes, curve: Any) -> None:
    """A log scale from the least mean to the largest, which must be positive."""
    parts = [each for each in (curve.train_scores, curve.test_scores) if each is not None]
    means = np.concatenate([curve.score.shown(each.mean(axis=1)) for each in parts])
    positive = means[means > 0]
    if not len(positive):
        raise InvalidParameterError(
            f"plot_validation_curve: {curve.score.label} is nowhere positive, so there is no log "
            "scale of it; leave log out."
        )
    ax.set_ylim(0.7 * float(positive.min()), 1.4 * float(positive.max()))
    ax.set_yscale("log")


def _mark(ax: Axes, theme: Theme, curve: Any, at: Any, chosen: Any) -> None:
    marks: dict[str, Any]
    if chosen is None:
        marks = {f"best {curve.words_for(curve.best_index)}": at[curve.best_index]}
        if curve.current_index not in (None, curve.best_index):
            marks[f"now {curve.words_for(curve.current_index)}"] = at[curve.current_index]
    else:
        given = chosen if isinstance(chosen, Mapping) else {"chosen": chosen}
        marks = {label: _place(value, curve, at) for label, value in given.items()}
    for place, (label, where) in enumerate(marks.items()):
        style, color = _LINES[place % len(_LINES)], theme.ink if place == 0 else theme.soft
        ax.axvline(where, color=color, lw=1.2, ls=style, zorder=1, label=plain(label, 60))


def _place(value: Any, curve: Any, at: Any) -> float:
    """Where a value is on the axis: numbers anywhere, others where they were tried."""
    for where, tried in zip(at, curve.param_range, strict=True):
        if tried is value or (isinstance(tried, str) and tried == value):
            return float(where)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InvalidParameterError(
            f"plot_validation_curve: chosen names {value!r}, which is none of the values tried for "
            f"{curve.param_name}."
        ) from None


@dataclass(frozen=True)
class _SquaredError:
    """How errors of a path are shown: as errors, though curves hold scores."""

    label: str = "mean squared error"
    better: str = "less is better"
    sign: float = -1.0
    perfect: float = 0.0

    def shown(self, scores: Any) -> Any:
        return -np.asarray(scores)


@dataclass(frozen=True)
class _Errors:
    """The errors a cross-validated path keeps, in the words of a validation curve."""

    param_range: Array
    test_scores: Array
    train_scores: None = None
    param_name: str = "alpha"
    current_index: None = None
    score: _SquaredError = _SquaredError()

    @classmethod
    def of(cls, model: Any) -> _Errors:
        alphas, errors = np.asarray(model.alphas_), np.asarray(model.mse_path_)
        if alphas.ndim != 1 or errors.ndim != 2:
            raise InvalidParameterError(
                f"plot_validation_curve: mse_path_ has shape {errors.shape}; it draws one path of "
                "penalties, so fit with one l1_ratio."
            )
        return cls(alphas, -errors)

    @property
    def best_index(self) -> int:
        return int(np.argmax(self.test_scores.mean(axis=1)))

    def words_for(self, index: int) -> str:
        return f"alpha={self.param_range[index]:.4g}"
