"""From rows to scores and back: what estimators of linear components share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.data import Table, read_table, wrap_output
from stylobate.decomposition.gram_product import CHUNK_CELLS
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.interrupts import interruptible
from stylobate.optimize.row_products import row_products

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class PrincipalComponents(TransformerMixin, BaseEstimator):
    """For estimators with ``components_``, ``mean_``, ``explained_variance_``, ``whiten``."""

    if TYPE_CHECKING:
        components_: Any
        mean_: Any
        explained_variance_: Any
        noise_variance_: float
        n_components_: int
        whiten: bool

    def _tags(self) -> Tags:
        return super()._tags().but(preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def transform(self, X: Any) -> Any:
        """The scores: centred rows in the coordinates of the components.

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
        return self._wrap(self._scores(table), table)

    def _scores(self, table: Table) -> Any:
        scores = projected(table.x, self.components_, self.mean_)
        if self.whiten:
            scale = np.sqrt(self.explained_variance_)
            # components without variance: of the numbers left over nothing is to be blown up
            scores /= np.maximum(scale, np.finfo(scale.dtype).eps)
        return scores

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
        components = self.components_
        if self.whiten:
            components = np.sqrt(self.explained_variance_)[:, np.newaxis] * components
        return wrap_rows(self, table.x @ components + self.mean_, table)

    def get_covariance(self) -> Any:
        r"""The covariance of the probabilistic model, :math:`V^\top(Λ - σ^2I)V + σ^2I`.

        Returns
        -------
        array of shape (n_features, n_features)
        """
        self._check_fitted()
        components, above = self._model_parts()
        covariance = (components.T * above) @ components
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        return covariance

    def get_precision(self) -> Any:
        """The inverse of `get_covariance`, by the matrix inversion lemma.

        Returns
        -------
        array of shape (n_features, n_features)
        """
        from scipy import linalg

        self._check_fitted()
        noise = self.noise_variance_
        p = self.components_.shape[1]
        if self.n_components_ == 0:
            return np.eye(p) / noise
        if noise == 0.0:
            return self._inverse_covariance()
        components, above = self._model_parts()
        with np.errstate(divide="ignore"):
            small = components @ components.T / noise + np.diag(1.0 / above)
        if not np.isfinite(small).all():  # a component that varies no more than the noise
            return self._inverse_covariance()
        precision = components.T @ interruptible(linalg.inv, small) @ components / -(noise**2)
        precision.flat[:: p + 1] += 1.0 / noise
        return precision

    def _inverse_covariance(self) -> Any:
        try:
            return interruptible(np.linalg.inv, self.get_covariance())
        except np.linalg.LinAlgError:
            raise NumericalError(
                f"{type(self).__name__}: in some direction neither the components nor the noise "
                "vary, so the covariance has no inverse and rows have no density; keep fewer "
                "components, so that some variance is left for the noise."
            ) from None

    def _model_parts(self) -> tuple[Any, Any]:
        """The components, and how much each varies beyond the noise."""
        components, variances = self.components_, self.explained_variance_
        if self.whiten:
            components = components * np.sqrt(variances)[:, np.newaxis]
        return components, np.maximum(variances - self.noise_variance_, 0.0)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        return centred_map(columns, self._map_rows(), self.mean_)

    def _map_rows(self) -> Any:
        rows = np.asarray(self.components_, dtype=np.float64)
        if not self.whiten:
            return rows
        scale = np.sqrt(self.explained_variance_)
        return rows / np.maximum(scale, np.finfo(scale.dtype).eps)[:, np.newaxis]


def centred_map(columns: list[Expression], rows: Any, mean: Any) -> list[Expression]:
    """The scores rows · (x − mean) as formulas of the columns."""
    from stylobate.formula.pieces import weighted

    plain = np.asarray(rows, dtype=np.float64)
    return [weighted(columns, row, -float(row @ mean.astype(np.float64))) for row in plain]


def projected(x: Any, components: Any, mean: Any = None) -> Any:
    """(x − mean) componentsᵀ; dense rows are centred first, chunk by chunk, so no digits cancel.

    >>> import numpy as np
    >>> projected(np.array([[3.0, 1.0]]), np.array([[0.0, 1.0]]), np.array([1.0, 0.5]))
    array([[0.5]])
    """
    if hasattr(x, "tocsr"):
        scores = x @ components.T
        return scores if mean is None else scores - mean @ components.T
    if mean is None:
        return row_products(x, components.T)
    parts = [row_products(rows, components.T) for rows in centred_chunks(x, mean)]
    return np.concatenate(parts)


def centred_chunks(x: Any, mean: Any) -> Iterator[Any]:
    """The rows less the mean, dense, some at a time."""
    step = max(CHUNK_CELLS // max(x.shape[1], 1), 64)
    rows = x.tocsr() if hasattr(x, "tocsr") else x
    for first in range(0, x.shape[0], step):
        part = rows[first : first + step]
        yield (part.toarray() if hasattr(part, "toarray") else part) - mean


def read_scores(model: Any, X: Any) -> Table:
    """Rows for `inverse_transform`, as many columns as the model has components."""
    owner = type(model).__name__
    table = read_table(X, owner=owner)
    wanted = model.components_.shape[0]
    if table.n_features != wanted:
        raise InvalidDataError(
            f"{owner}.inverse_transform: X has {table.n_features} columns; the model has {wanted} "
            "components."
        )
    return table


def wrap_rows(model: Any, rows: Any, table: Table) -> Any:
    """Rows in the original columns, in the container the scores came in."""
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        names = [f"x{j}" for j in range(rows.shape[1])]
    return wrap_output(rows, origin=table.origin, columns=list(names))
