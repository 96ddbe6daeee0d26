"""Mixtures as pictures: components over rows, and criteria over candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, checked_names, legend
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.mixture import MixtureChoice

_RADII = (1.0, 2.0)  # standard deviations
_MOST_ROWS = 5000  # more dots only hide each other


def plot_mixture(
    model: Any, X: Any, *, columns: tuple[int, int] = (0, 1), ax: Axes | None = None
) -> Axes:
    """Rows in the colours of their components, with ellipses of one and two standard deviations.

    Parameters
    ----------
    model : GaussianMixture or BayesianGaussianMixture
        Fitted.
    X : array-like or data frame of shape (n, n_features)
        Rows; of very many every so-manieth is drawn.
    columns : pair of int, default=(0, 1)
        The two columns to draw.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.mixture import GaussianMixture
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> ax = plot_mixture(GaussianMixture(random_state=0).fit(X), X)
    >>> len(ax.patches)
    2
    """
    points = np.asarray(X, dtype=np.float64)
    first, second = columns
    p = model.means_.shape[1]
    if not all(0 <= each < p for each in columns) or first == second:
        raise InvalidParameterError(
            f"plot_mixture: columns must be two different numbers in [0, {p - 1}], got {columns}."
        )
    ax, theme = axes_and_theme(ax, (6.0, 4.6))
    step = -(-len(points) // _MOST_ROWS)
    shown, labels = points[::step], model.predict(X)[::step]
    for c in range(len(model.means_)):
        color = theme.color(c)
        own = shown[labels == c]
        ax.scatter(own[:, first], own[:, second], s=9, color=color, alpha=0.55, lw=0, zorder=2)
        mean, covariance = _plane(model, c, columns)
        for radius in _RADII:
            _ellipse(ax, mean, covariance, radius, color, float(model.weights_[c]))
        ax.plot(*mean, marker="+", color=theme.ink, ms=8, zorder=4)
    names = checked_names(getattr(model, "feature_names_in_", None), p, "plot_mixture")
    ax.set_xlabel(plain(names[first]))
    ax.set_ylabel(plain(names[second]))
    return ax


def _plane(model: Any, c: int, columns: tuple[int, int]) -> tuple[Array, Array]:
    """Mean and covariance of a component in two columns."""
    chosen = list(columns)
    mean = model.means_[c, chosen]
    covariances = model.covariances_
    if model.covariance_type == "full":
        return mean, covariances[c][np.ix_(chosen, chosen)]
    if model.covariance_type == "tied":
        return mean, covariances[np.ix_(chosen, chosen)]
    return mean, np.diag(np.broadcast_to(covariances[c], model.means_.shape[1:])[chosen])


def _ellipse(
    ax: Axes, mean: Array, covariance: Array, radius: float, color: str, weight: float
) -> None:
    from matplotlib.patches import Ellipse

    values, vectors = np.linalg.eigh(np.asarray(covariance, dtype=np.float64))
    width, height = 2.0 * radius * np.sqrt(np.maximum(values, 0.0))
    angle = float(np.degrees(np.arctan2(vectors[1, 0], vectors[0, 0])))
    strength = 0.25 + 0.75 * min(1.0, 3.0 * weight)  # components that fade are drawn faintly
    ellipse = Ellipse(
        (float(mean[0]), float(mean[1])),
        float(width),
        float(height),
        angle=angle,
        fill=False,
        edgecolor=color,
        alpha=strength,
        lw=1.8 if radius == _RADII[0] else 1.0,
        zorder=3,
    )
    ax.add_patch(ellipse)


def plot_mixture_choice(choice: MixtureChoice, ax: Axes | None = None) -> Axes:
    """The criterion against the number of components, one line for each type; the best is marked.

    Parameters
    ----------
    choice : MixtureChoice
        What `stylobate.mixture.choose_mixture` returns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.mixture import choose_mixture
    >>> X = np.random.default_rng(0).normal(size=(100, 1))
    >>> ax = plot_mixture_choice(choose_mixture(X, range(1, 3), covariance_types=["full"]))
    >>> ax.get_ylabel()
    'BIC'
    """
    ax, theme = axes_and_theme(ax)
    types = list(dict.fromkeys(each.covariance_type for each in choice.candidates))
    for place, kind in enumerate(types):
        own = [each for each in choice.candidates if each.covariance_type == kind]
        values = [getattr(each, choice.criterion) for each in own]
        shown = np.where(np.isfinite(values), values, np.nan)
        numbers = [each.n_components for each in own]
        label = kind or None
        ax.plot(numbers, shown, "o-", color=theme.color(place), ms=4, lw=1.6, label=label, zorder=2)
    best = choice.best
    value = getattr(best, choice.criterion)
    ring: dict[str, Any] = {"mfc": "none", "mec": theme.ink, "ms": 13, "mew": 1.6}
    ax.plot(best.n_components, value, "o", label=f"chosen: {best.words}", zorder=3, **ring)
    ax.locator_params(axis="x", integer=True)
    ax.set_xlabel("components")
    ax.set_ylabel(choice.criterion.upper())
    legend(ax, "above", ncols=3)
    return ax
