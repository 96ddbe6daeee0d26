"""Lloyd's iterations, one pass over the rows each, wherever the rows are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.cluster.passes import FarFrom, LabelsAt, StepAt
from stylobate.statistics import AssignmentSums, Source


@dataclass(frozen=True, slots=True)
class Stopping:
    """When iterations end.

    Parameters
    ----------
    max_iter : int
    tol : float
        Largest Σ‖shift of a centre‖² at which the centres count as settled.
    verbose : bool
        Whether to print what happens.
    """

    max_iter: int
    tol: float
    verbose: bool = False

    def settled(self, iteration: int, shift: float) -> bool:
        if shift > self.tol:
            return False
        if self.verbose:
            print(
                f"Converged at iteration {iteration}: center shift {shift} within tolerance "
                f"{self.tol}."
            )
        return True


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What iterations from one start came to.

    Parameters
    ----------
    labels : array of int32
    inertia : float
    centers : array of shape (k, p)
    n_iter : int
    strict : bool
        Whether no row changed its centre in the last iteration.
    trace : tuple of float
        The inertia about the new centres, iteration by iteration.
    measured : float or None
        Distances computed, where that is counted.
    """

    labels: NDArray[np.int32]
    inertia: float
    centers: Array
    n_iter: int
    strict: bool
    trace: tuple[float, ...] = ()
    measured: float | None = None


def iterate(source: Source, centers: Array, stopping: Stopping, dtype: Any) -> Run:
    """Lloyd's algorithm by statistics of a source."""
    centers, mark, strict, i = rounded(centers, dtype), None, False, -1
    trace = []
    for i in range(stopping.max_iter):
        step = source.compute(StepAt(centers))
        trace.append(step.sums.inertia_at_means())
        if stopping.verbose:
            print(f"Iteration {i}, inertia {step.sums.inertia}.")
        moved = rounded(next_centers(step.sums, source), dtype)
        shift = float(((moved - centers) ** 2).sum())
        centers, strict = moved, step.mark == mark
        if strict and stopping.verbose:
            print(f"Converged at iteration {i}: strict convergence.")
        if strict or stopping.settled(i, shift):
            break
        mark = step.mark
    last = source.compute(LabelsAt(centers))
    return Run(last.labels, last.inertia, centers, i + 1, strict, tuple(trace))


def rounded(centers: Array, dtype: Any) -> Array:
    """Centres as numbers of the rows' precision, so that `predict` meets the same ones."""
    kept = centers.astype(dtype, copy=False)
    return np.ascontiguousarray(kept, dtype=np.float64)


def next_centers(sums: AssignmentSums, source: Source) -> Array:
    """The means of the centres' rows; those without rows go to the farthest rows."""
    empty = np.flatnonzero(sums.weight == 0.0)
    if not len(empty):
        return sums.means()
    far = source.compute(FarFrom(sums.centers, len(empty)))
    weight, deviations, centers = sums.weight.copy(), sums.deviations.copy(), sums.centers.copy()
    if far.distances[0] > 0.0:  # else there are fewer distinct rows than centres
        found = zip(empty, far.labels, far.weights, far.rows, strict=False)
        for c, label, w, row in found:
            weight[label] -= w
            deviations[label] -= w * (row - centers[label])
            weight[c], centers[c], deviations[c] = w, row, 0.0
    kept = np.where(weight > 0.0, weight, 1.0)
    moved = centers + deviations / kept[:, None]
    moved[weight <= 0.0] = moved[np.argmax(weight)]
    return np.asarray(moved)
