"""Aggregates of the visits of customers before each of their orders: 13 features."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

COLUMNS = ("a", "b", "c")
STATISTICS = ("count", "sum", "mean", "min", "max")
PER_KEY = 20  # orders, and ten times as many visits


def make(size: Size, seed: int) -> Data:
    """Orders and visits at moments drawn anew."""
    rng = np.random.default_rng(seed)
    n, keys = size["rows"], max(size["rows"] // PER_KEY, 1)
    data: Data = {
        "k": rng.integers(0, keys, n).astype(np.float64),
        "t": rng.integers(0, 10**6, n).astype(np.float64),
        "visits.k": rng.integers(0, keys, 10 * n).astype(np.float64),
        "visits.t": rng.integers(0, 10**6, 10 * n).astype(np.float64),
    }
    return data | {f"visits.{name}": rng.standard_normal(10 * n) for name in COLUMNS}


def tables(data: Data) -> tuple[Any, Any]:
    import polars as pl

    whole = {"k", "t", "visits.k", "visits.t"}
    cells = {name: data[name].astype(np.int64) if name in whole else data[name] for name in data}
    orders = pl.DataFrame({"k": cells["k"], "t": cells["t"], "row": np.arange(len(cells["k"]))})
    visits = {n.partition(".")[2]: v for n, v in cells.items() if n.startswith("visits.")}
    return orders, pl.DataFrame(visits)


def ours(data: Data) -> Any:
    import stylobate

    orders, visits = tables(data)
    found = stylobate.join(orders, name="orders").aggregate(
        visits, by="k", before="t", statistics=STATISTICS, name="visits"
    )
    names = [name for name in found.columns if name.startswith("visits.")]
    stream = stylobate.data.streams.open_rows(found, "race", features=names).stream
    return np.concatenate([np.asarray(batch.x) for batch in stream])


def _named() -> list[tuple[str, str]]:
    return [(statistic, name) for statistic in STATISTICS[1:] for name in COLUMNS]


def by_polars(data: Data) -> Any:
    import polars as pl

    orders, visits = tables(data)
    pairs = orders.lazy().join(visits.lazy(), on="k", suffix="_visit")
    made = [getattr(pl.col(name), s)().alias(f"{s}_{name}") for s, name in _named()]
    found = (
        pairs.filter(pl.col("t_visit") < pl.col("t")).group_by("row").agg(pl.len(), *made).collect()
    )
    whole = orders.select("row").join(found, on="row", how="left", maintain_order="left")
    sums = [f"sum_{name}" for name in COLUMNS]
    return whole.with_columns(pl.col("len", *sums).fill_null(0)).drop("row").to_numpy()


def by_duckdb(data: Data) -> Any:
    import duckdb

    orders, visits = tables(data)
    connection = duckdb.connect()
    connection.register("orders", orders)
    connection.register("visits", visits)
    words = {"sum": "sum", "mean": "avg", "min": "min", "max": "max"}
    made = [f"{words[s]}(v.{name}) AS {s}_{name}" for s, name in _named()]
    rows = connection.execute(
        f"SELECT o.row, count(v.k) AS n, {', '.join(made)} FROM orders o "
        "LEFT JOIN visits v ON o.k = v.k AND v.t < o.t GROUP BY o.row ORDER BY o.row"
    ).fetchnumpy()
    columns = [np.ma.filled(cells.astype(np.float64), np.nan) for cells in rows.values()]
    sums = range(2, 2 + len(COLUMNS))
    for j in sums:
        columns[j] = np.nan_to_num(columns[j])
    return np.column_stack(columns[1:])


def by_featuretools(data: Data) -> Any:
    ft: Any = import_module("featuretools")
    orders, visits = (frame.to_pandas() for frame in tables(data))
    start = np.datetime64("2020-01-01")
    orders["when"], visits["when"] = (
        start + frame["t"].to_numpy().astype("m8[s]") for frame in (orders, visits)
    )
    visits["visit"] = np.arange(len(visits))
    customers = orders[["k"]].drop_duplicates()
    frames = {
        "customers": (customers, "k"),
        "visits": (visits.drop(columns="t"), "visit", "when"),
    }
    moments = orders.rename(columns={"when": "time"})[["k", "time"]]
    found, _ = ft.dfs(
        frames,
        [("customers", "k", "visits", "k")],
        target_dataframe_name="customers",
        cutoff_time=moments,
        agg_primitives=["count", "sum", "mean", "min", "max"],
        trans_primitives=[],
        max_depth=1,
    )
    return found.to_numpy(dtype=np.float64)


def quality(found: Any, data: Data) -> float:
    """The largest difference from a loop over some orders; features in any order."""
    worst = 0.0
    for i in range(0, len(data["k"]), max(len(data["k"]) // 50, 1)):
        chosen = (data["visits.k"] == data["k"][i]) & (data["visits.t"] < data["t"][i])
        values = [data[f"visits.{name}"][chosen] for name in COLUMNS]
        expected = [float(chosen.sum()), *(v.sum() for v in values)]
        if chosen.any():
            for function in (np.mean, np.min, np.max):
                expected += [function(v) for v in values]
        row = np.sort(found[i][~np.isnan(found[i])])
        if len(row) != len(expected):
            return np.inf
        worst = max(worst, float(np.abs(row - np.sort(expected)).max()))
    return 0.0 if worst < 1e-9 else worst


def work(size: Size) -> tuple[float, float]:
    """Every cell read once, every feature written once."""
    return 0.0, 8.0 * size["rows"] * (10 * 5 + 2 + 13)


WORKLOAD = Workload(
    name="aggregate",
    title="13 aggregates of what was before each row",
    sizes={
        "small": {"rows": 1_000},
        "standard": {"rows": 200_000},
        "large": {"rows": 1_000_000},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("polars", "polars", by_polars),
        Contender("duckdb", "duckdb", by_duckdb),
        Contender("featuretools", "featuretools", by_featuretools),
    ),
    quality=quality,
    floor=work,
    goals=(Faster("peers", 1.0), Faster("featuretools", 40.0)),
)
