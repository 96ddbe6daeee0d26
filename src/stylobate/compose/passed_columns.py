"""What "passthrough" is among the fitted transformers of a `ColumnTransformer`."""

from __future__ import annotations

from stylobate.base import TransformerMixin
from stylobate.base.composition.pass_through import PassThrough
from stylobate.preprocessing import FunctionTransformer


class PassedColumns(PassThrough, FunctionTransformer):
    """The function transformer without a function: columns as they are.

    Scripts written for scikit-learn look for a `FunctionTransformer` there.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.ones((2, 3))
    >>> PassedColumns().fit_transform(X) is X
    True
    """

    get_feature_names_out = TransformerMixin.get_feature_names_out
