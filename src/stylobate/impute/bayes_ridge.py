"""Ridge regression whose penalty is found by maximising the evidence, as small as can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible

_PRIOR = 1e-6  # shape and rate of the gamma priors of both precisions: next to nothing
_STEPS = 300
_TOLERANCE = 1e-3  # of the coefficients' change, in the sum of absolute values


@dataclass(frozen=True, slots=True)
class BayesRidge:
    r"""Coefficients under :math:`w \sim N(0, 1/\lambda)`, noise of precision α, both estimated.

    .. math:: \Sigma = (\lambda I + \alpha X^\top X)^{-1}, \quad w = \alpha \Sigma X^\top y

    Examples
    --------
    >>> x = np.arange(6.0)[:, None]
    >>> model = BayesRidge.fitted(x, 2.0 * x[:, 0] + 1.0)
    >>> model.predict(np.array([[7.0]])).round(3)
    array([15.])

    References
    ----------
    MacKay (1992), Bayesian interpolation, Neural Computation 4.
    """

    x_mean: Array
    y_mean: float
    coef: Array
    directions: Array  # right singular vectors, in rows
    spreads: Array  # variances of w along them
    rest: float  # variance of w along all others
    noise: float  # variance

    @classmethod
    def fitted(cls, x: Array, y: Array) -> BayesRidge:
        """The model of rows x and targets y."""
        x_mean, y_mean = x.mean(axis=0), float(y.mean())
        x, y = x - x_mean, y - y_mean
        n, p = x.shape
        u, s, vt = interruptible(np.linalg.svd, x, full_matrices=False)
        uy, energy = u.T @ y, s**2
        alpha, lam = 1.0 / (y.var() + np.finfo(float).eps), 1.0
        coef = np.zeros(p)
        for step in range(_STEPS):
            new = vt.T @ (s * uy / (energy + lam / alpha))
            error = float(((y - x @ new) ** 2).sum())
            gamma = float((alpha * energy / (lam + alpha * energy)).sum())
            lam = (gamma + 2 * _PRIOR) / (float(new @ new) + 2 * _PRIOR)
            alpha = (n - gamma + 2 * _PRIOR) / (error + 2 * _PRIOR)
            done = step > 0 and float(np.abs(new - coef).sum()) < _TOLERANCE
            coef = new
            if done:
                break
        coef = vt.T @ (s * uy / (energy + lam / alpha))
        spreads = 1.0 / (lam + alpha * energy)
        return cls(x_mean, y_mean, coef, vt, spreads, 1.0 / lam, 1.0 / alpha)

    def predict(self, x: Array) -> Array:
        """Expected targets of rows x."""
        return np.asarray((x - self.x_mean) @ self.coef + self.y_mean)

    def deviations(self, x: Array) -> Array:
        """Standard deviations of the targets of rows x, noise included."""
        x = x - self.x_mean
        along = x @ self.directions.T
        off = np.maximum((x**2).sum(axis=1) - (along**2).sum(axis=1), 0.0)
        return np.asarray(np.sqrt(along**2 @ self.spreads + off * self.rest + self.noise))
