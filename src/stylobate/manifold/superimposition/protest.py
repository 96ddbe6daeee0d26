"""Whether two configurations agree more than by chance: a permutation test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.manifold.superimposition.procrustes import procrustes
from stylobate.splits.splitter import generator

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CELLS = 1 << 20  # of permuted points in memory at a time


@dataclass(frozen=True, slots=True, eq=False)
class ProcrustesTest:
    """What a permutation test of two configurations found.

    Parameters
    ----------
    disparity : float
        Of the configurations as given.
    correlation : float
        The root of 1 − disparity.
    p_value : float
        Share of permutations that agree at least as well, the given one counted among them.
    permuted : array of shape (n_permutations,)
        Disparities under random pairings.
    """

    disparity: float
    correlation: float
    p_value: float
    permuted: Array

    def __str__(self) -> str:
        return (
            f"Procrustes correlation {self.correlation:.3f}, p = {self.p_value:.3g} "
            f"({len(self.permuted)} permutations)"
        )

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Disparities of random pairings, and the one found."""
        from stylobate.plot import plot_procrustes_test

        return plot_procrustes_test(self, ax=ax)


def procrustes_test(
    A: Any, B: Any, *, n_permutations: int = 999, random_state: Any = None
) -> ProcrustesTest:
    r"""Test whether the points of A and B belong together row by row (PROTEST).

    The rows of B are permuted at random; if pairing them with those of A meant nothing, every
    permutation would be as likely to agree as well:
    :math:`p = (1 + \#\{m^2_π \le m^2\}) / (1 + \#π)`.

    Parameters
    ----------
    A, B : array-like of shape (n, p)
        Points that belong together row by row, if they do.
    n_permutations : int in [1, inf), default=999
    random_state : int, RandomState or None, default=None
        Seed.

    Returns
    -------
    ProcrustesTest

    References
    ----------
    Jackson (1995), PROTEST: a Procrustean randomization test of community environment concordance,
    Écoscience 2. Phipson & Smyth (2010), Permutation p-values should never be zero.

    Examples
    --------
    >>> draws = np.random.default_rng(0)
    >>> points = draws.normal(size=(30, 2))
    >>> noisy = points @ [[0.6, 0.8], [-0.8, 0.6]] + 0.3 * draws.normal(size=(30, 2))
    >>> print(procrustes_test(points, noisy, random_state=0))
    Procrustes correlation 0.950, p = 0.001 (999 permutations)
    """
    whole = isinstance(n_permutations, int | np.integer) and not isinstance(n_permutations, bool)
    if not whole or n_permutations < 1:
        raise InvalidParameterError(
            f"procrustes_test: n_permutations must be a whole number of at least 1, got "
            f"{n_permutations!r}."
        )
    found = procrustes(A, B)
    b = found.target - found.target.mean(axis=0)
    a = found.aligned - found.aligned.mean(axis=0)
    sizes = float((a * a).sum() * (b * b).sum())
    permuted = 1.0 - _overlaps(a, b, int(n_permutations), generator(random_state)) ** 2 / sizes
    as_good = int(np.count_nonzero(permuted <= found.disparity * (1.0 + 1e-12)))
    return ProcrustesTest(
        found.disparity,
        float(np.sqrt(max(1.0 - found.disparity, 0.0))),
        (1 + as_good) / (1 + int(n_permutations)),
        permuted,
    )


def _overlaps(a: Array, b: Array, count: int, draws: np.random.RandomState) -> Array:
    """Sums of the singular values of AᵀPB for random permutations P."""
    step = max(1, _CELLS // max(a.size, 1))
    sums = []
    for first in range(0, count, step):
        some = min(step, count - first)
        orders = np.stack([draws.permutation(len(b)) for _ in range(some)])
        sums.append(np.linalg.svd(a.T @ b[orders], compute_uv=False).sum(axis=1))
    return np.concatenate(sums)
