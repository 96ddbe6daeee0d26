"""Settings that differ only in how answers are read off the same neighbours share one search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from time import perf_counter
from typing import Any

import numpy as np

from stylobate.model_selection.fits.task import Outcome
from stylobate.neighbors.base import KNeighborsMixin
from stylobate.study.search.encoding import EncodedFold

_READ_OFF = {"n_neighbors", "weights"}  # parameters that leave the neighbours as they are


def share_neighbours(models: Sequence[Any]) -> bool:
    """Whether models of nearest neighbours differ in nothing but how they read them."""
    first = models[0]
    if not all(type(each) is type(first) for each in models):
        return False
    if not isinstance(first, KNeighborsMixin) or len(models) < 2:
        return False
    rest = [{k: v for k, v in m.get_params().items() if k not in _READ_OFF} for m in models]
    return all(each == rest[0] for each in rest)


def neighbour_outcomes(
    models: Sequence[Any], fold: EncodedFold, scorer: Callable[..., Any]
) -> list[Outcome]:
    """Fit once, search once for the most neighbours, and score every setting on the first of them.

    Neighbours come sorted, ties in the order of the rows, so the k nearest are the first k of more.
    """
    started = perf_counter()
    x_train, x_test = fold.x[: fold.n_train], fold.x[fold.n_train :]
    y_train, y_test = fold.y[: fold.n_train], fold.y[fold.n_train :]
    fitted: Any = models[0].fit(x_train, y_train)
    most = min(max(int(each.n_neighbors) for each in models), fold.n_train)
    distances, rows = fitted.kneighbors(x_test, most)
    shared = (perf_counter() - started) / len(models)
    outcomes = []
    for model in models:
        began = perf_counter()
        reader = _reader(fitted, model, distances, rows)
        score = scorer(reader, x_test, y_test)
        found = Outcome(fit_time=shared, score_time=perf_counter() - began)
        found.test = {"score": float(np.asarray(score))}
        outcomes.append(found)
    return outcomes


def _reader(fitted: Any, model: Any, distances: Any, rows: Any) -> Any:
    """A fitted model with a setting's parameters that knows the neighbours of the test rows."""
    twin = copy(fitted)
    twin.set_params(**model.get_params())
    k = int(model.n_neighbors)

    def known(X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        many = k if n_neighbors is None else n_neighbors
        return (distances[:, :many], rows[:, :many]) if return_distance else rows[:, :many]

    twin.kneighbors = known
    return twin
