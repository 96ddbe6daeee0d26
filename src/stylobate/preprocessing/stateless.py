"""What transformers have in common that learn nothing but the number of columns."""

from __future__ import annotations

from typing import Any, Self

from stylobate.base import Tags
from stylobate.base.batches import FitsFirstBatch
from stylobate.data import Table, wrap_output
from stylobate.preprocessing.scaling.columns import ColumnTransformerBase


class StatelessTransformer(FitsFirstBatch, ColumnTransformerBase):
    """For transformers that need no fit: each row (or value) is answered by itself."""

    def _tags(self) -> Tags:
        return super()._tags().but(requires_fit=False, allow_nan=False)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters and remember the columns; nothing else is learnt.

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
        self._check_parameters()
        self._read(X, reset=True)
        return self

    def _wrap(self, array: Any, table: Table) -> Any:
        if hasattr(self, "n_features_in_"):
            return super()._wrap(array, table)
        names = table.names or [f"x{j}" for j in range(table.n_features)]  # never fitted
        return wrap_output(array, origin=table.origin, columns=names, style=self._style())
