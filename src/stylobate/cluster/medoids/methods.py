"""Ways to good medoids: swaps, alternation, and swaps judged by a sample of the rows."""

from __future__ import annotations

from math import ceil, log
from typing import Any, NamedTuple

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster.medoids.dissimilarities import Dissimilarities
from stylobate.cluster.medoids.starts import Problem, deliberate, first_medoids

_BLOCK = 192  # candidates that are looked at together
_SAMPLE = 500  # rows of the sample that the first medoids come from
SWAPS = ("fasterpam", "pam")
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
    n, k, init = among.n_rows, request.n_clusters, request.init
    problem = Problem(among.costs(), weights, np.arange(n), n)
    init = deliberate(k, n) if _is(init, "auto") else init
    if _is(init, "clara") and n > _sample_size(k):
        start = _of_a_sample(among, weights, request, generator)
    else:
        start = first_medoids("k-medoids++" if _is(init, "clara") else init, k, problem, generator)
    if request.method == "alternate":
        return _alternate(among, problem, start, request.max_iter)
    return swap(among, weights, start, request)


def swap(among: Dissimilarities, weights: Array, start: Indices, request: Request) -> Found:
    """Swaps from these medoids on."""
    n, eager, most = among.n_rows, request.method != "pam", request.max_iter
    problem = Problem(among.costs(), weights, np.arange(n), n)
    if among.matrix is None and n > _BLOCK:
        return _swap_side_by_side(among, problem, start, eager, most)
    return _swap(problem, start, eager, most)


def total_of(among: Dissimilarities, weights: Array, medoids: Indices) -> float:
    """The weighted sum of the dissimilarities of all rows to the nearest of these medoids."""
    return float(weights @ np.asarray(among.costs().serve(medoids)[1]))


def _is(init: Any, *names: str) -> bool:
    return isinstance(init, str) and init in names


def _sample_size(k: int) -> int:
    return max(_SAMPLE, 10 * k)


def _of_a_sample(
    among: Dissimilarities, weights: Array, request: Request, generator: np.random.Generator
) -> Indices:
    """The medoids of a sample of the rows, as in CLARA."""
    size = _sample_size(request.n_clusters)
    rows = np.sort(generator.choice(among.n_rows, size, replace=False))
    small = request._replace(init="k-medoids++", method="fasterpam")
    return rows[search(among.part(rows), weights[rows], small, generator).medoids]


def _swap_side_by_side(
    among: Dissimilarities, problem: Problem, start: Indices, eager: bool, most: int
) -> Found:
    """Swaps with the rows of a cluster side by side, those near its medoid first.

    Candidates that are looked at together then lie near one another, and leave the same points
    alone; and the best ones come first.
    """
    labels, nearest, _ = map(np.asarray, problem.costs.serve(start))
    order = np.lexsort((nearest, labels))
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    near = problem._replace(costs=among.part(order).costs(), weights=problem.weights[order])
    found = _swap(near, places[start], eager, most)
    return found._replace(medoids=order[found.medoids])


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
    counts: Array = np.zeros(size)
    np.add.at(counts, np.asarray(nearest), weights)
    problem = Problem(among.costs(batch, None), counts, batch, n)
    init = "k-medoids++" if _is(request.init, "auto", "clara") else request.init
    start = first_medoids(init, k, problem, generator)
    return _swap(problem, start, True, request.max_iter)
