"""Moments and counts of the classes of a join: key by key where that takes less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.engines.registry import register
from stylobate.engines.windows import MOST_ROWS
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.joins.factorised import RowWeights, factorised_classes, factorised_weights
from stylobate.joins.plan import choose_plan
from stylobate.joins.source import JoinSource
from stylobate.sources.stream import by_windows
from stylobate.statistics import (
    DiagonalClassMoments,
    FullClassMoments,
    Moments,
    PooledClassMoments,
)
from stylobate.statistics.groups.category_counts import CategoryCounts
from stylobate.statistics.groups.class_moments import ClassMoments

if TYPE_CHECKING:
    from stylobate.joins.stream import JoinStream

_NONE = np.int64(-1)  # the class of a row that is not there
_MOST_CATEGORIES = 1 << 20  # of a column: more are looked at row by row


@register(ClassMoments, JoinSource)
def class_moments(recipe: Any, source: JoinSource) -> ClassMoments:
    """Moments of classes: known ones, else by keys or by rows, whichever takes less."""
    stream, names = source.stream, source.stream.layout.names
    if not source.keeps_columns or len(stream.layout.target) != 1:
        stream.plan = choose_plan(stream, plain=False)
        return by_windows(recipe, source)  # type: ignore[no-any-return]
    what = recipe.__name__, stream.layout.target_names, stream.layout.weight_name
    known: ClassMoments | None = stream.moments.find_classes(names, what)
    if known is not None:
        stream.plan = stream.plan or choose_plan(stream)
        return known
    stream.plan = choose_plan(stream, classes=len(source.first.classes))  # type: ignore[arg-type]
    found = _by_keys(recipe, source) if stream.plan.kind == "factorised" else None
    if found is None:
        found = by_windows(recipe, source)
    stream.moments.keep_classes(names, what, found)
    return found


@register(CategoryCounts, JoinSource)
def category_counts(recipe: Any, source: JoinSource) -> CategoryCounts:
    """Counts of categories in every class: each table's own, weighed by the joined rows."""
    stream = source.stream
    plain = source.keeps_columns and len(stream.layout.target) == 1
    count = len(source.first.classes) if source.first.classes is not None else 1
    stream.plan = choose_plan(stream, plain=plain, classes=count)
    found = _counts_by_keys(source) if stream.plan.kind == "factorised" else None
    return by_windows(recipe, source) if found is None else found


def _counts_by_keys(source: JoinSource) -> CategoryCounts | None:
    stream, settled = source.stream, _settled(source)
    if settled is None:
        return None
    classes, codes, place = settled
    weights = factorised_weights(stream, place, codes, len(classes))
    there = [k for k, each in enumerate(weights) if each.n_rows]
    weights = [weights[k] for k in there]
    counts = [_counts_of(stream, column, weights) for column in stream.layout.features]
    if any(each is None for each in counts):
        return None
    return CategoryCounts(
        classes[there],
        np.array([float(each.n_rows) for each in weights]),
        np.array([each.weight for each in weights]),
        [each for each in counts if each is not None],
    )


def _counts_of(
    stream: JoinStream, column: tuple[int, str], weights: list[RowWeights]
) -> Array | None:
    """How often each category of a column occurs in each class; None where a cell is none."""
    place, name = column
    if place:
        cells = stream.prepared.column(place, name)
    else:
        parts = [facts.columns[name] for facts in stream.prepared.fact_batches([name])]
        cells = np.append(np.concatenate(parts), 0)
    known = np.any([each.tables[place] > 0 for each in weights], axis=0)
    if not np.isfinite(cells[known]).all() or (cells[known] < 0).any():
        return None
    if cells[known].max(initial=0) > _MOST_CATEGORIES:
        return None
    codes, size = cells[known].astype(np.int64), int(cells[known].max(initial=-1)) + 1
    return np.stack([np.bincount(codes, each.tables[place][known], size) for each in weights])


def _settled(source: JoinSource) -> tuple[NDArray[Any], Integers, int] | None:
    """Classes, those of each row of the table that has them, and which it is; None: see rows."""
    stream = source.stream
    place = stream.layout.target[0][0]
    if place and stream.prepared.may_miss(place):
        return None  # rows without a match have no label, which is told where rows are read
    try:
        return *_labels(source), place
    except (InvalidDataError, UnsupportedDataError):
        return None


def _by_keys(recipe: type[ClassMoments], source: JoinSource) -> ClassMoments | None:
    """None where rows have to be passed over, to say which cell is no label or no number."""
    settled = _settled(source)
    if settled is None:
        return None
    classes, codes, place = settled
    found = factorised_classes(source.stream, place, codes, len(classes))
    there = [k for k, each in enumerate(found) if each is not None]
    parts = [each for each in found if each is not None]
    if not parts or not all(each.is_finite() for each in parts):
        return None
    return _together(recipe, classes[there], parts)


def _labels(source: JoinSource) -> tuple[NDArray[Any], Integers]:
    """The classes of the table that has the target, and of each of its rows which it is of."""
    stream = source.stream
    parts = [source.classes_of(values) for values in _target_cells(stream)]
    classes = parts[0][0]
    for other, _ in parts[1:]:
        classes = np.union1d(classes, other)
    codes = [np.searchsorted(classes, own)[numbers] for own, numbers in parts]
    if stream.layout.target[0][0]:
        codes.append(np.array([_NONE]))
    return classes, np.concatenate(codes)


def _target_cells(stream: JoinStream) -> list[NDArray[Any]]:
    """The target's cells in the table that has it, a window at a time."""
    (place, name), prepared = stream.layout.target[0], stream.prepared
    if place == 0:
        return [facts.columns[name] for facts in prepared.fact_batches([name])]
    cells = prepared.column(place, name)[:-1]
    return [cells[start : start + MOST_ROWS] for start in range(0, len(cells), MOST_ROWS)]


def _together(
    recipe: type[ClassMoments], classes: NDArray[Any], parts: list[Moments]
) -> ClassMoments:
    """Moments of the rows of each class as one statistic."""
    scatter: Array = np.stack([each.scatter for each in parts])
    if recipe is PooledClassMoments:
        scatter = scatter.sum(axis=0)
    elif recipe is not FullClassMoments:
        assert recipe is DiagonalClassMoments
        scatter = np.ascontiguousarray(np.diagonal(scatter, axis1=1, axis2=2))
    return recipe(
        classes,
        np.array([float(each.n_rows) for each in parts]),
        np.array([each.weight for each in parts]),
        np.stack([each.mean for each in parts]),
        scatter,
    )
