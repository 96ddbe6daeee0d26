"""Dissimilarity of rows whose columns are numbers, ranks and categories, some of them missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.coding import code_column, is_nan
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns
from stylobate.data.numbers import FLOAT64
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.pairwise.tiles import Measured, pairs_of

KINDS = ("numeric", "ordinal", "nominal", "binary")


def gower_distances(
    X: Any,
    Y: Any = None,
    *,
    kinds: Mapping[Any, str] | Sequence[str] | None = None,
    weights: Any = None,
    ranges: Mapping[Any, float] | None = None,
) -> NDArray[np.float64]:
    r"""Gower's dissimilarity of every row of X to every row of Y, of mixed columns.

    .. math:: d(x, y) = \frac{\sum_l w_l \delta_l d_l(x_l, y_l)}{\sum_l w_l \delta_l}

    where :math:`\delta_l` is 1 if both rows have column l, and :math:`d_l` is
    :math:`|x_l - y_l| / \text{range}_l` for numbers and ranks, and 0 for equal and 1 for different
    categories.

    Parameters
    ----------
    X : data frame or array-like of shape (n, p)
        Columns of numbers, text, categories or booleans; None and NaN are missing.
    Y : data frame or array-like of shape (m, p), default=None
        None means X.
    kinds : mapping of column to kind, or one kind for each column, default=None
        ``numeric``, ``ordinal`` (ranks of the sorted values), ``nominal`` or ``binary``. By default
        columns of numbers are numeric and all others nominal.
    weights : array-like of shape (p,), default=None
        Not negative; None means ones.
    ranges : mapping of column to float, default=None
        Ranges of numeric columns, where those of the rows at hand are not meant.

    Returns
    -------
    ndarray of shape (n, m)
        In [0, 1] with the default ranges; NaN where two rows have no column in common.

    References
    ----------
    Gower (1971), A general coefficient of similarity and some of its properties.

    Examples
    --------
    >>> rows = [[20, "red"], [30, "red"], [40, None]]
    >>> gower_distances(rows)
    array([[0.  , 0.25, 1.  ],
           [0.25, 0.  , 0.5 ],
           [1.  , 0.5 , 0.  ]])
    """
    return gower_measured(X, Y, kinds=kinds, weights=weights, ranges=ranges).write()


def gower_measured(
    X: Any, Y: Any = None, *, kinds: Any = None, weights: Any = None, ranges: Any = None
) -> Measured:
    """The rows under Gower's dissimilarity, ready for nearest rows and the like.

    Examples
    --------
    >>> gower_measured([[1, "a"], [2, "a"], [9, "b"]]).nearest(1, skip_self=True)[1].ravel()
    array([1, 0, 1])
    """
    x = read_mixed_columns(X, owner="gower_distances")
    y = x if Y is None or Y is X else read_mixed_columns(Y, owner="gower_distances")
    if y.n_features != x.n_features:
        raise InvalidDataError(
            f"gower_distances: X has {x.n_features} columns and Y {y.n_features}; give both the "
            "same columns."
        )
    names: tuple[Any, ...] = x.names or tuple(range(x.n_features))
    wanted = _kinds(kinds, names)
    w = _weights(weights, x.n_features)
    out = np.empty((x.n_rows + (0 if y is x else y.n_rows), x.n_features))
    for j, name in enumerate(names):
        values = _values(x, y, j)
        kind = wanted.get(name) or ("nominal" if values.dtype == object else "numeric")
        if kind in ("nominal", "binary"):
            out[:, j] = _codes(values, ordered=False)
            w[j] = -w[j]  # the core's sign for columns that are equal or not
            continue
        column = _codes(values, ordered=True) if kind == "ordinal" else _numbers(values, name)
        out[:, j] = column / _range(column, (ranges or {}).get(name))
    a = out[: x.n_rows]
    b = a if y is x else out[x.n_rows :]
    return Measured(pairs_of(a, b, "gower", weights=w), (len(a), len(b)), same=y is x)


def _kinds(kinds: Any, names: tuple[Any, ...]) -> dict[Any, str]:
    if kinds is None:
        return {}
    given = dict(kinds) if isinstance(kinds, Mapping) else dict(zip(names, kinds, strict=False))
    if not isinstance(kinds, Mapping) and len(kinds) != len(names):
        raise InvalidParameterError(
            f"gower_distances: kinds must be {len(names)}, one for each column; got {len(kinds)}."
        )
    for name, kind in given.items():
        if name not in names:
            raise InvalidParameterError(f"gower_distances: kinds names {name!r}, no column of X.")
        if kind not in KINDS:
            raise InvalidParameterError(
                f"gower_distances: the kind of {name!r} must be one of {', '.join(KINDS)}; got "
                f"{kind!r}."
            )
    return given


def _weights(weights: Any, columns: int) -> NDArray[np.float64]:
    w = np.ones(columns) if weights is None else np.array(weights, dtype=np.float64)
    if w.shape != (columns,) or not (w >= 0).all() or not np.isfinite(w).all() or w.sum() == 0:
        raise InvalidParameterError(
            f"gower_distances: weights must be {columns} finite numbers, none negative and not all "
            f"0; got {weights!r}."
        )
    return w


def _values(x: MixedColumns, y: MixedColumns, j: int) -> NDArray[Any]:
    """Column j of both tables: float64 with NaN where both hold numbers, else objects."""
    parts = [_array(x.values[j])] + ([] if y is x else [_array(y.values[j])])
    if any(part.dtype == object for part in parts):
        parts = [part.astype(object) for part in parts]
    return np.concatenate(parts)


def _array(values: Any) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "fiu":
            return values.astype(FLOAT64)
        items: list[Any] = values.tolist()
    elif values.dtype.is_numeric():
        return np.asarray(values.cast(_float64()).to_numpy(), dtype=FLOAT64)
    else:
        items = values.to_list()
    if items and all(_is_number(item) for item in items) and any(map(_is_present, items)):
        return np.array([item if _is_present(item) else np.nan for item in items], dtype=FLOAT64)
    objects = np.empty(len(items), dtype=object)
    objects[:] = items
    return objects


def _float64() -> Any:
    import narwhals as nw

    return nw.Float64


def _is_present(item: Any) -> bool:
    return item is not None and not is_nan(item)


def _is_number(item: Any) -> bool:
    return not _is_present(item) or (
        isinstance(item, int | float | np.integer | np.floating) and not isinstance(item, bool)
    )


def _codes(values: NDArray[Any], *, ordered: bool) -> NDArray[np.float64]:
    coded = code_column(values)
    if ordered:
        coded = coded.sorted()
    numbers = np.arange(len(coded.values), dtype=np.float64)
    numbers[[not _is_present(value) for value in coded.values]] = np.nan
    return numbers[coded.codes]


def _numbers(values: NDArray[Any], name: Any) -> NDArray[np.float64]:
    if values.dtype == object:
        raise InvalidDataError(
            f"gower_distances: column {name!r} is to be numeric, but holds other values than "
            "numbers; call it 'ordinal' or 'nominal'."
        )
    if np.isinf(values).any():
        raise InvalidDataError(f"gower_distances: column {name!r} holds infinities.")
    return values


def _range(column: NDArray[np.float64], given: float | None) -> float:
    if given is not None:
        if not 0 < given < np.inf:
            raise InvalidParameterError(
                f"gower_distances: a range must be a number above 0, got {given!r}."
            )
        return float(given)
    present = column[~np.isnan(column)]
    width = float(present.max() - present.min()) if len(present) else 0.0
    return width if width > 0 else 1.0
