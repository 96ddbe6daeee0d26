"""A pair of functions as a transformer of the target."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.base import TransformerMixin
from stylobate.base.batches import FitsFirstBatch

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class TargetFunctions(TransformerMixin, FitsFirstBatch):
    """y ↦ func(y) and back by inverse_func; None leaves y as it is.

    Examples
    --------
    >>> logarithm = TargetFunctions(np.log, np.exp).fit(np.array([[1.0]]))
    >>> logarithm.transform(np.array([[1.0]]))
    array([[0.]])
    """

    _answers_may_be_missing = True  # the functions are the user's; who asks tells of bad targets

    def __init__(
        self,
        func: Callable[..., Any] | None = None,
        inverse_func: Callable[..., Any] | None = None,
    ) -> None:
        self.func = func
        self.inverse_func = inverse_func

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember the number of targets."""
        self.n_features_in_ = np.shape(X)[1]
        self.fitted_ = True
        return self

    def _inverse_formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.elementwise import elementwise

        return [elementwise("inverse_func", self.inverse_func, None, x) for x in columns]

    def transform(self, X: Any) -> Any:
        """Func of the targets."""
        return X if self.func is None else self.func(X)

    def inverse_transform(self, X: Any) -> Any:
        """inverse_func of the transformed targets."""
        return X if self.inverse_func is None else self.inverse_func(X)
