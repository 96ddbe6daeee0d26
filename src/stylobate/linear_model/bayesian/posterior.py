"""What Bayesian linear models share: a normal posterior of the coefficients, and predictions."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import RegressorMixin, Tags
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning
from stylobate.interrupts import interruptible
from stylobate.linear_model.shared.predictions import LinearPredictions
from stylobate.parallel import blas_for, product_of_rows
from stylobate.statistics import Moments, Source, TriangularFactor

FEW_NUMBERS = 2e7  # rows × columns² up to which the rows are read again, to keep all digits
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class CentredRows:
    """What the evidence needs of the rows, about the mean (or about zero).

    `root` is [B, z] with BᵀB = XᵀX, Bᵀz = Xᵀy and zᵀz = yᵀy: the factor R of the rows where they
    are few, so that residuals near zero keep their digits, else a root of their moments.
    """

    n: float
    root: Array
    x_mean: Array
    y_mean: float
    first_alpha: float  # 1 / Var(y), from which the precision of the noise sets out

    @classmethod
    def of(cls, source: Source, moments: Moments, *, intercept: bool) -> Self:
        p = moments.n_features
        few = moments.n_rows * (p + 1.0) ** 2 <= FEW_NUMBERS and source.capabilities.repeatable
        if few:
            factor = source.compute(TriangularFactor)
            root = factor.r[1:, 1:] if intercept else factor.without_ones()[0]
        else:
            root = _root((moments if intercept else moments.about_zero()).scatter)
        return cls(
            n=float(moments.weight),
            root=root,
            x_mean=moments.x_mean if intercept else np.zeros(p),
            y_mean=float(moments.y_mean[0]) if intercept else 0.0,
            first_alpha=1.0 / (float(moments.yy[0, 0]) / float(moments.weight) + _EPS),
        )

    @property
    def x(self) -> Array:
        return self.root[:, :-1]

    @property
    def y(self) -> Array:
        return self.root[:, -1]

    def residual_squares(self, w: Array) -> float:
        """Σ (y − Xw)²."""
        left = self.y - self.x @ w
        return float(left @ left)


def _root(scatter: Array) -> Array:
    """B with BᵀB = S, from eigenvectors: S may be singular."""
    values, vectors = interruptible(np.linalg.eigh, scatter)
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T)


class NormalPosterior(LinearPredictions, RegressorMixin):
    """ŷ = Xw + b with w ~ N(coef_, sigma_) and noise of variance 1/alpha_."""

    fit_intercept: bool
    max_iter: int
    coef_: Array
    sigma_: Array
    alpha_: float
    X_offset_: Array

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass", sparse=True)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predicted targets, and how uncertain they are.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        return_std : bool, default=False
            Whether to return the standard deviation of the predictive distribution too.

        Returns
        -------
        mean : array of shape (n,)
        std : array of shape (n,)
            If asked for: the root of 1/α + xᵀΣx.
        """
        mean = super().predict(X)
        if not return_std:
            return mean
        rows = self._read(X, reset=False).x
        spread = self._spread(rows if isinstance(rows, np.ndarray) else rows.toarray())
        return mean, np.sqrt(spread + 1.0 / self.alpha_)

    def _spread(self, rows: Array) -> Array:
        """Variance of each row's mean by the uncertainty of the coefficients."""
        centred = rows - self.X_offset_
        return np.asarray((product_of_rows(centred, self.sigma_) * centred).sum(axis=1))

    def _learn(self, source: Source) -> None:
        moments = source.compute(Moments)
        self.statistic_ = moments
        with blas_for(moments.n_features):
            facts = CentredRows.of(source, moments, intercept=self.fit_intercept)
            self._learn_centred(facts)

    @abstractmethod
    def _learn_centred(self, facts: CentredRows) -> None:
        """Store the posterior."""

    def _store_posterior(self, facts: CentredRows, coef: Array) -> None:
        self.coef_ = coef
        self.intercept_ = facts.y_mean - float(facts.x_mean @ coef) if self.fit_intercept else 0.0
        self.X_offset_, self.X_scale_ = facts.x_mean, np.ones(len(coef))

    def _warn_unless_settled(self, settled: bool) -> None:
        if settled:
            return
        warnings.warn(
            f"{type(self).__name__}: coefficients still moved by more than tol after "
            f"max_iter={self.max_iter} steps; raise max_iter or tol.",
            ConvergenceWarning,
            stacklevel=user_stacklevel(),
        )
