"""Machines of all pairs of classes as one model: coefficients side by side, votes, probabilities.

Support vectors stand class by class. Of those of class i, row j − 1 of the coefficients (j > i) and
row j (j < i) belong to the problem of classes i and j: each support vector takes part in k − 1
problems, and its kernel with a new point is needed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.svm.kernel_matrix.kernel_points import KernelPoints
from stylobate.svm.machines.machine import Machine


def class_pairs(k: int) -> list[tuple[int, int]]:
    """Pairs i < j in their order.

    >>> class_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(i, j) for i in range(k) for j in range(i + 1, k)]


@dataclass(frozen=True, slots=True, eq=False)
class PairProblems:
    """Points with class numbers and weights, and which of them belong to each pair of classes."""

    points: KernelPoints
    codes: NDArray[np.int64]
    weights: Array
    rows: list[Indices]


def pair_rows(codes: NDArray[np.int64], weights: Array, k: int) -> list[Indices]:
    """The rows of each pair of classes that have weight.

    >>> [own.tolist() for own in pair_rows(np.array([0, 1, 2, 0]), np.array([1.0, 1, 1, 0]), 3)]
    [[0, 1], [0, 2], [1, 2]]
    """
    return [
        np.flatnonzero(((codes == i) | (codes == j)) & (weights > 0.0)) for i, j in class_pairs(k)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class PairedMachines:
    """Support vectors of all pairs of classes.

    Attributes
    ----------
    support : array of int32
        Rows of X, class by class.
    n_support : array of int32, shape (k,)
        How many of each class.
    dual_coef : array of shape (k − 1, n_support)
        Coefficients, as said above.
    intercept : array of shape (k(k − 1)/2,)
    """

    support: NDArray[np.int32]
    n_support: NDArray[np.int32]
    dual_coef: Array
    intercept: Array


def paired(
    machines: list[Machine], rows: list[Indices], codes: NDArray[np.int64], k: int
) -> PairedMachines:
    """The machines of `class_pairs(k)`, each on its rows of X, as one set of support vectors."""
    columns = np.zeros((k - 1, len(codes)))
    for (i, j), machine, own in zip(class_pairs(k), machines, rows, strict=True):
        first = codes[own] == i
        columns[j - 1, own[first]] = machine.beta[first]
        columns[i, own[~first]] = machine.beta[~first]
    used = np.flatnonzero((columns != 0.0).any(axis=0))
    support = used[np.argsort(codes[used], kind="stable")]
    return PairedMachines(
        support.astype(np.int32),
        np.bincount(codes[support], minlength=k).astype(np.int32),
        np.ascontiguousarray(columns[:, support]),
        np.array([machine.intercept for machine in machines]),
    )


def class_slices(n_support: NDArray[np.int32]) -> Iterator[slice]:
    """Where the support vectors of each class stand."""
    ends = np.cumsum(n_support, dtype=np.int64)
    for end, count in zip(ends, n_support, strict=True):
        yield slice(int(end) - int(count), int(end))


def pair_sums(products: list[Array], intercept: Array) -> Array:
    """Decisions of all pairs from the product of each class's kernels with its coefficients."""
    pairs = class_pairs(len(products))
    found = np.empty((len(products[0]), len(pairs)))
    for place, (i, j) in enumerate(pairs):
        found[:, place] = products[i][:, j - 1] + products[j][:, i] + intercept[place]
    return found


def votes_of(decisions: Array, k: int) -> NDArray[np.int64]:
    """How many problems each class wins; a decision of exactly 0 is the second class's."""
    votes = np.zeros((len(decisions), k), dtype=np.int64)
    for place, (i, j) in enumerate(class_pairs(k)):
        first = decisions[:, place] > 0.0
        votes[:, i] += first
        votes[:, j] += ~first
    return votes


def class_decisions(decisions: Array, k: int) -> Array:
    """One number per class: its votes, and sums of its decisions squeezed into ±1/3 within ties.

    >>> class_decisions(np.array([[1.0, 2.0, -1.0]]), 3).round(3)
    array([[ 2.25 , -0.222,  0.833]])
    """
    votes = np.zeros((len(decisions), k))
    sums = np.zeros((len(decisions), k))
    for place, (i, j) in enumerate(class_pairs(k)):
        margin = decisions[:, place]
        sums[:, i] += margin
        sums[:, j] -= margin
        votes[:, i] += margin >= 0.0
        votes[:, j] += margin < 0.0
    return np.asarray(votes + sums / (3.0 * (np.abs(sums) + 1.0)))


def class_numbers(decisions: Array, k: int, *, break_ties: bool) -> NDArray[np.intp]:
    """The class of each row: of two by the sign, of more by votes, or by confidence in ties."""
    if k == 2:
        return (decisions[:, 0] >= 0.0).astype(np.intp)
    scores = class_decisions(decisions, k) if break_ties else votes_of(decisions, k)
    return np.asarray(scores.argmax(axis=1))


def shaped_decisions(decisions: Array, k: int, shape: str) -> Array:
    """Decisions as `decision_function` gives them: one of two classes, else "ovr" or "ovo"."""
    if k == 2:
        return np.ascontiguousarray(decisions[:, 0])
    return class_decisions(decisions, k) if shape == "ovr" else decisions
