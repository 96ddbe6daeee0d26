"""Silhouettes of rows, cluster by cluster, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, say
from stylobate.plot.shared.texts import plain_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GAP = 0.02  # between clusters, as a share of the rows


def plot_silhouettes(samples: Any, labels: Any, *, ax: Axes | None = None) -> Axes:
    """Each cluster as a blade: its rows' silhouettes, longest first.

    Broad blades of one length are clusters that hold together; a blade that tapers early or turns
    negative has rows that lie nearer to another cluster. The line is the mean of all rows.

    Parameters
    ----------
    samples : array-like of shape (n,)
        What `stylobate.metrics.silhouette_samples` returned.
    labels : array-like of shape (n,)
        The cluster of each row.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    References
    ----------
    Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of cluster
    analysis.

    Examples
    --------
    >>> from stylobate.metrics import silhouette_samples
    >>> X, labels = [[0.0], [1.0], [4.0], [5.0]], ["low", "low", "high", "high"]
    >>> ax = plot_silhouettes(silhouette_samples(X, labels), labels)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['high', 'low']
    """
    values, groups = np.asarray(samples, dtype=np.float64), np.asarray(labels)
    if values.ndim != 1 or values.shape != groups.shape:
        raise InvalidParameterError(
            "plot_silhouettes: samples and labels need one entry for each row; got shapes "
            f"{values.shape} and {groups.shape}."
        )
    names, of_row = np.unique(groups, return_inverse=True)
    ax, theme = axes_and_theme(ax, (6.4, min(2.2 + 0.5 * len(names), 9.0)), grid="x")
    gap = max(1.0, _GAP * len(values))
    start, middles = 0.0, []
    for k in range(len(names)):
        blade = np.sort(values[of_row == k])[::-1]
        ends = start, start + len(blade)
        edges = np.linspace(*ends, len(blade) + 1)
        ax.stairs(blade, edges, orientation="horizontal", fill=True, color=theme.color(k))
        middles.append(0.5 * sum(ends))
        start = ends[1] + gap
    mean = float(values.mean())
    ax.axvline(mean, color=theme.ink, lw=1.0, ls="--")
    ax.axvline(0.0, color=theme.faint, lw=0.8)
    ax.set_yticks(middles, plain_all(names.tolist()))
    ax.set_ylim(start - gap + 0.5 * gap, -0.5 * gap)
    ax.set_xlabel("silhouette")
    ax.set_ylabel("cluster")
    say(ax, f"{len(names)} clusters, mean silhouette {mean:.3g}")
    return ax
