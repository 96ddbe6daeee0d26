"""Support vectors and margins of a kernel machine in the plane, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.classifiers.boundary import plot_decision_boundary
from stylobate.plot.shared.drawing import legend
from stylobate.plot.shared.plane import plane_of
from stylobate.plot.shared.themes import theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_support_vectors(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    names: Sequence[str] | None = None,
    resolution: int = 200,
    ax: Axes | None = None,
) -> Axes:
    """The decision of a support vector machine over the plane, its margins and support vectors.

    The line is f = 0, the dashed ones are f = ±1: the margin, 2/‖w‖ wide. Support vectors have a
    ring, thick where they are free (on the margin) and thin at their bound (inside it).

    Parameters
    ----------
    model : fitted `SVC`, `NuSVC` or `OneClassSVM` of two features
        For more than two classes the margins are left out.
    X : array-like or data frame of shape (n, 2)
        The rows of the fit.
    y : array-like of shape (n,), optional
        Their classes, in whose colours they are drawn.
    names : two str, optional
        Of the features; those of the data frame by default.
    resolution : int in [2, inf), default=200
        Points of the grid along each axis.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.svm import SVC
    >>> X, y = [[-2, -1], [-1, -1], [-1, -2], [1, 1], [1, 2], [2, 1]], [0, 0, 0, 1, 1, 1]
    >>> model = SVC(kernel="linear").fit(X, y)
    >>> ax = plot_support_vectors(model, X, y, resolution=40)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['0', '1', 'free support vectors']
    """
    owner = "plot_support_vectors"
    if not hasattr(model, "kkt_report"):
        raise InvalidParameterError(
            f"{owner}: {type(model).__name__} has no support vectors with conditions; pass a "
            "fitted SVC, NuSVC or OneClassSVM."
        )
    plane = plane_of(model, X, names=names, resolution=resolution, owner=owner)
    report = model.kkt_report()
    ax = plot_decision_boundary(model, X, y, names=names, resolution=resolution, ax=ax)
    theme = theme_of(ax)
    decisions = np.asarray(model.decision_function(plane.rows))
    if decisions.ndim == 1:
        levels = [-1.0, 0.0, 1.0] if hasattr(model, "classes_") else [0.0]
        styles = ["--", "-", "--"] if len(levels) == 3 else ["-"]
        ax.contour(
            plane.x, plane.y, plane.shaped(decisions), levels, colors=theme.ink, linewidths=1.1,
            linestyles=styles, zorder=3,
        )  # fmt: skip
    rows = np.asarray(X, dtype=float)
    free = np.unique(np.concatenate([part.free for part in report.problems]))
    bound = np.setdiff1d(np.concatenate([part.bound for part in report.problems]), free)
    if max(free.max(initial=-1), bound.max(initial=-1)) >= len(rows):
        raise InvalidDataError(
            f"{owner}: the support vectors are rows of the fit, and X has only {len(rows)} rows; "
            "pass the rows the model was fitted on."
        )
    for which, width, label in ((free, 1.8, "free"), (bound, 0.7, "bound")):
        if len(which):
            ax.plot(
                rows[which, 0], rows[which, 1], "o", ms=9.0, mew=width, mfc="none", mec=theme.ink,
                label=f"{label} support vectors", zorder=5, gid=label,
            )  # fmt: skip
    legend(ax, "above", ncols=2)
    return ax
