"""Columns turned into a uniform or normal distribution by their ranks."""

from __future__ import annotations

import warnings
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base import Interval, Options, RandomState, Tags
from stylobate.base.batches import batch_door
from stylobate.data import Table
from stylobate.data.streams import Batch, Stream
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.preprocessing.scaling.columns import ColumnTransformerBase, along
from stylobate.preprocessing.scaling.subsample import sampled_rows

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


_USUAL = 1000
_EDGE = 1e-7  # shares nearer to 0 or 1 than this would map to infinity


class QuantileTransformer(ColumnTransformerBase):
    """Replace each value by its share in the column's distribution, or the normal quantile of it.

    Monotone and robust: outliers only come last. Values beyond those seen go to the ends.

    Parameters
    ----------
    n_quantiles : int in [1, inf), default=1000
        Points at which the distribution is remembered; no more than rows (with a warning if you
        chose it).
    output_distribution : {"uniform", "normal"}, default="uniform"
        What comes out.
    ignore_implicit_zeros : bool, default=False
        Whether zeros of sparse rows that are not stored count as no values.
    subsample : int in [1, inf), default=10_000
        Rows drawn if there are more; None: all. Of a stream that has more, other rows are drawn
        than of the same rows in memory, with memory for the subsample alone.
    random_state : int, RandomState or None, default=None
        Draws the subsample.
    copy : bool, default=True
        Whether to leave the caller's array alone; False writes in place where possible.

    Attributes
    ----------
    n_quantiles_ : int
        Points used.
    quantiles_ : array of shape (n_quantiles_, n_features)
        The values at the shares `references_`.
    references_ : array of shape (n_quantiles_,)
        From 0 to 1.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rank = QuantileTransformer(n_quantiles=3)
    >>> rank.fit_transform(np.array([[1.0], [10.0], [1000.0]])).ravel()
    array([0. , 0.5, 1. ])
    """

    def __init__(
        self,
        *,
        n_quantiles: Annotated[int, Interval(1, inf)] = _USUAL,
        output_distribution: Annotated[str, Options("uniform", "normal")] = "uniform",
        ignore_implicit_zeros: bool = False,
        subsample: Annotated[int, Interval(1, inf)] | None = 10_000,
        random_state: RandomState = None,
        copy: bool = True,
    ) -> None:
        self.n_quantiles = n_quantiles
        self.output_distribution = output_distribution
        self.ignore_implicit_zeros = ignore_implicit_zeros
        self.subsample = subsample
        self.random_state = random_state
        self.copy = copy

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the quantiles.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; NaN counts as missing. Sparse ones must not be negative, unless
            `ignore_implicit_zeros`.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._refuse_few_samples()
        table = self._read(X, reset=True)
        self._refuse_rows(table)
        self._place_references(table.n_rows, table.is_sparse)
        x = table.x
        if self.subsample is not None and table.n_rows > self.subsample:
            rows = self._random().permutation(table.n_rows)[: int(self.subsample)]
            x = x[np.sort(rows)]
        return self._fit_rows(x)

    def _tags(self) -> Tags:
        return super()._tags().but(tier="all rows" if self.subsample is None else "several passes")

    def _fit_stream(self, stream: Stream) -> Self:
        """From all rows where they are no more than the subsample, else from rows drawn."""
        if self.subsample is None:
            return super()._fit_stream(stream)
        self._check_parameters()
        self._refuse_few_samples()

        def read(batch: Batch, reset: bool) -> Table:
            table = self._read(batch.x, reset=reset)
            self._refuse_rows(table)
            return table

        limit = int(self.subsample)

        def draw(count: int) -> Indices:
            return np.sort(self._random().choice(count, limit, replace=False, shuffle=False))

        table, count = sampled_rows(stream, batch_door(read), limit, draw, type(self).__name__)
        self._place_references(count, table.is_sparse)
        return self._fit_rows(table.x)

    def _place_references(self, n: int, sparse: bool) -> None:
        """The shares that are remembered, of n rows."""
        if self.n_quantiles > n and self.n_quantiles != _USUAL:  # only who chose it can act
            self._warn(
                f"n_quantiles ({self.n_quantiles}) is greater than the total number of samples "
                f"({n}). n_quantiles is set to n_samples."
            )
        if self.ignore_implicit_zeros and not sparse:
            self._warn("'ignore_implicit_zeros' takes effect only with sparse matrix.")
        self.n_quantiles_ = max(1, min(int(self.n_quantiles), n))
        self.references_ = np.linspace(0.0, 1.0, self.n_quantiles_)

    def _fit_rows(self, x: Any) -> Self:
        x = x if isinstance(x, np.ndarray) else x.tocsc()
        self.quantiles_ = np.column_stack([self._quantiles(x, j) for j in range(x.shape[1])])
        return self

    def _refuse_few_samples(self) -> None:
        if self.subsample is not None and self.n_quantiles > self.subsample:
            raise InvalidParameterError(
                "QuantileTransformer: The number of quantiles cannot be greater than the number of "
                f"samples used. Got {self.n_quantiles} quantiles and {self.subsample} samples."
            )

    def _random(self) -> np.random.Generator:
        seed = self.random_state
        if isinstance(seed, np.random.RandomState):
            seed = int(seed.randint(np.iinfo(np.int32).max))
        return np.random.default_rng(seed)

    def _warn(self, message: str) -> None:
        warnings.warn(message, StylobateWarning, stacklevel=user_stacklevel())

    def _refuse_rows(self, table: Table) -> None:
        if table.is_sparse and not self.ignore_implicit_zeros and (table.x.data < 0).any():
            raise InvalidDataError(
                "QuantileTransformer only accepts non-negative sparse matrices; set "
                "ignore_implicit_zeros=True or pass a dense array."
            )

    def _quantiles(self, x: Any, j: int) -> Array:
        if isinstance(x, np.ndarray):
            values = x[:, j].astype(np.float64)
        else:
            values = x.data[x.indptr[j] : x.indptr[j + 1]].astype(np.float64)
            zeros = 0 if self.ignore_implicit_zeros else x.shape[0] - len(values)
            values = np.concatenate([values, np.zeros(zeros)])
            if len(values) == 0:
                return np.zeros(self.n_quantiles_)
        values = values[~np.isnan(values)]
        if len(values) == 0:
            return np.full(self.n_quantiles_, np.nan)
        found = np.percentile(values, 100.0 * self.references_)
        return np.asarray(np.maximum.accumulate(found))  # interpolation may round downwards

    def transform(self, X: Any) -> Any:
        """Shares, or normal quantiles of them.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; missing values stay missing.

        Returns
        -------
        array, sparse array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        self._refuse_rows(table)
        return self._wrap(self._apply(table, self._forward), table)

    def inverse_transform(self, X: Any) -> Any:
        """The values with these shares.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            What `transform` gave.

        Returns
        -------
        array, sparse array or frame of shape (n, n_features)
        """
        table = self._read_back(X)
        return self._wrap_back(self._apply(table, self._backward), table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.curves import normal_quantile, share_below

        pairs = zip(columns, self.quantiles_.T, strict=True)
        shares = [share_below(x, quantiles, self.references_) for x, quantiles in pairs]
        if self.output_distribution == "uniform":
            return shares
        return [normal_quantile(share, _EDGE - np.spacing(1)) for share in shares]

    def _apply(self, table: Table, change: Any) -> Any:
        if table.is_sparse:
            out = table.x.tocsc(copy=True)
            for j, (a, b) in enumerate(zip(out.indptr[:-1], out.indptr[1:], strict=True)):
                out.data[a:b] = change(out.data[a:b].astype(np.float64), self.quantiles_[:, j])
            return out.asformat(table.x.format)
        out = self._working(table.x, self.copy)
        for j in range(out.shape[1]):
            out[:, j] = change(out[:, j].astype(np.float64), self.quantiles_[:, j])
        return out

    def _forward(self, x: Array, quantiles: Array) -> Array:
        if np.isnan(quantiles).any():
            return np.full_like(x, np.nan)
        # from both sides, so that a value that is several quantiles gets the middle of their shares
        left = np.interp(x, quantiles, self.references_)
        right = -np.interp(-x, -quantiles[::-1], -self.references_[::-1])
        share = 0.5 * (left + right)
        share[x >= quantiles[-1]] = 1.0
        share[x <= quantiles[0]] = 0.0
        share[np.isnan(x)] = np.nan
        if self.output_distribution == "uniform":
            return share
        from scipy.special import ndtri

        edge = _EDGE - np.spacing(1)
        return np.asarray(np.clip(ndtri(share), ndtri(edge), ndtri(1 - edge)))

    def _backward(self, share: Array, quantiles: Array) -> Array:
        if self.output_distribution == "normal":
            from scipy.special import ndtr

            share = np.asarray(ndtr(share))
            share = np.where(share <= _EDGE, 0.0, np.where(share >= 1 - _EDGE, 1.0, share))
        out = np.interp(share, self.references_, quantiles)
        out[np.isnan(share)] = np.nan
        return np.asarray(out)


def quantile_transform(
    X: Any,
    *,
    axis: int = 0,
    n_quantiles: int = _USUAL,
    output_distribution: str = "uniform",
    ignore_implicit_zeros: bool = False,
    subsample: int | None = 100_000,
    random_state: Any = None,
    copy: bool = True,
) -> Any:
    """Replace the values of columns (or rows) of X by their shares once.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p)
        Numbers; NaN counts as missing.
    axis : {0, 1}, default=0
        0: each column; 1: each row.
    n_quantiles, output_distribution, ignore_implicit_zeros, subsample, random_state, copy
        As for `QuantileTransformer`.

    Returns
    -------
    array, sparse array or frame of the shape of X

    Examples
    --------
    >>> quantile_transform([[3.0], [1.0], [2.0]], n_quantiles=3).ravel()
    array([1. , 0. , 0.5])
    """
    transformer = QuantileTransformer(
        n_quantiles=n_quantiles,
        output_distribution=output_distribution,
        ignore_implicit_zeros=ignore_implicit_zeros,
        subsample=subsample,
        random_state=random_state,
        copy=copy,
    )
    return along(axis, X, "quantile_transform", transformer)
