"""Rows drawn from latent classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from stylobate.mixture.latent_class import LatentClassMixture


def draw_rows(model: LatentClassMixture, labels: NDArray[np.int64], random: Any) -> NDArray[Any]:
    """A row for each label: columns are drawn by themselves, as they are independent in a class.

    Parameters
    ----------
    model : LatentClassMixture
        Fitted.
    labels : array of int
        Classes.
    random : RandomState

    Returns
    -------
    array of shape (len(labels), n_features)
        Numbers, or objects where some column has categories.
    """
    columns = [
        _numbers(model.means_[:, j], model.variances_[:, j], labels, random)
        if categories is None
        else _categories(categories, model.probabilities_[j], labels, random)
        for j, categories in enumerate(model.categories_.of)
    ]
    kind = object if model.categories_.any else np.float64
    drawn = np.empty((len(labels), len(columns)), dtype=kind)
    for j, column in enumerate(columns):
        drawn[:, j] = column
    return drawn


def _numbers(means: Any, variances: Any, labels: Any, random: Any) -> Any:
    return means[labels] + np.sqrt(variances[labels]) * random.standard_normal(len(labels))


def _categories(categories: Any, shares: Any, labels: Any, random: Any) -> Any:
    """By the inverse of the distribution function; a column without any category stays missing."""
    if not len(categories):
        return np.full(len(labels), None, dtype=object)
    edges = np.cumsum(shares, axis=1)
    edges[:, -1] = np.inf
    below = random.uniform(size=len(labels))[:, None] >= edges[labels]
    return categories[below.sum(axis=1)]
