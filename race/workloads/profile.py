"""From a CSV file to a profile of its columns.

ydata-profiling asks for older packages than ours; name an interpreter that has it in
``STYLOBATE_RACE_YDATA`` to let it take part.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

_BLOCK = 100_000  # rows made together
_CITIES = ("Amsterdam", "Berlin", "Cairo", "Delhi", "Edinburgh", "Fes")
_WORDS = np.array(["alpha", "beta", "gamma", "delta", "omega", "sigma", "kappa", "theta"])
Means = dict[str, float]


def block(first: int, rows: int, rng: np.random.Generator) -> dict[str, Any]:
    """Doubles, whole numbers, gaps, categories, moments, days, sentences, names of rows."""
    columns: dict[str, Any] = {
        f"x{j}": rng.normal(1.0, 1.0, rows) * 10.0 ** (j - 3) for j in range(8)
    }
    columns |= {f"k{j}": rng.integers(0, 10 ** (j + 1), rows) for j in range(4)}
    for j in range(2):
        values = rng.lognormal(size=rows)
        values[rng.random(rows) < 0.1] = np.nan
        columns[f"m{j}"] = values
    columns["city"] = rng.choice(_CITIES, rows)
    columns["grade"] = rng.choice(["A", "B", "C", "D", "E", ""], rows)
    seconds = rng.integers(0, 10 * 365 * 86400, rows).astype("m8[s]")
    columns["moment"] = np.datetime64("2015-01-01T00:00:00") + seconds
    columns["day"] = np.datetime64("2020-01-01") + rng.integers(0, 1000, rows).astype("m8[D]")
    columns["note"] = [" ".join(row) for row in _WORDS[rng.integers(0, 8, (rows, 6))]]
    columns["name"] = [f"u{i:010d}" for i in range(first, first + rows)]
    return columns


def make(size: Size, seed: int) -> Data:
    """The file, in a temporary folder until the race ends, and the means of its numbers."""
    import pandas as pd

    folder = tempfile.TemporaryDirectory(prefix="race-profile-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "table.csv"
    rng = np.random.default_rng(seed)
    sums: dict[str, np.ndarray[Any, Any]] = {}
    for first in range(0, size["rows"], _BLOCK):
        columns = block(first, min(_BLOCK, size["rows"] - first), rng)
        for name, values in columns.items():
            if isinstance(values, np.ndarray) and values.dtype.kind in "fi":
                part = np.array([np.nansum(values), np.count_nonzero(values == values)])
                sums[name] = sums.get(name, np.zeros(2)) + part
        frame = pd.DataFrame(columns)
        frame.to_csv(path, index=False, mode="a", header=first == 0)
    return {
        "path": np.array([str(path)]),
        "names": np.array(list(sums)),
        "means": np.array([total / count for total, count in sums.values()]),
    }


def path_of(data: Data) -> str:
    """Where the file is."""
    return str(data["path"][0])


def ours(data: Data) -> Means:
    """Everything `explore` finds."""
    from stylobate import explore

    profile = explore(path_of(data))
    return {v.name: v.numeric.mean for v in profile if v.numeric is not None}


def pandas(data: Data) -> Means:
    """Moments, quartiles and the most frequent value."""
    import pandas as pd

    table = pd.read_csv(path_of(data)).describe(include="all")
    return {str(name): float(table[name]["mean"]) for name in data["names"]}


def polars(data: Data) -> Means:
    """Moments and quartiles."""
    import polars as pl

    table = pl.read_csv(path_of(data), try_parse_dates=True).describe()
    row = table.row(by_predicate=pl.col("statistic") == "mean", named=True)
    return {str(name): float(row[str(name)]) for name in data["names"]}


def duckdb(data: Data) -> Means:
    """Moments, quartiles and distinct values, approximately."""
    import duckdb

    rows = duckdb.sql(f"SUMMARIZE SELECT * FROM read_csv('{path_of(data)}')").fetchall()
    found = {row[0]: row[5] for row in rows}
    return {str(name): float(found[str(name)]) for name in data["names"]}


def skrub(data: Data) -> Means:
    """A page: moments, quartiles, frequent values, histograms, associations of a sample."""
    import pandas as pd
    from skrub import TableReport

    told = json.loads(TableReport(pd.read_csv(path_of(data)), verbose=0).json())
    found = {each["name"]: each.get("mean") for each in told["columns"]}
    return {str(name): float(found[str(name)]) for name in data["names"]}


_YDATA = """
import json, sys
import pandas as pd
from ydata_profiling import ProfileReport
for line in sys.stdin:
    path, minimal = json.loads(line)
    report = ProfileReport(pd.read_csv(path), minimal=minimal, progress_bar=False)
    told = report.get_description().variables
    print("=" + json.dumps({k: v["mean"] for k, v in told.items() if "mean" in v}), flush=True)
"""
_child: list[subprocess.Popen[str]] = []


def ydata(data: Data, minimal: bool) -> Means:
    """The description without the page; the interpreter is started once, in the warm-up."""
    if "STYLOBATE_RACE_YDATA" not in os.environ:
        raise ModuleNotFoundError("ydata_profiling", name="ydata_profiling")
    if not _child:
        command = [os.environ["STYLOBATE_RACE_YDATA"], "-W", "ignore", "-c", _YDATA]
        pipe = subprocess.PIPE
        _child.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True))
        atexit.register(_child[0].kill)
    stdin, stdout = _child[0].stdin, _child[0].stdout
    assert stdin is not None
    assert stdout is not None
    stdin.write(json.dumps([path_of(data), minimal]) + "\n")
    stdin.flush()
    for line in stdout:
        if line.startswith("="):
            found: Means = json.loads(line[1:])
            return found
    raise ChildProcessError("ydata-profiling ended without an answer")


def quality(found: Means, data: Data) -> float:
    """1 + the largest relative error of the means, beyond what printed digits lose."""
    if not set(map(str, data["names"])) <= found.keys():
        return float("inf")
    means = np.array([found[str(name)] for name in data["names"]])
    error = float(np.abs(means / data["means"] - 1.0).max())
    return 1.0 + (0.0 if error < 1e-6 else error)


def floor(size: Size) -> tuple[float, float]:
    """Every byte of the file is read."""
    return 0.0, 295.0 * size["rows"]


WORKLOAD = Workload(
    name="profile",
    title="from a CSV file to a profile of its 20 columns",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 1_000_000, "columns": 20},
        "large": {"rows": 10_000_000, "columns": 20},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("pandas describe", "pandas", pandas),
        Contender("polars describe", "polars", polars),
        Contender("duckdb summarize", "duckdb", duckdb),
        Contender("skrub", "skrub", skrub),
        # without associations, so not the same job: shown, but no goal is measured against it
        Contender("ydata minimal", "ydata_profiling", partial(ydata, minimal=True), "reference"),
        Contender("ydata full", "ydata_profiling", partial(ydata, minimal=False)),
    ),
    quality=quality,
    floor=floor,
    goals=(Faster("pandas", 0.5), Faster("ydata_profiling", 50)),
)
