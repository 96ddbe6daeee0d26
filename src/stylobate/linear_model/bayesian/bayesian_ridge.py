"""Ridge regression whose penalty is learnt from the data."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, pi
from typing import Annotated

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval
from stylobate.interrupts import interruptible
from stylobate.linear_model.bayesian.posterior import CentredRows, NormalPosterior


class BayesianRidge(NormalPosterior):
    r"""Ridge regression with normal priors, whose two precisions maximise the evidence.

    .. math:: y \sim N(Xw + b,\; α^{-1}I),\qquad w \sim N(0,\; λ^{-1}I)

    The penalty of ridge regression is λ/α. Both come from moments of the rows: one pass, streams
    and merged parts included, then one eigendecomposition whatever the number of steps.

    Parameters
    ----------
    max_iter : int in [1, inf), default=300
        Steps at most.
    tol : float in (0, inf), default=1e-3
        Change of the coefficients (sum of absolute values) at which steps end.
    alpha_1, alpha_2 : float in [0, inf), default=1e-6
        Shape and rate of the Gamma prior of α.
    lambda_1, lambda_2 : float in [0, inf), default=1e-6
        Shape and rate of the Gamma prior of λ.
    alpha_init : float in [0, inf), optional
        α to start from; None: 1 / Var(y).
    lambda_init : float in [0, inf), optional
        λ to start from; None: 1.
    compute_score : bool, default=False
        Whether to keep the log of the evidence at each step in `scores_`.
    fit_intercept : bool, default=True
        Whether to fit b, which has no prior.
    copy_X : bool, default=True
        Accepted for compatibility; X is never written to.
    verbose : bool, default=False
        Accepted for compatibility.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        The posterior's mean.
    intercept_ : float
    alpha_, lambda_ : float
        Precisions of the noise and of the coefficients.
    sigma_ : array of shape (n_features, n_features)
        The posterior's covariance.
    scores_ : array of shape (n_iter_ + 1,)
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
    >>> X = rng.normal(size=(200, 3))
    >>> y = X @ [2.0, 0.0, -1.0] + rng.normal(size=200) / 2
    >>> model = BayesianRidge().fit(X, y)
    >>> model.coef_.round(), round(1 / model.alpha_, 1)
    (array([ 2., -0., -1.]), 0.3)
    >>> mean, std = model.predict(X[:1], return_std=True)

    References
    ----------
    MacKay (1992), Bayesian interpolation, Neural Computation 4(3). Tipping (2001), Sparse Bayesian
    learning and the relevance vector machine, Journal of Machine Learning Research 1.
    """

    def __init__(
        self,
        *,
        max_iter: Annotated[int, Interval(1, inf)] = 300,
        tol: Annotated[float, Interval(0, inf, closed="neither")] = 1e-3,
        alpha_1: Annotated[float, Interval(0, inf)] = 1e-6,
        alpha_2: Annotated[float, Interval(0, inf)] = 1e-6,
        lambda_1: Annotated[float, Interval(0, inf)] = 1e-6,
        lambda_2: Annotated[float, Interval(0, inf)] = 1e-6,
        alpha_init: Annotated[float, Interval(0, inf)] | None = None,
        lambda_init: Annotated[float, Interval(0, inf)] | None = None,
        compute_score: bool = False,
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
        self.alpha_init = alpha_init
        self.lambda_init = lambda_init
        self.compute_score = compute_score
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.verbose = verbose

    def _learn_centred(self, facts: CentredRows) -> None:
        spectrum = _Spectrum.of(facts)
        alpha = facts.first_alpha if self.alpha_init is None else float(self.alpha_init)
        lam = 1.0 if self.lambda_init is None else float(self.lambda_init)
        scores: list[float] = []
        settled, before = False, np.full(len(facts.x_mean), np.nan)
        coef, squares = spectrum.mean(lam / alpha)
        for step in range(int(self.max_iter)):
            if self.compute_score:
                scores.append(self._score_of(spectrum, alpha, lam, coef, squares))
            gamma = float((alpha * spectrum.values / (lam + alpha * spectrum.values)).sum())
            lam = (gamma + 2.0 * self.lambda_1) / (float(coef @ coef) + 2.0 * self.lambda_2)
            alpha = (facts.n - gamma + 2.0 * self.alpha_1) / (squares + 2.0 * self.alpha_2)
            settled = step > 0 and float(np.abs(before - coef).sum()) < self.tol
            if settled:
                break
            before = coef
            coef, squares = spectrum.mean(lam / alpha)
        coef, squares = spectrum.mean(lam / alpha)
        if self.compute_score:
            scores.append(self._score_of(spectrum, alpha, lam, coef, squares))
        self.scores_ = np.array(scores)
        self.n_iter_ = step + 1
        self.alpha_, self.lambda_ = alpha, lam
        self.sigma_ = spectrum.covariance(alpha, lam)
        self._store_posterior(facts, coef)
        self._warn_unless_settled(settled)

    def _score_of(
        self, spectrum: _Spectrum, alpha: float, lam: float, coef: Array, squares: float
    ) -> float:
        """The log of the evidence and of the priors."""
        n, p = spectrum.facts.n, len(coef)
        score = self.lambda_1 * log(lam) - self.lambda_2 * lam
        score += self.alpha_1 * log(alpha) - self.alpha_2 * alpha
        log_det = -float(np.log(lam + alpha * spectrum.values).sum())
        fit = p * log(lam) + n * log(alpha) - alpha * squares - lam * float(coef @ coef)
        return score + 0.5 * (fit + log_det - n * log(2 * pi))


@dataclass(frozen=True, slots=True, eq=False)
class _Spectrum:
    """Eigenvalues and vectors of XᵀX: the answer at any penalty is one product."""

    facts: CentredRows
    values: Array
    vectors: Array
    turned: Array

    @classmethod
    def of(cls, facts: CentredRows) -> _Spectrum:
        left, roots, vectors = interruptible(np.linalg.svd, facts.x, full_matrices=False)
        return cls(facts, roots**2, vectors.T, roots * (left.T @ facts.y))

    def mean(self, penalty: float) -> tuple[Array, float]:
        """The ridge solution at a penalty, and its sum of squared residuals."""
        slopes = np.divide(
            self.turned,
            self.values + penalty,
            out=np.zeros_like(self.turned),
            where=self.values + penalty > 0,
        )
        coef = self.vectors @ slopes
        return coef, self.facts.residual_squares(coef)

    def covariance(self, alpha: float, lam: float) -> Array:
        """(αG + λI)⁻¹."""
        return np.asarray((self.vectors / (alpha * self.values + lam)) @ self.vectors.T)
