"""Studies of databases: what is looked up and aggregated, what tables are worth, predictions."""

from __future__ import annotations

import sqlite3
import sys
import warnings
from pathlib import Path

import duckdb
import numpy as np
import polars
import pytest

import stylobate
from stylobate import Study
from stylobate.exceptions import InvalidDataError, InvalidParameterError

sys.path.insert(0, str(Path(__file__).parents[1] / "formula"))

FAST = {"models": ["ridge"], "time": 6}


def shop(seed=0, n=360):
    """Orders whose target needs the customer's age and earlier visits; regions say nothing."""
    rng = np.random.default_rng(seed)
    customers = {
        "id": np.arange(60),
        "age": rng.normal(45.0, 12.0, 60),
        "region_id": rng.integers(0, 6, 60),
    }
    regions = {"id": np.arange(6), "rain": rng.normal(size=6)}
    visits = {
        "visit_number": np.arange(900),
        "customer_id": rng.integers(0, 60, 900),
        "day": np.datetime64("2024-01-01") + rng.integers(0, 300, 900).astype("m8[D]"),
        "pages": rng.poisson(5.0, 900).astype(float),
    }
    orders = {
        "id": np.arange(n),
        "customer_id": rng.integers(0, 60, n),
        "day": np.datetime64("2024-01-01") + rng.integers(60, 300, n).astype("m8[D]"),
        "price": rng.gamma(2.0, 10.0, n),
    }
    earlier = np.array(
        [
            np.sum((visits["customer_id"] == c) & (visits["day"] < d))
            for c, d in zip(orders["customer_id"], orders["day"], strict=True)
        ]
    )
    orders["days"] = (
        0.3 * customers["age"][orders["customer_id"]] + earlier + rng.normal(0.0, 0.5, n)
    )
    return {"orders": orders, "customers": customers, "regions": regions, "visits": visits}


def of_duckdb(folder):
    path = folder / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for name, table in shop().items():
            frame = polars.DataFrame(table)
            connection.register("rows_of", frame)
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM rows_of")
    return path


def of_sqlite(folder):
    """The same with declared keys; dates are text there."""
    path = folder / "shop.sqlite"
    keys = {
        "orders": ", FOREIGN KEY (customer_id) REFERENCES customers (id)",
        "customers": ", FOREIGN KEY (region_id) REFERENCES regions (id)",
        "visits": ", FOREIGN KEY (customer_id) REFERENCES customers (id)",
        "regions": "",
    }
    with sqlite3.connect(path) as connection:
        for name, table in shop().items():
            cells = [c.astype(str) if c.dtype.kind == "M" else c for c in table.values()]
            connection.execute(f"CREATE TABLE {name} ({', '.join(table)}{keys[name]})")
            marks = ", ".join("?" * len(table))
            rows = zip(*(c.tolist() for c in cells), strict=True)
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
    connection.close()
    return path


def of_postgres(folder):
    from postgres_server import connection

    kinds = {"i": "int", "f": "double precision", "M": "date"}
    server = connection()
    server.execute("SET search_path TO public")  # other tests leave another one behind
    server.execute("DROP TABLE IF EXISTS orders, visits, customers, regions, shops CASCADE")
    for name, table in shop().items():
        columns = [f"{column} {kinds[cells.dtype.kind]}" for column, cells in table.items()]
        server.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        marks = ", ".join(["%s"] * len(table))
        rows = zip(*(cells.tolist() for cells in table.values()), strict=True)
        with server.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", list(rows))
    server.execute("ALTER TABLE customers ADD PRIMARY KEY (id)")
    for name in ("orders", "visits"):
        server.execute(f"ALTER TABLE {name} ADD FOREIGN KEY (customer_id) REFERENCES customers")
    server.execute("ALTER TABLE regions ADD PRIMARY KEY (id)")
    server.execute("ALTER TABLE customers ADD FOREIGN KEY (region_id) REFERENCES regions")
    return f"postgresql://postgres@/postgres?host={server.info.host}"


def of_folder(folder):
    for name, table in shop().items():
        polars.DataFrame(table).write_csv(folder / f"{name}.csv")
    return folder


