"""What all pictures share: axes to draw on, a legend, and checks of what they are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.texts import plain_all
from stylobate.plot.shared.themes import Theme, current_theme, theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MANY_NAMES = 30  # from which on names no longer fit under an axis


def axes_and_theme(
    ax: Axes | None, size: tuple[float, float] = (6.4, 4.0), *, grid: str | None = "both"
) -> tuple[Axes, Theme]:
    """The axes given, or those of a new figure outside pyplot's list: nothing is left open."""
    if ax is None:
        ax = new_figure(size).add_subplot(facecolor=current_theme().background)
    return ax, dress(ax, grid)


def panels_and_theme(
    axes: Any,
    shape: tuple[int, int],
    size: tuple[float, float],
    function: str,
    *,
    grid: str | None = "both",
    **sharing: Any,
) -> tuple[NDArray[Any], Theme]:
    """As many axes as a picture of several needs: those given, or those of a new figure."""
    if axes is None:
        paper = {"facecolor": current_theme().background}
        axes = new_figure(size).subplots(*shape, squeeze=False, subplot_kw=paper, **sharing)
    given = np.asarray(axes, dtype=object)
    if given.size != shape[0] * shape[1]:
        raise InvalidParameterError(
            f"{function}: axes has {given.size} entries; the picture needs {shape[0]} × {shape[1]}."
        )
    panels = given.reshape(shape)
    themes = [dress(each, grid) for each in panels.flat]
    return panels, themes[0]


def new_figure(size: tuple[float, float]) -> Figure:
    """An empty figure of the style in force."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained", facecolor=current_theme().background)


def dress(ax: Axes, grid: str | None = "both") -> Theme:
    """Frames, ticks and grid of the house, in colours that can be read on these axes."""
    theme = theme_of(ax)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(theme.soft)
    ax.tick_params(color=theme.soft, labelcolor=theme.ink)
    ax.xaxis.label.set_color(theme.ink)
    ax.yaxis.label.set_color(theme.ink)
    ax.set_axisbelow(True)
    ax.grid(False)
    if grid is not None:
        ax.grid(True, axis=grid, color=theme.grid, lw=0.7)  # type: ignore[arg-type]
    return theme


def say(ax: Axes, text: str) -> None:
    """A small title over the left end of the axes."""
    ax.set_title(text, fontsize="medium", loc="left", color=theme_of(ax).ink)


def no_frame(ax: Axes) -> None:
    """Axes of an image: no frame, no grid, no ticks."""
    ax.grid(False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def legend(ax: Axes, place: Any = "best", *, boxed: bool = False, **options: Any) -> None:
    """The legend of a picture; "above" puts it over the axes, where it hides nothing."""
    if boxed:  # over a picture that leaves no place free
        paper = theme_of(ax).background
        options = {"frameon": True, "facecolor": paper, "edgecolor": "none", **options}
    if place in ("above", "right"):
        corner = (0.0, 1.0) if place == "above" else (1.0, 1.0)
        options = {"bbox_to_anchor": corner, "borderaxespad": 0.4, **options}
        place = "lower left" if place == "above" else "upper left"
    options = {"frameon": False, "fontsize": "small", "labelcolor": theme_of(ax).ink, **options}
    shown = ax.legend(loc=place, **options)
    if shown.get_title().get_text():
        shown.get_title().set(color=theme_of(ax).ink, fontsize="small")


def name_ticks(axis: Any, names: Sequence[Any], *, most: int = 24) -> None:
    """Names at 0, 1, …; slanted under an axis they would not fit on, thinned out if many."""
    texts = plain_all(names, most)
    step = -(-len(texts) // MANY_NAMES)
    places = np.arange(len(texts))[::step]
    if axis.axis_name == "x" and sum(map(len, texts[::step])) > 6 + 40 / (1 + len(texts) / 40):
        axis.set_ticks(places, texts[::step], rotation=40, ha="right", rotation_mode="anchor")
    else:
        axis.set_ticks(places, texts[::step])


def checked_choice(value: Any, choices: Sequence[str], name: str, function: str) -> str:
    """One of a few words."""
    if value not in choices:
        raise InvalidParameterError(
            f"{function}: {name} must be one of {', '.join(choices)}, got {value!r}."
        )
    return str(value)


def checked_alphas(alphas: Any, function: str) -> Array:
    """Penalties as an array, all of them positive: there is no place for 0 on a log scale."""
    checked = np.asarray(alphas, dtype=np.float64)
    if checked.ndim != 1 or not np.all(checked > 0.0):
        raise InvalidParameterError(
            f"{function}: alphas must be one-dimensional and positive, for they are drawn on a log "
            f"scale; got shape {checked.shape}"
            + (f" with {checked.min():g} as the smallest." if checked.size else ".")
        )
    return checked


def checked_names(names: Sequence[str] | None, count: int, function: str) -> list[str]:
    """A name for every column: those given, or x0, x1, …."""
    if names is None:
        return [f"x{k}" for k in range(count)]
    if len(names) != count:
        raise InvalidParameterError(
            f"{function}: names has {len(names)} entries for {count} columns; give one each."
        )
    return [str(name) for name in names]


def color_bar(ax: Axes, drawn: Any, label: str, *, ends: tuple[float, float] | None = None) -> None:
    """A bar of the colours beside the axes, in their theme; of some colours only between ends."""
    theme, figure = theme_of(ax), ax.get_figure()
    assert figure is not None
    bar = figure.colorbar(drawn, ax=ax, shrink=0.9, aspect=25, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(color=theme.soft, labelcolor=theme.ink, labelsize="small")
    if ends is not None and ends[0] < ends[1]:
        bar.ax.set_ylim(*ends)
    bar.set_label(label, color=theme.ink, fontsize="small")
