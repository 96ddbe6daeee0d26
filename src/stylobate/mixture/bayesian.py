"""Gaussian mixtures with priors, by variational inference."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Options, RandomState
from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.mixture.base import GaussianComponents
from stylobate.mixture.expectation_maximization import FLOOR
from stylobate.mixture.gaussian import log_heights
from stylobate.mixture.parameters import (
    Components,
    Covariances,
    FirstMemberships,
    Iterations,
    Matrix,
    NotNegative,
    Positive,
    Starts,
    Vector,
    Verbose,
    given_array,
)
from stylobate.mixture.priors import Dirichlet, NormalWishart, StickBreaking, log_wishart_norm
from stylobate.statistics import MixtureAt, MixtureSums, Moments

if TYPE_CHECKING:
    from stylobate.statistics import Source


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Parameters of the distribution of a mixture's parameters."""

    weight_concentration: Any
    mean_precision: Array
    means: Array
    degrees_of_freedom: Array
    covariances: Array
    precisions_cholesky: Array


class BayesianGaussianMixture(GaussianComponents[Posterior]):
    r"""A Gaussian mixture with priors: components that rows do not ask for fade.

    Weights come from a Dirichlet process or distribution, means and precisions from a normal and a
    Wishart distribution:

    .. math:: m_c \mid \Lambda_c \sim N\big(m_0, (\beta_0 \Lambda_c)^{-1}\big), \qquad
              \Lambda_c \sim W(\nu_0, (\nu_0 \Sigma_0)^{-1})

    Their posterior is approximated by independent factors, whose lower bound of the evidence no
    iteration lowers.

    Parameters
    ----------
    n_components : int in [1, inf), default=1
        Components at most.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        As in `GaussianMixture`.
    tol, reg_covar : float in [0, inf), default=1e-3 and 1e-6
        As in `GaussianMixture`; `tol` is of the lower bound.
    max_iter : int in [0, inf), default=100
        Iterations at most.
    n_init : int in [1, inf), default=1
        Starts, of which the best is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        First memberships.
    weight_concentration_prior_type : {"dirichlet_process", "dirichlet_distribution"}, \
default="dirichlet_process"
        Prior of the weights.
    weight_concentration_prior : float in (0, inf) or None, default=None
        Its concentration: small ones leave few components; 1 / n_components by default.
    mean_precision_prior : float in (0, inf) or None, default=None
        β₀; 1 by default.
    mean_prior : array-like of shape (n_features,) or None, default=None
        m₀; the mean of the rows by default.
    degrees_of_freedom_prior : float in (n_features − 1, inf) or None, default=None
        ν₀; n_features by default.
    covariance_prior : array-like or float or None, default=None
        Σ₀, in the shape of one component's covariance; that of the rows by default.
    random_state : int, RandomState or None, default=None
        Seed of the starts and of `sample`.
    warm_start : bool, default=False
        Whether a further `fit` goes on from the last.
    verbose : int in [0, inf), default=0
        1 prints starts and iterations, 2 times as well.
    verbose_interval : int in [1, inf), default=10
        Iterations between prints.

    Attributes
    ----------
    weights_, means_, covariances_, precisions_, precisions_cholesky_ : arrays
        As in `GaussianMixture`, means under the posterior.
    weight_concentration_ : array of shape (n_components,), or two of them
        Of the Dirichlet distribution, or of the beta distributions of the process.
    mean_precision_, degrees_of_freedom_ : arrays
        β and ν of the posterior.
    weight_concentration_prior_, mean_precision_prior_, mean_prior_, degrees_of_freedom_prior_, \
covariance_prior_
        The priors used.
    converged_, n_iter_, lower_bound_, lower_bounds_, trace_, certificate_
        As in `GaussianMixture`, of the lower bound of the evidence (up to a constant).
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, size=(200, 2)), rng.normal(9, 1, size=(200, 2))])
    >>> model = BayesianGaussianMixture(n_components=4, random_state=0, max_iter=1000).fit(X)
    >>> int((model.weights_ > 0.01).sum())
    2

    References
    ----------
    Bishop (2006), Pattern Recognition and Machine Learning, chapter 10. Blei & Jordan (2006),
    Variational inference for Dirichlet process mixtures, Bayesian Analysis 1.
    """

    def __init__(
        self,
        *,
        n_components: Components = 1,
        covariance_type: Covariances = "full",
        tol: NotNegative = 1e-3,
        reg_covar: NotNegative = 1e-6,
        max_iter: Iterations = 100,
        n_init: Starts = 1,
        init_params: FirstMemberships = "kmeans",
        weight_concentration_prior_type: Annotated[
            str, Options("dirichlet_process", "dirichlet_distribution")
        ] = "dirichlet_process",
        weight_concentration_prior: Positive | None = None,
        mean_precision_prior: Positive | None = None,
        mean_prior: Vector | None = None,
        degrees_of_freedom_prior: Positive | None = None,
        covariance_prior: Positive | Vector | Matrix | None = None,
        random_state: RandomState = None,
        warm_start: bool = False,
        verbose: Verbose = 0,
        verbose_interval: Starts = 10,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weight_concentration_prior_type = weight_concentration_prior_type
        self.weight_concentration_prior = weight_concentration_prior
        self.mean_precision_prior = mean_precision_prior
        self.mean_prior = mean_prior
        self.degrees_of_freedom_prior = degrees_of_freedom_prior
        self.covariance_prior = covariance_prior
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval

    _objective = "−E log p(X, Z, π, m, Λ) + E log q(Z, π, m, Λ), up to a constant"

    # --- priors ---------------------------------------------------------------------------------

    def _prepare(self, source: Source) -> None:
        p, owner = source.n_features, type(self).__name__
        moments = None
        if self.mean_prior is None or self.covariance_prior is None:
            moments = source.compute(Moments)
        concentration = self.weight_concentration_prior
        self.weight_concentration_prior_ = (
            1.0 / self.n_components if concentration is None else concentration
        )
        pull = self.mean_precision_prior
        self.mean_precision_prior_ = 1.0 if pull is None else pull
        if self.mean_prior is None:
            self.mean_prior_ = moments.mean[:p]  # type: ignore[union-attr]
        else:
            self.mean_prior_ = given_array(self.mean_prior, (p,), "means", owner)
        freedom = self.degrees_of_freedom_prior
        if freedom is not None and freedom <= p - 1.0:
            raise InvalidParameterError(
                f"{owner}: The parameter 'degrees_of_freedom_prior' should be greater than "
                f"{p - 1}, but got {freedom:.3f}."
            )
        self.degrees_of_freedom_prior_ = p if freedom is None else freedom
        self.covariance_prior_ = self._covariance_prior(p, moments)

    def _check_loaded(self) -> None:
        """Refuse weights of a file for other components than it has."""
        super()._check_loaded()
        if "means_" not in vars(self):
            return
        found: Any = vars(self).get("weight_concentration_")
        for each in found if isinstance(found, tuple) and len(found) == 2 else (found,):
            if getattr(each, "shape", None) != self.weights_.shape or each.dtype.kind != "f":
                raise ModelFileError(
                    "The BayesianGaussianMixture of the file lacks weights of its components."
                )
        given: Any = vars(self).get("covariance_prior_")
        prior, p = np.shape(given), self.means_.shape[1]
        if prior != {"spherical": (), "diag": (p,)}.get(self._type.name, (p, p)):
            raise ModelFileError(
                f"The BayesianGaussianMixture of the file has a covariance_prior_ of shape {prior}."
            )

    def _covariance_prior(self, p: int, moments: Moments | None) -> Any:
        kind = self._type
        if self.covariance_prior is None:
            assert moments is not None  # computed above for this
            scatter = moments.scatter[:p, :p] / max(moments.weight - 1.0, np.finfo(float).tiny)
            variances = np.diagonal(scatter).copy()
            found = {"diag": variances, "spherical": float(variances.mean())}
            return found.get(kind.name, scatter)
        name, owner = f"{kind.name} covariance_prior", type(self).__name__
        if kind.name == "spherical":
            return float(given_array([self.covariance_prior], (1,), name, owner)[0])
        shape = (p,) if kind.diagonal else (p, p)
        prior = given_array(self.covariance_prior, shape, name, owner)
        kind.check_positive(prior)
        return prior

    @property
    def _weight_prior(self) -> Any:
        process = self.weight_concentration_prior_type == "dirichlet_process"
        return (StickBreaking if process else Dirichlet)(self.weight_concentration_prior_)

    @property
    def _prior(self) -> NormalWishart:
        return NormalWishart(
            self.mean_prior_,
            self.mean_precision_prior_,
            self.degrees_of_freedom_prior_,
            self.covariance_prior_,
        )

    # --- inference ------------------------------------------------------------------------------

    def _maximized(self, sums: MixtureSums) -> Posterior:
        counts, means, prior = sums.weight + FLOOR, sums.means(FLOOR), self._prior
        scatter = self._type.covariances(sums, counts, means, self.reg_covar)
        precision, moved = prior.means(counts, means)
        freedom, covariances = prior.covariances(self._type, counts, means, scatter)
        concentration = self._weight_prior.posterior(counts)
        cholesky = self._type.cholesky(covariances)
        return Posterior(concentration, precision, moved, freedom, covariances, cholesky)

    def _at(self, parameters: Posterior) -> MixtureAt:
        from scipy.special import digamma

        k, p = parameters.means.shape
        cholesky, freedom = parameters.precisions_cholesky, parameters.degrees_of_freedom
        digammas = digamma(0.5 * (freedom - np.arange(p)[:, None])).sum(axis=0)
        log_lambda = p * log(2.0) + digammas
        bias = (
            self._weight_prior.log_weights(parameters.weight_concentration)
            + log_heights(self._type, cholesky, p)
            - 0.5 * p * np.log(freedom)
            + 0.5 * (log_lambda - p / parameters.mean_precision)
        )
        return MixtureAt(bias, parameters.means, self._type.factors(cholesky, k, p))

    def _bound(self, sums: MixtureSums, parameters: Posterior) -> float:
        p, freedom = parameters.means.shape[1], parameters.degrees_of_freedom
        log_det = self._type.log_det(parameters.precisions_cholesky, p) - 0.5 * p * np.log(freedom)
        norms = log_wishart_norm(freedom, log_det, p)
        shared = self.n_components if self._type.name == "tied" else 1
        return float(
            sums.entropy
            - shared * norms.sum()
            - self._weight_prior.log_norm(parameters.weight_concentration)
            - 0.5 * p * np.log(parameters.mean_precision).sum()
        )

    def _parameters(self) -> Posterior:
        return Posterior(
            self.weight_concentration_,
            self.mean_precision_,
            self.means_,
            np.asarray(self.degrees_of_freedom_),
            self.covariances_,
            self.precisions_cholesky_,
        )

    def _store(self, parameters: Posterior, precision: Any) -> None:
        self.weight_concentration_ = parameters.weight_concentration
        self.mean_precision_ = parameters.mean_precision
        self.means_ = parameters.means
        freedom = parameters.degrees_of_freedom
        self.degrees_of_freedom_ = freedom if freedom.ndim else float(freedom)
        self.covariances_ = parameters.covariances
        self.precisions_cholesky_ = parameters.precisions_cholesky
        self.weights_ = self._weight_prior.weights(parameters.weight_concentration)
        self.precisions_ = self._type.precisions(parameters.precisions_cholesky)
