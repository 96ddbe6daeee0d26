"""Principal components as pictures: scree, biplot, correlation circle, choice of their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import (
    axes_and_theme,
    checked_names,
    legend,
    panels_and_theme,
    say,
)
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_ARROWS = 25  # of a biplot: more cannot be read
_MOST_SHOWN = 30  # components of a scree


def plot_scree(model: Any, *, ax: Axes | None = None) -> Axes:
    """The share of the variance of each component as a bar, and what they share together.

    Parameters
    ----------
    model : PCA, IncrementalPCA or TruncatedSVD
        A fitted model.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_wine
    >>> from stylobate.decomposition import PCA
    >>> plot_scree(PCA().fit(load_wine().data)).get_ylabel()
    'share of the variance'
    """
    ratio = np.asarray(model.explained_variance_ratio_, dtype=float)[:_MOST_SHOWN]
    if len(ratio) == 0:
        raise InvalidParameterError("plot_scree: the model has no components to draw.")
    ax, theme = axes_and_theme(ax, (6.4, 3.8), grid="y")
    at = np.arange(1, len(ratio) + 1)
    ax.bar(at, ratio, width=0.68, color=theme.color(0), label="of each", zorder=2)
    ax.plot(
        at, np.cumsum(ratio), color=theme.color(1), marker="o", ms=4, lw=1.6,
        label="of all up to it", zorder=3,
    )  # fmt: skip
    _number_components(ax, len(ratio))
    ax.set_ylim(0.0, 1.05)
    ax.yaxis.set_major_formatter("{x:.0%}")
    ax.set_ylabel("share of the variance")
    legend(ax, "center right")
    last = len(model.explained_variance_ratio_)
    together = float(np.sum(model.explained_variance_ratio_))
    say(ax, f"{last} components explain {together:.1%} of the variance")
    return ax


def plot_biplot(
    model: Any,
    scores: Any,
    *,
    components: tuple[int, int] = (0, 1),
    feature_names: Sequence[str] | None = None,
    labels: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Rows as points and columns as arrows, in the plane of two components.

    An arrow's direction tells with which scores a column grows, its length how much of the column
    the plane shows.

    Parameters
    ----------
    model : PCA
        A fitted model.
    scores : array-like of shape (n, n_components)
        What `transform` returned.
    components : pair of int, default=(0, 1)
        Which two.
    feature_names : sequence of str, optional
        Names of the columns; by default those of the fit.
    labels : array-like of shape (n,), optional
        Groups of the rows, each in a colour of its own.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_wine
    >>> from stylobate.decomposition import PCA
    >>> model = PCA(2).fit(load_wine().data)
    >>> plot_biplot(model, model.transform(load_wine().data)).get_xlabel()[:11]
    'component 1'
    """
    i, j = _checked_pair(model, components, "plot_biplot")
    names = _names(model, feature_names, "plot_biplot")
    points = np.asarray(scores, dtype=float)
    ax, theme = axes_and_theme(ax, (6.4, 5.4))
    groups = np.zeros(len(points), dtype=int) if labels is None else np.asarray(labels)
    for place, group in enumerate(np.unique(groups)):
        member = groups == group
        ax.scatter(
            points[member, i], points[member, j], s=16, alpha=0.55, lw=0,
            color=theme.color(place), zorder=2, label=None if labels is None else plain(str(group)),
        )  # fmt: skip
    loadings = (model.components_ * np.sqrt(model.explained_variance_)[:, np.newaxis])[[i, j]].T
    reach = 0.9 * np.abs(points[:, [i, j]]).max() / max(float(np.abs(loadings).max()), 1e-300)
    _draw_arrows(ax, theme, loadings * reach, names)
    ax.margins(0.12)
    _label_axes(ax, model, i, j)
    if labels is not None:
        legend(ax, "best")
    say(ax, "rows as points, columns as arrows")
    return ax


