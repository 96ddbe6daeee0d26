"""Networks as pictures: their layers, how training went, what layers do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, legend, name_ticks
from stylobate.plot.shared.texts import plain
from stylobate.plot.shared.themes import Theme, ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDE, _HIGH = 2.1, 0.72  # inches of a box
_TALLEST = 60.0
_COLORS = {0: None, 1: 0, 2: 1, 3: 2, 4: 3, 5: 4}  # of kinds, in the palette


def plot_network(diagram: Any, *, ax: Axes | None = None) -> Axes:
    r"""A network from the input down: boxes with shapes and numbers of parameters.

    Parameters
    ----------
    diagram : Diagram
        With ``boxes``, ``lines`` and ``frames`` (`Network.diagram`).
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.neural_network import Dense, Network
    >>> ax = plot_network(Network([Dense(3)], 2).diagram())
    >>> [text.get_text() for text in ax.texts]
    ['input\n2', 'Dense 3\n3; 9 weights']
    """
    size = (max(2.6, _WIDE * (diagram.width + 0.3)), min(_HIGH * (diagram.height + 0.3), _TALLEST))
    ax, theme = axes_and_theme(ax, size, grid=None)
    ax.set_axis_off()
    for line in diagram.lines:
        across, down = zip(*line, strict=True)
        ax.plot(across, down, color=theme.soft, lw=1.1, zorder=1, solid_joinstyle="round")
    for low, high, words in diagram.frames:
        _frame(ax, theme, low, high, words)
    for box in diagram.boxes:
        _box(ax, theme, box)
    ax.set_xlim(-0.2, diagram.width + 0.2)
    ax.set_ylim(-diagram.height + 0.35, 0.5)
    return ax


def _box(ax: Axes, theme: Theme, box: Any) -> None:
    from matplotlib.patches import FancyBboxPatch

    color = _paled(theme, _COLORS[box.kind])
    x, y = box.at
    height = 0.28 + 0.19 * len(box.words)
    ax.add_patch(
        FancyBboxPatch(
            (x - 0.46, y - 0.5 * height), 0.92, height, boxstyle="round,pad=0,rounding_size=0.06",
            facecolor=color, edgecolor=theme.soft, lw=0.8, zorder=2, mutation_aspect=2.0,
        )
    )  # fmt: skip
    ax.text(x, y, "\n".join(plain(word) for word in box.words), ha="center", va="center",
            fontsize=7.5, color=ink_on(color), zorder=3, linespacing=1.15)  # fmt: skip


def _frame(ax: Axes, theme: Theme, low: Any, high: Any, words: str) -> None:
    from matplotlib.patches import Rectangle

    size = (high[0] - low[0], high[1] - low[1])
    ax.add_patch(
        Rectangle(low, *size, facecolor="none", edgecolor=theme.faint, lw=1.0, ls="--", zorder=0)
    )
    ax.text(high[0] - 0.04, high[1] - 0.06, words, ha="right", va="top", fontsize=9,
            color=theme.ink, zorder=3)  # fmt: skip


def _paled(theme: Theme, place: int | None) -> Any:
    from matplotlib.colors import to_rgb

    paper = np.array(to_rgb(theme.background))
    if place is None:
        return tuple(paper)
    return tuple(0.25 * np.array(to_rgb(theme.color(place))) + 0.75 * paper)


def plot_training(training: Any, *, ax: Axes | None = None) -> Axes:
    """Losses of the epochs and, where rows were held out, their scores; the best epoch marked.

    Parameters
    ----------
    training : Training
        With ``losses``, ``scores`` and ``best_epoch``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> training = SimpleNamespace(losses=[1.0, 0.5, 0.4], scores=[], best_epoch=3)
    >>> plot_training(training).get_ylabel()
    'mean loss of the epoch'
    """
    ax, theme = axes_and_theme(ax)
    epochs = np.arange(1, len(training.losses) + 1)
    handles = ax.plot(epochs, training.losses, color=theme.color(0), lw=1.8, label="training loss")
    if len(training.losses) and min(training.losses) > 0.0:
        ax.set_yscale("log" if max(training.losses) > 20.0 * min(training.losses) else "linear")
    ax.set_xlabel("epoch")
    ax.set_ylabel("mean loss of the epoch")
    if len(training.scores):
        beside = ax.twinx()
        beside.spines[["top", "left"]].set_visible(False)
        beside.spines["right"].set_color(theme.soft)
        beside.tick_params(color=theme.soft, labelcolor=theme.ink)
        handles += beside.plot(epochs[: len(training.scores)], training.scores,
                               color=theme.color(1), lw=1.8, label="held-out score")  # fmt: skip
        beside.set_ylabel("score of held-out rows", color=theme.ink)
    handles.append(ax.axvline(training.best_epoch, color=theme.faint, ls="--", lw=1.2,
                              label=f"kept: epoch {training.best_epoch}"))  # fmt: skip
    legend(ax, "above", handles=handles, ncols=3)
    return ax


def plot_layer_signs(diagnosis: Any, *, ax: Axes | None = None) -> Axes:
    """Spread of signals and size of derivatives behind every layer; saturation and death as bars.

    Parameters
    ----------
    diagnosis : Diagnosis
        With ``layers``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> found = Network([Dense(4), Activation("tanh"), Dense(1)], 2).diagnose([[0, 1.0]], [1.0])
    >>> plot_layer_signs(found).get_ylabel()
    'size of signals and derivatives'
    """
    signs = diagnosis.layers
    ax, theme = axes_and_theme(ax, (max(6.4, 0.5 * len(signs) + 2.0), 4.4))
    places = np.arange(len(signs))
    for place, (name, label) in enumerate((("spread", "spread of outputs"),
                                           ("gradient", "derivatives by outputs"))):  # fmt: skip
        sizes = np.array([getattr(s, name) for s in signs], dtype=np.float64)
        drawn = np.isfinite(sizes) & (sizes > 0.0)
        ax.plot(places[drawn], sizes[drawn], color=theme.color(place), marker="os"[place], ms=4.5,
                lw=1.6, label=label)  # fmt: skip
    ax.set_yscale("log")
    ax.set_ylabel("size of signals and derivatives")
    name_ticks(ax.xaxis, [f"{s.name} ({s.kind})" if s.kind not in s.name else s.name
                          for s in signs], most=36)  # fmt: skip
    ax.set_xlim(-0.6, len(signs) - 0.4)
    handles = list(ax.get_lines()) + _share_bars(ax, theme, signs)
    legend(ax, "above", handles=handles, ncols=4)
    return ax


def _share_bars(ax: Axes, theme: Theme, signs: Any) -> list[Any]:
    """Shares of saturated outputs and dead units on an axis of their own, behind the lines."""
    beside, handles = ax.twinx(), []
    ax.set_zorder(beside.get_zorder() + 1)
    ax.patch.set_visible(False)
    for number, (name, label) in enumerate((("saturated", "saturated"), ("dead", "dead units"))):
        found = [(k, getattr(s, name)) for k, s in enumerate(signs) if getattr(s, name) is not None]
        if found:
            at, shares = zip(*found, strict=True)
            handles.append(beside.bar(at, shares, width=0.5, color=theme.color(2 + number),
                                      alpha=0.35, label=label))  # fmt: skip
    beside.set_ylim(0.0, 1.0)
    beside.spines[["top", "left"]].set_visible(False)
    beside.spines["right"].set_color(theme.soft)
    beside.tick_params(color=theme.soft, labelcolor=theme.ink)
    if handles:
        beside.set_ylabel("share of outputs or units", color=theme.ink)
        beside.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    else:
        beside.set_axis_off()
    return handles
