"""The best linear code of rows, and how far an autoencoder is from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.parallel import one_blas_thread

ROWS_AT_ONCE = 4096
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class LinearCode:
    """Principal directions of centred rows.

    Parameters
    ----------
    squares : array of shape (min(n, p),)
        Squared singular values σ², largest first.
    directions : array of shape (min(n, p), p)
        Right singular vectors, the largest entry of each positive.
    """

    squares: Array
    directions: Array

    @classmethod
    def of(cls, rows: Any, mean: Any = 0.0) -> LinearCode:
        """From rows less a mean, by way of their triangular factor, some rows at a time.

        >>> LinearCode.of(np.array([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]])).squares
        array([18.,  2.])
        """
        from scipy import linalg

        n, p = rows.shape
        step, factor = max(4 * p, ROWS_AT_ONCE), np.empty((0, p))
        with one_blas_thread():
            for first in range(0, n, step):
                centred = rows[first : first + step].astype(np.float64) - mean
                stacked = np.concatenate([factor, centred])
                factor = linalg.qr(stacked, mode="r", check_finite=False)[0][: min(stacked.shape)]
            _, values, directions = linalg.svd(factor, full_matrices=False, check_finite=False)
        largest = np.abs(directions).argmax(axis=1)
        signs = np.where(directions[np.arange(len(directions)), largest] < 0.0, -1.0, 1.0)
        return cls(values**2, directions * signs[:, np.newaxis])

    @property
    def rank(self) -> int:
        """How many singular values are above rounding."""
        if not len(self.squares) or self.squares[0] == 0.0:
            return 0
        floor = max(self.directions.shape) * _EPS
        return int(np.sum(np.sqrt(self.squares / self.squares[0]) > floor))


@dataclass(frozen=True, slots=True, eq=False)
class AutoencoderCertificate:
    r"""Reconstruction error beside the least that any linear map of the same rank can reach.

    No map of rank k through a point and back has a smaller error than
    :math:`\sum_{j>k} \sigma_j^2` (Eckart & Young), so for linear autoencoders the excess is
    exactly what is left to gain, and the angles :math:`\theta_j` between the space it
    reconstructs in and the principal one obey
    :math:`\sum_j \sin^2\theta_j \le \text{excess} / (\sigma_k^2 - \sigma_{k+1}^2)`.

    Parameters
    ----------
    n_components : int
        k.
    error : float
        :math:`\sum_i \|x_i - \hat x_i\|^2` over the rows of the fit.
    optimum : float
        :math:`\sum_{j>k} \sigma_j^2`.
    total : float
        :math:`\sum_j \sigma_j^2`, the error of the mean alone.
    gap : float
        :math:`\sigma_k^2 - \sigma_{k+1}^2`; 0 where the principal space is not unique.
    angles : array of shape (k,)
        Principal angles in radians, largest first; empty unless the autoencoder is linear.
    linear : bool
        Whether all activations are the identity. Bent ones can be better than the optimum of
        linear ones, and nothing is proved of them.

    References
    ----------
    Baldi & Hornik (1989), Neural networks and principal component analysis: learning from examples
    without local minima. Björck & Golub (1973), on principal angles.

    Examples
    --------
    >>> from stylobate.neural_network import Autoencoder
    >>> x = np.random.default_rng(0).normal(size=(200, 5)) * [5.0, 4.0, 1.0, 0.5, 0.1]
    >>> model = Autoencoder(2, hidden_layer_sizes=()).fit(x)
    >>> print(model.certificate_.verdict)
    It reconstructs as well as the best linear map of rank 2, in the principal space.
    """

    n_components: int
    error: float
    optimum: float
    total: float
    gap: float
    angles: Array
    linear: bool

    @classmethod
    def of(cls, best: LinearCode, k: int, error: float, basis: Array | None) -> Self:
        """Of an autoencoder with k units; `basis`: rows that span where it reconstructs."""
        squares = best.squares
        following = float(squares[k]) if k < len(squares) else 0.0
        last = float(squares[k - 1]) if k <= len(squares) else 0.0
        kept = min(k, best.rank)
        angles = np.empty(0) if basis is None else _angles(basis, best.directions[:kept])
        total = float(squares.sum())
        gap = last - following if k < best.rank else last
        unclear = gap <= 64.0 * _EPS * total
        return cls(
            k, float(error), float(squares[k:].sum()), total, 0.0 if unclear else gap, angles,
            basis is not None,
        )  # fmt: skip

    @property
    def proved(self) -> bool:
        """Whether the optimum bounds the error from below."""
        return self.linear

    @property
    def excess(self) -> float:
        """Error beyond that of the best linear map; below zero where bends help."""
        return self.error - self.optimum

    @property
    def angle_bound(self) -> float:
        """What the excess alone says of the largest angle, in radians."""
        share = max(self.excess, 0.0) / self.gap if self.gap > 0.0 else 1.0
        return float(np.arcsin(min(share, 1.0) ** 0.5))

    @property
    def verdict(self) -> str:
        """The comparison in words."""
        share = self.excess / self.total if self.total > 0.0 else 0.0
        if not self.linear:
            return self._of_bent(share)
        rank = f"the best linear map of rank {self.n_components}"
        if share > 1e-9:
            far = np.degrees(self.angles.max(initial=0.0))
            return (
                f"Its error exceeds that of {rank} by {share:.2g} of the variance, and its space "
                f"is up to {far:.2g}° from the principal one; train longer, or use solver='svd'."
            )
        where = "in the principal space" if self.gap else "where several spaces are equally good"
        return f"It reconstructs as well as {rank}, {where}."

    def _of_bent(self, share: float) -> str:
        if share <= 0.0:
            return (
                f"Its bends explain {-share:.1%} of the variance beyond as many principal "
                "components; nothing proves that no better weights exist."
            )
        return (
            f"It explains {share:.1%} of the variance less than as many principal components do: "
            "train longer, widen the hidden layers, or use PCA."
        )


def _angles(basis: Array, directions: Array) -> Array:
    from scipy import linalg

    if not len(basis) or not len(directions):
        return np.empty(0)
    with one_blas_thread():
        return np.asarray(linalg.subspace_angles(basis.T, directions.T))
