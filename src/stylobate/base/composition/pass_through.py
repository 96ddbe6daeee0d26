"""`PassThrough`: the transformer that "passthrough" stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.base.batches import FitsFirstBatch
from stylobate.base.mixins import TransformerMixin
from stylobate.base.tags import Tags

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class PassThrough(TransformerMixin, FitsFirstBatch):
    """Columns as they are, whatever they hold; nothing is copied.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.ones((2, 3))
    >>> PassThrough().fit_transform(X) is X
    True
    """

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, allow_nan=True)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember how many columns there are, and their names."""
        from stylobate.data.columns import read_columns

        columns = read_columns(X, owner=type(self).__name__, min_rows=0, min_columns=0)
        self.n_features_in_ = columns.n_columns
        self.passed_ = True
        vars(self).pop("feature_names_in_", None)
        if columns.names is not None:
            self.feature_names_in_ = np.array(columns.names, dtype=object)
        return self

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        return columns

    def transform(self, X: Any) -> Any:
        """X itself, or its columns in the container that `set_output` asks for."""
        from stylobate.data.columns import origin_of
        from stylobate.data.stacking import frame_names, goes_out_as, side_by_side

        style = self._style()
        origin = origin_of(X)
        if style is None or goes_out_as(origin, style) == goes_out_as(origin, None):
            return X
        names = frame_names(X) or [f"x{i}" for i in range(np.shape(X)[1])]
        return side_by_side([X], [names], kind=goes_out_as(origin, style), origin=origin)

    def inverse_transform(self, X: Any) -> Any:
        """X itself."""
        return X
