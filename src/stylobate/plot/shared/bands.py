"""Scores of training and test parts as lines with bands, shared by pictures of curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.themes import theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRAINING, TEST = 0, 1  # places in the palette


def draw_scores(ax: Axes, at: Any, curve: Any, *, markers: bool = True) -> None:
    """Means over the splits, and bands of one standard deviation about them."""
    folds, theme = curve.test_scores.shape[1], theme_of(ax)
    spread = f", mean ± std of {folds} splits" if folds > 1 else ""
    for label, scores, place in (
        ("training rows", curve.train_scores, TRAINING),
        ("test rows", curve.test_scores, TEST),
    ):
        if scores is None:
            continue
        color = theme.color(place)
        mean = curve.score.shown(scores.mean(axis=1))
        if folds > 1:
            off = scores.std(axis=1, ddof=1)
            ax.fill_between(at, mean - off, mean + off, color=color, alpha=0.15, lw=0, zorder=2)
        style = "o-" if markers else "-"
        ax.plot(at, mean, style, color=color, lw=1.8, ms=4, label=label + spread, zorder=4)
    low, high = _window(curve)
    ax.set_ylim(low, high)
    ax.set_ylabel(f"{curve.score.label} ({curve.score.better})")


def _window(curve: Any) -> tuple[float, float]:
    """The heights to show: all of them, unless a few sizes are so bad that they hide the rest."""
    parts = [scores for scores in (curve.train_scores, curve.test_scores) if scores is not None]
    means = np.concatenate([curve.score.shown(scores.mean(axis=1)) for scores in parts])
    offs = np.concatenate([scores.std(axis=1) for scores in parts])
    offs = np.minimum(offs, 4.0 * np.median(offs))
    low, high = (means - offs).min(), (means + offs).max()
    middle = np.quantile(means, [0.25, 0.5, 0.75])
    reach = 3.0 * max(middle[2] - middle[0], 1e-12)
    if curve.score.sign > 0:
        low = max(low, middle[1] - reach)
    else:
        high = min(high, middle[1] + reach)
    if curve.score.perfect is not None:
        perfect = curve.score.shown(curve.score.perfect)
        low, high = (low, min(high, perfect)) if curve.score.sign > 0 else (max(low, perfect), high)
    room = 0.06 * (high - low) or 0.5
    return float(low - room), float(high + room)
