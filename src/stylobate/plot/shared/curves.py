"""What pictures of curves over thresholds share: several models, one legend, square axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.texts import plain
from stylobate.plot.shared.themes import theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = ("-", "--", "-.", ":")  # lines that lie on each other stay visible
SQUARE = (4.8, 4.6)


def named_curves(curves: Any, needed: tuple[str, ...], function: str) -> dict[str, Any]:
    """Curves under their labels; one alone has none."""
    named = dict(curves) if isinstance(curves, Mapping) else {"": curves}
    for label, curve in named.items():
        missing = [name for name in needed if not hasattr(curve, name)]
        if missing:
            raise InvalidParameterError(
                f"{function}: {type(curve).__name__}{f' ({label!r})' if label else ''} has no "
                f"{', '.join(missing)}; pass the curve of stylobate.metrics, or a mapping of "
                "labels to such curves."
            )
    if not named:
        raise InvalidParameterError(f"{function}: there is no curve to draw; pass one at least.")
    return named


def draw_curves(
    named: dict[str, tuple[Any, Any, str]], ax: Axes | None, *, steps: bool = False
) -> Axes:
    """Lines (x, y, what the legend adds) under their labels, in colours and styles of their own."""
    ax, theme = axes_and_theme(ax, SQUARE)
    drawn = sum(1 for line in ax.get_lines() if line.get_gid() == "curve")
    for place, (label, (x, y, note)) in enumerate(named.items(), start=drawn):
        shown = plain(label)
        text = f"{shown} ({note})" if label and note else shown or note
        color, style = theme.color(place), STYLES[place % len(STYLES)]
        how: Any = "steps-post" if steps else "default"
        ax.plot(
            x, y, color=color, ls=style, lw=1.8, label=text, drawstyle=how, zorder=3, gid="curve",
            clip_on=False,
        )  # fmt: skip
    return ax


def draw_reference(ax: Axes, x: Any, y: Any, label: str) -> None:
    """A grey line to compare with, once on each picture."""
    if any(line.get_gid() == "reference" for line in ax.get_lines()):
        return
    ax.plot(x, y, color=theme_of(ax).soft, ls=":", lw=1.4, label=label, zorder=2, gid="reference")


def frame_unit_square(ax: Axes, x: str, y: str, *, legend: Any) -> None:
    """Axes from 0 to 1 of the same length."""
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.0)
    ax.set_aspect("equal")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    add_legend(ax, legend)


def add_legend(ax: Axes, place: Any = "best") -> None:
    """The legend of a picture, with what models are compared to at its end."""
    handles, texts = ax.get_legend_handles_labels()
    order = sorted(range(len(handles)), key=lambda k: handles[k].get_gid() != "curve")
    legend(ax, place, handles=[handles[k] for k in order], labels=[texts[k] for k in order])
