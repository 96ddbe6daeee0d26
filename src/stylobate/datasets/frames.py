"""Columns as arrays or as the data frame asked for."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets.bunch import Bunch
from stylobate.datasets.columns import Columns, is_missing, is_numeric
from stylobate.exceptions import InvalidParameterError

AsFrame = bool | Literal["pandas", "polars", "pyarrow"]


def load(
    whole: Columns,
    features: Columns,
    target_name: str,
    target: NDArray[Any],
    *,
    return_X_y: bool,
    as_frame: AsFrame,
    description: str,
) -> Any:
    """What every loader returns, from the file's columns, the features and the target.

    Rows in which a feature or the target is missing are dropped from data and target; `frame` has
    every row and column.
    """
    kind = _checked_kind(as_frame)
    kept = ~np.any([is_missing(column) for column in (*features.values(), target)], axis=0)
    features = {name: column[kept] for name, column in features.items()}
    y: Any = target[kept] if is_numeric(target) else target[kept].astype(str)
    names = [target_name] if is_numeric(target) else sorted(set(y.tolist()))
    if kind is None:
        data: Any = np.column_stack(list(features.values()))
    else:
        data = _frame(features, kind)
        y = _series(target_name, y, kind)
    if return_X_y:
        return data, y
    return Bunch(
        data=data,
        target=y,
        frame=whole if kind is None else _frame(whole, kind),
        feature_names=list(features),
        target_names=names,
        DESCR=description.strip(),
    )


def frame_of(columns: Columns, as_frame: AsFrame) -> Any:
    """Columns as the data frame asked for."""
    kind = _checked_kind(as_frame)
    return None if kind is None else _frame(columns, kind)


def _checked_kind(as_frame: AsFrame) -> str | None:
    if as_frame is False or as_frame is True:
        return "pandas" if as_frame else None
    if as_frame not in ("pandas", "polars", "pyarrow"):
        raise InvalidParameterError(
            f"as_frame must be False, True (pandas), 'pandas', 'polars' or 'pyarrow', got "
            f"{as_frame!r}."
        )
    return as_frame


def _frame(columns: Columns, kind: str) -> Any:
    if kind == "pandas":
        import pandas as pd

        return pd.DataFrame(columns)
    plain = {name: _with_nulls(column) for name, column in columns.items()}
    if kind == "polars":
        import polars as pl

        return pl.DataFrame(plain)
    import pyarrow as pa

    return pa.table(plain)


def _series(name: str, values: NDArray[Any], kind: str) -> Any:
    if kind == "pandas":
        import pandas as pd

        return pd.Series(values.astype(object) if values.dtype.kind == "U" else values, name=name)
    if kind == "polars":
        import polars as pl

        return pl.Series(name, _with_nulls(values))
    import pyarrow as pa

    return pa.chunked_array([_with_nulls(values)])


def _with_nulls(column: NDArray[Any]) -> list[Any]:
    """Python values; polars and pyarrow mark a missing number as null, not as NaN."""
    if not is_numeric(column):
        return list(column.tolist())
    missing = np.isnan(column)
    return [None if gone else value for value, gone in zip(column.tolist(), missing, strict=True)]