def plot_correlation_circle(
    model: Any,
    *,
    components: tuple[int, int] = (0, 1),
    feature_names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    r"""Correlations of the columns with the scores of two components, in the unit circle.

    A column at the edge lies in the plane of both; its correlation with score j is
    :math:`v_{jc}\sqrt{λ_j}/s_c`.

    Parameters
    ----------
    model : PCA
        A fitted model.
    components : pair of int, default=(0, 1)
        Which two.
    feature_names : sequence of str, optional
        Names of the columns; by default those of the fit.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_wine
    >>> from stylobate.decomposition import PCA
    >>> plot_correlation_circle(PCA().fit(load_wine().data)).get_aspect()
    1.0
    """
    i, j = _checked_pair(model, components, "plot_correlation_circle")
    names = _names(model, feature_names, "plot_correlation_circle")
    correlations = model.correlations()[:, [i, j]]
    ax, theme = axes_and_theme(ax, (5.6, 5.6))
    angle = np.linspace(0.0, 2.0 * np.pi, 200)
    ax.plot(np.cos(angle), np.sin(angle), color=theme.soft, lw=1.0, zorder=1)
    ax.axhline(0.0, color=theme.soft, lw=0.8, zorder=1)
    ax.axvline(0.0, color=theme.soft, lw=0.8, zorder=1)
    _draw_arrows(ax, theme, np.nan_to_num(correlations), names)
    ax.set_xlim(-1.22, 1.22)
    ax.set_ylim(-1.22, 1.22)
    ax.set_aspect("equal")
    _label_axes(ax, model, i, j)
    say(ax, "correlations of the columns with the scores")
    return ax


def plot_component_choice(report: Any, *, axes: Any = None) -> Any:
    """The scree beside that of unrelated columns, and the errors of held-out cells.

    Parameters
    ----------
    report : ComponentChoice
        What `stylobate.decomposition.choose_n_components` returned.
    axes : two matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of two matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_wine
    >>> from stylobate.decomposition import choose_n_components
    >>> len(plot_component_choice(choose_n_components(load_wine().data, random_state=0)))
    2
    """
    panels, theme = panels_and_theme(axes, (1, 2), (9.6, 4.0), "plot_component_choice")
    scree, errors = panels.ravel()
    m = min(len(report.variances), _MOST_SHOWN)
    at = np.arange(1, m + 1)
    spread = np.abs([report.variances_low[:m], report.variances_high[:m]] - report.variances[:m])
    scree.fill_between(
        at, report.unrelated_low[:m], report.unrelated_high[:m], color=theme.faint, alpha=0.6, lw=0,
        label="unrelated columns, 90 %", zorder=1,
    )  # fmt: skip
    scree.errorbar(
        at, report.variances[:m], yerr=spread, color=theme.color(0), marker="o", ms=4.5, lw=1.4,
        elinewidth=1.2, label="components, 95 % interval", zorder=3,
    )  # fmt: skip
    _number_components(scree, m)
    scree.set_ylabel("variance")
    scree.set_ylim(bottom=0.0)
    say(scree, f"parallel analysis: {report.parallel}")
    legend(scree, "upper right")
    shown = min(len(report.held_out), _MOST_SHOWN + 1)
    error = report.held_out[:shown] / report.held_out[0]
    errors.plot(np.arange(shown), error, color=theme.color(0), marker="o", ms=4.5, lw=1.4, zorder=3)
    k = report.cross_validation
    errors.axvline(k, color=theme.color(1), lw=1.2, ls="--", zorder=1)
    errors.set_ylim(0.0, max(1.05, min(float(error.max()) * 1.05, 2.0)))
    errors.set_xlabel("components")
    errors.set_ylabel("squared error of held-out cells (means: 1)")
    say(errors, f"cross-validation: {k}")
    return panels.ravel()


def _draw_arrows(ax: Axes, theme: Any, ends: Any, names: Sequence[str]) -> None:
    longest = np.argsort(-np.hypot(ends[:, 0], ends[:, 1]))[:_MOST_ARROWS]
    for c in longest:
        x, y = ends[c]
        ax.annotate(
            "", (x, y), (0.0, 0.0), zorder=4,
            arrowprops={"arrowstyle": "-|>", "color": theme.ink, "lw": 1.1, "shrinkB": 0},
        )  # fmt: skip
        ax.annotate(
            plain(str(names[c])), (x, y), xytext=(4 if x >= 0 else -4, 4 if y >= 0 else -4),
            textcoords="offset points", ha="left" if x >= 0 else "right",
            va="bottom" if y >= 0 else "top", fontsize="small", color=theme.ink, zorder=5,
        )  # fmt: skip


def _number_components(ax: Axes, count: int) -> None:
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlim(0.4, count + 0.6)
    ax.set_xlabel("component")


def _label_axes(ax: Axes, model: Any, i: int, j: int) -> None:
    ratio = model.explained_variance_ratio_
    ax.set_xlabel(f"component {i + 1} ({ratio[i]:.0%} of the variance)")
    ax.set_ylabel(f"component {j + 1} ({ratio[j]:.0%} of the variance)")


def _checked_pair(model: Any, components: Any, function: str) -> tuple[int, int]:
    count = len(model.components_)
    pair = tuple(components)
    if len(pair) != 2 or not all(0 <= each < count for each in pair):
        raise InvalidParameterError(
            f"{function}: components must be two numbers from 0 to {count - 1}, got {components!r}."
        )
    return int(pair[0]), int(pair[1])


def _names(model: Any, given: Sequence[str] | None, function: str) -> Sequence[str]:
    if given is None:
        given = getattr(model, "feature_names_in_", None)
    return checked_names(given, model.components_.shape[1], function)
