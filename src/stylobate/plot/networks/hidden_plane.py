"""The plane of inputs beside that of a hidden layer, as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.plot.shared.drawing import legend, panels_and_theme, say
from stylobate.plot.shared.plane import draw_rows


def plot_hidden_plane(view: Any, *, axes: Any = None) -> NDArray[Any]:
    """Rows among the inputs and behind a hidden layer, with what is decided in both planes.

    Parameters
    ----------
    view : HiddenPlane
        What `neural_network.hidden_plane` returned.
    axes : array of two matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of two matplotlib Axes

    Examples
    --------
    >>> from stylobate.neural_network import MLPClassifier, hidden_plane
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    >>> model = MLPClassifier((2,), "tanh", solver="lbfgs", random_state=4).fit(X, y)
    >>> left, right = plot_hidden_plane(hidden_plane(model, X, y, resolution=30))
    >>> left.get_xlabel(), right.get_xlabel()
    ('input 1', 'hidden unit 1')
    """
    panels, theme = panels_and_theme(axes, (1, 2), (8.4, 3.9), "plot_hidden_plane", grid=None)
    labels, codes = np.unique(view.labels, return_inverse=True)
    words = (("input", "inputs"), ("hidden unit", f"behind layer {view.layer}"))
    planes = (view.inputs, view.hidden)
    for ax, plane, (word, title) in zip(panels.flat, planes, words, strict=True):
        for code in range(int(plane.decided.max()) + 1):
            inside = (plane.decided == code).astype(float)
            if 0.0 < inside.mean() < 1.0:
                ax.contourf(
                    plane.across, plane.up, inside, [0.5, 1.5], colors=[theme.color(code)],
                    alpha=0.16, zorder=0,
                )  # fmt: skip
                ax.contour(
                    plane.across, plane.up, inside, [0.5], colors=theme.ink, linewidths=1.1,
                    zorder=2,
                )  # fmt: skip
        draw_rows(ax, theme, plane.points, codes, [str(label) for label in labels])
        ax.set_xlim(plane.across[0], plane.across[-1])
        ax.set_ylim(plane.up[0], plane.up[-1])
        ax.set_xlabel(f"{word} 1")
        ax.set_ylabel(f"{word} 2")
        say(ax, title)
    legend(panels.flat[1], "right")
    return panels.reshape(-1)
