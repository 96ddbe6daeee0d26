"""The graph of fuzzy memberships in neighbourhoods of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Indices


@dataclass(frozen=True, slots=True)
class Neighbourhoods:
    r"""Nearest other rows of each row, and how far its neighbourhood reaches.

    .. math:: v_{j|i} = \exp\left(-\frac{\max(0, d_{ij} - \rho_i)}{\sigma_i}\right)

    Parameters
    ----------
    distances : ndarray of shape (n, k)
        To the nearest others, ascending.
    rows : ndarray of shape (n, k)
        Which they are.
    rho : ndarray of shape (n,)
        Distances up to which others are full members.
    sigma : ndarray of shape (n,)
        Scales at which the memberships of a row sum to :math:`\log_2(k + 1)`.
    """

    distances: Array
    rows: Indices
    rho: Array
    sigma: Array

    def memberships(self) -> Array:
        """Of the nearest others, n × k."""
        beyond = np.maximum(self.distances - self.rho[:, None], 0.0)
        scales = np.where(self.sigma > 0.0, self.sigma, 1.0)[:, None]
        return np.asarray(np.exp(-beyond / scales))


def neighbourhoods(
    distances: Array, rows: Indices, local_connectivity: float, mean: float
) -> Neighbourhoods:
    r"""Scales of neighbourhoods from the distances to the nearest others.

    A row counts as its own neighbour, so k others make a neighbourhood of k + 1 rows whose
    memberships, its own left out, sum to :math:`\log_2(k + 1)`.

    Parameters
    ----------
    distances, rows : ndarrays of shape (n, k)
        Nearest others, ascending.
    local_connectivity : float in [0, inf)
        How many others, counted from the first at a distance above 0, are full members.
    mean : float
        Mean distance of all neighbours.

    Examples
    --------
    >>> found = neighbourhoods(np.array([[1.0, 2.0, 3.0]]), np.array([[1, 2, 3]]), 1.0, 2.0)
    >>> found.memberships().sum().round(9)
    np.float64(2.0)
    """
    distances = np.ascontiguousarray(distances, dtype=np.float64)
    target = float(np.log2(distances.shape[1] + 1.0))
    rho, sigma = _core.neighbour_scales(distances, float(local_connectivity), target, mean)
    return Neighbourhoods(distances, rows, rho, sigma)


def fuzzy_graph(found: Neighbourhoods, set_op_mix_ratio: float = 1.0) -> Any:
    r"""The symmetric graph: rows are joined as far as one *or* the other has them as neighbours.

    .. math:: W = m\,(V + V^\top - V \circ V^\top) + (1 - m)\,V \circ V^\top

    Parameters
    ----------
    found : Neighbourhoods
        Of all rows.
    set_op_mix_ratio : float in [0, 1], default=1.0
        m: 1 for the union of memberships, 0 for their intersection.

    Returns
    -------
    csr_array of shape (n, n)

    Examples
    --------
    >>> found = neighbourhoods(np.array([[1.0], [1.0], [2.0]]), np.array([[1], [0], [1]]), 1.0, 1.3)
    >>> fuzzy_graph(found).toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """
    from scipy.sparse import csr_array

    n, k = found.rows.shape
    starts = np.arange(0, n * k + 1, k, dtype=np.int64)
    members = csr_array(
        (found.memberships().ravel(), found.rows.ravel().astype(np.int64), starts), shape=(n, n)
    )
    return union(members, set_op_mix_ratio)


def union(members: Any, mix: float = 1.0) -> Any:
    """The fuzzy union of memberships with their transpose, or its mix with the intersection."""
    transposed = members.T.tocsr()
    both = members * transposed
    joined = mix * (members + transposed - both) + (1.0 - mix) * both
    joined.eliminate_zeros()
    joined.sort_indices()
    return joined
