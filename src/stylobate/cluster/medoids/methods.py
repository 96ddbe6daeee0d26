"""Ways to good medoids: swaps, alternation, and swaps judged by a sample of the rows."""

from __future__ import annotations

from math import ceil, log
from typing import Any, NamedTuple

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster.medoids.dissimilarities import Dissimilarities
from stylobate.cluster.medoids.starts import Problem, first_medoids

METHODS = ("fasterpam", "pam", "alternate", "onebatch")


class Request(NamedTuple):
    """What a fit asks for.

    Parameters
    ----------
    n_clusters : int
        How many medoids.
    method : str
        One of `METHODS`.
    init : str or array-like of int
        Where to begin.
    max_iter : int
        Passes over the candidates at most.
    batch_size : int or None
        Rows of the sample of ``onebatch``.
    """

    n_clusters: int
    method: str
    init: Any
    max_iter: int
    batch_size: int | None


class Found(NamedTuple):
    """Medoids, the totals on the way, passes over the candidates, and whether no swap is left."""

    medoids: Indices
    totals: Array
    passes: int
    settled: bool


def search(
    among: Dissimilarities, weights: Array, request: Request, generator: np.random.Generator
) -> Found:
    """Medoids by the method asked for, from one start."""
    if request.method == "onebatch":
        return _one_batch(among, weights, request, generator)
    problem = Problem(among.costs(), weights, np.arange(among.n_rows), among.n_rows)
    start = first_medoids(request.init, request.n_clusters, problem, generator)
    if request.method == "alternate":
        return _alternate(among, problem, start, request.max_iter)
    return _swap(problem, start, request.method != "pam", request.max_iter)


def _swap(problem: Problem, start: Indices, eager: bool, most: int) -> Found:
    medoids, totals, passes, settled = problem.costs.swap(start, problem.weights, eager, most)
    return Found(np.asarray(medoids).view(np.int64), np.asarray(totals), passes, settled)


def _alternate(among: Dissimilarities, problem: Problem, start: Indices, most: int) -> Found:
    """Rows to their medoid, then the best medoid of each cluster, until the total stays."""
    medoids, totals = start, [_total(problem, start)]
    while len(totals) <= most:
        better = _best_within(among, problem, medoids)
        total = _total(problem, better)
        if not total < totals[-1]:
            return Found(medoids, np.array(totals), len(totals), True)
        medoids = better
        totals.append(total)
    return Found(medoids, np.array(totals), most, False)


def _total(problem: Problem, medoids: Indices) -> float:
    return float(problem.weights @ np.asarray(problem.costs.serve(medoids)[1]))


def _best_within(among: Dissimilarities, problem: Problem, medoids: Indices) -> Indices:
    """Of each cluster the row that serves it best."""
    labels = np.asarray(problem.costs.serve(medoids)[0])
    better = medoids.copy()
    for cluster in range(len(medoids)):
        members = np.flatnonzero(labels == cluster)
        if len(members):
            sums = among.costs(members, members).below(None, problem.weights[members])
            better[cluster] = members[np.argmin(sums)]
    return better


def _one_batch(
    among: Dissimilarities, weights: Array, request: Request, generator: np.random.Generator
) -> Found:
    """Swaps of all rows, judged by a sample in which each row counts for those nearest to it."""
    n, k = among.n_rows, request.n_clusters
    size = request.batch_size or ceil(100 * log(max(k * n, 2)))
    size = min(n, max(size, 2 * k))
    batch = np.sort(generator.choice(n, size, replace=False))
    nearest, _, _ = among.costs(None, batch).serve(np.arange(size))
    counts = np.bincount(nearest, weights, minlength=size)
    problem = Problem(among.costs(batch, None), counts, batch, n)
    start = first_medoids(request.init, k, problem, generator)
    return _swap(problem, start, True, request.max_iter)
