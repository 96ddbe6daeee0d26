"""How far to trust a map, point by point and by size of the neighbourhood, as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.plot.shared.drawing import color_bar, panels_and_theme, say


def plot_embedding_quality(quality: Any, *, axes: Any = None) -> NDArray[Any]:
    """The map, each point coloured by the share of its neighbours that it keeps, and R_NX(K).

    Parameters
    ----------
    quality : EmbeddingQuality
        What `stylobate.manifold.embedding_quality` returned.
    axes : two matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    ndarray of Axes

    Examples
    --------
    >>> from stylobate.manifold import embedding_quality
    >>> rows = np.random.default_rng(0).normal(size=(60, 3)) * [5.0, 3.0, 0.1]
    >>> left, right = plot_embedding_quality(embedding_quality(rows, rows[:, :2], n_neighbors=5))
    >>> right.get_xlabel()
    'neighbours K'
    """
    shape, size = (1, 2), (9.6, 4.0)
    panels, theme = panels_and_theme(axes, shape, size, "plot_embedding_quality")
    left, right = panels.ravel()
    _draw_map(left, quality)
    curve = quality.curve
    right.plot(curve.sizes, curve.r_nx, color=theme.color(0), lw=1.8)
    right.fill_between(curve.sizes, curve.r_nx, 0.0, color=theme.color(0), alpha=0.12, lw=0)
    right.axhline(0.0, color=theme.soft, lw=1.0)
    right.annotate("chance", (1.0, 0.0), (3, 3), textcoords="offset points", color=theme.soft)
    right.axvline(quality.n_neighbors, color=theme.soft, lw=1.0, ls=":")
    right.set_xscale("log")
    right.set_ylim(min(-0.05, float(curve.r_nx.min()) - 0.02), 1.02)
    right.set_xlabel("neighbours K")
    right.set_ylabel("kept above chance, R_NX(K)")
    say(right, f"area {curve.area:.2f}; distances correlate by {quality.distance_correlation:.2f}")
    return np.array([left, right], dtype=object)


def _draw_map(ax: Any, quality: Any) -> None:
    """The first two coordinates, or one against the share that is kept."""
    points, kept = quality.embedding, quality.neighbors_kept_by_point
    order = np.argsort(-kept, kind="stable")  # points that keep little lie on top
    x = points[order, 0]
    y = points[order, 1] if points.shape[1] > 1 else kept[order]
    dot = float(np.clip(4000.0 / len(points), 4.0, 24.0))
    drawn = ax.scatter(x, y, c=kept[order], cmap="viridis", vmin=0.0, vmax=1.0, s=dot, lw=0)
    color_bar(ax, drawn, f"share of the {quality.n_neighbors} nearest kept")
    ax.set_xlabel("first coordinate")
    ax.set_ylabel("second coordinate" if points.shape[1] > 1 else "share kept")
    shown = f"{100.0 * quality.neighbors_kept:.0f} % of neighbours are kept"
    say(ax, f"{shown}, {100.0 * quality.chance['neighbors_kept'].expected:.1f} % by chance")
