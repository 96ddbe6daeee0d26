"""What the workloads on files larger than memory share: the file, readers, how good a line is."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from race.workload import Data, Size
from race.workloads._linear import Line

Vector = NDArray[np.float64]

BLOCK = 100_000  # rows made together
HELD_OUT = 200_000  # rows in memory by which answers are judged


def make(size: Size, seed: int, *, classes: bool = False) -> Data:
    """A Parquet file, in a temporary folder until the race ends, and some rows like its own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tempfile.TemporaryDirectory(prefix="race-stream-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "rows.parquet"
    rng = np.random.default_rng(seed)
    columns = size["columns"]
    w, shift = rng.standard_normal(columns) / np.sqrt(columns), rng.uniform(-2.0, 2.0, columns)
    writer = None
    for first in range(0, size["rows"], BLOCK):
        x, y = _block(min(BLOCK, size["rows"] - first), w, shift, rng, classes)
        table = pa.table({f"x{j}": x[:, j] for j in range(columns)} | {"y": y})
        writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    assert writer is not None
    writer.close()
    held, targets = _block(HELD_OUT, w, shift, rng, classes)
    return {"path": np.array([str(path)]), "X": held, "y": targets}


def _block(
    rows: int, w: Vector, shift: Vector, rng: np.random.Generator, classes: bool
) -> tuple[Vector, Vector]:
    x = rng.standard_normal((rows, len(w))) + shift
    z = (x - shift) @ w
    if classes:
        return x, (rng.random(rows) < 1.0 / (1.0 + np.exp(-2.0 * z))).astype(np.float64)
    return x, z + 3.0 + rng.standard_normal(rows)


def path_of(data: Data) -> str:
    return str(data["path"][0])


def polars_batches(data: Data) -> Iterator[tuple[Vector, Vector]]:
    import polars as pl

    for frame in pl.scan_parquet(path_of(data)).collect_batches(maintain_order=True):
        yield frame.drop("y").to_numpy(), frame["y"].to_numpy()


def arrow_batches(data: Data) -> Iterator[tuple[Vector, Vector]]:
    import pyarrow.parquet as pq

    for batch in pq.ParquetFile(path_of(data)).iter_batches(BLOCK):
        columns = [column.to_numpy() for column in batch.columns]
        yield np.column_stack(columns[:-1]), columns[-1]


def duckdb_batches(data: Data) -> Iterator[tuple[Vector, Vector]]:
    import duckdb

    for batch in duckdb.sql(f"SELECT * FROM '{path_of(data)}'").to_arrow_reader(BLOCK):
        columns = [column.to_numpy() for column in batch.columns]
        yield np.column_stack(columns[:-1]), columns[-1]


def read_alone(data: Data) -> None:
    """Every column as the engine gives it, looked at by nobody."""
    import duckdb

    for _ in duckdb.sql(f"SELECT * FROM '{path_of(data)}'").to_arrow_reader(BLOCK):
        pass


def read_by_polars(data: Data) -> None:
    """The same by polars."""
    import polars as pl

    for _ in pl.scan_parquet(path_of(data)).collect_batches(maintain_order=True):
        pass


def ridge_of(batches: Iterator[tuple[Vector, Vector]], alpha: float) -> Line:
    """Sums of products of every batch, by hand; no digits are kept for large means."""
    total: Any = 0.0
    for x, y in batches:
        z = np.column_stack([x, y, np.ones(len(y))])
        total = total + z.T @ z
    n = total[-1, -1]
    mean = total[-1, :-1] / n
    scatter = total[:-1, :-1] - n * np.outer(mean, mean)
    gram = scatter[:-1, :-1] + alpha * np.eye(len(mean) - 1)
    w = np.linalg.solve(gram, scatter[:-1, -1])
    return Line(w, float(mean[-1] - mean[:-1] @ w))


def log_loss(z: Vector, y: Vector) -> float:
    return float(np.mean(np.logaddexp(0.0, z) - y * z))
