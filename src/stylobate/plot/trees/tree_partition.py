"""The rectangles a decision tree cuts the plane into, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, color_bar, legend
from stylobate.plot.shared.plane import codes_of, draw_rows, read_points
from stylobate.plot.shared.texts import plain
from stylobate.plot.shared.themes import ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme

_MARGIN = 0.06
_WRITTEN = 0.004  # of the picture's area, from which on a leaf's value is written


def plot_tree_partition(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The leaves of a tree over two features: exact rectangles, in the colours of their values.

    Leaves of a classifier have the colour of their class, the paler the more mixed; leaves of a
    regressor that of their value, which is written in them.

    Parameters
    ----------
    model : fitted tree, or its ``tree_``
        Anything with the arrays ``feature``, ``threshold``, ``children_left``, ``children_right``
        and ``value``, as scikit-learn's trees; rows go left where they are at most the threshold.
    X : array-like or data frame of shape (n, 2), optional
        Rows to draw; they set the ends of the picture, which the thresholds do otherwise.
    y : array-like of shape (n,), optional
        Their classes or targets.
    names : two str, optional
        Of the features.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> tree = SimpleNamespace(
    ...     feature=[0, -2, -2], threshold=[0.5, -2.0, -2.0], children_left=[1, -1, -1],
    ...     children_right=[2, -1, -1], value=[[[1.5]], [[1.0]], [[2.0]]],
    ... )
    >>> ax = plot_tree_partition(tree, [[0.0, 0.0], [1.0, 1.0]])
    >>> [round(float(leaf.get_width()), 2) for leaf in ax.patches]
    [0.56, 0.56]

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees.
    """
    owner = "plot_tree_partition"
    tree = getattr(model, "tree_", model)
    missing = [name for name in ("feature", "threshold", "children_left", "children_right", "value")
               if not hasattr(tree, name)]  # fmt: skip
    if missing:
        raise InvalidParameterError(
            f"{owner}: {type(model).__name__} has no {missing[0]}; pass a fitted tree with the "
            "arrays of scikit-learn's tree_."
        )
    features = np.asarray(tree.feature)
    if features.max(initial=-1) > 1 or getattr(model, "n_features_in_", 2) != 2:
        raise InvalidDataError(
            f"{owner}: the tree was fitted on more than two features; fit it on two columns."
        )
    points, given = (None, None) if X is None else read_points(X, owner)
    low, high = _ends(points, tree, features)
    values = np.asarray(tree.value, dtype=np.float64)
    classes = getattr(model, "classes_", None)
    ax, theme = axes_and_theme(ax, (5.6, 4.4), grid=None)
    leaves = _rectangles(tree, low, high)
    if classes is not None or values.shape[-1] > 1:
        _draw_classes(ax, theme, leaves, values)
        known = list(range(values.shape[-1])) if classes is None else list(classes)
        if points is not None:
            codes = None if y is None else codes_of(y, known, owner)
            draw_rows(ax, theme, points, codes, known if y is not None else ())
            if y is not None:
                legend(ax, "above", ncols=min(len(known), 4))
    else:
        _draw_values(ax, theme, leaves, values, points, y, low, high)
    labels = names or given or getattr(model, "feature_names_in_", None)
    labels = ("x0", "x1") if labels is None else labels
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    ax.set_xlabel(plain(labels[0]))
    ax.set_ylabel(plain(labels[1]))
    return ax


Leaf = tuple[int, Array, Array]  # number of the node, lower left corner, upper right corner


def _rectangles(tree: Any, low: Array, high: Array) -> list[Leaf]:
    """The leaves within the picture, from left to right in the tree."""
    left, right = np.asarray(tree.children_left), np.asarray(tree.children_right)
    leaves: list[Leaf] = []
    waiting: list[Leaf] = [(0, low, high)]
    while waiting:
        node, corner, end = waiting.pop()
        if left[node] < 0:
            leaves.append((node, corner, end))
            continue
        k, cut = int(tree.feature[node]), float(tree.threshold[node])
        for child, start, stop in ((right[node], cut, end[k]), (left[node], corner[k], cut)):
            start, stop = max(start, corner[k]), min(stop, end[k])
            if start < stop:  # else the leaf lies outside the picture
                first, last = corner.copy(), end.copy()
                first[k], last[k] = start, stop
                waiting.append((int(child), first, last))
    return leaves


def _draw_classes(ax: Axes, theme: Theme, leaves: list[Leaf], values: Array) -> None:
    from matplotlib.colors import to_rgb

    paper = np.array(to_rgb(theme.background))
    for node, corner, end in leaves:
        counts = values[node].ravel()
        shares = counts / counts.sum()
        best = int(shares.argmax())
        least = 1.0 / len(shares)
        weight = 0.12 + 0.4 * (shares[best] - least) / max(1.0 - least, 1e-12)
        color = weight * np.array(to_rgb(theme.color(best))) + (1.0 - weight) * paper
        _rectangle(ax, theme, corner, end, color)


def _draw_values(
    ax: Axes, theme: Theme, leaves: list[Leaf], values: Array, points: Any, y: Any, low: Array,
    high: Array,
) -> None:  # fmt: skip
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    heights = np.array([values[node].ravel()[0] for node, _, _ in leaves])
    targets = heights if y is None else np.append(heights, np.asarray(y, dtype=np.float64))
    scale = ScalarMappable(Normalize(targets.min(), targets.max()), "cividis")
    area = float(np.prod(high - low))
    for (_, corner, end), height in zip(leaves, heights, strict=True):
        color = scale.to_rgba(height)
        _rectangle(ax, theme, corner, end, color)
        if np.prod(end - corner) > _WRITTEN * area and len(leaves) <= 40:
            box = {"fc": color, "ec": "none", "pad": 1.5, "alpha": 0.85}
            across, up = 0.5 * (corner + end)
            ax.text(
                across, up, f"{height:.4g}", ha="center", va="center", bbox=box,
                fontsize="x-small", color=ink_on(color), zorder=5,
            )  # fmt: skip
    if points is not None:
        colors = {"color": theme.ink} if y is None else {"c": y, "norm": scale.norm,
                                                         "cmap": scale.cmap}  # fmt: skip
        across, up = points.T
        ax.scatter(across, up, s=20, ec=theme.ink, lw=0.4, zorder=4, **colors)
    color_bar(ax, scale, plain(getattr(y, "name", None) or "value"))


def _rectangle(ax: Axes, theme: Theme, corner: Array, end: Array, color: Any) -> None:
    from matplotlib.patches import Rectangle

    width, height = end - corner
    ax.add_patch(Rectangle(tuple(corner), width, height, fc=color, ec=theme.ink, lw=0.8, zorder=1))


def _ends(points: Array | None, tree: Any, features: Any) -> tuple[Array, Array]:
    """Ends of the picture: the rows, or all thresholds, with some room."""
    low, high = np.zeros(2), np.ones(2)
    for k in (0, 1):
        cuts = np.asarray(tree.threshold, dtype=np.float64)[features == k]
        seen = cuts if points is None else points[:, k][np.isfinite(points[:, k])]
        if len(seen):
            room = _MARGIN * np.ptp(seen) if points is not None else 0.3 * np.ptp(seen)
            low[k], high[k] = seen.min() - (room or 0.5), seen.max() + (room or 0.5)
    return low, high
