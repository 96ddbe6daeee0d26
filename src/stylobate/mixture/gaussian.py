"""Gaussian mixtures by expectation and maximisation."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import RandomState
from stylobate.mixture.base import GaussianComponents
from stylobate.mixture.covariance_types import CovarianceType
from stylobate.mixture.expectation_maximization import FLOOR
from stylobate.mixture.mixin import InformationCriteria
from stylobate.mixture.parameters import (
    Components,
    Covariances,
    Cube,
    FirstMemberships,
    Iterations,
    Matrix,
    NotNegative,
    Starts,
    Vector,
    Verbose,
    given_array,
    given_weights,
)
from stylobate.statistics import MixtureAt, MixtureSums

if TYPE_CHECKING:
    from stylobate.mixture.starts import Start
    from stylobate.statistics import Source


@dataclass(frozen=True, slots=True, eq=False)
class Gaussians:
    """Parameters of a Gaussian mixture."""

    weights: Array
    means: Array
    covariances: Array
    precisions_cholesky: Array


def log_heights(kind: CovarianceType, cholesky: Array, p: int) -> Array:
    """Logarithms of the densities at their means (k,), or of one for all."""
    return np.asarray(kind.log_det(cholesky, p) - 0.5 * p * log(2.0 * pi))


class GaussianMixture(InformationCriteria, GaussianComponents[Gaussians]):
    r"""A density that is a weighted sum of Gaussians, and the groups of rows it implies.

    .. math:: p(x) = \sum_{c=1}^{k} \pi_c \, N(x; m_c, \Sigma_c)

    Fitted by expectation and maximisation: each pass over the rows finds the probabilities
    :math:`r_{ic}` that row i came from component c and, in the same pass, the sums from which
    weights, means and covariances follow. No iteration lowers the likelihood; the end is a local
    maximum, which depends on the start.

    Parameters
    ----------
    n_components : int in [1, inf), default=1
        k.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        A matrix for each component, one for all, a variance for each component and column, or one
        for each component.
    tol : float in [0, inf), default=1e-3
        Stop when the mean log-likelihood changes by less.
    reg_covar : float in [0, inf), default=1e-6
        Added to the diagonals of covariances, so that no component collapses onto a point.
    max_iter : int in [0, inf), default=100
        Iterations at most.
    n_init : int in [1, inf), default=1
        Starts, of which the best is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        First memberships: those of k-means, of k rows spread out or drawn, or at random.
    weights_init, means_init, precisions_init : array-like or None, default=None
        Parameters to start from, in the shapes of ``weights_``, ``means_`` and ``precisions_``.
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
    weights_, means_ : arrays of shape (n_components,) and (n_components, n_features)
        π and m.
    covariances_, precisions_ : arrays
        Σ and their inverses, of shape (k, p, p), (p, p), (k, p) or (k,) by `covariance_type`.
    precisions_cholesky_ : array
        U with Λ = UUᵀ, upper triangular.
    converged_ : bool
        Whether `tol` was reached.
    n_iter_ : int
        Iterations of the best start.
    lower_bound_, lower_bounds_ : float and list of float
        The mean log-likelihood before the last step, and before each.
    trace_ : Trace
        The same with the sign turned, how far each step led, and seconds.
    certificate_ : Certificate
        The value at the answer and, as its KKT violation, how far a further step would lead. There
        is no bound of the global maximum: `proved` is False.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    BayesianGaussianMixture : With priors, under which superfluous components fade.
    choose_mixture : The number of components and the type by BIC or AIC.
    LatentClassMixture : Columns of numbers and categories, with missing cells.

    Notes
    -----
    Rows are read once per iteration, in memory or from a stream; a pass is repeated where a
    component jumped so far that its covariance would lose digits. Covariances are added up about
    the components' own means, so columns far from zero lose nothing.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> model = GaussianMixture(n_components=2, random_state=0).fit(X)
    >>> model.means_[model.means_[:, 0].argsort()].round(3)
    array([[ 1.,  2.],
           [10.,  2.]])
    >>> model.predict([[0, 0]]) == model.predict([[1, 3]])
    array([ True])

    References
    ----------
    Dempster, Laird & Rubin (1977), Maximum likelihood from incomplete data via the EM algorithm,
    Journal of the Royal Statistical Society B 39.
    """

    def __init__(
        self,
        n_components: Components = 1,
        *,
        covariance_type: Covariances = "full",
        tol: NotNegative = 1e-3,
        reg_covar: NotNegative = 1e-6,
        max_iter: Iterations = 100,
        n_init: Starts = 1,
        init_params: FirstMemberships = "kmeans",
        weights_init: Vector | Matrix | None = None,
        means_init: Matrix | None = None,
        precisions_init: Vector | Matrix | Cube | None = None,
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
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval

    def _prepare(self, source: Source) -> None:
        self._given(source.n_features)

    def _given(self, p: int) -> tuple[Array | None, Array | None, Array | None]:
        """Weights, means and precisions to start from, checked."""
        k, owner, kind = self.n_components, type(self).__name__, self._type
        weights = means = precisions = None
        if self.weights_init is not None:
            weights = given_weights(self.weights_init, k, owner)
        if self.means_init is not None:
            means = given_array(self.means_init, (k, p), "means", owner)
        if self.precisions_init is not None:
            name = f"{kind.name} precision"
            precisions = given_array(self.precisions_init, kind.shape(k, p), name, owner)
            kind.check_positive(precisions)
        return weights, means, precisions

    def _first(self, start: Start) -> Gaussians:
        weights, means, precisions = self._given(start.source.n_features)
        if weights is None or means is None or precisions is None:
            sums = start.sums(self.init_params)
            if weights is None:
                weights = (sums.weight + FLOOR) / sums.total
            own = sums.means(FLOOR)
            means = own if means is None else means
            if precisions is None:
                found = self._type.covariances(sums, sums.weight + FLOOR, own, self.reg_covar)
                return Gaussians(weights, means, found, self._type.cholesky(found))
        cholesky = self._type.cholesky_of_precisions(precisions)
        return Gaussians(weights, means, self._type.inverse(precisions), cholesky)

    def _at(self, parameters: Gaussians) -> MixtureAt:
        k, p = parameters.means.shape
        cholesky = parameters.precisions_cholesky
        with np.errstate(divide="ignore"):  # a component of weight 0 has no members
            bias = np.log(parameters.weights) + log_heights(self._type, cholesky, p)
        return MixtureAt(bias, parameters.means, self._type.factors(cholesky, k, p))

    def _maximized(self, sums: MixtureSums) -> Gaussians:
        counts, means = sums.weight + FLOOR, sums.means(FLOOR)
        found = self._type.covariances(sums, counts, means, self.reg_covar)
        return Gaussians(counts / counts.sum(), means, found, self._type.cholesky(found))

    def _bound(self, sums: MixtureSums, parameters: Gaussians) -> float:
        return sums.log_likelihood / sums.total

    def _parameters(self) -> Gaussians:
        learnt = (self.weights_, self.means_, self.covariances_, self.precisions_cholesky_)
        return Gaussians(*(np.asarray(each, dtype=np.float64) for each in learnt))

    def _store(self, parameters: Gaussians, precision: Any) -> None:
        def kept(array: Array) -> Array:
            return array.astype(precision, copy=False)

        self.weights_ = kept(parameters.weights)
        self.means_ = kept(parameters.means)
        self.covariances_ = kept(parameters.covariances)
        self.precisions_cholesky_ = kept(parameters.precisions_cholesky)
        self.precisions_ = kept(self._type.precisions(parameters.precisions_cholesky))

    def _n_parameters(self) -> int:
        """How many free parameters the mixture has."""
        k, p = self.means_.shape
        return int(self._type.count(k, p) + k * p + k - 1)
