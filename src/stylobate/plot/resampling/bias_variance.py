"""Bias, variance and noise as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.parameter_axis import parameter_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BIAS, _VARIANCE, _LOSS = 0, 1, 6  # places in the palette
_NAMES = {
    "squared": ("bias²", "expected squared loss"),
    "zero_one": ("bias", "expected error rate"),
}


def plot_bias_variance(found: Any, *, ax: Axes | None = None) -> Axes:
    """The parts of an expected loss as bars, each starting where the one before ends.

    Parameters
    ----------
    found : BiasVariance
        What `stylobate.model_selection.bias_variance` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import bias_variance
    >>> X, y = load_diabetes(return_X_y=True)
    >>> found = bias_variance(Ridge(), X[:300], y[:300], X[300:], y[300:], n_resamples=10)
    >>> ax = plot_bias_variance(found)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['bias² (with the noise)', 'variance', 'expected squared loss']
    """
    parts = found.parts()
    ax, theme = axes_and_theme(ax, (6.4, 1.2 + 0.4 * (len(parts) + 1)), grid="x")
    colors = [theme.color(_BIAS), *([theme.color(_VARIANCE)] * (len(parts) - 1))]
    reached = 0.0
    for place, (name, value) in enumerate(parts.items()):
        color = theme.faint if name in ("noise", "interaction") else colors[place]
        faint = 0.45 if value < 0.0 else 1.0  # what is taken off again
        ax.barh(place, value, left=reached, color=color, alpha=faint, zorder=2)
        reached += value
    ax.barh(len(parts), found.expected_loss, color=theme.color(_LOSS), zorder=2)
    ax.axvline(0.0, color=theme.ink, lw=0.8, zorder=3)
    title = _NAMES[found.loss][1]
    ax.set_yticks(range(len(parts) + 1), [*parts, title])
    ax.invert_yaxis()
    ax.set_xlabel(f"{title} of {len(found.resample_losses)} fits")
    return ax


def plot_bias_variance_curve(curve: Any, *, ax: Axes | None = None) -> Axes:
    """Bias, variance, noise and their sum against the values of a parameter.

    Parameters
    ----------
    curve : BiasVarianceCurve
        What `stylobate.model_selection.bias_variance_curve` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import bias_variance_curve
    >>> X, y = load_diabetes(return_X_y=True)
    >>> curve = bias_variance_curve(
    ...     Ridge(), X[:300], y[:300], X[300:], y[300:], n_resamples=10,
    ...     param_name="alpha", param_range=[0.01, 0.1, 1.0]
    ... )
    >>> ax = plot_bias_variance_curve(curve)
    >>> ax.get_xlabel()
    'alpha (log scale)'
    """
    ax, theme = axes_and_theme(ax)
    first = curve.results[0]
    bias, loss = _NAMES[first.loss]
    at = parameter_axis(ax, curve.short_name, curve.param_range)
    label = bias if first.truth_known else f"{bias} (with the noise)"
    variance = "variance" if first.loss == "squared" else "net variance"
    ax.plot(
        at, curve.expected_loss, "o-", color=theme.color(_LOSS), lw=2.0, ms=4, label=loss, zorder=4
    )
    ax.plot(at, curve.bias, "s-", color=theme.color(_BIAS), lw=1.8, ms=4, label=label, zorder=3)
    ax.plot(
        at,
        curve.variance,
        "^-",
        color=theme.color(_VARIANCE),
        lw=1.8,
        ms=4,
        label=variance,
        zorder=3,
    )
    if first.truth_known:
        ax.plot(at, curve.noise, color=theme.faint, lw=1.8, ls="--", label="noise", zorder=2)
    value = f"{curve.best:.4g}" if isinstance(curve.best, float) else str(curve.best)
    mark = f"least at {value}"
    ax.axvline(at[curve.best_index], color=theme.ink, lw=1.0, ls=":", label=mark, zorder=1)
    ax.set_ylabel("loss")
    legend(ax, "above", ncols=3)
    return ax
