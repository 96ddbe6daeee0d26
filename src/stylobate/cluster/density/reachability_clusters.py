"""Clusters from the order of OPTICS: valleys of reachability, or one cut of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.cluster.density.optics_graph import checked_size
from stylobate.exceptions import InvalidParameterError


def cluster_optics_dbscan(
    *, reachability: Any, core_distances: Any, ordering: Any, eps: float
) -> Integers:
    """The labels of DBSCAN at `eps`, but for some rows that border clusters.

    Parameters
    ----------
    reachability, core_distances, ordering : array of shape (n,)
        As `compute_optics_graph` gives them.
    eps : float in [0, inf]
        Where the reachability is cut.

    Returns
    -------
    array of shape (n,)
        The cluster of every row, -1 for noise.

    Examples
    --------
    >>> reach, core = np.array([np.inf, 1.0, 0.5, 7.5]), np.array([1.0, 0.5, 0.5, 7.5])
    >>> cluster_optics_dbscan(
    ...     reachability=reach, core_distances=core, ordering=np.arange(4), eps=2.0
    ... )
    array([ 0,  0,  0, -1])
    """
    if not eps >= 0:
        raise InvalidParameterError(f"cluster_optics_dbscan: eps must be at least 0, got {eps!r}.")
    order = np.asarray(ordering)
    far, core = np.asarray(reachability) > eps, np.asarray(core_distances) <= eps
    labels = np.zeros(len(order), dtype=np.intp)
    labels[order] = np.cumsum(far[order] & core[order]) - 1
    labels[far & ~core] = -1
    return labels


def cluster_optics_xi(
    *,
    reachability: Any,
    predecessor: Any,
    ordering: Any,
    min_samples: float,
    min_cluster_size: float | None = None,
    xi: float = 0.05,
    predecessor_correction: bool = True,
) -> tuple[Integers, Integers]:
    """Valleys between steep descents and steep ascents of the reachability plot.

    Parameters
    ----------
    reachability, predecessor, ordering : array of shape (n,)
        As `compute_optics_graph` gives them.
    min_samples : int in [2, inf) or float in [0, 1]
        At most so many rows of a steep stretch in a row are not steep.
    min_cluster_size : int in [2, inf) or float in [0, 1], default=None
        The rows of the smallest cluster, or their share; None means `min_samples`.
    xi : float in [0, 1], default=0.05
        By what share reachability changes where it is steep.
    predecessor_correction : bool, default=True
        Whether clusters end where a row was reached from outside.

    Returns
    -------
    labels : array of shape (n,)
        The smallest cluster of every row, -1 for noise.
    clusters : array of shape (n_clusters, 2)
        First and last place in the order of every cluster, smaller ones before those around them.

    Examples
    --------
    >>> reach = np.array([np.inf, 1.0, 1.0, 9.0, 1.0, 1.0])
    >>> cluster_optics_xi(
    ...     reachability=reach, predecessor=np.array([-1, 0, 1, 2, 3, 4]), ordering=np.arange(6),
    ...     min_samples=2,
    ... )[0]
    array([0, 0, 0, 1, 1, 1])

    References
    ----------
    Ankerst, Breunig, Kriegel & Sander (1999), OPTICS: ordering points to identify the clustering
    structure, SIGMOD; Schubert & Gertz (2018), Improving the cluster structure extracted from
    OPTICS plots.
    """
    order, n = np.asarray(ordering), len(np.asarray(reachability))
    count = checked_size(min_samples, n, "min_samples")
    smallest = count
    if min_cluster_size is not None:
        smallest = checked_size(min_cluster_size, n, "min_cluster_size")
    plot = np.append(np.asarray(reachability, dtype=np.float64)[order], np.inf)
    before = np.asarray(predecessor)[order] if predecessor_correction else None
    clusters = _Valleys(plot, order, before, 1.0 - xi, count, smallest).clusters()
    return _labels(order, clusters), clusters


def _labels(order: Integers, clusters: Integers) -> Integers:
    placed = np.full(len(order), -1, dtype=np.intp)
    label = 0
    for first, last in clusters:
        if not (placed[first : last + 1] != -1).any():
            placed[first : last + 1] = label
            label += 1
    labels = np.empty_like(placed)
    labels[order] = placed
    return labels


@dataclass(slots=True)
class _Descent:
    """A steep way down, from where a cluster may start, and the highest point since."""

    start: int
    end: int
    highest: float = 0.0


class _Valleys:
    """The search of Ankerst et al., figure 19, with an infinite point at the end of the plot."""

    def __init__(
        self,
        plot: Array,
        order: Integers,
        predecessor: Integers | None,
        share: float,
        min_samples: int,
        smallest: int,
    ) -> None:
        self.plot, self.order, self.predecessor = plot, order, predecessor
        self.share, self.min_samples, self.smallest = share, min_samples, smallest
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = plot[:-1] / plot[1:]
            self.steep_up, self.steep_down = ratio <= share, ratio >= np.float64(1.0) / share
        self.down, self.up = ratio > 1, ratio < 1

    def clusters(self) -> Integers:
        descents: list[_Descent] = []
        found: list[tuple[int, int]] = []
        place, highest = 0, 0.0
        for at in np.flatnonzero(self.steep_up | self.steep_down).tolist():
            if at < place:
                continue
            highest = max(highest, float(self.plot[place : at + 1].max()))
            descents = self._still_open(descents, highest)
            if self.steep_down[at]:
                end = self._extended(self.steep_down, self.up, at)
                descents.append(_Descent(at, end))
            else:
                end = self._extended(self.steep_up, self.down, at)
                pairs = (self._between(descent, at, end) for descent in descents)
                found.extend(reversed([pair for pair in pairs if pair is not None]))
            place, highest = end + 1, float(self.plot[end + 1])
        return np.array(found, dtype=np.intp).reshape(len(found), 2) if found else np.array([])

    def _still_open(self, descents: list[_Descent], highest: float) -> list[_Descent]:
        if np.isinf(highest):
            return []
        kept = [each for each in descents if highest <= self.plot[each.start] * self.share]
        for each in kept:
            each.highest = max(each.highest, highest)
        return kept

    def _extended(self, steep: NDArray[np.bool_], against: NDArray[np.bool_], start: int) -> int:
        """The end of the stretch: no more than `min_samples` flat points in a row."""
        flat, end = 0, start
        for at in range(start, len(steep)):
            if steep[at]:
                flat, end = 0, at
            elif against[at]:
                return end
            else:
                flat += 1
                if flat > self.min_samples:
                    break
        return end

    def _between(self, descent: _Descent, up_start: int, up_end: int) -> tuple[int, int] | None:
        """The cluster between a descent and an ascent, as definition 11 asks for it."""
        first, last, top = descent.start, up_end, self.plot[descent.start]
        after = self.plot[last + 1]
        if after * self.share < descent.highest:
            return None
        if top * self.share >= after:
            while self.plot[first + 1] > after and first < descent.end:
                first += 1
        elif after * self.share >= top:
            while self.plot[last - 1] > top and last > up_start:
                last -= 1
        if self.predecessor is not None:
            corrected = self._corrected(first, last)
            if corrected is None:
                return None
            first, last = corrected
        small = last - first + 1 < self.smallest
        return None if small or first > descent.end or last < up_start else (first, last)

    def _corrected(self, first: int, last: int) -> tuple[int, int] | None:
        """The end moved back to a row that was reached from within."""
        assert self.predecessor is not None
        while first < last:
            if self.plot[first] > self.plot[last]:
                return first, last
            if (self.order[first:last] == self.predecessor[last]).any():
                return first, last
            last -= 1
        return None
