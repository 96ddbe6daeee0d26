"""What the workloads on several tables share: tables, their joins by others, how good a line is."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, line_of

ALPHA = 1.0
HELD_OUT = 50_000  # joined rows by which answers are judged
WIDTHS = (8, 6, 4)  # columns of the three tables that are looked up; the facts have 5

Edges = list[tuple[str, str, str]]  # a table that points, its key, the table that has it
STAR: Edges = [("facts", "k0", "t0"), ("facts", "k1", "t1"), ("facts", "k2", "t2")]
SNOWFLAKE: Edges = [("facts", "k0", "t0"), ("t0", "k1", "t1"), ("t1", "k2", "t2")]
MANY: Edges = [("facts", "k", "t0"), ("facts", "k", "t1")]


def make_lookup(size: Size, seed: int, edges: Edges, *, classes: bool = False) -> Data:
    """Facts and three tables, each a tenth of the one before, and some joined rows held out."""
    rng = np.random.default_rng(seed)
    counts = {"facts": size["rows"] + HELD_OUT}
    for j in range(len(WIDTHS)):
        counts[f"t{j}"] = max(size["keys"] // 10**j, 5)
    data: Data = {f"facts.f{j}": rng.standard_normal(counts["facts"]) for j in range(5)}
    for j, width in enumerate(WIDTHS):
        data[f"t{j}.k{j}"] = rng.permutation(counts[f"t{j}"]).astype(np.float64)
        for i in range(width):
            data[f"t{j}.c{j}{i}"] = rng.standard_normal(counts[f"t{j}"]) + rng.uniform(-2.0, 2.0)
    for table, key, other in edges:
        data[f"{table}.{key}"] = rng.integers(0, counts[other], counts[table]).astype(np.float64)
    rows = rows_of(data, edges)
    x = np.column_stack(list(rows.values()))
    z = (x - x.mean(axis=0)) @ rng.standard_normal(x.shape[1]) / np.sqrt(x.shape[1])
    noise = rng.standard_normal(len(z))
    y = (z + noise > 0.0).astype(np.float64) if classes else z + noise
    kept = size["rows"]
    data = {
        name: cells[:kept] if name.startswith("facts.") else cells for name, cells in data.items()
    }
    return data | {"facts.y": y[:kept], "X": x[kept:], "y": y[kept:]}


def rows_of(data: Data, edges: Edges) -> Data:
    """The columns of joined rows, by plain indexing."""
    place = {"facts": np.arange(len(data["facts.f0"]))}
    for table, key, other in edges:
        where = np.argsort(data[f"{other}.{key}"])
        place[other] = where[data[f"{table}.{key}"].astype(np.int64)][place[table]]
    return {
        name: cells[place[name.partition(".")[0]]]
        for name, cells in data.items()
        if name.partition(".")[2][0] in "fc"
    }


def make_many(size: Size, seed: int) -> Data:
    """Three tables that share a key: of each key 100, 30 and 20 rows, 60,000 when joined."""
    rng = np.random.default_rng(seed)
    keys = size["keys"]
    data: Data = {}
    for table, count, width in (("facts", 100, 5), ("t0", 30, 3), ("t1", 20, 3)):
        n = keys * count
        data[f"{table}.k"] = rng.permutation(np.repeat(np.arange(keys), count)).astype(np.float64)
        shift = rng.standard_normal(keys)[data[f"{table}.k"].astype(np.int64)]
        letter = "f" if table == "facts" else f"c{table[1]}"
        for i in range(width):
            data[f"{table}.{letter}{i}"] = rng.standard_normal(n) + shift
    w = rng.standard_normal(5)
    data["facts.y"] = sum(w[i] * data[f"facts.f{i}"] for i in range(5)) + rng.standard_normal(
        100 * keys
    )
    return data


def tables_of(data: Data) -> dict[str, dict[str, Any]]:
    """Columns by table; keys are whole numbers."""
    found: dict[str, dict[str, Any]] = {}
    for name, cells in data.items():
        table, _, column = name.partition(".")
        if column:
            found.setdefault(table, {})[column] = (
                cells.astype(np.int64) if column.startswith("k") else cells
            )
    return found


def features_of(data: Data) -> list[str]:
    """The columns that are learnt from, as frames name them after a join."""
    names = [name.partition(".")[2] for name in data if "." in name]
    return [name for name in names if name[0] in "fc"]


def joined(data: Data, edges: Edges, *, many: bool = False) -> Any:
    """Our join, of which nothing is computed yet."""
    import polars as pl

    import stylobate

    tables = {name: pl.DataFrame(columns) for name, columns in tables_of(data).items()}
    found = stylobate.join(tables["facts"], name="facts")
    for table, key, other in edges:
        how: Any = "inner" if many else "left"
        on = {f"{table}.{key}": key}
        found = found.with_(tables[other], on=on, how=how, many=many, name=other)
    return found


def by_polars(data: Data, edges: Edges, how: Any = "left") -> tuple[Any, Any]:
    """Features and target of the join, as polars makes it."""
    import polars as pl

    frames = {name: pl.DataFrame(columns) for name, columns in tables_of(data).items()}
    found = frames["facts"]
    for _, key, other in edges:
        found = found.join(frames[other], on=key, how=how)
    return found.select(features_of(data)), found["y"]


def by_duckdb(data: Data, edges: Edges, how: str = "LEFT") -> tuple[Any, Any]:
    """The same by DuckDB, as a NumPy matrix."""
    import duckdb
    import polars as pl

    connection = duckdb.connect()
    for name, columns in tables_of(data).items():
        connection.register(name, pl.DataFrame(columns))
    names = features_of(data)
    sql = f"SELECT {', '.join(names)}, y FROM facts"
    for table, key, other in edges:
        sql += f" {how} JOIN {other} ON {table}.{key} = {other}.{key}"
    rows = connection.execute(sql).fetchnumpy()
    return np.column_stack([rows[name] for name in names]), rows["y"]


def ridge(x: Any, y: Any) -> Line:
    """Ours, on rows in memory."""
    from stylobate.linear_model import Ridge

    model: Any = Ridge(alpha=ALPHA)
    return line_of(model.fit(x, y))


def sklearn_ridge(x: Any, y: Any) -> Line:
    """scikit-learn's."""
    from sklearn.linear_model import Ridge

    return line_of(Ridge(alpha=ALPHA).fit(x.to_numpy() if hasattr(x, "to_numpy") else x, y))


