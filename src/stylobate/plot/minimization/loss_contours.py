"""A function of two coefficients with the paths of solvers over it, as a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_PLACED = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_MARKS = 40  # iterations of a path that are marked


def plot_loss_contours(
    function: Any,
    X: Any = None,
    y: Any = None,
    *,
    paths: Any = None,
    x_range: Sequence[float] | None = None,
    y_range: Sequence[float] | None = None,
    levels: int = 14,
    names: Sequence[str] = ("w₀", "w₁"),
    resolution: int = 120,
    ax: Axes | None = None,
    region: Any = None,
    minimum: Any = None,
    before: Any = None,
) -> Axes:
    r"""Contours of a function of two variables, and what optimisers did on it.

    Levels grow geometrically above the smallest value seen, so the valley is drawn in detail. For a
    loss :math:`\ell(y, z)` and rows the function is the mean
    :math:`\tfrac1n \sum_i \ell(y_i, w_0 x_{i0} + w_1 x_{i1})`; of a single column
    :math:`z_i = w_0 + w_1 x_i`.

    Parameters
    ----------
    function : callable, problem such as `EmpiricalRisk`, or a loss of `stylobate.losses`
        Of an array of two numbers, or of two numbers; a loss needs X and y.
    X : array-like of shape (n,), (n, 1) or (n, 2), optional
        Rows, for a loss.
    y : array-like of shape (n,), optional
        Targets, for a loss.
    paths : array-like of shape (k, 2), or mapping of labels to such, optional
        The points optimisers went through; the last one has a star. A path of one point marks it.
    x_range, y_range : pairs of float, optional
        Ends of the picture; what the paths need by default, or -2 to 2.
    levels : int in [2, inf), default=14
        Number of contours.
    names : pair of str, default=("w₀", "w₁")
        Of the variables.
    resolution : int in [2, inf), default=120
        Points of the grid along each axis.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    region : set of `stylobate.optimize` (such as ``L1Ball(1.0)``), or list of such, optional
        Where the answer must be; its outline is drawn. The ball of ℓ1 is a diamond, that of ℓ2 a
        disc.
    minimum : array-like of shape (2,), optional
        The unconstrained minimum, marked by a cross.
    before : array-like of shape (k, 2), optional
        Of the first path, the points before their projection: ``before[t]`` leads to
        ``path[t + 1]``.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> path = [np.array([1.0, 0.0])]
    >>> for _ in range(20):  # z = x² + (y - 1)², by steps of 0.1 against the gradient
    ...     path.append(path[-1] - 0.1 * 2 * (path[-1] - np.array([0.0, 1.0])))
    >>> ax = plot_loss_contours(lambda w: w[0] ** 2 + (w[1] - 1) ** 2, paths={"descent": path})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['descent (20 steps)']
    """
    owner = "plot_loss_contours"
    value = _function(function, X, y, owner)
    tracks = _tracks(paths, owner)
    across, up = (
        _range(given, [each[:, k] for each in tracks.values()], owner)
        for k, given in ((0, x_range), (1, y_range))
    )
    horizontal, vertical = (np.linspace(*ends, resolution) for ends in (across, up))
    heights = np.array([[float(value(np.array([a, b]))) for a in horizontal] for b in vertical])
    if not np.isfinite(heights).any():
        raise InvalidDataError(f"{owner}: the function is nowhere finite within the picture.")
    ax, theme = axes_and_theme(ax, (5.6, 4.6), grid=None)
    steps = _levels(heights, levels)
    if len(steps) > 1:
        ax.contourf(
            horizontal, vertical, np.ma.masked_invalid(_ranks(heights, steps)),
            np.arange(len(steps) + 1) - 0.5, cmap=theme.ramp(theme.faint), alpha=0.55, zorder=0,
        )  # fmt: skip
        ax.contour(
            horizontal,
            vertical,
            heights,
            steps,
            colors=theme.soft,
            linewidths=0.7,
            linestyles="solid",
            zorder=1,
        )
    _draw_regions(ax, theme, region, horizontal, vertical)
    if before is not None:
        _draw_projections(ax, theme, before, next(iter(tracks.values()), None), owner)
    if minimum is not None:
        ax.plot(*np.asarray(minimum, dtype=np.float64), "x", color=theme.ink, ms=9, mew=2.0,
                zorder=5, label="minimum", gid="minimum")  # fmt: skip
    for place, (label, track) in enumerate(tracks.items()):
        _draw_track(ax, theme.color(place), label, track, place)
    ax.set_xlim(*across)
    ax.set_ylim(*up)
    ax.set_xlabel(plain(names[0]))
    ax.set_ylabel(plain(names[1]))
    if (tracks and any(tracks)) or minimum is not None:
        legend(ax, "above", ncols=2)
    return ax


def _draw_regions(ax: Axes, theme: Any, region: Any, horizontal: Array, vertical: Array) -> None:
    for one in region if isinstance(region, list | tuple) else [] if region is None else [region]:
        excess = np.array(
            [[float(one.excess(np.array([a, b]))) for a in horizontal] for b in vertical]
        )
        drawn: dict[str, Any] = {"zorder": 2, "colors": [theme.color(2)]}
        ax.contourf(horizontal, vertical, excess, [-np.inf, 0.0], alpha=0.22, **drawn)
        ax.contour(horizontal, vertical, excess, [0.0], linewidths=1.8, **drawn)


def _draw_projections(ax: Axes, theme: Any, before: Any, track: Any, owner: str) -> None:
    points = np.asarray(before, dtype=np.float64)
    if track is None or points.ndim != 2 or points.shape[1] != 2 or len(points) >= len(track):
        raise InvalidDataError(
            f"{owner}: before has shape {points.shape}; it must be (k, 2) with a path of more than "
            "k points."
        )
    for start, outside, end in zip(track, points, track[1:], strict=False):
        ax.plot(*np.array([start, outside]).T, ":", color=theme.ink, lw=1.0, zorder=3)
        ax.plot(*np.array([outside, end]).T, "--", color=theme.ink, lw=1.0, zorder=3)
    ax.plot(*points.T, "o", mfc="none", mec=theme.ink, ms=5, zorder=3, gid="before")


def _draw_track(ax: Axes, color: str, label: str, track: Array, place: int) -> None:
    every = max(1, len(track) // _MARKS)
    steps = f" ({len(track) - 1} steps)" if len(track) > 1 else ""
    text = f"{plain(label)}{steps}" if label else None
    ax.plot(
        *track.T, color=color, lw=1.6, marker=_MARKERS[place % len(_MARKERS)], ms=4,
        markevery=every, label=text, zorder=3, gid="path",
    )  # fmt: skip
    ax.plot(*track[-1], "*", color=color, ms=13, mec="white", mew=0.6, zorder=4, gid="end")


def _function(function: Any, X: Any, y: Any, owner: str) -> Callable[[Array], float]:
    if X is None and hasattr(function, "value") and hasattr(function, "gradient"):
        return function.value  # type: ignore[no-any-return]
    if X is None and callable(function):
        return (lambda w: function(*w)) if _takes_two(function) else function
    if not hasattr(function, "value") or X is None or y is None:
        raise InvalidParameterError(
            f"{owner}: function is a {type(function).__name__}; pass a function of two numbers, or "
            "a loss of stylobate.losses with X and y."
        )
    rows = np.asarray(X, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.shape[1] == 1:
        rows = np.column_stack([np.ones(len(rows)), rows])
    targets = np.asarray(y, dtype=np.float64)
    if rows.shape != (len(targets), 2):
        raise InvalidDataError(
            f"{owner}: X has shape {np.shape(X)} for {len(targets)} targets; it must have one or "
            "two columns and as many rows."
        )
    return lambda w: float(np.mean(function.value(targets, rows @ w)))


def _takes_two(function: Any) -> bool:
    """Whether a function wants the two numbers one by one."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind in _PLACED]
    return len(needed) == 2


