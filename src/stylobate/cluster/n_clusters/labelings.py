"""Clusterings of a table by any estimator, for any number of clusters, of all rows or of some."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base import clone
from stylobate.exceptions import InvalidParameterError

Tell = Callable[[str], None]  # called after every fit with what it was for


@dataclass(frozen=True, eq=False)
class Labelings:
    """An estimator that can be fitted with every number of clusters.

    Parameters
    ----------
    estimator : clusterer or mixture
        Has the parameter ``n_clusters`` or ``n_components``.
    x : array of shape (n, p)
        The rows.
    weights : array of shape (n,) or None
        Of the rows.
    tell : callable
        Told of every fit.
    """

    estimator: Any
    x: Array
    weights: Array | None
    tell: Tell

    def fit(self, k: int, seed: int, what: str) -> tuple[Indices, float]:
        """Labels of all rows in k clusters, and the dispersion within them."""
        return self._fitted(self.x, self.weights, k, seed, what)

    def fit_rows(self, rows: Indices, k: int, seed: int, what: str) -> Indices:
        """Labels of some rows in k clusters; each its own where there are no more rows."""
        if k >= len(rows):
            self.tell(what)
            return np.arange(len(rows))
        weights = None if self.weights is None else self.weights[rows]
        return self._fitted(self.x[rows], weights, k, seed, what)[0]

    def on(self, x: Array) -> Labelings:
        """The same of other rows, of the same weights."""
        return Labelings(self.estimator, x, self.weights, self.tell)

    def _fitted(
        self, x: Array, weights: Array | None, k: int, seed: int, what: str
    ) -> tuple[Indices, float]:
        model = clone(self.estimator).set_params(**{count_parameter(self.estimator): k})
        if "random_state" in model.get_params(deep=False):
            model.set_params(random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of repeated rows, once for each of a thousand fits
            model.fit(x, **({} if weights is None else {"sample_weight": weights}))
        labels = model.labels_ if hasattr(model, "labels_") else model.predict(x)
        inertia = getattr(model, "inertia_", None)
        self.tell(what)
        labels = np.asarray(labels, dtype=np.intp)
        return labels, dispersion(x, labels, weights) if inertia is None else float(inertia)


def count_parameter(estimator: Any) -> str:
    """The name of the parameter that says how many clusters there are."""
    known = estimator.get_params(deep=False) if hasattr(estimator, "get_params") else {}
    for name in ("n_clusters", "n_components"):
        if name in known:
            return name
    raise InvalidParameterError(
        f"select_n_clusters: {type(estimator).__name__} has no parameter n_clusters or "
        "n_components, so there is nothing to choose; pass an estimator such as KMeans."
    )


def takes_weights(estimator: Any) -> bool:
    """Whether an estimator's `fit` knows weights of rows."""
    return "sample_weight" in signature(estimator.fit).parameters


def dispersion(x: Array, labels: Indices, weights: Array | None = None) -> float:
    """The sum of squared distances of rows to the mean of their cluster.

    >>> dispersion(np.array([[0.0], [2.0], [9.0]]), np.array([0, 0, 1]))
    2.0
    """
    w = np.ones(len(x)) if weights is None else weights
    total = 0.0
    for label in np.unique(labels):
        rows = labels == label
        mass = w[rows].sum()
        if mass > 0.0:
            off = x[rows] - (w[rows] @ x[rows]) / mass
            total += float(w[rows] @ np.einsum("ij,ij->i", off, off))
    return total