def squared_error(line: Line, data: Data) -> float:
    """Of rows held out."""
    residual = data["y"] - data["X"] @ line.coef - line.intercept
    return float(residual @ residual / len(residual))


def lookup_work(size: Size) -> tuple[float, float]:
    """Products of all pairs of columns, and every cell of the tables read once."""
    q = 5 + sum(WIDTHS) + 1
    return float(size["rows"]) * q * (q + 1), 8.0 * size["rows"] * (5 + 1 + 3)


def ridge_workload(kind: str, edges: Edges) -> Workload:
    """Ridge regression over a shape of tables."""

    def ours(data: Data) -> Line:
        from stylobate.linear_model import Ridge

        model: Any = Ridge(alpha=ALPHA)
        return line_of(model.fit(joined(data, edges), target="facts.y"))

    def materialised(data: Data, join: Any, fit: Any) -> Line:
        answer: Line = fit(*join(data, edges))
        return answer

    return Workload(
        name=f"join_{kind}",
        title=f"ridge regression over a {kind} of tables, alpha = {ALPHA:g}",
        sizes={
            "small": {"rows": 10_000, "keys": 500},
            "standard": {"rows": 4_000_000, "keys": 100_000},
            "large": {"rows": 10_000_000, "keys": 100_000},
        },
        make=partial(make_lookup, edges=edges),
        contenders=(
            Contender("ours", "stylobate", ours, "ours"),
            Contender("polars + ours", "polars", partial(materialised, join=by_polars, fit=ridge)),
            Contender(
                "polars + sklearn",
                "sklearn",
                partial(materialised, join=by_polars, fit=sklearn_ridge),
            ),
            Contender("duckdb + ours", "duckdb", partial(materialised, join=by_duckdb, fit=ridge)),
        ),
        quality=squared_error,
        floor=lookup_work,
        goals=(Faster("peers", 2.0),),
    )
