"""From rows to codes and back: what estimators with a dictionary share."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from stylobate.base import BaseEstimator, Interval, Options, Tags, TransformerMixin
from stylobate.data import read_table
from stylobate.decomposition.dictionary.coding import CodingRequest, packed, sparse_codes
from stylobate.decomposition.projection import wrap_rows
from stylobate.exceptions import InvalidDataError

Algorithm = Annotated[str, Options("lasso_lars", "lasso_cd", "lars", "omp", "threshold")]
Penalty = Annotated[float, Interval(0, inf)]
Count = Annotated[int, Interval(1, inf)]
Verbosity = Annotated[int, Interval(0, inf)] | bool


class SparseTransform(TransformerMixin, BaseEstimator):
    """For estimators with ``components_`` and the parameters of coding."""

    if TYPE_CHECKING:
        components_: Any
        transform_algorithm: str
        transform_n_nonzero_coefs: int | None
        transform_alpha: float | None
        transform_max_iter: int
        split_sign: bool
        positive_code: bool

    def _tags(self) -> Tags:
        return super()._tags().but(preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return len(self._atoms()) * (2 if self.split_sign else 1)

    def _atoms(self) -> Any:
        return self.components_

    def transform(self, X: Any) -> Any:
        """The codes of rows, by ``transform_algorithm``.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_components), or twice as wide with ``split_sign``
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(self._codes(table.x), table)

    def _codes(self, x: Any) -> Any:
        atoms = self._atoms()
        alpha = self.transform_alpha
        request = CodingRequest.of(
            self.transform_algorithm,
            atoms.shape,
            alpha=getattr(self, "alpha", None) if alpha is None else alpha,
            n_nonzero_coefs=self.transform_n_nonzero_coefs,
            max_iter=self.transform_max_iter,
            positive=self.positive_code,
        )
        codes = sparse_codes(packed(x), packed(atoms), request, owner=type(self).__name__)
        if self.split_sign:
            codes = np.hstack([np.maximum(codes, 0.0), np.maximum(-codes, 0.0)])
        return codes.astype(x.dtype, copy=False)

    def inverse_transform(self, X: Any) -> Any:
        """The rows that codes stand for, :math:`cD`.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_components)
            Codes; twice as wide with ``split_sign``.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        atoms = self._atoms()
        table = read_table(X, owner=type(self).__name__, accept_sparse=False)
        expected = len(atoms) * (2 if self.split_sign else 1)
        if table.n_features != expected:
            raise InvalidDataError(
                f"{type(self).__name__}.inverse_transform: The number of components in the code "
                "is different from the number of components in the dictionary. "
                f"Expected {expected}, got {table.n_features}."
            )
        code = table.x
        if self.split_sign:
            code = code[:, : len(atoms)] - code[:, len(atoms) :]
        return wrap_rows(self, code @ atoms, table)
