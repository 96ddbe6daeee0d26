"""Columns of a wide table that say most about the target by themselves, seen quickly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.study.question.question import Asked
from stylobate.study.table.table import StudyTable


def most_telling(
    table: StudyTable, asked: Asked, training: NDArray[np.intp], most: int
) -> tuple[str, ...]:
    """At most so many columns, in the order of the table: of numbers those that go with the target.

    The measure is the largest correlation with the target, or with a class. Columns of other kinds
    come first, half of the places at most, as they cannot be ranked so quickly.

    Parameters
    ----------
    table : StudyTable
    asked : Asked
    training : array of int
        Positions of the rows that may be looked at.
    most : int
        How many columns.
    """
    names = [each.name for each in table.schema if each.name != asked.question.target]
    if len(names) <= most:
        return tuple(names)
    numbers = [name for name in names if table.columns[name].dtype.kind in "iuf"]
    others = [name for name in names if name not in set(numbers)][: most // 2]
    rows = asked.rows[training]
    strength = _correlations(
        np.column_stack([table.columns[name][rows].astype(np.float64) for name in numbers]),
        _targets(asked, training),
    ) if numbers else np.zeros(0)  # fmt: skip
    kept = {numbers[k] for k in np.argsort(-strength, kind="stable")[: most - len(others)]}
    kept |= set(others)
    return tuple(name for name in names if name in kept)


def _targets(asked: Asked, training: NDArray[np.intp]) -> NDArray[np.float64]:
    y = asked.y[training]
    if asked.question.task == "regression":
        return np.asarray(y, dtype=np.float64).reshape(-1, 1)
    return np.eye(len(asked.labels))[y.astype(np.intp)]


def _correlations(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest absolute correlation of each column of x with one of y; gaps as the mean."""
    with np.errstate(invalid="ignore", divide="ignore"):
        known = np.isfinite(x)
        means = np.where(known, x, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        x = np.where(known, x, means) - means
        y = y - y.mean(axis=0)
        norms = np.sqrt((x**2).sum(axis=0))[:, None] * np.sqrt((y**2).sum(axis=0))
        found = np.abs(x.T @ y) / norms
    return np.asarray(np.nan_to_num(found, nan=0.0).max(axis=1))
