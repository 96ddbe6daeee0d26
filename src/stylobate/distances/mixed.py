"""Columns of numbers, dates, ranks and categories as numbers that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.coding import code_column, is_nan, positions
from stylobate.data.kinds.values import declared_order
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ModelFileError

Unseen = dict[tuple[Any, Any], float]
KINDS = ("numeric", "ordinal", "nominal", "binary")


class MixedColumn(NamedTuple):
    """What is learnt of a column: where its numbers begin and how far they go, or its categories.

    Parameters
    ----------
    name : str or int
        Its name or place.
    kind : {"numeric", "ordinal", "nominal"}
        Differences of numbers or dates; of ranks; equal or not.
    low, width : float
        The least number and the range, in seconds for dates and durations; of ranks for ordinal
        columns.
    categories : ndarray or None
        The values of ordinal columns from the lowest, those of nominal ones in any order.
    """

    name: Any
    kind: str
    low: float = 0.0
    width: float = 1.0
    categories: NDArray[Any] | None = None

    def _check_loaded(self) -> None:
        """Refuse a column of a model file that has no range or no categories."""
        coded = self.kind in ("ordinal", "nominal")
        listed = self.categories is not None and self.categories.ndim == 1
        if (
            not isinstance(self.name, str | int)
            or not (coded or self.kind == "numeric")
            or listed != coded
            or not np.isfinite(self.low)
            or not 0.0 < self.width < np.inf
        ):
            raise ModelFileError("A column of Gower's dissimilarity in the file is none.")

    @classmethod
    def of(cls, name: Any, parts: Sequence[Any], kind: str | None, width: Any) -> MixedColumn:
        """From the values of one table or several; kind None: as the values suggest.

        Examples
        --------
        >>> MixedColumn.of("age", [np.array([20.0, np.nan, 60.0])], None, None).width
        40.0
        """
        numbers = [_numbers(part) for part in parts]
        order = next(filter(None, map(declared_order, parts)), None)
        known = all(each is not None for each in numbers)
        kind = kind or ("ordinal" if order else "numeric" if known else "nominal")
        if kind == "numeric":
            low, reach = _span(np.concatenate([_checked(each, name) for each in numbers]))
            return cls(name, kind, low, _width(width, reach, name))
        if kind != "ordinal":
            return cls(name, "nominal", categories=_categories(parts, None))
        column = cls(name, kind, categories=_categories(parts, order))
        _, reach = _span(np.concatenate([column.points(part, {}) for part in parts]))
        return column._replace(width=_width(width, reach, name))

    def points(self, values: Any, unseen: Unseen) -> Array:
        """Numbers in units of the range, or codes of categories; NaN where a value is missing.

        ``unseen`` gives categories that were not learnt codes of their own, the same in all calls.
        """
        if self.kind == "numeric":
            return (_checked(_numbers(values), self.name) - self.low) / self.width
        coded = code_column(values)
        known: Any = self.categories
        codes = positions(coded.values, known).astype(np.float64)
        for place in np.flatnonzero(codes < 0):
            value = coded.values[place]
            if not _is_present(value):
                codes[place] = np.nan
            elif self.kind == "ordinal":
                raise InvalidDataError(
                    f"gower: {value!r} has no place among the ordered values of column "
                    f"{self.name!r}: {', '.join(map(str, known[:12]))}."
                )
            else:
                codes[place] = unseen.setdefault((self.name, value), -1.0 - len(unseen))
        return np.asarray(codes[coded.codes] / self.width)


def _numbers(values: Any) -> Array | None:
    """float64 with NaN for missing ones where a column holds numbers or dates, else None."""
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "fiu":
            return values.astype(np.float64)
        if values.dtype.kind in "mM":
            return _seconds(values)
        return _of_objects(values.tolist())
    import narwhals as nw

    kind = values.dtype
    if kind in (nw.Datetime, nw.Date):
        values, kind = values.dt.timestamp("us") / 1e6, nw.Float64()
    if kind == nw.Duration:
        values, kind = values.dt.total_microseconds() / 1e6, nw.Float64()
    if kind.is_numeric():
        return np.asarray(values.cast(nw.Float64).to_numpy(), dtype=np.float64)
    return _of_objects(values.to_list()) if kind == nw.Object else None


def _of_objects(items: list[Any]) -> Array | None:
    present = [item for item in items if _is_present(item)]
    if not present:
        return None
    numbers = (isinstance(item, int | float | np.number) for item in present)
    if all(numbers) and not any(isinstance(item, bool) for item in present):
        return np.array([item if _is_present(item) else np.nan for item in items], dtype=np.float64)
    for kinds, unit in (((date, np.datetime64), "M8[us]"), ((timedelta, np.timedelta64), "m8[us]")):
        if all(isinstance(item, kinds) for item in present):
            kept = [_without_zone(item) if _is_present(item) else "NaT" for item in items]
            return _seconds(np.array(kept, dtype=unit))
    return None


def _without_zone(moment: Any) -> Any:
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        from datetime import UTC

        return moment.astimezone(UTC).replace(tzinfo=None)
    return moment


def _seconds(moments: NDArray[Any]) -> Array:
    whole = moments.astype(f"{moments.dtype.kind}8[us]")
    return np.where(np.isnat(whole), np.nan, whole.astype(np.int64).astype(np.float64) / 1e6)


def _checked(numbers: Array | None, name: Any) -> Array:
    if numbers is None:
        raise InvalidDataError(
            f"gower: column {name!r} is to be numeric, but holds other values than numbers and "
            "dates; call it 'ordinal' or 'nominal'."
        )
    if np.isinf(numbers).any():
        raise InvalidDataError(f"gower: column {name!r} holds infinities.")
    return numbers


def _span(numbers: Array) -> tuple[float, float]:
    present = numbers[~np.isnan(numbers)]
    if not len(present):
        return 0.0, 0.0
    return float(present.min()), float(present.max() - present.min())


def _width(given: Any, found: float, name: Any) -> float:
    if given is None:
        return found if found > 0 else 1.0
    if isinstance(given, timedelta | np.timedelta64):
        given = np.timedelta64(given) / np.timedelta64(1, "s")
    if not 0 < given < np.inf:
        raise InvalidParameterError(
            f"gower: the range of column {name!r} must be above 0, got {given!r}."
        )
    return float(given)


def _categories(parts: Sequence[Any], order: list[Any] | None) -> NDArray[Any]:
    """The values that occur, in increasing order if they have one; or the order declared."""
    if order is None:
        seen = [value for part in parts for value in code_column(part).values.tolist()]
        order = list(dict.fromkeys(value for value in seen if _is_present(value)))
        order = sorted(order) if len({*map(_sorts_as, order)}) == 1 else order
    values = np.empty(len(order), dtype=object)
    values[:] = order
    return values


def _sorts_as(value: Any) -> type:
    return float if isinstance(value, int | float | np.number) else type(value)


def _is_present(item: Any) -> bool:
    return item is not None and not is_nan(item)
