"""Decisions and probabilities of classifiers over the plane of two features, as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, color_bar, legend, panels_and_theme, say
from stylobate.plot.shared.plane import Plane, codes_of, draw_rows, frame_plane, plane_of
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme

_LEVELS = np.linspace(0.0, 1.0, 11)


def plot_decision_boundary(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    names: Sequence[str] | None = None,
    resolution: int = 250,
    ax: Axes | None = None,
    probabilities: Sequence[float] = (),
    mistakes: bool = False,
) -> Axes:
    """What a fitted classifier decides over the plane of its two features, and the rows.

    Colours are paler where the largest probability is small, if the model has probabilities.

    Parameters
    ----------
    model : fitted classifier of two features
        Of this library or any other with ``predict``; a pipeline too.
    X : array-like or data frame of shape (n, 2)
        Rows; they set the ends of the picture.
    y : array-like of shape (n,), optional
        Their classes, in whose colours they are drawn.
    names : two str, optional
        Of the features; those of the data frame by default.
    resolution : int in [2, inf), default=250
        Points of the grid along each axis.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    probabilities : sequence of float in (0, 1), default=()
        Of two classes: draw the lines where the second has these probabilities.
    mistakes : bool, default=False
        Whether rows that the model takes for another class than y are ringed.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> from stylobate.linear_model import LogisticRegression
    >>> X, y = load_penguins(return_X_y=True, as_frame=True)
    >>> X = X[["bill_length_mm", "bill_depth_mm"]]
    >>> ax = plot_decision_boundary(LogisticRegression().fit(X, y), X, y, resolution=50)
    >>> ax.get_xlabel(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('bill_length_mm', ['Adelie', 'Chinstrap', 'Gentoo'])
    """
    owner = "plot_decision_boundary"
    plane = plane_of(model, X, names=names, resolution=resolution, owner=owner)
    decided = np.asarray(model.predict(plane.rows)).ravel()
    classes = _classes(model, decided, y)
    codes = plane.shaped(codes_of(decided, classes, owner))
    sure = _certainty(model, plane)
    ax, theme = axes_and_theme(ax, (5.6, 4.4), grid=None)
    ax.imshow(
        _blend(codes, sure, theme), extent=plane.extent, origin="lower", aspect="auto",
        interpolation="nearest", zorder=0,
    )  # fmt: skip
    leads = _leads(model, plane, codes, len(classes))
    for lead in leads if len(np.unique(codes)) > 1 else ():
        if lead.min() < 0.0 < lead.max():
            ax.contour(plane.x, plane.y, lead, [0.0], colors=theme.ink, linewidths=1.0, zorder=2)
    row_codes = _row_codes(y, plane, classes, owner)
    draw_rows(ax, theme, plane.points, row_codes, classes)
    if len(probabilities):
        _draw_chosen_levels(ax, theme, model, plane, probabilities, owner)
    if mistakes:
        _ring_mistakes(ax, theme, model, X, plane, classes, row_codes, owner)
    frame_plane(ax, plane)
    if y is not None:
        legend(ax, "above", ncols=min(len(classes) + mistakes, 4))
    return ax


def _leads(model: Any, plane: Plane, codes: NDArray[np.intp], n_classes: int) -> list[Array]:
    """Of each class what is positive where it is decided: its lead in score, so that lines are
    smooth; of models whose scores are steps, or say something else than `predict`, ±½.
    """
    decide = getattr(model, "decision_function", None)
    scores = None if decide is None else plane.shaped(decide(plane.rows))
    if scores is not None and n_classes == 2 and scores.ndim == 2:
        scores = np.stack([-scores, scores], axis=-1)
    if scores is not None and scores.ndim == 3 and scores.shape[2] == n_classes:
        smooth = len(np.unique(scores)) > scores.size // 2
        if smooth and np.array_equal(scores.argmax(axis=2), codes):
            others = [np.delete(scores, place, axis=2).max(axis=2) for place in range(n_classes)]
            return [scores[..., place] - others[place] for place in range(n_classes)]
    return [(codes == place) - 0.5 for place in range(n_classes)]


def _draw_chosen_levels(
    ax: Axes, theme: Theme, model: Any, plane: Plane, levels: Sequence[float], owner: str
) -> None:
    if not hasattr(model, "predict_proba") or len(model.classes_) != 2:
        raise InvalidParameterError(
            f"{owner}: probabilities are lines of a model of two classes with predict_proba."
        )
    values = plane.shaped(np.asarray(model.predict_proba(plane.rows))[:, 1])
    lines = ax.contour(
        plane.x, plane.y, values, sorted(levels), colors=theme.ink, linewidths=0.9,
        linestyles="--", zorder=3,
    )  # fmt: skip
    ax.clabel(lines, fontsize="x-small", fmt="%.2g")


def _ring_mistakes(
    ax: Axes, theme: Theme, model: Any, X: Any, plane: Plane, classes: list[Any], codes: Any,
    owner: str,
) -> None:  # fmt: skip
    if codes is None:
        raise InvalidParameterError(f"{owner}: mistakes=True needs y, the true classes.")
    given = plane.kept_of(np.asarray(model.predict(X)).ravel(), owner)
    wrong = plane.points[codes_of(given, classes, owner) != codes]
    ax.plot(
        *wrong.T, "o", ms=9, mfc="none", mec=theme.ink, mew=1.2, zorder=5, gid="mistakes",
        label=f"{len(wrong)} mistakes",
    )  # fmt: skip


def plot_class_probabilities(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    label: Any = None,
    names: Sequence[str] | None = None,
    resolution: int = 150,
    axes: Any = None,
) -> NDArray[Any]:
    """Probabilities of the classes over the plane of two features, with their level lines.

    Parameters
    ----------
    model : fitted classifier of two features with ``predict_proba``
        Of this library or any other.
    X : array-like or data frame of shape (n, 2)
        Rows; they set the ends of the picture.
    y : array-like of shape (n,), optional
        Their classes, in whose colours they are drawn.
    label : class, optional
        The only one to draw; by default the second of two, or all of more.
    names : two str, optional
        Of the features; those of the data frame by default.
    resolution : int in [2, inf), default=150
        Points of the grid along each axis.
    axes : matplotlib Axes, or array of as many as there are classes to draw, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of matplotlib Axes, one for each class drawn

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> from stylobate.linear_model import LogisticRegression
    >>> X, y = load_penguins(return_X_y=True, as_frame=True)
    >>> X = X[["bill_length_mm", "bill_depth_mm"]]
    >>> axes = plot_class_probabilities(LogisticRegression().fit(X, y), X, y, resolution=40)
    >>> [ax.get_title(loc="left") for ax in axes]
    ['probability of Adelie', 'probability of Chinstrap', 'probability of Gentoo']
    """
    owner = "plot_class_probabilities"
    if not hasattr(model, "predict_proba"):
        raise InvalidParameterError(
            f"{owner}: {type(model).__name__} has no probabilities (predict_proba); draw its "
            "decisions with plot_decision_boundary."
        )
    plane = plane_of(model, X, names=names, resolution=resolution, owner=owner)
    probabilities = plane.shaped(model.predict_proba(plane.rows))
    classes = list(model.classes_)
    chosen = _chosen(label, classes, owner)
    size = (1.0 + 4.0 * len(chosen) + 0.6, 4.0)
    panels, theme = panels_and_theme(axes, (1, len(chosen)), size, owner, grid=None)
    codes = _row_codes(y, plane, classes, owner)
    for ax, place in zip(panels[0], chosen, strict=True):
        drawn = _draw_levels(ax, theme, plane, probabilities[..., place], theme.color(place))
        draw_rows(ax, theme, plane.points, codes, classes if y is not None else ())
        frame_plane(ax, plane)
        say(ax, f"probability of {plain(classes[place])}")
    color_bar(panels[0, -1], drawn, "probability")
    if y is not None:
        legend(panels[0, 0], "best", boxed=True)
    return np.asarray(panels[0])


def _draw_levels(ax: Axes, theme: Theme, plane: Plane, values: Array, color: str) -> Any:
    drawn = ax.contourf(
        plane.x, plane.y, values, _LEVELS, cmap=theme.ramp(color), vmin=0.0, vmax=1.0, alpha=0.75
    )
    if 0.0 < np.mean(values > 0.5) < 1.0:
        ax.contour(plane.x, plane.y, values, [0.5], colors=theme.ink, linewidths=1.4)
    return drawn


def _chosen(label: Any, classes: list[Any], owner: str) -> list[int]:
    if label is not None:
        return [int(codes_of([label], classes, owner)[0])]
    return [len(classes) - 1] if len(classes) <= 2 else list(range(len(classes)))


def _classes(model: Any, decided: Any, y: Any) -> list[Any]:
    """The classes of a model, or those seen where it does not say."""
    known = getattr(model, "classes_", None)
    if known is not None:
        return list(known)
    seen = decided if y is None else np.concatenate([decided, np.asarray(y).ravel()])
    return list(np.unique(seen))


def _certainty(model: Any, plane: Plane) -> Array:
    """How strong the colour is at each point: by the largest probability, if there is one."""
    if not hasattr(model, "predict_proba"):
        return np.full((len(plane.y), len(plane.x)), 0.35)
    try:
        probabilities = np.asarray(model.predict_proba(plane.rows))
    except AttributeError:  # a support vector machine fitted without them has the method
        return np.full((len(plane.y), len(plane.x)), 0.35)
    least = 1.0 / probabilities.shape[1]
    above = (probabilities.max(axis=1) - least) / max(1.0 - least, 1e-12)
    return plane.shaped(0.12 + 0.4 * above)


def _blend(codes: NDArray[np.intp], sure: Array, theme: Theme) -> Array:
    """Class colours laid on the background."""
    from matplotlib.colors import to_rgb

    paper = np.array(to_rgb(theme.background))
    colors = np.array([to_rgb(theme.color(k)) for k in range(int(codes.max()) + 1)])
    weight = sure[..., None]
    return np.asarray(weight * colors[codes] + (1.0 - weight) * paper)


def _row_codes(y: Any, plane: Plane, classes: list[Any], owner: str) -> Any:
    return None if y is None else codes_of(plane.kept_of(y, owner), classes, owner)
