"""Factors and sources as pictures: loadings in colours, signals above each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, checked_names, say
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_COLUMNS = 40  # names beyond cannot be read
_MOST_SIGNALS = 20


def plot_loadings(
    model: Any, *, feature_names: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """How much each column loads on each factor: red for more, blue for less, pale for nothing.

    Parameters
    ----------
    model : FactorAnalysis, SparsePCA, PCA or another with ``components_``
        A fitted model.
    feature_names : sequence of str, optional
        Names of the columns; by default those of the fit.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_wine
    >>> from stylobate.decomposition import FactorAnalysis
    >>> plot_loadings(FactorAnalysis(2).fit(load_wine().data)).get_xlabel()
    'component'
    """
    loadings = np.asarray(model.components_, dtype=float).T
    p, k = loadings.shape
    if k == 0 or p > _MOST_COLUMNS:
        raise InvalidParameterError(
            f"plot_loadings: {k} components of {p} columns cannot be drawn; at least one and up to "
            f"{_MOST_COLUMNS} columns can."
        )
    if feature_names is None:
        feature_names = getattr(model, "feature_names_in_", None)
    names = checked_names(feature_names, p, "plot_loadings")
    longest = max(len(str(name)) for name in names)
    ax, _ = axes_and_theme(ax, (1.6 + 0.09 * longest + 0.8 * k, 1.2 + 0.3 * p), grid=None)
    reach = float(np.abs(loadings).max()) or 1.0
    ax.imshow(loadings, cmap="RdBu_r", vmin=-reach, vmax=reach, aspect="auto")
    for i, j in np.ndindex(p, k):
        value = loadings[i, j]
        ink = "white" if abs(value) > 0.65 * reach else "#333333"
        text = "" if value == 0.0 else f"{value:.2f}"
        ax.text(j, i, text, ha="center", va="center", fontsize="small", color=ink)
    ax.set_xticks(range(k), [str(j + 1) for j in range(k)])
    ax.set_yticks(range(p), [plain(str(name)) for name in names])
    ax.set_xlabel("component")
    say(ax, "loadings")
    return ax


def plot_signals(
    signals: Any, *, names: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Columns as curves over the rows, each in a band of its own.

    Parameters
    ----------
    signals : array-like of shape (n, k)
        Rows in the order of time: mixtures, or the sources `FastICA` found in them.
    names : sequence of str, optional
        Of the signals.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> plot_signals(np.sin(np.arange(20.0)).reshape(-1, 2)).get_xlabel()
    'row'
    """
    values = np.asarray(signals, dtype=float)
    if values.ndim != 2 or not 1 <= values.shape[1] <= _MOST_SIGNALS or len(values) < 2:
        raise InvalidParameterError(
            f"plot_signals: signals must be at least two rows of 1 to {_MOST_SIGNALS} columns, got "
            f"shape {values.shape}."
        )
    k = values.shape[1]
    labels = checked_names(names, k, "plot_signals")
    ax, theme = axes_and_theme(ax, (6.4, 0.9 + 0.8 * k), grid="x")
    middle = values.mean(axis=0)
    size = np.abs(values - middle).max(axis=0)
    scaled = (values - middle) / np.where(size > 0.0, 2.3 * size, 1.0)
    for j in range(k):
        ax.plot(scaled[:, j] - j, color=theme.color(j), lw=1.2)
    ax.set_yticks([-j for j in range(k)], [plain(str(name)) for name in labels])
    ax.set_xlabel("row")
    say(ax, "signals, each in its own units")
    return ax
