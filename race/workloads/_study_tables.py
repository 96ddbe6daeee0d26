"""Tables of the workloads of studies: those that ship, those of a folder, and made-up ones.

``STYLOBATE_RACE_DATA`` names a folder below which files such as ``adult.csv.gz`` are looked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from race.workload import Data, Size


def shipped(name: str, *, drop: tuple[str, ...] = ()) -> Callable[[Size, int], Data]:
    """A data set that comes with the library."""

    def make(size: Size, seed: int) -> Data:
        from stylobate.datasets import read_dataset

        return _some({k: v for k, v in read_dataset(name).items() if k not in drop}, size, seed)

    return make


def found_or(
    stem: str, variable: str, alike: Callable[[int, Any], Data], *, drop: tuple[str, ...] = ()
) -> Callable[[Size, int], Data]:
    """The CSV file of a variable or of the folder; without one, a table in its likeness."""

    def make(size: Size, seed: int) -> Data:
        path = _path(stem, variable)
        if path is None:
            return alike(size["rows"], np.random.default_rng(seed))
        import pandas as pd

        frame = pd.read_csv(path, na_values=["?"]).drop(columns=list(drop), errors="ignore")
        return _some({name: frame[name].to_numpy() for name in frame.columns}, size, seed)

    return make


def _path(stem: str, variable: str) -> str | None:
    folder = os.environ.get("STYLOBATE_RACE_DATA")
    files = sorted(Path(folder).rglob(f"{stem}.csv*")) if folder else []
    return os.environ.get(variable) or (str(files[0]) if files else None)


def _some(columns: dict[str, Any], size: Size, seed: int) -> Data:
    """So many rows, drawn at random, in their order; names fit for files."""
    n_rows = len(next(iter(columns.values())))
    drawn = np.random.default_rng(seed).permutation(n_rows)[: size["rows"]]
    chosen = np.sort(drawn)
    return {
        name.replace("/", " per "): _column(np.asarray(values)[chosen])
        for name, values in columns.items()
    }


def _column(values: Any) -> Any:
    """Numbers, or texts that are empty where missing."""
    if values.dtype.kind in "iuf":
        return values.astype(np.float64)
    return np.array(["" if v is None or v != v else str(v) for v in values])


def table_of(data: Data, target: str, regression: bool) -> dict[str, Any]:
    """The columns as tables have them: texts as objects, None where missing; classes as texts."""
    found: dict[str, Any] = {}
    for name, values in data.items():
        numbers = values.dtype.kind == "f"
        if numbers and (regression or name != target):
            found[name] = values
            continue
        texts = np.array([f"{v:g}" for v in values] if numbers else values, dtype=object)
        texts[texts == ""] = None
        found[name] = texts
    return found
