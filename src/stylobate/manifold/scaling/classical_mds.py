"""Classical multidimensional scaling (principal coordinates)."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, Tags, TransformerMixin
from stylobate.base.constraints import CallableObject, Instance
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.decomposition.centred_matrix import (
    CentredMatrix,
    EigenRequest,
    leading_pairs,
    warn_slow,
)
from stylobate.decomposition.pca import PCA
from stylobate.decomposition.spectrum import signed
from stylobate.distances import Metric
from stylobate.exceptions import StylobateWarning
from stylobate.manifold.scaling.dissimilarities import (
    checked_dissimilarities,
    dissimilarities_between,
)
from stylobate.manifold.scaling.negative_eigenvalues import is_exact, negative_share, verdict_of
from stylobate.parallel import join_threadpoolctl, product_of_rows

_EUCLIDEAN = ("euclidean", "l2")
_TOLERANCE = 1e-12  # relative residual of iterations
_ZERO = 1e-12  # eigenvalues below this share of the largest have no direction


class ClassicalMDS(TransformerMixin, BaseEstimator):
    r"""Points whose distances are the dissimilarities, as nearly as a few dimensions allow.

    .. math:: B = -\tfrac12 HD^2H = UΛU^\top,\qquad Z = U_k Λ_k^{1/2}

    with :math:`H = I - \frac1n 11^T`. On Euclidean distances of rows these are the scores of their
    principal components, and computed so: no matrix of distances is made. Of others the leading
    eigenpairs are found by products with D² alone. Dissimilarities that no points can have give
    negative eigenvalues: coordinates of a component with one are 0, and `verdict_` tells how much
    is lost.

    Parameters
    ----------
    n_components : int in [1, inf), default=2
        k.
    metric : str, Metric or callable, default="euclidean"
        As `pairwise_distances` takes it; "precomputed": X is a matrix, see ``matrix``.
    metric_params : dict or None, default=None
        Parameters of the metric.
    matrix : {"distances", "squared_distances", "similarities"}, default="distances"
        What a precomputed X holds; similarities s are taken as inner products,
        :math:`d_{ij}^2 = s_{ii} + s_{jj} - 2s_{ij}`.

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
        Z; of each column the entry of largest size is positive.
    eigenvalues_ : array of shape (n_components,)
        Λ: squared lengths of the columns of Z where positive.
    negative_share_ : float
        Share of negative eigenvalues in the sum of absolute eigenvalues; computed when asked for,
        beyond 1,500 points as an estimate.
    verdict_ : str
        The same in words.
    dissimilarity_matrix_ : array of shape (n, n)
        Computed when asked for if the metric is Euclidean.
    certificate_ : ComponentCertificate
        A bound for the error of each eigenpair.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> places = np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 4.0], [0.0, 4.0]])
    >>> distances = np.linalg.norm(places[:, None] - places, axis=2)
    >>> model = ClassicalMDS(metric="precomputed").fit(distances)
    >>> model.eigenvalues_.round(6), model.verdict_[:9]
    (array([16.,  9.]), 'Euclidean')
    >>> np.linalg.norm(model.embedding_[0] - model.embedding_[2]).round(6)
    np.float64(5.0)

    References
    ----------
    Torgerson (1952), Multidimensional scaling: I. Theory and method, Psychometrika 17. Gower
    (1966), Some distance properties of latent root and vector methods, Biometrika 53. Gower (1968),
    Adding a point to vector diagrams in multivariate analysis, Biometrika 55.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        metric: str
        | Annotated[Any, Instance(Metric)]
        | Annotated[Any, CallableObject()] = "euclidean",
        metric_params: Annotated[Any, Instance(dict)] | None = None,
        matrix: Annotated[
            str, Options("distances", "squared_distances", "similarities")
        ] = "distances",
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.metric_params = metric_params
        self.matrix = matrix

    def _tags(self) -> Tags:
        return super()._tags().but(pairwise=self._given)

    @property
    def _given(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def _euclidean(self) -> bool:
        return isinstance(self.metric, str) and self.metric in _EUCLIDEAN and not self.metric_params

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    # --- learning -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Place the points.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features) or (n, n)
            Rows, or the precomputed matrix.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Place the points and return their coordinates.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        table = self._learn(X)
        return self._wrap(self.embedding_, table)

    def _learn(self, X: Any) -> Table:
        self._check_parameters()
        join_threadpoolctl()
        table = self._read(X, reset=True)
        for name in ("_dissimilarities", "_negative_share"):
            vars(self).pop(name, None)
        if self._euclidean:
            self._learn_rows(np.asarray(table.x, dtype=np.float64))
        else:
            self._learn_matrix(table)
        return table

    def _learn_rows(self, rows: Array) -> None:
        """Principal components: the same points, without the distances."""
        k = min(self.n_components, len(rows))
        model = PCA(min(k, *rows.shape), tol=_TOLERANCE, random_state=0).fit(rows)
        scores = (rows - model.mean_) @ model.components_.T
        flips = _flips(scores)
        self.embedding_, self.eigenvalues_ = np.zeros((len(rows), k)), np.zeros(k)
        self.embedding_[:, : len(flips)] = scores * flips
        self.eigenvalues_[: len(flips)] = model.singular_values_**2
        self.certificate_ = model.certificate_
        self._axes, self._centre = model.components_ * flips[:, None], model.mean_
        self.X_fit_ = rows.copy()

    def _learn_matrix(self, table: Table) -> None:
        inner = self._given and self.matrix == "similarities"
        if self._given:
            given = checked_dissimilarities(table.x, "ClassicalMDS", signed=inner)
        else:
            given = dissimilarities_between(table.x, None, self.metric, self.metric_params)
            self.X_fit_ = table.x.copy()
        self._dissimilarities = self._distances(given)
        centred = self._centred(given)
        k = min(self.n_components, centred.order)
        request = EigenRequest(tol=_TOLERANCE)
        found = leading_pairs(centred, k, request, np.random.RandomState(0))
        if not found.pairs.converged:
            warn_slow("ClassicalMDS", found.pairs)
        self.eigenvalues_ = found.pairs.values
        vectors = signed(found.pairs.vectors.T).T
        self.embedding_ = np.ascontiguousarray(vectors * np.sqrt(np.maximum(found.pairs.values, 0)))
        self.square_means_ = -2.0 * centred.column_means
        largest = max(float(self.eigenvalues_.max()), 0.0)
        self.certificate_ = found.certificate(self.eigenvalues_, np.arange(k), largest)
        _warn_negative(self.eigenvalues_, largest)

    def _squares(self, given: Array) -> Array:
        return given if self._given and self.matrix == "squared_distances" else given * given

    def _centred(self, given: Array) -> CentredMatrix:
        if not self._given or self.matrix == "distances":
            return CentredMatrix.of_distances(given)
        return CentredMatrix.stored(given if self.matrix == "similarities" else -0.5 * given)

    def _distances(self, given: Array) -> Array:
        if not self._given or self.matrix == "distances":
            return given
        if self.matrix == "squared_distances":
            return np.sqrt(given)
        diagonal = np.diag(given)
        return np.sqrt(np.maximum(diagonal[:, None] + diagonal - 2.0 * given, 0.0))

    # --- what follows from it -------------------------------------------------------------------

    @property
    def dissimilarity_matrix_(self) -> Array:
        """Dissimilarities of all pairs of points."""
        self._check_fitted()
        known = getattr(self, "_dissimilarities", None)
        return (
            dissimilarities_between(self.X_fit_, None, "euclidean", None)
            if known is None
            else known
        )

    @property
    def negative_share_(self) -> float:
        """Share of negative eigenvalues in the sum of absolute ones."""
        self._check_fitted()
        if not hasattr(self, "_dissimilarities"):
            return 0.0
        if not hasattr(self, "_negative_share"):
            self._negative_share = negative_share(CentredMatrix.of_distances(self._dissimilarities))
        return self._negative_share

    @property
    def verdict_(self) -> str:
        """Whether points can have these dissimilarities, in words."""
        known = getattr(self, "_dissimilarities", None)
        exact = known is None or is_exact(len(known))
        return verdict_of(self.negative_share_, exact=exact)

    def transform(self, X: Any) -> Any:
        r"""Place new points among the known ones (Gower's formula).

        .. math:: z = \tfrac12 Λ^{-1/2} U^\top(\bar d^2 - d^2(x))

        Parameters
        ----------
        X : array-like or data frame of shape (m, n_features) or (m, n)
            Rows; for "precomputed" what ``matrix`` says, to the n points of the fit.

        Returns
        -------
        array or frame of shape (m, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        if self._euclidean:
            placed = np.zeros((table.x.shape[0], self._n_features_out))
            placed[:, : len(self._axes)] = product_of_rows(table.x - self._centre, self._axes.T)
            return self._wrap(placed, table)
        if self._given:
            given = np.asarray(table.x, dtype=np.float64)
        else:
            given = dissimilarities_between(table.x, self.X_fit_, self.metric, self.metric_params)
        inner = self._given and self.matrix == "similarities"
        against = (
            given + 0.5 * self.square_means_ if inner else self.square_means_ - self._squares(given)
        )
        scale = np.where(self._has_direction, self.eigenvalues_, 1.0)
        axes = np.where(self._has_direction, self.embedding_ / scale, 0.0)
        placed = product_of_rows(against if inner else 0.5 * against, axes - axes.mean(axis=0))
        return self._wrap(placed, table)

    @property
    def _has_direction(self) -> Array:
        return np.asarray(self.eigenvalues_ > _ZERO * max(float(self.eigenvalues_.max()), 0.0))


def _flips(scores: Array) -> Array:
    """Signs that make the entry of largest size of each column positive."""
    at = np.argmax(np.abs(scores), axis=0)
    signs = np.sign(scores[at, np.arange(scores.shape[1])])
    return np.where(signs == 0, 1.0, signs)


def _warn_negative(values: Array, largest: float) -> None:
    below = int(np.count_nonzero(values < -1e-8 * max(largest, np.finfo(float).tiny)))
    if below:
        warnings.warn(
            f"ClassicalMDS: the dissimilarities are not Euclidean, and {below} of the "
            f"{len(values)} components asked for have negative eigenvalues: their coordinates "
            "are 0. Take fewer components; verdict_ tells how much is lost.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
