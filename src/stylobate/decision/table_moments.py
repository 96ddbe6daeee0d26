"""What follows from a joint table: means, variances, covariance, conditionals, information."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.losses import entropy


class TableMoments:
    r"""Moments, conditional distributions and entropies of p(x, y).

    .. math:: \mathrm{cov}(X, Y) = \sum_{x,y} p(x,y)\,(x - \mu_X)(y - \mu_Y)

    Means, variances, covariance and correlation need numbers as values; entropies and independence
    do not.
    """

    probabilities: Array
    x: NDArray[Any]
    y: NDArray[Any]

    @property
    def p_x(self) -> Array:
        """p(x), the sums of the rows."""
        return np.asarray(self.probabilities.sum(axis=1))

    @property
    def p_y(self) -> Array:
        """p(y), the sums of the columns."""
        return np.asarray(self.probabilities.sum(axis=0))

    @property
    def mean(self) -> Array:
        """(E X, E Y)."""
        x, y = self._numbers()
        return np.array([self.p_x @ x, self.p_y @ y])

    @property
    def covariance_matrix(self) -> Array:
        """[[var X, cov], [cov, var Y]]: X P Xᵀ, with the means taken off first."""
        x, y = self._numbers()
        total = float(self.probabilities.sum())
        x, y = x - self.p_x @ x / total, y - self.p_y @ y / total
        cross = float(x @ self.probabilities @ y)
        return np.array([[self.p_x @ x**2, cross], [cross, self.p_y @ y**2]])

    @property
    def variance(self) -> Array:
        """(var X, var Y)."""
        return np.diag(self.covariance_matrix).copy()

    @property
    def covariance(self) -> float:
        """E (X − E X)(Y − E Y)."""
        return float(self.covariance_matrix[0, 1])

    @property
    def correlation(self) -> float:
        """Covariance over both standard deviations; NaN if one of them is 0."""
        matrix = self.covariance_matrix
        scale = float(np.sqrt(matrix[0, 0] * matrix[1, 1]))
        return float(np.clip(matrix[0, 1] / scale, -1.0, 1.0)) if scale > 0 else float("nan")

    @property
    def given_x(self) -> Array:
        """p(y | x) in each row; NaN where x has probability 0."""
        return _shares(self.probabilities, self.p_x[:, None])

    @property
    def given_y(self) -> Array:
        """p(x | y) in each column; NaN where y has probability 0."""
        return _shares(self.probabilities, self.p_y[None, :])

    @property
    def mean_given_x(self) -> Array:
        """E (Y | x) for each x.

        >>> from stylobate.decision import JointTable
        >>> JointTable([[0.3, 0.1], [0.2, 0.4]], y=[10, 20]).mean_given_x.round(2).tolist()
        [12.5, 16.67]
        """
        return np.asarray(self.given_x @ self._numbers("y")[1])

    @property
    def mean_given_y(self) -> Array:
        """E (X | y) for each y."""
        return np.asarray(self._numbers("x")[0] @ self.given_y)

    def is_independent(self, tolerance: float = 1e-12) -> bool:
        """Whether p(x, y) = p(x) p(y) in every cell, up to rounding.

        Uncorrelated is not independent:

        >>> from stylobate.decision import JointTable
        >>> table = JointTable([[0, 0.25], [0.5, 0], [0, 0.25]], x=[-1, 0, 1])
        >>> table.covariance, table.is_independent()
        (0.0, False)
        """
        apart = self.probabilities - np.outer(self.p_x, self.p_y)
        return bool(np.abs(apart).max() <= tolerance)

    @property
    def entropies(self) -> dict[str, float]:
        """H(X), H(Y) and H(X, Y) in nats."""
        total = self.probabilities.sum()
        return {
            "x": entropy(self.p_x / total),
            "y": entropy(self.p_y / total),
            "joint": entropy(self.probabilities.reshape(-1) / total),
        }

    @property
    def mutual_information(self) -> float:
        r""":math:`\sum p(x,y) \log\frac{p(x,y)}{p(x)p(y)}`, in nats.

        >>> from stylobate.decision import JointTable
        >>> float(JointTable([[0.5, 0], [0, 0.5]]).mutual_information / np.log(2))
        1.0
        """
        i, j = np.nonzero(self.probabilities)
        shares = self.probabilities[i, j]
        logs = np.log(shares) - np.log(self.p_x[i]) - np.log(self.p_y[j])  # products may underflow
        return max(float(shares @ logs), 0.0)

    def _numeric(self, which: str = "xy") -> bool:
        return all(getattr(self, name).dtype.kind in "biuf" for name in which)

    def _numbers(self, which: str = "xy") -> tuple[Array, Array]:
        for name in which:
            if not self._numeric(name):
                values = getattr(self, name).tolist()[:4]
                raise InvalidDataError(
                    f"JointTable: the values of {name} are {values!r}, no numbers, and have no "
                    "mean. Give numbers, or use entropies and mutual_information."
                )
        parts = (v.astype(float) if v.dtype.kind in "biuf" else v for v in (self.x, self.y))
        first, second = parts
        return first, second


def _shares(table: Array, margin: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(margin > 0, table / margin, np.nan))
