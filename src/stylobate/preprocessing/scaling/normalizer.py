"""Rows of length 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Options
from stylobate.data import read_table, wrap_output
from stylobate.exceptions import InvalidParameterError
from stylobate.preprocessing.stateless import StatelessTransformer

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


_NORMS = ("l1", "l2", "max")
_SAFE = (1e-140, 1e140)  # sizes whose squares keep all their digits


class Normalizer(StatelessTransformer):
    r"""Divide each row by its norm: :math:`z_i = x_i / \|x_i\|`.

    Angles between rows are kept, lengths are not. Rows of zeros stay as they are; sparse rows stay
    sparse.

    Parameters
    ----------
    norm : {"l1", "l2", "max"}, default="l2"
        Sum of absolute values, Euclidean length, or largest absolute value.
    copy : bool, default=True
        Whether to leave the caller's array alone; False scales in place where possible.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> Normalizer().transform([[3.0, 4.0], [0.0, 0.0]])
    array([[0.6, 0.8],
           [0. , 0. ]])
    """

    def __init__(self, norm: Annotated[str, Options(*_NORMS)] = "l2", *, copy: bool = True) -> None:
        self.norm = norm
        self.copy = copy

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Rows of norm 1.

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
        if table.is_sparse:
            out = out.tocsr()
        _normalise_rows(out, self.norm)
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import divided_by_norm

        return divided_by_norm(columns, self.norm)


def normalize(
    X: Any, norm: str = "l2", *, axis: int = 1, copy: bool = True, return_norm: bool = False
) -> Any:
    """Divide each row (or column) of X by its norm.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p)
        Numbers.
    norm : {"l1", "l2", "max"}, default="l2"
        As for `Normalizer`.
    axis : {1, 0}, default=1
        1: each row; 0: each column.
    copy : bool, default=True
        Whether to leave the caller's array alone.
    return_norm : bool, default=False
        Whether to return the norms too.

    Returns
    -------
    array, sparse array or frame of the shape of X
    norms : array, only if `return_norm`

    Examples
    --------
    >>> normalize([[3.0, 4.0]], return_norm=True)
    (array([[0.6, 0.8]]), array([5.]))
    """
    if norm not in _NORMS or axis not in (0, 1):
        raise InvalidParameterError(
            f"normalize: norm must be one of {', '.join(map(repr, _NORMS))} and axis 0 or 1, got "
            f"norm={norm!r}, axis={axis!r}."
        )
    table = read_table(X, owner="normalize")
    x = table.x if axis == 1 else table.x.T
    if table.is_sparse:
        x = x.tocsr(copy=copy)
    elif copy or not x.flags.writeable:
        x = x.copy()
    norms = _normalise_rows(x, norm)
    out = wrap_output(x if axis == 1 else x.T, origin=table.origin, columns=table.names)
    norms = np.where(norms == 0, 1.0, norms)  # what rows of zeros were divided by
    return (out, norms.astype(x.dtype)) if return_norm else out


def _normalise_rows(x: Any, norm: str) -> Array:
    """Divide every row by its norm, in place; the norms."""
    if isinstance(x, np.ndarray):
        sizes = np.abs(x).max(axis=1, initial=0.0).astype(np.float64)
        divisor = _doubtful_sizes(sizes)
        if (divisor != 1.0).any():
            np.divide(x, divisor[:, None], out=x, casting="same_kind")
            sizes = sizes / divisor
        if norm == "max":
            norms = sizes
        elif norm == "l1":
            norms = np.abs(x).sum(axis=1, dtype=np.float64)
        else:
            norms = np.sqrt(np.einsum("ij,ij->i", x, x, dtype=np.float64))
        np.divide(x, np.where(norms == 0, 1.0, norms)[:, None], out=x, casting="same_kind")
        with np.errstate(over="ignore"):
            return np.asarray(norms * divisor)
    return _normalise_entries(x, norm)


def _normalise_entries(x: Any, norm: str) -> Array:
    n = x.shape[0]
    row = np.repeat(np.arange(n), np.diff(x.indptr))
    values = np.abs(x.data).astype(np.float64)
    sizes = np.zeros(n)
    np.maximum.at(sizes, row, values)
    divisor = _doubtful_sizes(sizes)
    values /= divisor[row]
    if norm == "max":
        norms = sizes / divisor
    elif norm == "l1":
        norms = np.asarray(np.bincount(row, values, n), dtype=np.float64)
    else:
        norms = np.sqrt(np.bincount(row, values**2, n))
    x.data /= divisor[row].astype(x.dtype)
    x.data /= np.where(norms == 0, 1.0, norms)[row].astype(x.dtype)
    with np.errstate(over="ignore"):
        return np.asarray(norms * divisor)


def _doubtful_sizes(sizes: Array) -> Array:
    """What rows are divided by before their squares would leave double precision; else 1."""
    fine = (sizes == 0) | ((sizes > _SAFE[0]) & (sizes < _SAFE[1]))
    return np.where(fine, 1.0, sizes)
