"""Columns compared with each other and with the target."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.arrays import Array
from stylobate.data.kinds.schema import Schema
from stylobate.exceptions import InvalidDataError
from stylobate.exploration.association import Associations, ExactCorrelations, associate
from stylobate.exploration.association.columns import (
    AMOUNTS,
    AnyColumn,
    CategoryColumn,
    NumberColumn,
    number_column,
)
from stylobate.exploration.cells import Cells
from stylobate.exploration.target import TargetAnalysis, analyse_target, with_identifiers
from stylobate.exploration.target.analysis import with_words

MOST_COLUMNS = 60  # compared with each other; further ones only with the target
_MOST_CELLS = 10_000_000  # looked at for the target
SKIPPED = ("text", "identifier", "constant")
_DAY = np.timedelta64(1, "D")


def compare(
    columns: Sequence[Cells],
    *,
    exact: bool,
    moments: ExactCorrelations | None = None,
    told: TargetAnalysis | None = None,
) -> Associations:
    """The associations of all pairs of columns that can be compared, of at most `MOST_COLUMNS`.

    `exact` is False where the rows are a sample; `moments` are then correlations of all rows.
    Of more columns, those that explain the target best (`told`) are taken, else the fullest.
    """
    read = _chosen(comparable(columns), told)
    if moments is not None:
        amounts = {c.name for c in read if isinstance(c, NumberColumn) and c.kind in AMOUNTS}
        moments = moments if amounts <= {*moments.names} else None
    return associate(read, exact=exact, moments=moments)


def _chosen(columns: list[AnyColumn], told: TargetAnalysis | None) -> list[AnyColumn]:
    if len(columns) <= MOST_COLUMNS:
        return columns
    explains = {} if told is None else {each.name: each.explains for each in told.features}
    if told is not None:
        explains[told.name] = np.inf
    present = [int(column.present.sum()) for column in columns]
    order = sorted(
        range(len(columns)), key=lambda j: (-explains.get(columns[j].name, 0.0), -present[j], j)
    )
    return [columns[j] for j in sorted(order[:MOST_COLUMNS])]


def compared_note(columns: Sequence[Cells], told: TargetAnalysis | None) -> tuple[str, ...]:
    """What is to be said where not all columns are compared with each other."""
    count = sum(cells.column.kind not in SKIPPED for cells in columns)
    if count <= MOST_COLUMNS:
        return ()
    by = "have the fewest gaps" if told is None else f"explain {told.name!r} best"
    return (f"associations between the {MOST_COLUMNS} of {count} columns that {by}",)


def analyse(columns: Sequence[Cells], target: str) -> TargetAnalysis:
    """What the other columns say about the target; of very many columns, fewer rows are used."""
    own = next(cells.column for cells in columns if cells.column.name == target)
    if own.kind in SKIPPED:
        kinds = f"schema={{{target!r}: 'nominal'}}"
        raise InvalidDataError(
            f"explore: the column {target!r} is {own.kind} ({own.reason}) and cannot be a target. "
            f"If it is one, say so by {kinds}, or 'numeric'."
        )
    rows = max(_MOST_CELLS // len(columns), 1000)
    some = [Cells(c.column, c.values, c.codes[:rows]) for c in columns]
    read = comparable(some)
    schema = Schema(tuple(cells.column for cells in columns))
    answer = next(each for each in read if each.name == target)
    texts = {
        c.column.name: np.array([*c.values.tolist(), None], dtype=object)[c.codes].tolist()
        for c in some
        if c.column.kind == "text"
    }
    found = with_words(analyse_target(read, target), texts, answer)
    return with_identifiers(found, schema, read)


def comparable(columns: Sequence[Cells]) -> list[AnyColumn]:
    """The columns that can be compared: amounts and steps as numbers, others as categories."""
    return [as_column(cells) for cells in columns if cells.column.kind not in SKIPPED]


def _tamed(values: Array) -> Array:
    """Numbers whose squares would leave double precision in other units; others as they are."""
    finite = values[np.isfinite(values)]
    size = float(np.abs(finite).max(initial=0.0))
    if 1e-100 < size < 1e100 or size == 0.0:
        return values
    return np.ldexp(values, -int(np.frexp(size)[1]))


def as_column(cells: Cells) -> AnyColumn:
    """One column by its kind."""
    name, kind, order = cells.column.name, cells.column.kind, cells.column.order
    if cells.is_temporal:
        days = (cells.values - np.datetime64(0, "us")) / _DAY
        return NumberColumn(name, np.append(days, np.nan)[cells.codes], "datetime")
    if kind in ("numeric", "geospatial", "ordinal") and cells.is_numeric:
        return number_column(name, _tamed(cells.numbers()), kind)
    if kind == "ordinal" and order is not None:
        step = {value: float(i) for i, value in enumerate(order)}
        steps = [step.get(str(value), np.nan) for value in cells.values]
        return NumberColumn(name, np.append(steps, np.nan)[cells.codes], "ordinal", order)
    labels = cells.values.tolist()
    if cells.is_numeric:
        labels = [int(v) if v == np.floor(v) and abs(v) < 2**53 else v for v in labels]
    found = "binary" if len(labels) == 2 else "nominal"
    return CategoryColumn(name, cells.codes.astype(np.int64), tuple(labels), found)
