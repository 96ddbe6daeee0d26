"""What the scalers share: reading rows, one factor per column, the way back."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.base.validation import compare_features
from stylobate.data import Table, read_table, wrap_output
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.statistics import ColumnMoments
from stylobate.statistics.moments.column_moments import entry_columns


class ColumnTransformerBase(TransformerMixin, BaseEstimator):
    """For transformers that change each column by itself and keep its name."""

    def _tags(self) -> Tags:
        return (
            super()._tags().but(sparse=True, allow_nan=True, preserves_dtype=("float64", "float32"))
        )

    _door: ClassVar[dict[str, Any]] = {}  # how rows are read where the tags do not say all

    def _working(self, x: Any, copy: bool) -> Any:
        """`x` to write into: a copy unless the caller gave up the original."""
        return x if not copy and _is_writable(x) else x.copy()

    def _read_back(self, X: Any) -> Table:
        """Rows for `inverse_transform`, as many columns as `transform` gives."""
        self._check_fitted()
        table = read_table(
            X,
            owner=type(self).__name__,
            check_finite="allow-nan" if self._tags().allow_nan else "now",
            **({"accept_sparse": self._tags().sparse} | self._door),
        )
        if table.names is None and hasattr(self, "feature_names_in_"):
            table = _named(table, self.get_feature_names_out())
        compare_features(self, table)
        return table

    def _wrap_back(self, array: Any, table: Table) -> Any:
        """The original columns, as they were given to `inverse_transform`."""
        return wrap_output(array, origin=table.origin, columns=self.get_feature_names_out)


class LearnsColumns(ColumnTransformerBase):
    """For scalers that need only a statistic of the columns.

    Subclasses name it in `_statistic` and write `_learn(statistic)`. Then `fit` is the merge of
    `partial_fit`, whatever the order of the parts.
    """

    _statistic: ClassVar[type[Any]] = ColumnMoments

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass")

    def _learn(self, statistic: Any) -> None:
        raise NotImplementedError

    def _absorb(self, X: Any, sample_weight: Any = None, *, afresh: bool) -> Self:
        self._check_parameters()
        known = None if afresh else getattr(self, "statistic_", None)
        return self._learn_from(self._summary(X, sample_weight, reset=known is None), known)

    def _summary(self, X: Any, sample_weight: Any, *, reset: bool) -> Any:
        """The statistic of rows, read once: its extremes tell whether one is infinite."""
        unseen = sample_weight is not None  # rows of weight 0
        door = {"check_finite": "allow-nan" if unseen else "deferred"} | self._door
        table = self._read(X, None, sample_weight, reset=reset, **door)
        self._refuse_rows(table)
        kind: Any = self._statistic
        return self._source(table).compute(kind)

    def _learn_from(self, part: Any, known: Any) -> Self:
        whole = part if known is None else known.merge(part)
        if not whole.is_finite():
            raise NumericalError(
                f"{type(self).__name__}: the values of a column, added up, exceed what double "
                "precision can hold (about 1e308); divide the large columns by a constant first."
            )
        self._learn(whole)
        self.statistic_ = whole
        return self

    def _refuse_rows(self, table: Table) -> None:
        """Refuse rows the parameters cannot do with."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; NaN counts as missing.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        return self._absorb(X, afresh=True)

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn from more rows, as if they and all rows so far had been given to `fit`.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        self
        """
        return self._absorb(X, afresh=False)

    def _fit_stream(self, stream: Stream) -> Self:
        self._check_parameters()
        kind: Any = self._statistic
        return self._learn_from(self._source(stream).compute(kind), None)


def multiply_columns(x: Any, factors: Array) -> Any:
    """`x` with each column multiplied by its factor, in place; dense or sparse."""
    if isinstance(x, np.ndarray):
        np.multiply(x, factors, out=x, casting="same_kind")
    else:
        x.data *= factors[entry_columns(x)].astype(x.dtype)
    return x


def divide_columns(x: Any, divisors: Array) -> Any:
    """`x` with each column divided by its divisor, in place; dense or sparse."""
    if isinstance(x, np.ndarray):
        np.divide(x, divisors, out=x, casting="same_kind")
    else:
        x.data /= divisors[entry_columns(x)].astype(x.dtype)
    return x


def refuse_centring_sparse(owner: str, parameter: str) -> None:
    """Centred sparse rows are dense: the caller has to ask for that."""
    raise InvalidDataError(
        f"{owner}: Cannot center sparse matrices: pass `{parameter}=False` instead, or a dense "
        "array."
    )


def along(axis: int, X: Any, owner: str, transformer: Any) -> Any:
    """Fit and apply a transformer along an axis of X, which may have one dimension only."""
    if axis not in (0, 1):
        raise InvalidDataError(f"{owner}: axis must be 0 (columns) or 1 (rows), got {axis!r}.")
    if np.ndim(X) == 1 and not hasattr(X, "format"):
        column = np.asarray(X)[:, np.newaxis]
        given = column if axis == 0 else column.T
        return np.asarray(transformer.fit_transform(given)).ravel()
    if axis == 0:
        return transformer.fit_transform(X)
    table = read_table(X, owner=owner, check_finite="allow-nan")
    turned = transformer.set_output(transform="default").fit_transform(table.x.T)
    return wrap_output(turned.T, origin=table.origin, columns=table.names)


def _is_writable(x: Any) -> bool:
    return bool((x if isinstance(x, np.ndarray) else x.data).flags.writeable)


def _named(table: Table, names: Any) -> Table:
    from dataclasses import replace

    return replace(table, names=tuple(names))
