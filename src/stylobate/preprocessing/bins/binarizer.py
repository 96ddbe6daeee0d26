"""Columns of zeros and ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base.constraints import is_number
from stylobate.data import read_table, wrap_output
from stylobate.exceptions import InvalidParameterError
from stylobate.preprocessing.stateless import StatelessTransformer

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class Binarizer(StatelessTransformer):
    """1 where a value exceeds a threshold, else 0.

    Parameters
    ----------
    threshold : float, default=0.0
        Values above it become 1; for sparse rows at least 0, so that zeros stay zeros.
    copy : bool, default=True
        Whether to leave the caller's array alone; False writes in place where possible.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> Binarizer(threshold=1.0).transform([[0.5, 1.0, 2.0]])
    array([[0., 0., 1.]])
    """

    def __init__(self, *, threshold: float = 0.0, copy: bool = True) -> None:
        self.threshold = threshold
        self.copy = copy

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Zeros and ones.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        copy : bool, optional
            As the constructor's, for this call.

        Returns
        -------
        array, sparse array or frame of shape (n, n_features)
        """
        self._check_parameters()
        table = self._read(X, reset=False)
        out = self._working(table.x, self.copy if copy is None else copy)
        return self._wrap(_cut(out, float(self.threshold)), table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import above

        return [above(column, float(self.threshold)) for column in columns]


def binarize(X: Any, *, threshold: float = 0.0, copy: bool = True) -> Any:
    """1 where a value of X exceeds the threshold, else 0.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p)
        Numbers.
    threshold : float, default=0.0
        As for `Binarizer`.
    copy : bool, default=True
        Whether to leave the caller's array alone.

    Returns
    -------
    array, sparse array or frame of the shape of X

    Examples
    --------
    >>> binarize([[-1.0, 2.0]])
    array([[0., 1.]])
    """
    if not is_number(threshold):
        raise InvalidParameterError(f"binarize: threshold must be a number, got {threshold!r}.")
    table = read_table(X, owner="binarize")
    values = table.x.data if table.is_sparse else table.x
    out = table.x.copy() if copy or not values.flags.writeable else table.x
    return wrap_output(_cut(out, float(threshold)), origin=table.origin, columns=table.names)


def _cut(x: Any, threshold: float) -> Any:
    if isinstance(x, np.ndarray):
        x[...] = x > threshold
        return x
    if threshold < 0:
        raise InvalidParameterError(
            f"Binarizer: Cannot binarize a sparse matrix with threshold < 0, got {threshold:g}: "
            "every zero would become a one."
        )
    x.data[...] = x.data > threshold
    x.eliminate_zeros()
    return x