def run(source, target, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Study(source, target, **(FAST | options)).run()


@pytest.mark.parametrize("made", [of_duckdb, of_sqlite, of_folder, of_postgres])
def test_tables_are_found_looked_up_aggregated_and_judged(made, tmp_path):
    result = run(made(tmp_path), "orders.days", split="random")
    found = result.relations
    roles = {each.name: each.role for each in found.tables}
    assert {name: role for name, role in roles.items() if role != "left out"} == {
        "orders": "facts", "customers": "looked up", "regions": "looked up",
        "visits": "aggregated", "earlier orders": "earlier rows",
    }  # fmt: skip
    assert found.moment == "orders.day"
    worth = {each.tables[0]: each for each in found.worth}
    assert worth["customers"].verdict == worth["visits"].verdict == "earned its place"
    assert worth["customers"].through == ("regions",)
    assert worth["regions"].verdict == "could be left out"
    assert worth["visits"].low > 0.0 > worth["regions"].low
    assert "customers with regions (worse by" in found.words
    assert "regions could be left out" in found.words or "regions and" in found.words
    assert result.holdout.scores[0].value < 0.5 * result.holdout.baseline[0].value
    uses = {each.name: each for each in result.data.columns}
    assert uses["orders.customer_id"].use == "left out"
    assert "key" in uses["orders.customer_id"].reason
    assert "earlier orders.mean of days" not in uses
    page = result.to_html()
    assert 'id="tables"' in page
    assert page.count("<rect x=") >= 5
    assert result.to_dict()["relations"]["worth"][0]["verdict"] == "earned its place"


def test_the_model_file_predicts_from_facts_alone(tmp_path):
    result = run(
        stylobate.database(of_duckdb(tmp_path)), "days", split="random", folder=tmp_path / "out"
    )
    model = stylobate.load(tmp_path / "out" / "model.stylobate")
    names = [name for name in ("customer_id", "day", "price") if name in model.feature_names_in_]
    assert set(model.feature_names_in_) <= {"id", "customer_id", "day", "price"}
    assert {"customer_id", "day"} <= set(names)
    tables = shop()
    new = {name: tables["orders"][name][:20] for name in model.feature_names_in_}
    expected = tables["orders"]["days"][:20]
    found = model.predict(new)
    np.testing.assert_array_equal(found, result.predict(new))
    assert np.sqrt(np.mean((found - expected) ** 2)) < 1.5
    # more visits before the order are more days: newer tables take the place of stored ones
    step = model.steps[0][1]
    visits = tables["visits"]
    more = {name: np.concatenate([cells, cells]) for name, cells in visits.items()}
    step.join = step.join.with_tables(visits=more)
    assert model.predict(new).mean() > found.mean() + 2.0
    new["customer_id"] = np.full(20, 999)
    with pytest.warns(stylobate.exceptions.JoinWarning, match="20 of 20 rows find no match in cus"):
        model.predict(new)


def test_a_table_and_columns_are_left_out_as_asked_for(tmp_path):
    database = stylobate.database(of_duckdb(tmp_path))
    result = run(database, "orders.days", drop=["visits.*", "earlier orders.*", "price"])
    roles = {each.name: each.role for each in result.relations.tables}
    assert roles["visits"] == roles["earlier orders"] == "left out"
    assert "--drop 'visits.*,earlier orders.*,price'" in result.reproduction.command
    assert all(each.name != "visits.count" for each in result.data.columns)


def test_a_join_is_studied_as_it_is():
    tables = shop()
    orders, customers = tables["orders"], tables["customers"]
    joined = stylobate.join(orders).with_(customers, on={"customer_id": "id"})
    result = run(joined, "days", split="random")
    assert [each.role for each in result.relations.tables] == ["facts", "looked up"]
    assert result.predict({k: v[:3] for k, v in orders.items()}).shape == (3,)
    many = stylobate.join(orders).with_(tables["visits"], on="customer_id", many=True)
    with pytest.raises(InvalidDataError, match=r"several rows for one of its facts.*aggregate"):
        run(many, "orders.days")
    with pytest.raises(InvalidParameterError, match="begin the join with customers"):
        run(joined, "age")


def test_larger_tables_are_sampled_and_the_model_fitted_to_all_rows(tmp_path):
    result = run(stylobate.database(of_duckdb(tmp_path)), "orders.days", memory=0.06)
    assert result.reading.rows == 360
    assert result.reading.sampled < 360
    assert result.reading.fitted_rows == 360


@pytest.mark.parametrize(
    ("target", "options", "told"),
    [
        ("orders.day_s", {}, r"orders has no column 'day_s'.*Did you mean 'orders.day"),
        ("customer_id", {}, "2 tables of .* have a column 'customer_id'; say which"),
        ("sales.days", {}, r"write table.column, the tables are customers, orders.*Did you mean"),
        ("orders.days", {"drop": ["sales.*"]}, "drop: there is no table 'sales'"),
        ("orders.days", {"time_column": "visits.pages"}, "rows of orders are predicted"),
        ("orders.days", {"horizon": 2}, "horizon=2 is for a series in one table"),
        ("orders.days", {"group": "customer"}, "there is no column 'customer'"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(target, options, told, tmp_path):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=told):
        run(stylobate.database(of_duckdb(tmp_path)), target, **options)


def test_damaged_keys_are_refused_with_the_table_to_leave_out(tmp_path):
    path = of_sqlite(tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO customers VALUES (3, 40.0, 1)")
    connection.close()
    with pytest.raises(InvalidDataError, match=r"customers has 2 rows with id=3.*drop='table\.\*'"):
        run(stylobate.database(path), "orders.days")
    result = run(stylobate.database(path), "orders.days", drop=["customers.*"], keep=["price"])
    assert {each.role for each in result.relations.tables} == {"facts", "left out"}


def test_a_study_of_tables_goes_on_where_it_stopped(tmp_path):
    database = stylobate.database(of_duckdb(tmp_path))
    folder = tmp_path / "out"
    first = run(database, "orders.days", folder=folder)
    (kept,) = [p for p in (folder / "progress").glob("*.jsonl") if "holdout" not in p.name]
    lines = kept.read_text(encoding="utf-8")
    assert lines.count("without tables") >= 4
    second = run(database, "orders.days", folder=folder)
    assert kept.read_text(encoding="utf-8") == lines  # nothing was fitted again
    assert second.relations == first.relations
    assert repr(second.pipeline.steps[0][1].join).startswith("StoredJoin(orders with ")
