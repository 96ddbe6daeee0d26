"""How far factors are from a stationary point of the likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.factors.maximum_likelihood import SMALLEST_NOISE, FactorSolution

_STATIONARY = 1e-3
_HEYWOOD = 1e-6  # noise, as a share of a column's variance, that has run against its bound


@dataclass(frozen=True, slots=True)
class FactorCertificate:
    r"""The conditions of a stationary point of the likelihood, and how well they hold.

    With :math:`Σ = W^\top W + Ψ` and :math:`G = Σ^{-1} - Σ^{-1}SΣ^{-1}`, minus twice the gradient
    of the mean log density is GW′ in the loadings and diag G in the noise. The likelihood may have
    several maxima: a stationary point is what is checked, not that it is the highest.

    Parameters
    ----------
    loading_residual : float
        :math:`\max_{jk} |\sqrt{ψ_j}(GW^\top)_{jk}|`, free of units.
    noise_residual : float
        :math:`\max_j |ψ_j G_{jj}|`, free of units: by how much noise variances would change,
        relatively. Columns at the bound of no noise are left out where they press against it.
    last_gain : float
        By how much the last step raised the log-likelihood of all rows.
    heywood : tuple of int
        Columns whose noise has run to zero: the factors explain them wholly, a sign of too many
        factors or of columns that repeat each other.
    converged : bool
        Whether the last gain was below tol.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.decomposition import FactorAnalysis
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(300, 1)) @ np.ones((1, 5)) + rng.normal(size=(300, 5))
    >>> print(FactorAnalysis(1, tol=1e-10).fit(x).certificate_.verdict)
    A stationary point of the likelihood: its conditions hold to 1e-06.
    """

    loading_residual: float
    noise_residual: float
    last_gain: float
    heywood: tuple[int, ...]
    converged: bool

    @classmethod
    def of(cls, covariance: Array, solution: FactorSolution) -> Self:
        """Of a solution and the covariance it was found from."""
        w, noise = solution.loadings, np.maximum(solution.noise, SMALLEST_NOISE)
        root = np.sqrt(noise)
        # in units of the noise: Σ⁻¹ = I − Y(I + YᵀY)⁻¹Yᵀ, Y = Ψ^−½ Wᵀ
        y = (w / root).T
        inner = np.linalg.inv(np.eye(len(w)) + y.T @ y)
        precision = np.eye(len(noise)) - y @ inner @ y.T
        excess = precision - precision @ (covariance / np.outer(root, root)) @ precision
        variances = np.diag(covariance)
        at_bound = noise <= np.maximum(_HEYWOOD * variances, 2.0 * SMALLEST_NOISE)
        slopes = np.diag(excess)
        counted = np.where(at_bound, np.minimum(slopes, 0.0), slopes)
        gain = solution.loglike[-1] - solution.loglike[-2] if len(solution.loglike) > 1 else np.inf
        return cls(
            float(np.abs(excess @ y).max(initial=0.0)),
            float(np.abs(counted).max(initial=0.0)),
            float(gain),
            tuple(int(j) for j in np.flatnonzero(at_bound & (variances > 0.0))),
            solution.converged,
        )

    @property
    def residual(self) -> float:
        """The worse of the two."""
        return max(self.loading_residual, self.noise_residual)

    @property
    def stationary(self) -> bool:
        """Whether the conditions hold to a thousandth."""
        return self.residual <= _STATIONARY

    @property
    def verdict(self) -> str:
        """The certificate in words."""
        size = f"{10.0 ** np.ceil(np.log10(max(self.residual, 1e-15))):.0e}"
        said = (
            f"A stationary point of the likelihood: its conditions hold to {size}."
            if self.stationary
            else f"Not stationary: a condition of the maximum is off by {self.residual:.2g}; lower "
            "tol or raise max_iter."
        )
        if self.heywood:
            names = ", ".join(map(str, self.heywood[:5])) + (", …" if len(self.heywood) > 5 else "")
            said += f" Columns {names} are left no noise (Heywood case): use fewer factors."
        return said
