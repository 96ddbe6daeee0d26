"""The unit balls of norms in the plane, as a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_unit_balls(
    norms: Sequence[float] | Mapping[str, Callable[[Any], Any]] = (1.0, 2.0, np.inf),
    *,
    radius: float = 1.0,
    ax: Axes | None = None,
) -> Axes:
    r"""The sets :math:`\{x : \|x\| = r\}` of norms in the plane.

    Of a norm the ball is convex: the balls of ℓp with p < 1, which is none, bend inwards.

    Parameters
    ----------
    norms : sequence of float in (0, inf], or mapping of labels to functions, \
default=(1, 2, inf)
        The p of ℓp norms, or functions of an array of two numbers with f(t x) = t f(x), t ≥ 0.
    radius : float in (0, inf), default=1.0
        r.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_unit_balls([0.5, 1, 2, np.inf])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['ℓ0.5', 'ℓ1', 'ℓ2', 'ℓ∞']
    """
    if not 0.0 < radius < np.inf:
        raise InvalidParameterError(f"plot_unit_balls: radius must be in (0, inf), got {radius!r}.")
    named = dict(norms) if isinstance(norms, Mapping) else {_name(p): _power(p) for p in norms}
    # the corners of diamonds and squares are among the directions
    turn = np.linspace(0.0, 2.0 * np.pi, 721)
    directions = np.column_stack([np.cos(turn), np.sin(turn)])
    ax, theme = axes_and_theme(ax, (4.6, 4.6))
    farthest = radius
    for place, (label, norm) in enumerate(named.items()):
        lengths = np.array([float(norm(each)) for each in directions])
        if not (lengths > 0.0).all():
            raise InvalidParameterError(
                f"plot_unit_balls: {label!r} is not positive in every direction, and no norm."
            )
        rim = radius * directions / lengths[:, None]
        farthest = max(farthest, float(np.abs(rim).max()))
        ax.plot(*rim.T, color=theme.color(place), lw=1.8, label=plain(label), zorder=3)
    ends = 1.12 * farthest
    ax.set_xlim(-ends, ends)
    ax.set_ylim(-ends, ends)
    ax.set_aspect("equal")
    ax.set_xlabel("x₁")
    ax.set_ylabel("x₂")
    legend(ax, "above", ncols=4)
    return ax


def _name(p: float) -> str:
    return "ℓ∞" if np.isinf(p) else f"ℓ{p:g}"


def _power(p: float) -> Callable[[Any], Any]:
    if not p > 0.0:
        raise InvalidParameterError(f"plot_unit_balls: p must be in (0, inf], got {p!r}.")
    if np.isinf(p):
        return lambda x: np.abs(x).max()
    return lambda x: (np.abs(x) ** p).sum() ** (1.0 / p)
