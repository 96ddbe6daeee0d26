"""Regression with a penalty for each coefficient, learnt from the data."""

from __future__ import annotations

from math import inf, log
from typing import Annotated

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval
from stylobate.interrupts import interruptible
from stylobate.linear_model.bayesian.posterior import CentredRows, NormalPosterior
from stylobate.parallel import product_of_rows

_LEAST = float(np.finfo(np.float64).tiny)


class ARDRegression(NormalPosterior):
    r"""Automatic relevance determination: each coefficient has a precision of its own.

    .. math:: y \sim N(Xw + b,\; α^{-1}I),\qquad w_j \sim N(0,\; λ_j^{-1})

    The precisions maximise the evidence; where one grows beyond a threshold its column is left out,
    so that the answer is sparse. Moments of the rows are all it needs: one pass, streams and merged
    parts included.

    Parameters
    ----------
    max_iter : int in [1, inf), default=300
        Steps at most.
    tol : float in [0, inf), default=1e-3
        Change of the coefficients (sum of absolute values) at which steps end.
    alpha_1, alpha_2 : float in [0, inf), default=1e-6
        Shape and rate of the Gamma prior of α.
    lambda_1, lambda_2 : float in [0, inf), default=1e-6
        Shape and rate of the Gamma priors of λ.
    compute_score : bool, default=False
        Whether to keep the log of the evidence at each step in `scores_`.
    threshold_lambda : float in [0, inf), default=1e4
        Precision beyond which a column is left out.
    fit_intercept : bool, default=True
        Whether to fit b, which has no prior.
    copy_X : bool, default=True
        Accepted for compatibility; X is never written to.
    verbose : bool, default=False
        Accepted for compatibility.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        The posterior's mean; 0 for columns left out.
    intercept_ : float
    alpha_ : float
        Precision of the noise.
    lambda_ : array of shape (n_features,)
        Precisions of the coefficients.
    sigma_ : array of shape (n_kept, n_kept)
        The posterior's covariance of the columns kept (λ below the threshold).
    scores_ : list of float
        Empty unless asked for.
    n_iter_ : int
        Steps.
    X_offset_, X_scale_ : arrays of shape (n_features,)
        Means of the columns (zeros without intercept), and ones.
    statistic_ : Moments
        What `partial_fit` goes on from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 20))
    >>> y = 2.0 * X[:, 3] + rng.normal(size=200) / 2
    >>> np.flatnonzero(ARDRegression().fit(X, y).coef_.round())
    array([3])

    References
    ----------
    MacKay (1994), Bayesian nonlinear modeling for the prediction competition, ASHRAE Transactions.
    Tipping (2001), Sparse Bayesian learning and the relevance vector machine, Journal of Machine
    Learning Research 1.
    """

    def __init__(
        self,
        *,
        max_iter: Annotated[int, Interval(1, inf)] = 300,
        tol: Annotated[float, Interval(0, inf)] = 1e-3,
        alpha_1: Annotated[float, Interval(0, inf)] = 1e-6,
        alpha_2: Annotated[float, Interval(0, inf)] = 1e-6,
        lambda_1: Annotated[float, Interval(0, inf)] = 1e-6,
        lambda_2: Annotated[float, Interval(0, inf)] = 1e-6,
        compute_score: bool = False,
        threshold_lambda: Annotated[float, Interval(0, inf)] = 1e4,
        fit_intercept: bool = True,
        copy_X: bool = True,
        verbose: bool = False,
    ) -> None:
        self.max_iter = max_iter
        self.tol = tol
        self.alpha_1 = alpha_1
        self.alpha_2 = alpha_2
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.compute_score = compute_score
        self.threshold_lambda = threshold_lambda
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.verbose = verbose

    def _learn_centred(self, facts: CentredRows) -> None:
        p = len(facts.x_mean)
        alpha, lam, kept = facts.first_alpha, np.ones(p), np.ones(p, dtype=bool)
        scores: list[float] = []
        settled, before = False, np.zeros(p)
        for step in range(int(self.max_iter)):
            sigma, coef = _posterior(facts, alpha, lam, kept)
            squares = facts.residual_squares(coef)
            gamma = np.clip(1.0 - lam[kept] * np.diag(sigma), _LEAST, 1.0)  # but for rounding
            lam[kept] = (gamma + 2.0 * self.lambda_1) / (coef[kept] ** 2 + 2.0 * self.lambda_2)
            alpha = (facts.n - float(gamma.sum()) + 2.0 * self.alpha_1) / (
                squares + 2.0 * self.alpha_2
            )
            kept = lam < self.threshold_lambda
            coef[~kept] = 0.0
            if self.compute_score:
                scores.append(self._score_of(facts.n, alpha, lam, sigma, coef, squares))
            settled = step > 0 and float(np.abs(before - coef).sum()) < self.tol
            if settled or not kept.any():
                break
            before = coef
        self.n_iter_, self.scores_ = step + 1, scores
        self.sigma_, coef = _posterior(facts, alpha, lam, kept)
        self.alpha_, self.lambda_ = alpha, lam
        self._store_posterior(facts, coef)
        self._warn_unless_settled(settled or not kept.any())

    def _score_of(
        self, n: float, alpha: float, lam: Array, sigma: Array, coef: Array, squares: float
    ) -> float:
        """The log of the evidence and of the priors, but for a constant."""
        score = float((self.lambda_1 * np.log(lam) - self.lambda_2 * lam).sum())
        score += self.alpha_1 * log(alpha) - self.alpha_2 * alpha
        fit = float(np.linalg.slogdet(sigma)[1]) + n * log(alpha) + float(np.log(lam).sum())
        return score + 0.5 * (fit - alpha * squares - float((lam * coef**2).sum()))

    def _spread(self, rows: Array) -> Array:
        kept = self.lambda_ < self.threshold_lambda
        centred = (rows - self.X_offset_)[:, kept]
        return np.asarray((product_of_rows(centred, self.sigma_) * centred).sum(axis=1))


def _posterior(facts: CentredRows, alpha: float, lam: Array, kept: Array) -> tuple[Array, Array]:
    """Covariance of the kept coefficients, Σ = (αXᵀX + Λ)⁻¹, and the mean of all, αΣXᵀy.

    As Λ^(−½)(I + αΛ^(−½)XᵀXΛ^(−½))⁻¹Λ^(−½), whose bracket has no eigenvalue below 1.
    """
    coef = np.zeros(len(lam))
    if not kept.any():
        return np.zeros((0, 0)), coef
    scale = 1.0 / np.sqrt(lam[kept])
    x = (facts.x if kept.all() else facts.x[:, kept]) * scale
    inner = alpha * (x.T @ x)
    inner.flat[:: len(inner) + 1] += 1.0
    inverse = interruptible(_inverse, inner)
    coef[kept] = alpha * scale * (inverse @ (x.T @ facts.y))
    return inverse * scale * scale[:, None], coef


def _inverse(matrix: Array) -> Array:
    """The inverse of a symmetric matrix that has no eigenvalue below 1, but for rounding."""
    from scipy.linalg import cho_factor, cho_solve

    try:
        factor = cho_factor(matrix, lower=True, check_finite=False)
    except np.linalg.LinAlgError:  # a precision of the noise so large that 1 is lost beside it
        values, vectors = np.linalg.eigh(matrix)
        return np.asarray((vectors / np.maximum(values, 1.0)) @ vectors.T)
    return np.asarray(cho_solve(factor, np.eye(len(matrix)), check_finite=False))
