"""Singular vectors of rows as they are, not centred: latent semantic analysis."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, RandomState, Tags, TransformerMixin
from stylobate.data import Table
from stylobate.decomposition.pca_solvers import MOST_PRODUCTS
from stylobate.decomposition.projection import projected, read_scores, wrap_rows
from stylobate.decomposition.spectrum import (
    Centre,
    multiplication,
    signed,
    subspace_eigenpairs,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize.eigenpairs import Eigenpairs, first_block, leading_eigenpairs
from stylobate.parallel import one_blas_thread
from stylobate.splits.splitter import generator
from stylobate.statistics import ColumnMoments

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class TruncatedSVD(TransformerMixin, BaseEstimator):
    r"""The k leading singular vectors of the rows, which are not centred and may be sparse.

    .. math:: X \approx U_k Σ_k V_k,\qquad z = V_k\,x

    On counts or tf-idf of texts this is latent semantic analysis.

    Parameters
    ----------
    n_components : int in [1, inf), default=2
        k.
    algorithm : {"arpack", "randomized"}, default="randomized"
        "arpack": to the last digit (here by block Krylov iteration); "randomized": a fixed number
        of steps.
    n_iter : int in [0, inf), default=5
        Steps of "randomized".
    n_oversamples : int in [1, inf), default=10
        Further directions of "randomized".
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        What keeps the directions of "randomized" apart between steps.
    random_state : int, RandomState or None, default=None
        Seed of the first directions.
    tol : float in [0, inf), default=0.0
        Relative residual at which "arpack" stops; 0: rounding.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        V; of each row the entry of largest size is positive.
    explained_variance_, explained_variance_ratio_ : arrays of shape (n_components,)
        Variances of the scores, and their shares of that of all columns.
    singular_values_ : array of shape (n_components,)
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0, 0.0, 2.0], [2.0, 0.0, 4.0], [0.0, 3.0, 0.0]])
    >>> model = TruncatedSVD(2, random_state=0).fit(x)
    >>> model.singular_values_.round(6)
    array([5., 3.])

    References
    ----------
    Halko, Martinsson & Tropp (2011), Finding structure with randomness, SIAM Review 53.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        algorithm: Annotated[str, Options("arpack", "randomized")] = "randomized",
        n_iter: Annotated[int, Interval(0, inf)] = 5,
        n_oversamples: Annotated[int, Interval(1, inf)] = 10,
        power_iteration_normalizer: Annotated[str, Options("auto", "QR", "LU", "none")] = "auto",
        random_state: RandomState = None,
        tol: Annotated[float, Interval(0, inf)] = 0.0,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the singular vectors.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._fitted_scores(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the singular vectors and return the scores.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        scores, table = self._fitted_scores(X)
        return self._wrap(scores, table)

    def transform(self, X: Any) -> Any:
        """The scores of rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(projected(table.x, self.components_), table)

    def inverse_transform(self, X: Any) -> Any:
        """The rows nearest to the data whose scores are X.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_components)
            Scores.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = read_scores(self, X)
        return wrap_rows(self, table.x @ self.components_, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import weighted

        return [weighted(columns, row) for row in self.components_]

    def _fitted_scores(self, X: Any) -> tuple[Any, Table]:
        self._check_parameters()
        table = self._read(X, reset=True)
        n, p = table.x.shape
        if p < 2:
            raise InvalidDataError(
                f"TruncatedSVD: Found array with {p} feature(s) (shape=({n}, {p})) while a minimum "
                "of 2 is required by TruncatedSVD."
            )
        self._refuse_count(n, p)
        values, components = self._pairs(table)
        kind = table.x.dtype
        self.components_ = components.astype(kind)
        self.singular_values_ = np.sqrt(values).astype(kind)
        scores = projected(table.x, self.components_)
        moments = self._source(table).compute(ColumnMoments)
        total = float((moments.length**2).sum()) / n
        self.explained_variance_ = np.var(scores, axis=0)
        self.explained_variance_ratio_ = self.explained_variance_ / (total if total > 0 else 1.0)
        return scores, table

    def _refuse_count(self, n: int, p: int) -> None:
        most = p if self.algorithm == "randomized" else min(n, p) - 1
        if self.n_components > most:
            what = (
                "n_features" if self.algorithm == "randomized" else "min(n_samples, n_features)-1"
            )
            raise InvalidParameterError(
                f"TruncatedSVD: n_components({self.n_components}) must be <= {what}({most})."
            )

    def _pairs(self, table: Table) -> tuple[Array, Array]:
        """The leading eigenpairs of XᵀX."""
        n, p = table.x.shape
        draws, k = generator(self.random_state), self.n_components
        multiply = multiplication(self._source(table), Centre(np.zeros(p), n, float(n), np.ones(p)))
        with one_blas_thread():
            if self.algorithm == "arpack":
                start = first_block(draws, p, k)
                found = leading_eigenpairs(
                    multiply, start, k, tol=self.tol, most_products=MOST_PRODUCTS
                )
            else:
                found = self._subspace_iteration(table, multiply, draws)
        return found.values, signed(found.vectors.T)

    def _subspace_iteration(self, table: Table, multiply: Any, draws: Any) -> Eigenpairs:
        n, p = table.x.shape
        k, size = self.n_components, self.n_components + self.n_oversamples
        normalizer = self.power_iteration_normalizer
        if normalizer == "auto":
            normalizer = "none" if self.n_iter <= 2 else "LU"
        steps = self.n_iter + (n >= p)
        block = draws.normal(size=(n if n < p else p, size))
        if n < p:
            block = np.asarray(table.x.T @ block)
        return subspace_eigenpairs(multiply, block, k, steps=steps, normalizer=normalizer)
