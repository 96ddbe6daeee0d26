"""Questions nobody chose: a table and one of its columns, drawn by seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from race.study_quality.catalogue import Asked, Rows, csv, parquet

POOL = (
    csv("basic/titanic_seaborn.csv"),
    csv("basic/penguins.csv"),
    csv("basic/diamonds.csv.gz"),
    csv("basic/mpg.csv"),
    csv("basic/breast_cancer.csv"),
    csv("basic/wine.csv"),
    csv("tabular/adult.csv.gz"),
    csv("messy/medicare_cost_currency.csv.gz", thousands=","),
    csv("messy/nyc311_animals.csv.gz"),
    csv("messy/ks_1033_datetimes.csv.gz"),
    csv("messy/employee_salaries.csv.gz"),
    csv("time_geo/quakes_fiji.csv"),
    csv("time_geo/earthquakes_23k.csv.gz"),
    parquet("relational/completejourney/demographics.parquet"),
    parquet("relational/nycflights13/planes.parquet"),
)
_MOST_CLASSES, _RAREST = 10, 20
_MOST_ROWS = 20_000
_MEASURED = 30  # different values of a number that is estimated


def drawn(count: int, seed: int, folder: Path) -> list[Asked]:
    """So many questions, no two about the same column of the same table."""
    draw = np.random.default_rng(seed)
    found: list[Asked] = []
    known: set[tuple[int, str]] = set()
    while len(found) < count:
        place = int(draw.integers(len(POOL)))
        frame = POOL[place](folder)
        names = [name for name in frame.columns if _can_be_asked(frame[name])]
        name = names[int(draw.integers(len(names)))]
        if (place, name) not in known:
            known.add((place, name))
            title = f"drawn {len(found) + 1}: {name}"
            found.append(Asked(title, "drawn", _Sample(place), name, drop=copies(frame, name)))
    return found


def copies(frame: Rows, name: str) -> tuple[str, ...]:
    """Columns that are the one asked for under another name: known only with it, so no features."""
    others = (each for each in frame.columns if each != name)
    return tuple(each for each in others if _one_to_one(frame[[name, each]].dropna()))


def _one_to_one(pair: Rows) -> bool:
    different = pair.drop_duplicates()
    counts = {len(different), *(different[each].nunique() for each in different.columns)}
    return len(counts) == 1 and 1 < len(different) < len(pair)


class _Sample:
    """Some rows of a table of the pool, in an order drawn at random."""

    def __init__(self, place: int) -> None:
        self.place = place

    def __call__(self, folder: Path) -> Rows:
        frame = POOL[self.place](folder)
        return frame.sample(min(len(frame), _MOST_ROWS), random_state=0).reset_index(drop=True)


def _can_be_asked(values: Sequence[object]) -> bool:
    """Few classes with enough rows each, or measured numbers."""
    counts = values.value_counts()  # type: ignore[attr-defined]
    kind = values.dtype.kind  # type: ignore[attr-defined]
    if kind in "iuf":
        return len(counts) >= _MEASURED
    return kind != "M" and 2 <= len(counts) <= _MOST_CLASSES and counts.min() >= _RAREST
