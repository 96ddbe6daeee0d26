"""`Table`: data that have been checked once, and `read_table`, the door that makes one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.config import get_config
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.origin import NUMPY, Origin
from stylobate.data.shape import check_shape, text_names
from stylobate.data.sparse import is_sparse, refuse_sparse
from stylobate.data.target import read_target, refuse_missing_target
from stylobate.data.weights import read_weights
from stylobate.data.words import Input

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

    Matrix = NDArray[np.float64] | NDArray[np.float32] | csr_array[Any] | csc_array[Any]

CheckFinite = Literal["now", "deferred", "allow-nan"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of numbers with their target and weights; whoever holds one re-checks nothing.

    Parameters
    ----------
    x : ndarray, csr_array or csc_array of shape (n, p)
        float32 or float64. Dense: any strides, aligned, native byte order. Sparse: canonical.
    names : tuple of str or None
        Column names, if the container had names and all of them are text.
    y : ndarray of shape (n, t) or None
        float64, C-contiguous, always two-dimensional.
    y_is_vector : bool
        Whether the caller passed a one-dimensional target.
    weights : ndarray of shape (n,) or None
        float64, at least 0; None means all ones.
    origin : Origin
        The container X came in.
    finite : bool
        True if `x` and `y` are known to be finite; False leaves that to whoever reads them.
    owner : str
        Who asked, named in refusals.
    classes : ndarray of shape (k,) or None
        The labels that the numbers in `y` stand for, if the target is a class.
    first_row : int
        The number of the first row in the whole of which these are a part, for messages.

    Examples
    --------
    >>> table = read_table([[1, 2], [3, 4], [5, 6]], [1, 2, 3], owner="Ridge")
    >>> table.n_rows, table.n_features, table.y.shape
    (3, 2, (3, 1))
    """

    x: Any
    names: tuple[str, ...] | None = None
    y: NDArray[np.float64] | None = None
    y_is_vector: bool = False
    weights: NDArray[np.float64] | None = None
    origin: Origin = NUMPY
    finite: bool = False
    owner: str = "data"
    classes: NDArray[Any] | None = None
    first_row: int = 0

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.x.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns of X."""
        return int(self.x.shape[1])

    @property
    def is_sparse(self) -> bool:
        """Whether X is a sparse array."""
        return not isinstance(self.x, np.ndarray)

    @property
    def n_bytes(self) -> int:
        """What the numbers of rows, target and weights take in memory."""
        x = (self.x.data, self.x.indices, self.x.indptr) if self.is_sparse else (self.x,)
        return sum(part.nbytes for part in (*x, self.y, self.weights) if part is not None)

    def take(self, rows: NDArray[np.int64] | slice) -> Table:
        """The table of some rows, in the given order; a slice of dense data is a view.

        Examples
        --------
        >>> read_table([[1.0], [2.0], [3.0]], owner="Ridge").take(slice(1, None)).x
        array([[2.],
               [3.]])
        """
        x: Any = self.x[rows]
        if self.is_sparse and not x.has_sorted_indices:  # rows of CSC come in the order asked for
            x = x.sorted_indices()
        return replace(
            self,
            x=x,
            y=None if self.y is None else np.ascontiguousarray(self.y[rows]),
            weights=None if self.weights is None else np.ascontiguousarray(self.weights[rows]),
            origin=self.origin.take(rows),
        )

    def refuse_nonfinite(self, only: Literal["any", "infinite"] = "any") -> None:
        """Raise `InvalidDataError` naming the first NaN or infinity of `x` or `y`, if any.

        With ``only="infinite"``, NaN in `x` passes.
        """
        first = self.first_row
        refuse_nonfinite(self.x, Input(self.owner, "X"), names=self.names, only=only, first=first)
        if self.y is not None:
            refuse_nonfinite(self.y, Input(self.owner, "y"), first=first)


def read_table(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    owner: str,
    accept_sparse: bool = True,
    check_finite: CheckFinite = "now",
    min_rows: int = 1,
    min_features: int = 1,
    y_required: bool = False,
    multi_output: bool = True,
    dtype: Literal["float"] | None = "float",
) -> Table:
    """Read whatever the caller passed into a checked `Table`, copying only what must be.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p)
        NumPy, SciPy sparse, pandas, polars, pyarrow, any frame narwhals knows, nested lists,
        DLPack arrays in main memory, objects with ``__array__``.
    y : array-like of shape (n,) or (n, t), default=None
        Numeric target; labels of classes are read by `read_labels`.
    sample_weight : None, float or array-like of shape (n,), default=None
        Finite, at least 0, not all 0.
    owner : str
        Who is asking; named in every refusal.
    accept_sparse : bool, default=True
        Whether sparse X is taken.
    check_finite : {"now", "deferred", "allow-nan"}, default="now"
        Search X and y for NaN and infinities now, leave it to `Table.refuse_nonfinite`, or let
        NaN in X (not infinities, not in y) pass.
    min_rows, min_features : int, default=1
        The smallest shape accepted.
    y_required : bool, default=False
        Refuse ``y=None``.
    multi_output : bool, default=True
        Take a target with several columns.
    dtype : {"float"} or None, default="float"
        float32 and float64 are kept and everything else becomes float64, in either case: a
        `Table` holds nothing else.

    Returns
    -------
    Table

    Examples
    --------
    >>> import pandas
    >>> table = read_table(pandas.DataFrame({"age": [31, 45]}), [0.5, 1.5], owner="Ridge")
    >>> table.names, table.y_is_vector
    (('age',), True)
    """
    if y_required and y is None:
        refuse_missing_target(owner)
    source = Input(owner, "X")
    if not accept_sparse and is_sparse(X):
        refuse_sparse(source)
    unpacked = unpack(X, source)
    x, names = unpacked.values, text_names(unpacked.names)
    check_shape(x, X, source, min_rows=min_rows, min_features=min_features)
    if not accept_sparse and is_sparse(x):  # a pandas frame of sparse columns
        x = x.toarray()
    n_rows = x.shape[0]
    target, is_vector, target_finite = None, False, True
    if y is not None:
        target, is_vector, target_finite = read_target(
            y, n_rows, owner=owner, multi_output=multi_output
        )
    weights = read_weights(sample_weight, n_rows, owner=owner)
    finite = unpacked.finite and target_finite
    if not finite and check_finite != "deferred" and not get_config()["assume_finite"]:
        only: Literal["any", "infinite"] = "any" if check_finite == "now" else "infinite"
        finite = unpacked.finite or refuse_nonfinite(x, source, names=names, only=only)
        if target is not None and not target_finite:
            refuse_nonfinite(target, Input(owner, "y"))
    return Table(x, names, target, is_vector, weights, unpacked.origin, finite, owner)
