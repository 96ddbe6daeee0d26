"""Factor analysis by maximum likelihood."""

from __future__ import annotations

import warnings
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Numbers, Options, RandomState, Tags, TransformerMixin
from stylobate.base.learning import LearnsFromStatistic
from stylobate.data.words import user_stacklevel
from stylobate.decomposition.factors.certificate import FactorCertificate
from stylobate.decomposition.factors.maximum_likelihood import (
    FactorSolution,
    exact_pairs,
    maximum_likelihood,
    subspace_pairs,
)
from stylobate.decomposition.factors.rotation import rotated_loadings
from stylobate.decomposition.gaussian_likelihood import GaussianLikelihood
from stylobate.decomposition.projection import centred_map, projected
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, joined
from stylobate.splits.splitter import generator
from stylobate.statistics import Moments, Source

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class FactorAnalysis(GaussianLikelihood, TransformerMixin, LearnsFromStatistic):
    r"""Few hidden factors that columns share, and noise of each column's own.

    .. math:: x = m + W^\top z + ε,\qquad z \sim N(0, I_k),\; ε \sim N(0, Ψ),\; Ψ \text{ diagonal}

    Where `PCA` looks for variance, factors explain covariances: a noisy column gets a large ψ and
    does not draw a factor to itself. The covariance of the columns is all that the likelihood
    needs: one pass over the rows, streams and merged parts included.

    Parameters
    ----------
    n_components : int in [0, inf), optional
        k; None: as many as columns.
    tol : float in [0, inf), default=1e-2
        Gain of the log-likelihood of all rows below which the steps end.
    copy : bool, default=True
        Accepted for compatibility; X is never written to.
    max_iter : int in [1, inf), default=1000
        Steps at most.
    noise_variance_init : array-like of shape (n_features,), optional
        Ψ to start from; None: ones.
    svd_method : {"randomized", "lapack"}, default="randomized"
        "lapack": all eigenvalues in each step. "randomized": for more than 200 columns the
        leading ones, by subspace iterations that go on from step to step.
    iterated_power : int in [0, inf), default=3
        Subspace iterations of a step.
    rotation : {"varimax", "quartimax"}, optional
        Rotation of the loadings; see `rotated_loadings`.
    random_state : int, RandomState or None, default=0
        Seed of the first directions of "randomized".

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        W, the loadings.
    noise_variance_ : array of shape (n_features,)
        Ψ.
    loglike_ : list of float
        Log-likelihood of all rows at each step.
    mean_ : array of shape (n_features,)
    n_iter_ : int
        Steps.
    certificate_ : FactorCertificate
        How far this is from a stationary point.
    statistic_ : Moments
        What `partial_fit` goes on from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> hidden = rng.normal(size=(2000, 1))
    >>> x = hidden @ [[2.0, 1.0, 1.0]] + rng.normal(size=(2000, 3)) * [1.0, 1.0, 3.0]
    >>> model = FactorAnalysis(1, tol=1e-8).fit(x)
    >>> np.abs(model.components_).round(1), np.sqrt(model.noise_variance_).round(1)
    (array([[2. , 1. , 1.1]]), array([0.9, 1. , 3. ]))

    References
    ----------
    Barber (2012), Bayesian Reasoning and Machine Learning, section 21.2. Rubin & Thayer (1982), EM
    algorithms for ML factor analysis, Psychometrika 47.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(0, inf)] | None = None,
        *,
        tol: Annotated[float, Interval(0, inf)] = 1e-2,
        copy: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        noise_variance_init: Annotated[Any, Numbers(0, inf, closed="neither")] | None = None,
        svd_method: Annotated[str, Options("randomized", "lapack")] = "randomized",
        iterated_power: Annotated[int, Interval(0, inf)] = 3,
        rotation: Annotated[str, Options("varimax", "quartimax")] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.tol = tol
        self.copy = copy
        self.max_iter = max_iter
        self.noise_variance_init = noise_variance_init
        self.svd_method = svd_method
        self.iterated_power = iterated_power
        self.rotation = rotation
        self.random_state = random_state

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass")

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    @property
    def _takes_statistic(self) -> bool:
        return True

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find the factors.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows; or rows that are read on request.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), optional
            How often each row counts: integers are repetitions.

        Returns
        -------
        self
        """
        return super().fit(X, None, sample_weight)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learn from more rows, as if they and all rows so far had been given to `fit`.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        self
        """
        return super().partial_fit(X, None, sample_weight)

    def _learn(self, source: Source) -> None:
        moments = source.compute(Moments)
        covariance = moments.xx / moments.weight
        p = len(covariance)
        k = p if self.n_components is None else int(self.n_components)
        pairs = (
            exact_pairs(k)
            if self.svd_method == "lapack"
            else subspace_pairs(p, k, self.iterated_power, generator(self.random_state))
        )
        found = maximum_likelihood(
            covariance,
            float(moments.weight),
            k,
            self._first_noise(p),
            pairs,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self._store(found, moments, covariance)

    def _first_noise(self, p: int) -> Array:
        if self.noise_variance_init is None:
            return np.ones(p)
        noise = np.array(self.noise_variance_init, dtype=np.float64)
        if noise.shape != (p,) or not (noise > 0.0).all():
            raise InvalidDataError(
                f"FactorAnalysis: noise_variance_init must be {p} positive numbers, one for each "
                f"column, got shape {noise.shape}."
            )
        return noise

    def _store(self, found: FactorSolution, moments: Moments, covariance: Array) -> None:
        self.mean_ = moments.x_mean.copy()
        self.components_ = found.loadings
        if self.rotation is not None and len(found.loadings):
            turned, _ = rotated_loadings(found.loadings.T, self.rotation)
            self.components_ = np.ascontiguousarray(turned.T)
        self.noise_variance_ = found.noise
        self.loglike_ = found.loglike
        self.n_iter_ = len(found.loglike)
        self.certificate_ = FactorCertificate.of(covariance, found)
        self.statistic_ = moments
        if not found.converged:
            warnings.warn(
                "FactorAnalysis: FactorAnalysis did not converge. You might want to increase the "
                f"number of iterations (max_iter={self.max_iter}), or tol: the last step gained "
                f"{self.certificate_.last_gain:.2g} of log-likelihood, tol is {self.tol:g}.",
                joined(ConvergenceWarning),
                stacklevel=user_stacklevel(),
            )

    # --- the model ------------------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        r"""The expected factors of rows, :math:`E(z|x) = (I + WΨ^{-1}W^\top)^{-1}WΨ^{-1}(x - m)`.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(projected(table.x, self._regression(), self.mean_), table)

    def _regression(self) -> Array:
        """Of the factors on the columns, k × p."""
        scaled = self.components_ / self.noise_variance_
        inner = np.eye(len(scaled)) + scaled @ self.components_.T
        return np.asarray(np.linalg.solve(inner, scaled))

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        return centred_map(columns, self._regression(), self.mean_)

    def get_covariance(self) -> Any:
        """The covariance of the model, W′W + Ψ.

        Returns
        -------
        array of shape (n_features, n_features)
        """
        self._check_fitted()
        covariance = self.components_.T @ self.components_
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        return covariance

    def get_precision(self) -> Any:
        """The inverse of `get_covariance`, by the matrix inversion lemma.

        Returns
        -------
        array of shape (n_features, n_features)
        """
        self._check_fitted()
        root = np.sqrt(self.noise_variance_)
        y = (self.components_ / root).T
        inner = np.eye(y.shape[1]) + y.T @ y
        precision = np.eye(len(y)) - y @ np.linalg.solve(inner, y.T)
        return precision / np.outer(root, root)