def _tracks(paths: Any, owner: str) -> dict[str, Array]:
    named = dict(paths) if isinstance(paths, Mapping) else {} if paths is None else {"": paths}
    tracks = {str(label): np.asarray(path, dtype=np.float64) for label, path in named.items()}
    for label, track in tracks.items():
        if track.ndim != 2 or track.shape[1] != 2 or not len(track):
            raise InvalidDataError(
                f"{owner}: the path {label!r} has shape {track.shape}; it must be (k, 2), a point "
                "after each step."
            )
    return tracks


def _range(given: Any, tracks: list[Array], owner: str) -> tuple[float, float]:
    if given is not None:
        low, high = (float(each) for each in given)
    elif tracks:
        seen = np.concatenate(tracks)
        seen = seen[np.isfinite(seen)]
        room = 0.25 * float(np.ptp(seen)) or 1.0
        low, high = float(seen.min()) - room, float(seen.max()) + room
    else:
        low, high = -2.0, 2.0
    if not low < high:
        raise InvalidParameterError(
            f"{owner}: the ends of a range must increase, got {low:g} and {high:g}."
        )
    return low, high


def _levels(heights: Array, count: int) -> Array:
    """Values from the lowest to the highest, in steps that grow with the height above the least."""
    finite = heights[np.isfinite(heights)]
    least, most = float(finite.min()), float(finite.max())
    if not most > least:
        return np.array([least])
    low = max(float(np.quantile(finite, 0.02)) - least, 1e-6 * (most - least))
    return np.unique(least + np.geomspace(low, most - least, count))


def _ranks(heights: Array, steps: Array) -> Array:
    """How many levels each height is above, as a number that varies smoothly between them."""
    known = np.isfinite(heights)
    place = np.interp(np.where(known, heights, steps[0]), steps, np.arange(len(steps)))
    return np.where(known, place, np.nan)
