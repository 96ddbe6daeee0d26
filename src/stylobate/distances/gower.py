"""Gower's dissimilarity of rows whose columns are numbers, dates, ranks and categories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns
from stylobate.distances.maps import IDENTITY, Increasing
from stylobate.distances.metric import Form, Metric
from stylobate.distances.mixed import KINDS, MixedColumn, Unseen
from stylobate.distances.tiles import Measured
from stylobate.exceptions import InvalidDataError, InvalidParameterError


@dataclass(frozen=True, eq=False)
class Gower(Metric):
    r"""The mean of distances by column, over the columns both rows have.

    .. math:: d(x, y) = \frac{\sum_l w_l \delta_l d_l(x_l, y_l)}{\sum_l w_l \delta_l}

    where :math:`\delta_l` is 1 if both rows have column l, and :math:`d_l` is
    :math:`|x_l - y_l| / \text{range}_l` for numbers, dates and ranks, and 0 for equal and 1 for
    different categories. With a function f it is :math:`f(\sum_l w_l d_l)`, the sum of the columns
    both have scaled up to all.

    The ranges are those of the rows of `learnt`: of the fit, in estimators.

    Parameters
    ----------
    kinds : mapping of column to kind, one kind for each column, or one for all, default=None
        ``numeric`` (numbers or dates), ``ordinal`` (ranks, in the order the categories declare or
        else sorted), ``nominal`` or ``binary``. By default numbers and dates are numeric, ordered
        categories ordinal and all others nominal.
    weights : array-like of shape (columns,), default=None
        Not negative; None means ones.
    ranges : mapping of column to float or timedelta, default=None
        Ranges, where those of the rows at hand are not meant.
    f : callable, default=None
        Of arrays, entry by entry, not decreasing; for example ``numpy.sqrt``.

    Attributes
    ----------
    columns : tuple of MixedColumn
        What is learnt; empty before.

    References
    ----------
    Gower (1971), A general coefficient of similarity and some of its properties.

    Examples
    --------
    >>> metric = Gower().learnt([[20, "red"], [60, "blue"]])
    >>> metric([20, "red"], [30, "blue"])
    0.625
    """

    kinds: Any = None
    weights: Any = None
    ranges: Any = None
    f: Callable[..., Any] | None = None
    columns: tuple[MixedColumn, ...] = ()
    names: ClassVar[tuple[str, ...]] = ("gower",)
    domain = "mixed"
    allow_nan = True

    def __post_init__(self) -> None:
        if self.f is not None and not callable(self.f):
            raise InvalidParameterError(f"gower: f must be a function or None, got {self.f!r}.")

    def learnt(self, x: Any, *others: Any) -> Gower:
        """With the kinds, ranges and categories of the columns of one table or several."""
        if self.columns:
            return self
        tables = [_read(each) for each in (x, *others)]
        names = _names(tables[0])
        _check_alike(tables, names)
        kinds, ranges = self._kinds(names), dict(self.ranges or {})
        found = [
            MixedColumn.of(
                name, [table.values[j] for table in tables], kinds.get(name), ranges.get(name)
            )
            for j, name in enumerate(names)
        ]
        return replace(self, columns=tuple(found))

    def points(self, *tables: Any) -> tuple[Array, ...]:
        """Each table as numbers: of one range, or codes."""
        read = [_read(each) for each in tables]
        _check_alike(read, tuple(column.name for column in self.columns))
        unseen: Unseen = {}
        made = []
        for table in read:
            out = np.empty((table.n_rows, len(self.columns)))
            for j, column in enumerate(self.columns):
                out[:, j] = column.points(table.values[j], unseen)
            made.append(out)
        return tuple(made)

    def between(self, X: Any, Y: Any = None) -> Measured:
        """Tables as the caller has them, ready to be asked; what is not learnt is so from both."""
        tables = (X,) if Y is None or Y is X else (X, Y)
        metric = self.learnt(*tables)
        points = metric.points(*tables)
        return metric.measured(points[0], points[-1])

    def __call__(self, a: Any, b: Any) -> float:
        """The distance of two rows, once the columns are learnt."""
        if not self.columns:
            raise InvalidParameterError("gower: the ranges are those of some rows; call learnt(X).")
        x, y = self.points([list(a)], [list(b)])
        return float(self.matrix(x, y)[0, 0])

    def form(self, columns: int) -> Form:
        """The mean of the columns; the core's sign for those that are equal or not is a minus."""
        w = self._weights(columns)
        finish = IDENTITY if self.f is None else Increasing(self.f, float(w.sum()))
        nominal = [column.kind == "nominal" for column in self.columns]
        return Form("gower", finish, weights=np.where(nominal, -w, w))

    def _weights(self, columns: int) -> Array:
        w = np.ones(columns) if self.weights is None else np.array(self.weights, dtype=np.float64)
        if w.shape != (columns,) or not (w >= 0).all() or not np.isfinite(w).all() or w.sum() == 0:
            raise InvalidParameterError(
                f"gower: weights must be {columns} finite numbers, none negative and not all 0; "
                f"got {self.weights!r}."
            )
        return w

    def _kinds(self, names: tuple[Any, ...]) -> dict[Any, str]:
        if self.kinds is None:
            return {}
        if isinstance(self.kinds, str):
            return self._checked(dict.fromkeys(names, self.kinds), names)
        listed = not isinstance(self.kinds, Mapping)
        if listed and len(self.kinds) != len(names):
            raise InvalidParameterError(
                f"gower: kinds must be {len(names)}, one for each column; got {len(self.kinds)}."
            )
        given = dict(zip(names, self.kinds, strict=True)) if listed else dict(self.kinds)
        return self._checked(given, names)

    @staticmethod
    def _checked(given: dict[Any, str], names: tuple[Any, ...]) -> dict[Any, str]:
        for name, kind in given.items():
            if name not in names:
                raise InvalidParameterError(f"gower: kinds names {name!r}, no column of X.")
            if kind not in KINDS:
                raise InvalidParameterError(
                    f"gower: the kind of {name!r} must be one of {', '.join(KINDS)}; got {kind!r}."
                )
        return given


def _read(table: Any) -> MixedColumns:
    return table if isinstance(table, MixedColumns) else read_mixed_columns(table, owner="gower")


def _names(table: MixedColumns) -> tuple[Any, ...]:
    return table.names or tuple(range(table.n_features))


def _check_alike(tables: list[MixedColumns], names: tuple[Any, ...]) -> None:
    for table in tables:
        if table.n_features != len(names):
            raise InvalidDataError(
                f"gower: one table has {len(names)} columns and another {table.n_features}; give "
                "both the same columns."
            )
        if table.names and isinstance(names[0], str) and table.names != names:
            other = next(pair for pair in zip(names, table.names, strict=True) if len({*pair}) > 1)
            raise InvalidDataError(
                f"gower: column {other[1]!r} stands where column {other[0]!r} is meant; give all "
                "tables the same columns in the same order."
            )
