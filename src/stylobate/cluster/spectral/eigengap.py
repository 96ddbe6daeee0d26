"""Gaps between eigenvalues of a Laplacian: how many clusters a graph has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.cluster.spectral.eigenpairs import smallest_eigenpairs
from stylobate.cluster.spectral.graph import graph_of
from stylobate.data import read_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, repr=False)
class Eigengap:
    """The smallest eigenvalues of a Laplacian, and the gap that follows k of them.

    A graph of k groups with few edges between them has k small eigenvalues, then a gap.

    Parameters
    ----------
    eigenvalues : ndarray of shape (m,)
        Ascending from 0.
    n_clusters : int
        k, the clusters that were asked for; 0 for none.

    Examples
    --------
    >>> print(Eigengap(np.array([0.0, 0.01, 0.5, 0.6]), 2))
    The largest gap, 0.49, follows 2 eigenvalues: 2 clusters, as asked for.
    """

    eigenvalues: Array
    n_clusters: int = 0

    @property
    def gaps(self) -> Array:
        """Differences of neighbouring eigenvalues; entry k - 1 follows k of them."""
        return np.diff(self.eigenvalues[np.isfinite(self.eigenvalues)])

    @property
    def suggested(self) -> int:
        """How many eigenvalues lie before the largest gap."""
        return int(np.argmax(self.gaps)) + 1 if len(self.gaps) else 1

    @property
    def value(self) -> float:
        """The gap after the clusters asked for, NaN where it was not computed."""
        place = (self.n_clusters or self.suggested) - 1
        return float(self.gaps[place]) if place < len(self.gaps) else float("nan")

    @property
    def sentence(self) -> str:
        """What the gaps say."""
        if not len(self.gaps):
            return "There is one eigenvalue alone: no gap to judge by."
        most = f"{self.gaps.max():.3g}"
        text = f"The largest gap, {most}, follows {self.suggested} eigenvalue"
        text += "s" if self.suggested > 1 else ""
        clusters = f"{self.suggested} cluster" + ("s" if self.suggested > 1 else "")
        if self.n_clusters in (0, self.suggested):
            return f"{text}: {clusters}" + (", as asked for." if self.n_clusters else ".")
        return (
            f"{text}: of those looked at, {clusters} rather than the {self.n_clusters} asked for."
        )

    def plot(self, *, ax: Any = None) -> Axes:
        """The eigenvalues with the gap marked (`stylobate.plot.plot_spectrum`)."""
        from stylobate.plot.clusters.spectrum import plot_spectrum

        return plot_spectrum(self, ax=ax)

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"Eigengap({np.array2string(self.eigenvalues, precision=4)}, {self.n_clusters})"


def eigengap(affinity: Any, n_eigenvalues: int = 15, *, normalized: bool = True) -> Eigengap:
    """The smallest eigenvalues of a graph's Laplacian and their gaps.

    Parameters
    ----------
    affinity : array-like or sparse of shape (n, n)
        Weights of edges, symmetric; the diagonal is not looked at.
    n_eigenvalues : int in [2, inf), default=15
        How many; a gap that follows more is not seen.
    normalized : bool, default=True
        Of the normalised Laplacian.

    Returns
    -------
    Eigengap

    References
    ----------
    von Luxburg (2007), A tutorial on spectral clustering, section 8.3.

    Examples
    --------
    >>> W = np.kron(np.eye(3), np.ones((4, 4))) + 0.01
    >>> eigengap(W, 6).suggested
    3
    """
    graph = graph_of(read_table(affinity, owner="eigengap", accept_sparse=True).x)
    return Eigengap(smallest_eigenpairs(graph, n_eigenvalues, normed=normalized).values)
