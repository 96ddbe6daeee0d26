"""Principal components from batches, with memory for a few components and one batch."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Tags
from stylobate.data.streams import Stream
from stylobate.decomposition.projection import PrincipalComponents
from stylobate.decomposition.spectrum import signed
from stylobate.exceptions import InvalidParameterError, NumericalError
from stylobate.interrupts import interruptible
from stylobate.parallel import blas_for
from stylobate.statistics import ColumnMoments


class IncrementalPCA(PrincipalComponents):
    r"""Principal components of batches, each joined with what is kept of those before.

    The singular vectors of

    .. math:: \begin{pmatrix} Σ V \\ X_b - m_b \\ \sqrt{n\,n_b/(n+n_b)}\,(m - m_b) \end{pmatrix}

    are those of all rows so far as long as nothing is cut off; with fewer components than columns
    they are an approximation that depends on the batches. `PCA` with `partial_fit` keeps the
    p × p moments instead and is exact.

    Parameters
    ----------
    n_components : int in [1, inf) or None, default=None
        How many; None: as many as the first batch has rows or columns.
    whiten : bool, default=False
        Whether scores are divided by their standard deviation.
    copy : bool, default=True
        Accepted for compatibility; X is never written to.
    batch_size : int in [1, inf) or None, default=None
        Rows of a batch of `fit`; None: five times the columns.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
    explained_variance_, explained_variance_ratio_, singular_values_ : arrays (n_components,)
    mean_, var_ : arrays of shape (n_features,)
        Of all rows so far.
    noise_variance_ : float
    n_components_, n_samples_seen_, batch_size_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=(100, 3)) * [5.0, 2.0, 1.0]
    >>> model = IncrementalPCA(2, batch_size=20).fit(x)
    >>> model.explained_variance_.round(1)
    array([29.9,  4.1])

    References
    ----------
    Ross, Lim, Lin & Yang (2008), Incremental learning for robust visual tracking, IJCV 77.
    """

    _moments: ColumnMoments
    _sizes: Array
    _directions: Array

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] | None = None,
        *,
        whiten: bool = False,
        copy: bool = True,
        batch_size: Annotated[int, Interval(1, inf)] | None = None,
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.copy = copy
        self.batch_size = batch_size

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, tier="one pass")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components, batch by batch.

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
        self._start()
        table = self._read(X, None, reset=True)
        x = table.x.tocsr() if table.is_sparse else table.x
        self.batch_size_ = self.batch_size or 5 * table.n_features
        for part in batches(table.n_rows, self.batch_size_, self.n_components or 0):
            self._absorb(_dense(x[part]))
        return self

    def partial_fit(self, X: Any, y: Any = None, check_input: bool = True) -> Self:
        """Join one more batch.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            The batch; dense.
        y : ignored
            For compatibility.
        check_input : bool, default=True
            Accepted for compatibility; X is always checked.

        Returns
        -------
        self
        """
        self._check_parameters()
        if hasattr(X, "tocsr"):
            raise TypeError(
                "IncrementalPCA.partial_fit does not support sparse input. Either convert data to "
                "dense or use IncrementalPCA.fit to do so in batches."
            )
        table = self._read(X, None, reset=not hasattr(self, "components_"), accept_sparse=False)
        self._absorb(table.x)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """Batches of `batch_size` rows, wherever those of the stream are cut."""
        self._start()
        read = self._batch_reader()
        held: list[Any] = []
        for batch in stream:
            table = read(batch)
            table.refuse_nonfinite()
            self.batch_size_ = self.batch_size or 5 * table.n_features
            held.append(_dense(table.x))
            held = self._absorb_full(np.concatenate(held))
        if held and len(held[0]):
            for part in batches(len(held[0]), self.batch_size_, self.n_components or 0):
                self._absorb(held[0][part])
        return self

    def _absorb_full(self, rows: Any) -> list[Any]:
        """Join the batches that cannot grow any more; what is left of the rows."""
        least = self.n_components or 0
        while len(rows) >= self.batch_size_ + max(least, 1):
            self._absorb(rows[: self.batch_size_])
            rows = rows[self.batch_size_ :]
        return [rows]

    def _start(self) -> None:
        self._check_parameters()
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def _absorb(self, x: Any) -> None:
        from scipy import linalg

        n, p = x.shape
        k = self._count(n, p)
        seen = getattr(self, "n_samples_seen_", 0)
        rows = np.asarray(x, dtype=np.float64)
        part = ColumnMoments.of(_plain(rows))
        stacked = rows - part.mean
        whole = part if seen == 0 else self._moments.merge(part)
        if seen:
            kept = self._sizes[:, np.newaxis] * self._directions
            shift = np.sqrt(seen / (seen + n) * n) * (self._moments.mean - part.mean)
            stacked = np.vstack([kept, stacked, shift])
        with blas_for(min(stacked.shape)):
            _, sizes, vt = interruptible(
                linalg.svd, stacked, full_matrices=False, check_finite=False
            )
        if not (np.isfinite(sizes).all() and whole.is_finite() and _squares(whole) < inf):
            raise NumericalError(
                "IncrementalPCA: the squares of a column, added up, exceed what double precision "
                "can hold (about 1e308); divide the large columns by a constant first."
            )
        self._moments = whole
        self._keep(sizes, signed(vt), k, seen + n, x.dtype)
        self.noise_variance_ = 0.0
        if k not in (n, p) and len(sizes) > k:
            self.noise_variance_ = float((sizes[k:] ** 2).mean() / max(seen + n - 1, 1))

    def _keep(self, sizes: Array, vt: Array, k: int, n: int, kind: Any) -> None:
        squares = sizes**2
        total = _squares(self._moments)
        self._sizes, self._directions = sizes[:k], np.ascontiguousarray(vt[:k])
        self.n_components_, self.n_samples_seen_ = k, n
        self.components_ = self._directions.astype(kind)
        self.singular_values_ = self._sizes.astype(kind)
        self.explained_variance_ = (squares[:k] / max(n - 1, 1)).astype(kind)
        self.explained_variance_ratio_ = (squares[:k] / (total or 1.0)).astype(kind)
        self.mean_ = self._moments.mean.astype(kind)
        self.var_ = (self._moments.length**2 / n).astype(kind)

    def _count(self, n: int, p: int) -> int:
        """How many components the model has after a batch of n rows."""
        first = not hasattr(self, "components_")
        wanted = self.n_components
        if wanted is None:
            return min(n, p) if first else len(self.components_)
        if wanted > p:
            raise InvalidParameterError(
                f"IncrementalPCA: n_components={wanted} invalid for n_features={p}, need more rows "
                "than columns for IncrementalPCA processing"
            )
        if wanted > n and first:
            raise InvalidParameterError(
                f"IncrementalPCA: n_components={wanted} must be less or equal to the batch number "
                f"of samples {n} for the first partial_fit call."
            )
        if not first and len(self.components_) != wanted:
            raise InvalidParameterError(
                f"IncrementalPCA: Number of input features has changed from "
                f"{len(self.components_)} to {wanted} between calls to partial_fit! Try setting "
                "n_components to a fixed value."
            )
        return int(wanted)

    def _scores(self, table: Any) -> Any:
        if table.is_sparse:  # centred rows are dense: a batch at a time
            from dataclasses import replace

            x = table.x.tocsr()
            parts = batches(x.shape[0], self.batch_size_, 0)
            return np.vstack(
                [super(IncrementalPCA, self)._scores(replace(table, x=_dense(x[p]))) for p in parts]
            )
        return super()._scores(table)


def batches(n: int, size: int, least: int) -> Iterator[slice]:
    """Slices of `size` rows; the last one takes along a rest of fewer than `least`.

    >>> list(batches(5, 2, 0))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    >>> list(batches(5, 2, 2))
    [slice(0, 2, None), slice(2, 5, None)]
    """
    start = 0
    while start < n:
        end = start + size
        if end + least > n:
            end = n
        yield slice(start, end)
        start = end


def _squares(moments: ColumnMoments) -> float:
    """Sum of the squares of all centred columns."""
    with np.errstate(over="ignore"):
        return float((moments.length**2).sum())


def _dense(x: Any) -> Any:
    return x.toarray() if hasattr(x, "toarray") else x


def _plain(rows: Array) -> Any:
    from stylobate.data import read_table

    return read_table(rows, owner="IncrementalPCA")
