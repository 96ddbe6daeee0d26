"""Evidence on the number of clusters as four panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import legend, panels_and_theme, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme

_ELBOW, _SILHOUETTE, _GAP, _STABILITY = range(4)  # places of the panels


def plot_n_clusters(evidence: Any, *, axes: Any = None) -> Any:
    """Dispersion, silhouette, gap and stability for every number of clusters.

    Bars are one standard error to each side. A ring marks what each criterion says, the dashed line
    the number chosen.

    Parameters
    ----------
    evidence : NClustersEvidence
        What `stylobate.cluster.select_n_clusters` returned.
    axes : array of four matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of matplotlib Axes of shape (2, 2)

    Examples
    --------
    >>> from stylobate.cluster import select_n_clusters
    >>> from stylobate.datasets import load_iris
    >>> found = select_n_clusters(load_iris().data, range(1, 5), n_references=3, n_resamples=3)
    >>> [ax.get_title(loc="left").split(":")[0] for ax in plot_n_clusters(found).flat]
    ['Elbow', 'Silhouette', 'Gap', 'Stability']
    """
    if not all(hasattr(evidence, name) for name in ("n_clusters", "votes", "stability")):
        raise InvalidParameterError(
            f"plot_n_clusters: {type(evidence).__name__} holds no evidence on the number of "
            "clusters; pass what select_n_clusters returned."
        )
    panels, theme = panels_and_theme(
        axes, (2, 2), (9.0, 6.4), "plot_n_clusters", sharex=axes is None
    )
    flat = list(panels.flat)
    ks = evidence.n_clusters
    _line(flat[_ELBOW], theme, ks, evidence.inertia)
    flat[_ELBOW].set_ylabel("dispersion within clusters")
    if "silhouette" in evidence.votes:
        _line(flat[_SILHOUETTE], theme, ks, evidence.silhouette, evidence.silhouette_error)
    flat[_SILHOUETTE].set_ylabel("mean silhouette")
    if evidence.gap is not None:
        _line(flat[_GAP], theme, ks, evidence.gap.gap, evidence.gap.standard_error)
    flat[_GAP].set_ylabel("gap statistic")
    _stability(flat[_STABILITY], theme, evidence)
    for ax, name in zip(flat, ("elbow", "silhouette", "gap", "stability"), strict=True):
        _vote(ax, theme, evidence, name)
    for ax in panels[-1]:
        ax.set_xlabel("clusters")
    return panels


def _line(ax: Axes, theme: Theme, at: Any, values: Any, errors: Any = None) -> None:
    from matplotlib.ticker import MaxNLocator

    bars = np.zeros(len(at)) if errors is None else np.nan_to_num(errors)
    ax.errorbar(
        at, values, yerr=bars, fmt="o-", color=theme.color(0), ms=4, lw=1.8, capsize=0, zorder=3
    )
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _stability(ax: Axes, theme: Theme, evidence: Any) -> None:
    ax.set_ylabel("worst cluster found again")
    found = evidence.stability
    if found is None:
        return
    ks = evidence.n_clusters
    _line(ax, theme, ks, found.mean, found.standard_error)
    ax.lines[-1].set_label("the rows")
    ax.plot(
        ks, found.reference.mean(axis=1), "o--", color=theme.faint, ms=3.5, lw=1.4, zorder=2,
        label="without clusters",
    )  # fmt: skip
    ax.set_ylim(-0.03, 1.05)
    legend(ax, "lower left")


def _vote(ax: Axes, theme: Theme, evidence: Any, name: str) -> None:
    """The title says what the criterion says; a ring is where it does."""
    if evidence.best in evidence.n_clusters:
        ax.axvline(evidence.best, color=theme.ink, lw=1.2, ls="--", zorder=1)
    vote = evidence.votes.get(name)
    if vote is None:
        say(ax, f"{name.capitalize()}: not asked" if not ax.lines[:-1] else name.capitalize())
        return
    say(ax, f"{name.capitalize()}: {vote}")
    values = {
        "elbow": evidence.inertia,
        "silhouette": evidence.silhouette,
        "gap": None if evidence.gap is None else evidence.gap.gap,
        "stability": None if evidence.stability is None else evidence.stability.mean,
    }[name]
    height = values[int(np.flatnonzero(evidence.n_clusters == vote)[0])]
    ax.plot([vote], [height], "o", ms=11, mfc="none", mec=theme.color(1), mew=2.0, zorder=5)
