"""Scores of single features from one pass over a stream."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.batches import batch_door
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.feature_selection.association import (
    analysis_of_variance,
    chi2,
    chi2_of_sums,
    correlations,
    f_classif,
    f_regression,
    f_test,
    r_regression,
    refuse_negative,
)
from stylobate.feature_selection.target_products import TargetProducts
from stylobate.feature_selection.targets import class_codes
from stylobate.sources import source_of
from stylobate.statistics import ClassSums
from stylobate.statistics.groups.class_columns import ClassColumnMoments

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream
    from stylobate.statistics import Source

Door = Callable[[Any, bool], Table]


def scores_of(score: Any, stream: Stream, read: Door, owner: str) -> Any:
    """What a score function of this package would give for the rows of a stream."""
    return _BY_PASS[score](stream, read, owner)


def is_scored_by_pass(score: Any) -> bool:
    """Whether one pass gives the scores of a function."""
    try:
        return score in _BY_PASS
    except TypeError:  # what cannot be hashed
        return False


def _with_classes(stream: Stream, read: Door, owner: str) -> Source:
    def door(batch: Batch, reset: bool) -> Table:
        table = read(batch.x, reset)
        classes, codes = class_codes(_target(batch, owner), table.n_rows, owner=owner)
        y = codes[:, None].astype(np.float64)
        return replace(table, y=y, classes=classes)

    return source_of(stream, batch_door(door), owner)


def _target(batch: Batch, owner: str) -> Any:
    if batch.y is None:
        raise InvalidDataError(f"{owner}: the scores need a target; name its column by target=.")
    return batch.y


def _products(stream: Stream, read: Door, owner: str) -> TargetProducts:
    from stylobate.data import read_table

    def door(batch: Batch, reset: bool) -> Table:
        table = read(batch.x, reset)
        y = _target(batch, owner)
        target = read_table(np.zeros((table.n_rows, 1)), y, owner=owner, multi_output=False)
        return replace(table, y=target.y, y_is_vector=True)

    return source_of(stream, batch_door(door), owner).compute(TargetProducts)


def _f_classif(stream: Stream, read: Door, owner: str) -> tuple[Array, Array]:
    found = _with_classes(stream, read, owner).compute(ClassColumnMoments)
    return analysis_of_variance(found.groups)


def _chi2(stream: Stream, read: Door, owner: str) -> tuple[Array, Array]:
    def door(x: Any, reset: bool) -> Table:
        table = read(x, reset)
        refuse_negative(table)
        return table

    found = _with_classes(stream, door, owner).compute(ClassSums).present()
    return chi2_of_sums(found.sums, found.n_rows)


_BY_PASS: dict[Any, Callable[[Stream, Door, str], Any]] = {
    f_regression: lambda stream, read, owner: f_test(_products(stream, read, owner)),
    r_regression: lambda stream, read, owner: correlations(_products(stream, read, owner), True),
    f_classif: _f_classif,
    chi2: _chi2,
}
