"""Affinities of rows: who is whose neighbour, and how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Indices

AFFINITIES = ("perplexity", "uniform")
_NEIGHBOURS_PER_PERPLEXITY = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class EdgeLists:
    """A sparse matrix in compressed rows, as the core takes it.

    Parameters
    ----------
    offsets : ndarray of int64, shape (n + 1,)
    columns : ndarray of int32
    values : ndarray of float32
    """

    offsets: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]


def neighbour_count(perplexities: Array, n: int) -> int:
    """How many neighbours a row is compared with: 3 · perplexity + 1, as far as there are others.

    >>> neighbour_count(np.array([30.0]), 1000), neighbour_count(np.array([30.0]), 50)
    (91, 49)
    """
    return min(n - 1, int(_NEIGHBOURS_PER_PERPLEXITY * float(perplexities.max()) + 1))


def conditional_affinities(distances: Array, perplexities: Array, kind: str) -> Array:
    r"""Probabilities of each row's neighbours.

    .. math:: p_{j|i} \propto \exp(-\beta_i d_{ij}^2)

    with :math:`\beta_i` such that the entropy of the row is the logarithm of the perplexity; the
    mean over several perplexities; or the same for all neighbours, with kind "uniform".

    Parameters
    ----------
    distances : ndarray of shape (n, k)
        To the k nearest.
    perplexities : ndarray
        One or more.
    kind : {"perplexity", "uniform"}

    Examples
    --------
    >>> p = conditional_affinities(np.array([[1.0, 2.0, 3.0]]), np.array([2.0]), "perplexity")
    >>> round(float(np.exp(-(p * np.log(p)).sum())), 6)
    2.0
    """
    n, k = distances.shape
    if kind == "uniform":
        return np.full((n, k), 1.0 / k)
    squares = np.square(distances, dtype=np.float64).ravel()
    found, _ = _core.gaussian_affinities(_offsets(n, k), squares, perplexities.tolist())
    return np.asarray(found).reshape(n, k)


def joint_affinities(neighbours: Indices, conditional: Array) -> EdgeLists:
    r"""The symmetric affinities :math:`p_{ij} = (p_{j|i} + p_{i|j}) / 2n`, which sum to 1."""
    n, k = neighbours.shape
    columns = np.ascontiguousarray(neighbours, dtype=np.int64).ravel()
    return EdgeLists(*_core.symmetrized_affinities(_offsets(n, k), columns, np.ravel(conditional)))


def directed_affinities(neighbours: Indices, conditional: Array) -> EdgeLists:
    """From each row to its neighbours, for rows that are not among them."""
    n, k = neighbours.shape
    return EdgeLists(
        _offsets(n, k),
        np.ascontiguousarray(neighbours, dtype=np.int32).ravel(),
        np.ascontiguousarray(conditional, dtype=np.float32).ravel(),
    )


def _offsets(n: int, k: int) -> Any:
    return np.arange(0, n * k + 1, k, dtype=np.int64) if k else np.zeros(n + 1, dtype=np.int64)
