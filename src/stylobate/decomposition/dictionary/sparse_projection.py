"""From rows to scores on sparse components and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.base.sources import memory_source
from stylobate.decomposition.dictionary.coding import packed
from stylobate.decomposition.projection import centred_map, projected, read_scores, wrap_rows
from stylobate.splits.splitter import generator
from stylobate.statistics import ColumnMoments

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class SparseProjection(TransformerMixin, BaseEstimator):
    """For estimators with sparse ``components_``, ``mean_`` and ``ridge_alpha``."""

    if TYPE_CHECKING:
        components_: Any
        mean_: Any
        n_components: int | None
        ridge_alpha: float
        random_state: Any

        def _learn(self, columns: Array, count: int, draws: Any) -> Array: ...

    def _tags(self) -> Tags:
        return super()._tags().but(preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the sparse components.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        mean = memory_source(table).compute(ColumnMoments).mean
        count = table.n_features if self.n_components is None else self.n_components
        loadings = self._learn(packed((table.x - mean).T), count, generator(self.random_state))
        lengths = np.linalg.norm(loadings, axis=1)
        kind = table.x.dtype
        scale = np.where(lengths > 0.0, lengths, 1.0)[:, np.newaxis]
        self.components_ = (loadings / scale).astype(kind)
        self.mean_ = mean.astype(kind)
        self.n_components_ = len(self.components_)
        return self

    def transform(self, X: Any) -> Any:
        """The scores of rows: their ridge regression on the components.

        Sparse components are not orthogonal, so that products with them would count shared
        directions twice.

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
        kind = table.x.dtype
        scores = projected(table.x, self._regression().astype(kind), self.mean_.astype(kind))
        return self._wrap(scores, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        return centred_map(columns, self._regression(), self.mean_)

    def _regression(self) -> Array:
        """(VVᵀ + αI)⁻¹V, or with the pseudo-inverse where components depend on each other."""
        components = self.components_.astype(np.float64)
        gram = components @ components.T
        gram.flat[:: len(gram) + 1] += self.ridge_alpha
        try:
            np.linalg.cholesky(gram)
            return np.asarray(np.linalg.solve(gram, components))
        except np.linalg.LinAlgError:
            return np.asarray(np.linalg.pinv(gram, hermitian=True) @ components)

    def inverse_transform(self, X: Any) -> Any:
        """The rows that scores stand for.

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
        return wrap_rows(self, table.x @ self.components_ + self.mean_, table)
