"""The log-likelihood of the model that fits every row, as a function of the dispersion.

For an exponential dispersion model `log f(y; μ, φ) = log f(y; y, φ) − w·d(y, μ)/(2φ)`, so this and
the deviance are all that the log-likelihood of any fit to the same rows needs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.glm.family import Family, distinct

_NAN = float("nan")


@dataclass(frozen=True, eq=False)
class Saturated:
    """Sums over the rows of positive weight from which `at(φ)` follows.

    Parameters
    ----------
    family : Family
    n_rows : int
    known : float
        The log-likelihood itself where the family's dispersion is 1; 0 otherwise.
    log_y, log_weight : float
        `Σ log y` (0 where y can be 0 or negative) and `Σ log w`.
    equal_weight : float or None
        The weight of every row; None if they differ.
    rows : (y, w) or None
        The rows themselves, for densities without a closed form or with unequal weights.
    """

    family: Family
    n_rows: int
    known: float
    log_y: float
    log_weight: float
    equal_weight: float | None
    rows: tuple[Array, Array] | None = None

    @classmethod
    def of(
        cls, family: Family, y: Array, weights: Array | None = None, *, keep_rows: bool = True
    ) -> Self:
        """Of these rows; those of zero weight are no rows."""
        if weights is None:
            w, equal, log_weight = np.ones(len(y)), 1.0 if len(y) else None, 0.0
        else:
            y, w = y[weights > 0], weights[weights > 0]
            equal = float(w[0]) if len(w) and (w == w[0]).all() else None
            log_weight = float(np.log(w).sum())
        positive = family.power is not None and family.power >= 2.0
        return cls(
            family=family,
            n_rows=len(y),
            known=_known(family, *distinct(y, w)) if family.dispersion_known else 0.0,
            log_y=float(np.log(y).sum()) if positive else 0.0,
            log_weight=log_weight,
            equal_weight=equal,
            rows=(y, w) if keep_rows else None,
        )

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        if not other.n_rows or not self.n_rows:
            return self if self.n_rows else other
        same = self.equal_weight == other.equal_weight
        rows = None
        if self.rows is not None and other.rows is not None:
            y, w = (np.concatenate(both) for both in zip(self.rows, other.rows, strict=True))
            rows = (y, w)
        return replace(
            self,
            n_rows=self.n_rows + other.n_rows,
            known=self.known + other.known,
            log_y=self.log_y + other.log_y,
            log_weight=self.log_weight + other.log_weight,
            equal_weight=self.equal_weight if same else None,
            rows=rows,
        )

    def at(self, dispersion: float) -> float:
        """The log-likelihood at this dispersion; NaN where it needs rows that were not kept."""
        power, n = self.family.power, self.n_rows
        if self.family.dispersion_known:
            return self.known / dispersion if dispersion == 1.0 else _NAN
        if not (dispersion > 0.0 and math.isfinite(dispersion)):
            return _NAN
        if power in (0.0, 3.0):  # normal and inverse Gaussian densities, at their peak
            assert power is not None
            spread = n * math.log(2.0 * math.pi * dispersion) + power * self.log_y
            return -0.5 * (spread - self.log_weight)
        if power == 2.0:
            return self._gamma(dispersion)
        if power is not None and 1.0 < power < 2.0 and self.rows is not None:
            return _tweedie(*self.rows, power, dispersion)
        return _NAN

    def _gamma(self, dispersion: float) -> float:
        from scipy.special import gammaln, xlogy

        if self.equal_weight is not None:
            shape = self.equal_weight / dispersion
            each = xlogy(shape, shape) - shape - gammaln(shape)
            return float(self.n_rows * each) - self.log_y
        if self.rows is None:
            return _NAN
        shapes = self.rows[1] / dispersion
        return float((xlogy(shapes, shapes) - shapes - gammaln(shapes)).sum()) - self.log_y


def _known(family: Family, y: Array, w: Array) -> float:
    from scipy.special import gammaln, xlogy

    if family.power is None:
        return float(w @ (xlogy(y, y) + xlogy(1.0 - y, 1.0 - y)))
    return float(w @ (xlogy(y, y) - y - gammaln(y + 1.0)))


def _tweedie(y: Array, w: Array, p: float, dispersion: float) -> float:
    """Compound Poisson–Gamma densities of the positive rows, by Wright's Bessel function."""
    from scipy.special import log_wright_bessel

    y, phi = y[y > 0], dispersion / w[y > 0]
    a = (2.0 - p) / (p - 1.0)
    x = (y / ((p - 1.0) * phi)) ** a / ((2.0 - p) * phi)
    peak = y ** (2.0 - p) / ((1.0 - p) * (2.0 - p)) / phi  # (yθ − κ(θ))/φ at μ = y
    return float((log_wright_bessel(a, 0.0, x) - np.log(y) + peak).sum())
